// Package preflight finds problems with Windows on Kubernetes before anything is deployed.
//
// [Check] takes one Kubernetes object, as plain maps and lists, and returns its findings: each with the path of the
// field, the value, the problem, the fix, and the ID of the rule. [Rules] lists all rules; docs/rules shows each of
// them with an example. With a [topology.Topology] in the [Options], Check also reports problems on that cluster: pods
// that fit no pool, and images that do not run where the pods can land. With a planned topology as well, it reports what
// has a pool now and none in the plan.
//
// An error means that something fails: on every cluster if no topology is set, or else on the cluster of the topology.
// A warning means that something is unwise, and an info is useful to know. If a value is [Unknown], the rules about
// that value are skipped, and only those.
//
// The annotation [IgnoreAnnotation] ignores rules on an object.
//
// # For contributors
//
// A rule is a variable next to the check that reports it, in check_*.go; rules.go lists them all. A check walks the
// tree itself, without decoding it into Kubernetes' types, so that values of every kind, including unknown ones, stay
// in place, and so that a check takes microseconds. Build a path only when there is something to report.
package preflight
