// Package connectivity checks that Linux and Windows reach each other in a cluster, with the seven checks of the
// Kubernetes guide for Windows (https://kubernetes.io/docs/concepts/windows/user-guide/), as a part of the update that
// deploys: `pulumi up` fails with the pair and the check that failed.
//
//	_, err := connectivity.NewSuite(ctx, "net", &connectivity.SuiteArgs{Topology: cluster.Topology})
//
// Each platform of the topology gets a pod with a small web server, and a Service of type NodePort in front of it. Jobs
// send requests to it from each platform, including its own: one Job for each pair, with a container for each check.
//
//	check                from                                 what is requested
//	1-pod-running        Pulumi, which waits for the pods     that they are Running and Ready
//	2-node-to-pod        Linux nodes; a Windows node for      the pod's address, port 80
//	                     the pod on it
//	3-pod-to-pod         pods of each platform                the pod's address, port 80
//	4-service-to-pod     pods of each platform, Linux nodes   the Service's virtual address
//	5-service-discovery  pods of each platform                the Service's name, in full
//	6-inbound            Linux nodes                          the Service's port on a node
//	7-outbound           pods of each platform                an address outside of the cluster
//
// All of them are HTTP requests. Each pod answers with a unique text, so that an answer from another pod is a failure
// too; the name of a Service must resolve to exactly its address. If both are on one platform, the Jobs are on another
// node than the pod, if there is one, except for check 2 of Windows nodes. A request from a Linux node comes from a pod
// in the node's network, a request from a Windows node from a host-process container.
//
// A check tries again until its timeout, because the rules of a new Service take some seconds to reach all nodes.
// Pulumi's error has the last line of a container's output:
//
//	4-service-to-pod from windows-2022 pod to linux: failed for 120 seconds: http://10.96.0.7:80/: …
//
// The next update recreates a Job that has failed. Another text in [SuiteArgs.Run] recreates all of them. If the
// program no longer has the suite, all of its objects are deleted.
//
// # What is not checked
//
//   - Check 2 from Windows nodes to pods on other nodes, unless [SuiteArgs.RemotePodsFromWindowsNodes] is set: on an
//     overlay network, such as flannel's vxlan, a Windows node reaches the pods on its own node only. The log and the
//     table report that these pairs are left out.
//   - Check 4 from Windows nodes: Windows hosts cannot reach the virtual addresses of Services. This is a limit of the
//     platform, not a mistake.
//   - Requests from the machines of the control plane, which the guide uses: here its checks 2 and 6 come from the
//     Linux nodes of the pools, because the pods do not tolerate the taint of the control plane. A missing route of
//     only these machines is not found.
//   - Check 6 from outside of the cluster: firewalls and load balancers before the nodes. A request comes from a Linux
//     node; with [SuiteArgs.NodeAddress] it goes from there to that address.
//   - ICMP, which does not leave a cluster from Windows pods; UDP except for DNS; large packets, which would show a
//     wrong MTU in an overlay; bandwidth.
//   - Each node: the target is one pod for each platform, and the source one pod for each Job, on the nodes that the
//     scheduler chooses.
//   - NetworkPolicies: a policy that isolates pods of the namespace makes checks fail, as it should.
//
// plan.go decides on the pairs, and matrix.go reports them; neither uses Pulumi. The containers run the files in the
// directory scripts, which are the same in every cluster.
package connectivity
