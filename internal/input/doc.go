// Package input stands between Pulumi's inputs and plain values: it unwraps
// what a program has given as plain arguments, and wraps what the pure packages
// decide.
package input
