package differential

import "github.com/mixedkube/mixedkube/components/preflight"

// check gives preflight's verdicts for a version of Kubernetes, "1.36" for
// example: of its findings those that are refusals of the API server.
func check(object map[string]any, minor string) []verdict {
	var refused []verdict
	for _, f := range preflight.Check(object, preflight.Options{KubernetesVersion: minor}) {
		if f.Type != "" && f.Blocks() {
			refused = append(refused, verdict{f.Path, f.Type, f.Detail})
		}
	}
	return refused
}
