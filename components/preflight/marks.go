package preflight

import "github.com/mixedkube/mixedkube/components/value"

// Unknown stands in an object for a value that is not known yet. It counts as
// set; rules about the value itself are skipped.
type Unknown = value.Unknown

// Secret holds a value in an object that must not be shown: rules look at it,
// findings do not print it.
type Secret = value.Secret
