package pods

import "strings"

// IsResource reports whether a resource of Pulumi of a type is an object of Kubernetes. A patch, see
// [IsPatch], is not: it is not looked at.
func IsResource(typ string, custom bool) bool {
	return custom && strings.HasPrefix(typ, kubernetesType) && !strings.HasSuffix(typ, patchSuffix)
}

// IsPatch reports whether a resource of Pulumi of a type is only a part of an object, as DeploymentPatch is.
func IsPatch(typ string, custom bool) bool {
	return custom && strings.HasPrefix(typ, kubernetesType) && strings.HasSuffix(typ, patchSuffix)
}

const (
	kubernetesType = "kubernetes:"
	patchSuffix    = "Patch"
)
