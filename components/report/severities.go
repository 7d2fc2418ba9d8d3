package report

import (
	"cmp"
	"maps"
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/components/rule"
	"github.com/mixedkube/mixedkube/internal/fielderrors"
)

// Severities are severities by the IDs of rules, in place of those that the rules have. The zero value
// changes nothing.
type Severities map[string]rule.Severity

// Apply gives a finding the severity that its rule has here, also where the finding's own is less than
// the rule's. A rule that nobody can ignore keeps its severity.
func (s Severities) Apply(f rule.Finding) rule.Finding {
	f.Severity = cmp.Or(s[f.Rule], f.Severity)
	return f
}

// ValidateSeverities returns what is wrong with severities, with paths below path: unknown IDs, rules
// that cannot be ignored, and unknown severities.
func ValidateSeverities(path *field.Path, rules rule.Set, severities Severities) field.ErrorList {
	var errs field.ErrorList
	for _, id := range slices.Sorted(maps.Keys(severities)) {
		for _, err := range rules.CheckIgnored(path, []string{id}) {
			err.Field = path.Key(id).String()
			errs = append(errs, err)
		}
		if severity := severities[id]; !slices.Contains(rule.Severities(), severity) {
			errs = append(errs, field.Invalid(path.Key(id), string(severity), fielderrors.Unknown("severity",
				string(severity), texts(rule.Severities()))+": to silence a rule, ignore it"))
		}
	}
	return errs
}

func texts[T ~string](values []T) []string {
	all := make([]string, len(values))
	for i, v := range values {
		all[i] = string(v)
	}
	return all
}
