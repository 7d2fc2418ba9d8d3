// Package input stands between Pulumi's inputs and plain values: it unwraps
// what a program has given as plain arguments, and wraps what the pure packages
// decide.
//
// [Tree] and [Resolved] read: they make plain trees. [Edit] and [EditProperties] write the
// edits of package mutate into arguments and properties, and [Watch] looks at outputs when
// they are known.
package input
