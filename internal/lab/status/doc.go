// Package status shows where the pods of a cluster run, and judges whether
// each is on a node of the right kind.
//
// The kind of node that a pod needs is read from the pod itself (its operating system, its
// node selector, its images) and never guessed: any node is right for a pod that has none
// of these.
package status
