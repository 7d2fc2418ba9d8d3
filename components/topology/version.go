package topology

import (
	"fmt"
	"regexp"
	"strconv"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// version is a minor version of Kubernetes; the zero value is one that is not
// known. Patch releases do not matter for the skew policy.
type version struct{ major, minor int }

func (v version) String() string { return fmt.Sprintf("%d.%d", v.major, v.minor) }

func (v version) newerThan(other version) bool {
	return v.major > other.major || v.major == other.major && v.minor > other.minor
}

var versionFormat = regexp.MustCompile(`^v?(\d{1,3})\.(\d{1,3})(\.\d{1,3})?$`)

func parseVersion(s string) (version, bool) {
	m := versionFormat.FindStringSubmatch(s)
	if m == nil {
		return version{}, false
	}
	major, _ := strconv.Atoi(m[1])
	minor, _ := strconv.Atoi(m[2])
	return version{major, minor}, true
}

func validateVersion(s string, path *field.Path) field.ErrorList {
	if _, ok := parseVersion(s); !ok && s != "" {
		return field.ErrorList{field.Invalid(path, s, "not a Kubernetes version: write 1.36 or 1.36.3")}
	}
	return nil
}

// validateNodeVersion applies the version skew policy
// (https://kubernetes.io/releases/version-skew-policy/): a kubelet is never
// newer than the API server, and at most three minor versions older, two
// before kubelet 1.25.
func validateNodeVersion(s string, controlPlane version, path *field.Path) field.ErrorList {
	if errs := validateVersion(s, path); len(errs) > 0 {
		return errs
	}
	node, known := parseVersion(s)
	if !known || controlPlane == (version{}) {
		return nil
	}
	oldest := version{controlPlane.major, controlPlane.minor - 3}
	if oldest.minor < 25 {
		oldest.minor = min(25, controlPlane.minor-2)
	}
	switch {
	case node.newerThan(controlPlane):
		return field.ErrorList{field.Invalid(path, s, fmt.Sprintf(
			"newer than the control plane (%s), which a kubelet must not be: upgrade the control plane first, or use %s", controlPlane, controlPlane))}
	case node.major == controlPlane.major && node.minor < oldest.minor:
		return field.ErrorList{field.Invalid(path, s, fmt.Sprintf(
			"%d minor versions older than the control plane (%s), and at most %d are supported: use %s or newer",
			controlPlane.minor-node.minor, controlPlane, controlPlane.minor-oldest.minor, oldest))}
	default:
		return nil
	}
}
