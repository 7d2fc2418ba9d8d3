// Package threads has real threads of people with mixed clusters, and says of which the
// preview would have warned them.
//
// testdata has a folder for each thread whose cause is in the program, in the topology or
// in the registry of the images. Its input is written again and has that cause:
//
//	testdata/<repository>-<number>/
//		expected.yaml   the thread, and the findings that it shall have
//		wrong/          an input with the cause
//		right/          the same, mended: none of the findings, and no error
//		topology.yaml   the cluster, in wrong or right where the two differ in it
//
// An input is a set of manifests, and a chart in a folder of its own. They are checked
// with mixedkube check, as a user would. Where the cause is in the arguments of a
// component, the folder has expected.yaml only, and programs_test.go has a program of the
// same name.
//
// A thread that is not reported yet says in expected.yaml why: "missing". The test fails
// as soon as the wrong input has a finding that the right one does not have.
// testdata/share.golden has the share, and a line for each thread:
//
//	go test ./threads -update
//
// These threads have no folder, as nothing that a preview sees has their cause:
//
//   - Azure/AKS#1132: node images that are older than Kubernetes. Only the cluster knows
//     the version of its node images.
//   - DataDog/datadog-operator#3154: an operator makes pods of its own. Only the cluster
//     has them.
//   - kubernetes/website#45130: tests of the nodes themselves, which only run on nodes.
//   - containerd/containerd#11451: two pulls of one image at a time. Whether two pods start
//     at once, nobody knows before.
//   - aws/containers-roadmap#2176: DNS that fails at random.
//   - kubernetes/kubernetes#117086: a probe that cannot be started counts as none. Whether
//     it can, the node decides.
package threads
