package preflight

import (
	"slices"

	"github.com/mixedkube/mixedkube/components/platform"
)

// PodPath says where the pod, or the template of pods, is in an object of a kind:
// no keys for a Pod, "spec" and "template" for a Deployment. It is false for kinds
// without pods.
func PodPath(kind string) ([]string, bool) {
	keys, ok := template[kind]
	return slices.Clone(keys), ok
}

// NamedOS is the operating system that the pods of an object name: in os.name, a
// node selector, a required node affinity, a RuntimeClass of a Windows platform,
// or by being host-process pods. What their images are is not asked. It is false
// when they name none, or when there are no pods.
func NamedOS(object map[string]any) (platform.OS, bool) {
	run := check{Checker: &Checker{}, object: object}
	p, ok := run.pods(kindOf(object))
	if !ok {
		return "", false
	}
	for _, c := range p.target.claims {
		if c.source != byImages {
			return c.os, true
		}
	}
	return "", false
}

// NamesSeveralOS says whether the required node affinity of an object's pods leads them
// to several operating systems: each of its terms names one or more, and together these
// are several.
func NamesSeveralOS(object map[string]any) bool {
	run := check{Checker: &Checker{}, object: object}
	p, ok := run.pods(kindOf(object))
	return ok && len(requiredOSes(p.spec)) > 1
}
