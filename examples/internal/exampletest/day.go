package exampletest

import "os"

// Previews show the day on which AKS ends its support of a platform. The tests run as if on 2026-01-01, so that the
// messages stay the same.
var _ = os.Setenv("SOURCE_DATE_EPOCH", "1767225600")
