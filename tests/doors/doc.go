// Package doors holds the four ways in which pods get what they lack against each other:
// typed arguments (components/workload), the guard with Place, the manifests of a group
// (components/manifest), and the text of a file (internal/conversion, which
// examples/adopt-manifests runs). Each has a pen of its own, and all ask package mutate; so
// one workload has to get the same pod spec from each, or the same question.
//
//	go test ./doors
//	go test ./doors -v -timeout 1h -pods 10000 -first 50000 -seed 7
//
// The workloads are those of tests/manifests, of the rules' examples, and others that are
// made at random, with topologies.
//
// # What differs
//
// One thing, which is asserted: the API server refuses fields of one operating system on
// pods whose os.name is the other. A program that says a platform can remove such a field,
// so typed arguments add os.name all the same, and preflight says what to remove (MK110 and
// those after it). The author of a manifest is somebody else: there the doors leave os.name
// out, and only there.
//
// A program also has to say which Windows release it means. Pods for which no door knows it
// have no platform that could be written as an argument.
package doors
