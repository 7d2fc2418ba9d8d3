// Package input converts between Pulumi's inputs and plain values: it unwraps
// the plain arguments of a program, and wraps the decisions of the packages
// that do not know Pulumi.
//
// [Tree] and [Resolved] read arguments into plain trees. [Edit] and [EditProperties] write the
// edits of package mutate into arguments and properties, and [Watch] reads outputs when they
// are known.
package input
