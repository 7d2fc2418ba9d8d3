package preflight

import "github.com/mixedkube/mixedkube/internal/core/facts/kubeversion"

// parseMinor returns the minor version of Kubernetes 1: 36 of "1.36", "v1.36.3".
func parseMinor(s string) (int, bool) {
	v, ok := kubeversion.Parse(s)
	return v.Minor, ok && v.Major == 1 && v.Minor > 0
}
