// Package threads has real threads of users with mixed clusters, and records which of their
// problems a preview would have reported.
//
// testdata has a directory for each thread whose cause is in the program, in the topology or
// in the registry of the images. Its input is rewritten and has that cause:
//
//	testdata/<repository>-<number>/
//		expected.yaml   the thread, and the expected findings
//		wrong/          an input with the cause
//		right/          the corrected input: none of the findings, and no error
//		topology.yaml   the cluster, in wrong or right if the two differ in it
//
// An input is a set of manifests, and a chart in a directory of its own. The test runs mixedkube
// check on them, as a user would. If the cause is in the arguments of a component, the directory
// has only expected.yaml, and programs_test.go has a program with the same name.
//
// If a thread is not reported yet, "missing" in expected.yaml has the reason. The test fails
// as soon as the wrong input has a finding that the right one does not have.
// testdata/share.golden has the share, and a line for each thread:
//
//	go test ./threads -update
//
// These threads have no directory, as a preview cannot see their cause:
//
//   - Azure/AKS#1132: node images that are older than Kubernetes. Only the cluster knows
//     the version of its node images.
//   - DataDog/datadog-operator#3154: an operator creates its own pods, which only the
//     cluster has.
//   - kubernetes/website#45130: tests of the nodes themselves, which only run on nodes.
//   - containerd/containerd#11451: two simultaneous pulls of one image. A preview cannot
//     know whether two pods start at once.
//   - aws/containers-roadmap#2176: DNS that fails at random.
//   - kubernetes/kubernetes#117086: the kubelet ignores a probe that it cannot start, which
//     depends on the node.
package threads
