package report

import (
	"cmp"
	"maps"
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/fielderrors"
)

// Severities maps rule IDs to severities that replace the rules' own. The zero value changes nothing.
type Severities map[string]rule.Severity

// Apply returns a finding with the severity that is set here for its rule, even if the finding's own severity is lower
// than the rule's. A mandatory rule keeps its severity.
func (s Severities) Apply(f rule.Finding) rule.Finding {
	f.Severity = cmp.Or(s[f.Rule], f.Severity)
	return f
}

// ValidateSeverities validates severities. It returns errors below path for unknown IDs, mandatory rules and unknown
// severities.
func ValidateSeverities(path *field.Path, rules rule.Set, severities Severities) field.ErrorList {
	var errs field.ErrorList
	for _, id := range slices.Sorted(maps.Keys(severities)) {
		for _, err := range rules.CheckIgnored(path, []string{id}) {
			err.Field = path.Key(id).String()
			errs = append(errs, err)
		}
		if severity := severities[id]; !slices.Contains(rule.Severities(), severity) {
			errs = append(errs, field.Invalid(path.Key(id), string(severity), fielderrors.Unknown("severity",
				string(severity), texts(rule.Severities()))+": to suppress its findings, ignore it"))
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
