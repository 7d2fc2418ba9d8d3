package preflight

import "slices"

// places are the severities of findings by rule and path, which findings have in common if they are the same, see
// [Finding.SameAs]. An object can have tens of thousands of findings: comparing them in pairs takes too long.
type places map[[2]string][]Severity

func placesOf(findings []Finding) places {
	p := make(places, len(findings))
	for _, f := range findings {
		if severities := p.severities(f); !slices.Contains(severities, f.Severity) {
			p[[2]string{f.Rule, f.Path}] = append(severities, f.Severity)
		}
	}
	return p
}

func (p places) severities(f Finding) []Severity { return p[[2]string{f.Rule, f.Path}] }

// has reports whether one of the findings is the same.
func (p places) has(f Finding) bool { return len(p.severities(f)) > 0 }
