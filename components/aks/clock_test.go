package aks

import "time"

// The messages that tests compare are those of one day.
var _ = func() bool {
	today = func() time.Time { return time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC) }
	return true
}()
