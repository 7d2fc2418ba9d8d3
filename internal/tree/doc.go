// Package tree is the one form in which the library looks at a Kubernetes
// object, wherever it comes from: maps and lists as encoding/json makes them,
// with marks for what is not known yet and for what must not be shown.
//
// A tree consists of nil, bool, string, int64, float64, []any, map[string]any,
// [Unknown] and [Secret], and of nothing else. A number without a fraction is an
// int64 where it fits, whatever its source calls it. [Normalize] brings other
// values into this form; internal/manifests makes trees of files, internal/input
// of Pulumi's values, of which this package knows nothing. [Decode] fills Go values from
// the plain values of a document, strictly: all that is wrong is reported at once.
package tree
