// Package status shows where the pods of a cluster run, and judges whether
// each is on a node of the right kind.
//
// What kind a pod needs is read from the pod itself (its operating system, its
// node selector, its images) and never guessed: a pod that says nothing is
// right on any node.
package status
