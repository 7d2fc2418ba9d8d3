// Package pods reads the pods of an object once, and answers what they are for and who
// says so: each place that says it is a [Claim] with its path. Where the pods can run is
// for package placement to say, what is wrong with them for package preflight, and what
// they lack for package mutate.
//
// An object is a plain tree, as package tree has it: values that are not known yet and
// secrets are marks in it.
package pods
