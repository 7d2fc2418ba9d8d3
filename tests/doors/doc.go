// Package doors compares the four ways ("doors") to complete pods: typed arguments (components/workload), the guard
// with Place, the manifests of a group (components/manifest), and the text of a file (core/conversion,
// which mixedkube adopt runs). Each writes objects in its own way, and all use package mutate. So a workload must get
// the same pod spec from each door, or the same question.
//
//	go test ./doors
//	go test ./doors -v -timeout 1h -pods 10000 -first 50000 -seed 7
//
// The workloads are those of tests/manifests, those of the rules' examples, and random ones with random topologies.
//
// # What differs
//
// The test expects two differences:
//
//   - The API server refuses fields of one operating system on pods whose os.name is the other one. The author of a
//     program that sets a platform can remove such a field, so typed arguments add os.name anyway, and preflight
//     reports what to remove (MK110 and the rules after it). Manifests have a different author: for them the doors
//     leave os.name out, but only if the pods have such a field.
//   - Typed arguments refuse a platform for which the cluster has no pools, and so does adopt with the platform as an
//     answer. In manifests that name the RuntimeClass of such a platform, a finding says that no pool runs the pods.
//
// Pods for which no door knows the Windows release have no platform to pass as an argument. They are only compared at
// the other doors, and counted.
//
// RuntimeClass objects are not among the workloads: adopt and manifest read those in their files, but the guard and
// typed arguments do not know them.
package doors
