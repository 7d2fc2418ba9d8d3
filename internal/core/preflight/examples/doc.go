// Package examples has an example of each rule about manifests: objects that break it, and the same objects after the
// fix. It checks them to show the findings. `mixedkube explain` shows the examples, and docs/rules is generated from
// them.
//
// The directory of a rule has bad.yaml, which breaks this rule and no other, good.yaml, and, if they are needed,
// topology.yaml, plan.yaml (the planned topology) and images.yaml (the lock file).
package examples
