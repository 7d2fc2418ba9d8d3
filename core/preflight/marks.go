package preflight

import "github.com/mixedkube/mixedkube/core/value"

// Unknown replaces a value of an object that is not known yet. It counts as set; rules about the value itself are
// skipped.
type Unknown = value.Unknown

// Secret holds a value of an object that must not be shown: rules check it, and findings do not print it.
type Secret = value.Secret
