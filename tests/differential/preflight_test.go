package differential

import "github.com/mixedkube/mixedkube/core/preflight"

// check returns preflight's verdicts for a version of Kubernetes, "1.36" for example: the findings about objects that
// the API server refuses.
func check(object map[string]any, minor string) []verdict {
	var refused []verdict
	for _, f := range preflight.Check(object, preflight.Options{KubernetesVersion: minor}) {
		if f.Type != "" && f.Blocks() {
			refused = append(refused, verdict{f.Path, f.Type, f.Detail})
		}
	}
	return refused
}
