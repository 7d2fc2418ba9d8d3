package topology

import (
	"fmt"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/internal/core/facts/kubeversion"
)

func validateVersion(s string, path *field.Path) field.ErrorList {
	if _, ok := kubeversion.Parse(s); !ok && s != "" {
		return field.ErrorList{field.Invalid(path, s, "not a Kubernetes version: write 1.36 or 1.36.3")}
	}
	return nil
}

// validateNodeVersion applies the version skew policy (https://kubernetes.io/releases/version-skew-policy/): a kubelet
// must not be newer than the API server, and at most three minor versions older, or two for kubelets before 1.25.
func validateNodeVersion(s string, controlPlane kubeversion.Version, path *field.Path) field.ErrorList {
	if errs := validateVersion(s, path); len(errs) > 0 {
		return errs
	}
	node, known := kubeversion.Parse(s)
	if !known || controlPlane == (kubeversion.Version{}) {
		return nil
	}
	oldest := kubeversion.Version{Major: controlPlane.Major, Minor: controlPlane.Minor - 3}
	if oldest.Minor < 25 {
		oldest.Minor = min(25, controlPlane.Minor-2)
	}
	switch {
	case node.Compare(controlPlane) > 0:
		return field.ErrorList{field.Invalid(path, s, fmt.Sprintf(
			"newer than the control plane (%s), which a kubelet must not be: upgrade the control plane first, "+
				"or use %s",
			controlPlane, controlPlane))}
	case node.Major == controlPlane.Major && node.Minor < oldest.Minor:
		return field.ErrorList{field.Invalid(path, s, fmt.Sprintf(
			"%d minor versions older than the control plane (%s), and at most %d are supported: use %s or newer",
			controlPlane.Minor-node.Minor, controlPlane, controlPlane.Minor-oldest.Minor, oldest))}
	default:
		return nil
	}
}
