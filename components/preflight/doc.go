// Package preflight knows what goes wrong with Windows on Kubernetes, and says
// so before anything is deployed.
//
// [Check] takes one Kubernetes object, as plain maps and lists, and returns its
// findings: each with the path of the field, the value, what is wrong, what to do
// about it, and the ID of the rule. [Rules] is the table of all rules; docs/rules
// shows each of them with an example. With a [topology.Topology] in the [Options]
// it also says what is wrong on that cluster: pods that fit no pool, images that
// do not run where the pods can land.
//
// An error is what fails: on every cluster where the topology is not given, else
// on the given one. What is unwise is a warning, what is good to know an info. A
// value that is [Unknown] skips the rules about that value, and only those.
//
// A rule can be silenced on an object with the annotation [IgnoreAnnotation].
//
// # For those who work on it
//
// A rule is a variable beside the check that reports it, in check_*.go; rules.go
// lists them all. A check walks the tree itself, without decoding it into
// Kubernetes' types, so that values of every kind, unknown ones included, keep
// their place, and so that a check costs microseconds. A path is built when there
// is something to report, not before.
package preflight
