// Package preflight knows what goes wrong with Windows on Kubernetes, and reports it before anything is deployed.
//
// [Check] takes one Kubernetes object as plain maps and lists, and returns its findings: each with the path of the
// field, the value, what is wrong, what to do, and the ID of the rule. [Rules] lists all rules; docs/rules explains
// each of them with an example. With a [topology.Topology] in the [Options], preflight also finds what is wrong on
// that cluster: pods that fit no pool, and images that do not run where the pods can land. [Checker.Across] checks
// several objects together, for example the pods that a Service selects.
//
// An error is something that fails: on the given cluster, or on every cluster if there is no topology. A warning is
// unwise, and an info is good to know. A value that is [Unknown] skips the rules about that value and no others.
//
// The annotation [IgnoreAnnotation] silences a rule for an object.
//
// # How rules are written
//
// A rule is a variable next to the check that reports it, in check_*.go, and rules.go lists all rules. A check walks
// the tree itself. It does not decode the object into the types of Kubernetes, so that values of every kind, also
// unknown ones, keep their places, and a check costs microseconds. It builds a path only when it reports something.
package preflight
