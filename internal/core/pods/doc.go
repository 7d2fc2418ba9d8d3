// Package pods reads the pods of an object once, and determines what they are for and which
// places state it: each of these is a [Claim] with its path. Package placement determines
// where the pods can run, package preflight what is wrong with them, and package mutate which
// fields they need.
//
// An object is a plain tree, see package tree: values that are not known yet and secrets
// are marks in it.
package pods
