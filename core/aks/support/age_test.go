package support_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/mixedkube/mixedkube/core/aks/support"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/facts/lives"
)

func TestOldFactsAreAnInfo(t *testing.T) {
	t.Parallel()
	var seen time.Time
	for _, l := range lives.All() {
		if l.Names[0] == "SKUs" {
			seen, _ = time.Parse(time.DateOnly, l.Seen)
		}
	}
	names := []string{"SKUs"}
	for _, day := range []time.Time{seen.AddDate(0, 0, 179), {}} {
		if found := support.CheckFacts(day, names); found != nil {
			t.Errorf("on %s: %v", day, found)
		}
	}
	after := seen.AddDate(0, 0, 181)
	want := []rule.Finding{{
		Rule: "MK888", Severity: rule.Info, Value: "SKUs",
	}}
	ignored := cmpopts.IgnoreFields(rule.Finding{}, "Detail", "Fix") // the test of package aged has them
	if diff := cmp.Diff(want, support.CheckFacts(after, names), ignored); diff != "" {
		t.Errorf("after 181 days (-want +got):\n%s", diff)
	}
	if found := support.CheckFacts(after, nil); found != nil {
		t.Errorf("without a fact: %v", found)
	}
}
