package preflight

import (
	"strconv"
	"strings"
)

// parseMinor reads the minor version of Kubernetes 1: 36 of "1.36", "v1.36.3".
func parseMinor(s string) (int, bool) {
	rest, ok := strings.CutPrefix(strings.TrimPrefix(s, "v"), "1.")
	if !ok {
		return 0, false
	}
	rest, patch, patched := strings.Cut(rest, ".")
	if _, err := strconv.ParseUint(patch, 10, 16); patched && err != nil {
		return 0, false
	}
	minor, err := strconv.ParseUint(rest, 10, 16)
	return int(minor), err == nil && minor > 0
}
