package pods

import (
	"slices"
	"strings"
)

// IsResource reports whether a Pulumi resource with a type is an object of Kubernetes. A patch, see
// [IsPatch], is not: it is not checked.
func IsResource(typ string, custom bool) bool {
	return custom && strings.HasPrefix(typ, kubernetesType) && !strings.HasSuffix(typ, patchSuffix)
}

// IsPatch reports whether a Pulumi resource with a type is only a part of an object, such as DeploymentPatch.
func IsPatch(typ string, custom bool) bool {
	return custom && strings.HasPrefix(typ, kubernetesType) && strings.HasSuffix(typ, patchSuffix)
}

// StatesPlatform reports whether an object belongs to a component that has the platform of the pods as an argument. The
// types are those in its URN, with those of the components above it. Components that are made of others choose the
// platforms themselves.
func StatesPlatform(types string) bool {
	all := strings.Split(types, "$")
	own := slices.IndexFunc(all, func(t string) bool { return strings.HasPrefix(t, "mixedkube:") })
	return own >= 0 && own == len(all)-2 && strings.HasPrefix(all[own+1], kubernetesType) &&
		(strings.HasPrefix(all[own], "mixedkube:workload:") || all[own] == "mixedkube:hostprocess:DaemonSet")
}

const (
	kubernetesType = "kubernetes:"
	patchSuffix    = "Patch"
)
