// Package connectivity checks that Linux and Windows reach each other in a cluster, with
// the seven checks that the Kubernetes guide for Windows asks for
// (https://kubernetes.io/docs/concepts/windows/user-guide/), as a part of the update that
// deploys: `pulumi up` fails with the pair and the check that failed.
//
//	_, err := connectivity.NewSuite(ctx, "net", &connectivity.SuiteArgs{Topology: cluster.Topology})
//
// Each platform of the topology gets a pod with a small web server, and a Service of type
// NodePort in front of it. Jobs ask for it from each platform, its own included: one Job
// for each pair, with a container for each check.
//
//	check                from                                 what is asked for
//	1-pod-running        Pulumi, which waits for the pods     that they are Running and Ready
//	2-node-to-pod        Linux nodes; a Windows node for      the pod's address, port 80
//	                     the pod on it
//	3-pod-to-pod         pods of each platform                the pod's address, port 80
//	4-service-to-pod     pods of each platform, Linux nodes   the Service's virtual address
//	5-service-discovery  pods of each platform                the Service's name, in full
//	6-inbound            Linux nodes                          the Service's port on a node
//	7-outbound           pods of each platform                an address outside of the cluster
//
// All of them are requests of HTTP. Each pod answers with a text of its own, so that an
// answer from another one is a failure too; the name of a Service must have its very
// address. On one platform the Jobs are on another node than the pod, if there is one,
// except for check 2 of Windows nodes. From a Linux node means in a pod in the node's
// network, from a Windows node in a host-process container.
//
// A check tries again until the time is up, as the rules of a new Service take some
// seconds to reach all nodes. What a container has said last is in Pulumi's error:
//
//	4-service-to-pod from windows-2022 pod to linux: failed for 120 seconds: http://10.96.0.7:80/: …
//
// A Job that has failed is made again by the next update. All of them are for another
// text in [SuiteArgs.Run]. Without the suite in the program, nothing is left of it.
//
// # What is not checked
//
//   - Check 2 from Windows nodes to pods on other nodes, unless
//     [SuiteArgs.RemotePodsFromWindowsNodes] is set: on an overlay network, such as flannel's
//     vxlan, a Windows node reaches the pods on its own node only. The log and the table say
//     that these pairs are left out.
//   - Check 4 from Windows nodes: Windows hosts cannot reach the virtual addresses of
//     Services, which is a limit of the platform and no mistake.
//   - From the machines of the control plane, from which the guide asks: its checks 2 and 6
//     come from the Linux nodes of the pools, as the pods do not tolerate the taint of the
//     control plane. A route that only these machines lack is not found.
//   - Check 6 from outside of the cluster: firewalls and load balancers before the nodes.
//     A request comes from a Linux node; with [SuiteArgs.NodeAddress] it takes the way
//     from there to that address.
//   - ICMP, which does not leave a cluster from Windows pods; UDP except that of DNS;
//     large packets, as they show a wrong MTU in an overlay; bandwidth.
//   - Each node: what is asked, and what asks, is one pod a platform and Job, on whichever
//     nodes of it the scheduler chooses.
//   - NetworkPolicies: one that keeps pods of the namespace apart makes checks fail, and
//     is right to.
//
// plan.go decides which pairs there are, matrix.go what is said about them; both are free
// of Pulumi. What the containers run are the files in the folder scripts, the same in
// every cluster.
package connectivity
