package pods

import "strings"

// IsResource reports whether a Pulumi resource with a type is an object of Kubernetes. A patch, see
// [IsPatch], is not: it is not checked.
func IsResource(typ string, custom bool) bool {
	return custom && strings.HasPrefix(typ, kubernetesType) && !strings.HasSuffix(typ, patchSuffix)
}

// IsPatch reports whether a Pulumi resource with a type is only a part of an object, such as DeploymentPatch.
func IsPatch(typ string, custom bool) bool {
	return custom && strings.HasPrefix(typ, kubernetesType) && strings.HasSuffix(typ, patchSuffix)
}

const (
	kubernetesType = "kubernetes:"
	patchSuffix    = "Patch"
)
