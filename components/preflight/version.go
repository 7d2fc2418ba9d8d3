package preflight

import (
	"strconv"
	"strings"
)

// oldest is the oldest minor version of Kubernetes that the rules were compared
// with.
const oldest = 33

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

// holds says whether the rule holds for a minor version, 0 for one that is not
// known: then sure says whether it holds for all versions.
func (r Rule) holds(minor int) (holds, sure bool) {
	since, _ := parseMinor(r.Since)
	until, bounded := parseMinor(r.Until)
	if minor == 0 {
		return true, since <= oldest && !bounded
	}
	holds = minor >= since && (!bounded || minor <= until)
	return holds, holds
}
