package aks

import (
	"os"
	"testing"
	"time"
)

// The messages that tests compare are those of one fixed day.
var _ = os.Setenv("SOURCE_DATE_EPOCH", "1767225600")

func TestTheDayCanBeSet(t *testing.T) {
	if got, want := today().UTC(), time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC); !got.Equal(want) {
		t.Errorf("%v, want %v", got, want)
	}
	t.Setenv("SOURCE_DATE_EPOCH", "soon")
	if got := today(); time.Since(got) > time.Minute || time.Until(got) > 0 {
		t.Errorf("%v, and it is %v", got, time.Now())
	}
}
