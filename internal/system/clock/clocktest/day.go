// Package clocktest fixes the day of tests, and of the programs that they run: facts age, and versions are supported on some
// days only. Import it for its effect.
package clocktest

import "os"

// The day is 2026-11-24.
var _ = os.Setenv("SOURCE_DATE_EPOCH", "1795478400")
