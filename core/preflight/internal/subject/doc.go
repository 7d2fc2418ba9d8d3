// Package subject contains the subjects of rules: objects, and the pods in them, together with what is known about the
// cluster.
//
// A subject only tells facts: what an object says, what its pods are for, where they can land. Whether that is a
// problem is for the rules in package rules. A fact that several rules need, or that takes long, is computed once for
// each subject.
package subject
