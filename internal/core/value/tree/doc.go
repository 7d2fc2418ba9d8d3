// Package tree is the one form in which the library reads a Kubernetes object from
// any source: maps and lists as encoding/json returns them, with marks for values that
// are not known yet and for values that must not be shown.
//
// A tree consists only of nil, bool, string, int64, float64, []any, map[string]any,
// [Unknown] and [Secret]. A number without a fraction is an int64 if it fits, whatever
// its source calls it. [Normalize] converts other values to this form;
// internal/core/manifests builds trees from files, and internal/components/input from Pulumi's values,
// which this package does not know. An [Edit] changes a tree, and what it was built from.
// [Decode] fills Go values from the plain values of a document, strictly: it reports all
// errors at once.
package tree
