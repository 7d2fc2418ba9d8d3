package topology

import (
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

func validateUpgrade(u Upgrade, path *field.Path) field.ErrorList {
	errs := validateShare(u.MaxSurge, path.Child("maxSurge"))
	errs = append(errs, validateShare(u.MaxUnavailable, path.Child("maxUnavailable"))...)
	if isNone(u.MaxSurge) && isNone(u.MaxUnavailable) {
		errs = append(errs, field.Invalid(path.Child("maxUnavailable"), u.MaxUnavailable,
			"maxSurge is also 0, so no node can be replaced: set one of the two to at least 1"))
	}
	errs = append(errs, validateNumber(u.DrainTimeoutMinutes, path.Child("drainTimeoutMinutes"))...)
	errs = append(errs, validateNumber(u.NodeSoakMinutes, path.Child("nodeSoakMinutes"))...)
	return append(errs, validateChoice(u.UndrainableNodes, "valid values are", path.Child("undrainableNodes"),
		Schedule, Cordon)...)
}

func validateShare(s string, path *field.Path) field.ErrorList {
	if _, ok := parseShare(s); !ok && s != "" {
		return field.ErrorList{field.Invalid(path, s,
			"neither a number of nodes nor a percentage up to 100%: write 1 or 33%")}
	}
	return nil
}

// isNone reports whether a share of the nodes is set to 0 or 0%.
func isNone(s string) bool {
	n, ok := parseShare(s)
	return ok && n == 0
}

// parseShare parses a number of nodes, "1", or returns the number of a percentage, "33%".
func parseShare(s string) (int, bool) {
	digits, isPercentage := strings.CutSuffix(s, "%")
	// Unlike Atoi, ParseUint accepts no sign.
	n, err := strconv.ParseUint(digits, 10, 31)
	return int(n), err == nil && (!isPercentage || n <= 100)
}
