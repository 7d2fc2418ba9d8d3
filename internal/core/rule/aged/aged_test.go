package aged_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/facts/lives"
	"github.com/mixedkube/mixedkube/internal/core/rule/aged"
)

func TestOldFactsAreAProblem(t *testing.T) {
	t.Parallel()
	all := lives.All()
	oldest, newest := all[0], all[len(all)-1]
	seen, err := time.Parse(time.DateOnly, oldest.Seen)
	if err != nil {
		t.Fatal(err)
	}
	names := []string{oldest.Names[0], newest.Names[0], "Unknown"}
	at180, at181 := seen.AddDate(0, 0, 180), seen.AddDate(0, 0, 181)
	if found := aged.Problems(aged.Use{Today: at180, Names: names}); found != nil {
		t.Errorf("after 180 days: %v", found)
	}
	found := aged.Problems(aged.Use{Today: at181, Names: []string{newest.Names[0]}})
	if found != nil && newest.Seen != oldest.Seen {
		t.Errorf("a fact that was not used, or a new one: %v", found)
	}
	want := []rule.Problem{{
		Value:  oldest.Names[0],
		Detail: "looked up more than 180 days ago, the oldest on " + oldest.Seen,
		Fix:    "use a newer release of mixedkube; mixedkube version --facts shows the sources",
	}}
	if diff := cmp.Diff(want, aged.Problems(aged.Use{Today: at181, Names: names})); diff != "" {
		t.Errorf("after 181 days (-want +got):\n%s", diff)
	}
	if found := aged.Problems(aged.Use{Today: time.Time{}, Names: names}); found != nil {
		t.Errorf("without a day: %v", found)
	}
}
