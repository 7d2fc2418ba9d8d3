// Package doors holds the four ways in which pods get what they lack against each other:
// typed arguments (components/workload), the guard with Place, the manifests of a group
// (components/manifest), and the text of a file (components/manifest/conversion, which
// mixedkube adopt runs). Each has a pen of its own, and all ask package mutate; so
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
// Two things, which are asserted:
//
//   - The API server refuses fields of one operating system on pods whose os.name is the
//     other. A program that says a platform can remove such a field, so typed arguments add
//     os.name all the same, and preflight says what to remove (MK110 and those after it). The
//     author of a manifest is somebody else: there the doors leave os.name out, and only
//     there.
//   - A RuntimeClass with the name of a platform that the cluster has no pools of may be
//     anybody's, so manifests that name it are completed by what else they say. A program
//     that says a platform means the platforms' classes: it is refused. So is adopt if it is
//     told the platform as an answer.
//
// Pods for which no door knows the Windows release have no platform that could be written as
// an argument. They are compared at the other doors only, and counted.
//
// RuntimeClass objects are not among the workloads: adopt and manifest read those of their
// files, guard and typed arguments do not know them.
package doors
