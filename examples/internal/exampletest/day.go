package exampletest

import "os"

// Previews say by which day AKS ends its support of a platform: the day of the tests is
// 2026-01-01, so that what they say stays the same.
var _ = os.Setenv("SOURCE_DATE_EPOCH", "1767225600")
