package clock_test

import (
	"testing"
	"time"

	"github.com/mixedkube/mixedkube/internal/system/clock"
)

func TestTheDayCanBeSet(t *testing.T) {
	t.Setenv("SOURCE_DATE_EPOCH", "1767225600")
	want := time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC)
	if got := clock.Today().UTC(); !got.Equal(want) {
		t.Errorf("%v, want %v", got, want)
	}
	t.Setenv("SOURCE_DATE_EPOCH", "soon")
	if got := clock.Today(); time.Since(got) > time.Minute || time.Until(got) > 0 {
		t.Errorf("%v, and it is %v", got, time.Now())
	}
}
