package preflight

import "testing"

func TestSilencedRulesExist(t *testing.T) {
	t.Parallel()
	if len(allChecks.silences) < 5 {
		t.Errorf("only %d rules silence others", len(allChecks.silences))
	}
	for id, silenced := range allChecks.silences {
		for _, other := range silenced {
			if _, exists := described.Find(other); !exists || other == id {
				t.Errorf("%s silences %q, which is itself or no rule", id, other)
			}
		}
	}
}
