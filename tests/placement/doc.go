// Package placement compares the landings that preflight reports with the decisions
// of the real scheduler, the DaemonSet controller and the admission of
// RuntimeClasses, on the control plane of a lab, and with the scheduler's plugins of
// each version of Kubernetes. It generates topologies, and pods and persistent volumes
// for them, at random.
//
//	go test ./placement
//	go test ./placement -v -run TestSchedulersOfAllVersionsAgree -pairs 10000 -seed 7
//	go test ./placement -v -timeout 1h -pairs 5000 -seed 7
//	go test ./placement -v -seed 7 -only 12
//
// # What is compared
//
// The tests register each topology as the lab does, one after the other, with the
// RuntimeClasses of components/runtimeclass and others. Then they check:
//
//   - The scheduler binds a pod to a node of a pool that preflight names. A pod that
//     certainly fits somewhere is bound. A pod that fits nowhere stays pending, with
//     the scheduler's message.
//   - The same holds for copies of the pod that select one pool each. So the tests
//     cover the answer for each pool, and not only for the pool that the scheduler
//     prefers. Pools without nodes get one for that: preflight answers for the nodes
//     that they will have.
//   - The reasons agree. Both the scheduler and placement report how many nodes they
//     refuse for taints, labels, requests and volumes.
//   - A DaemonSet has a pod on each node of a pool that preflight names, pending pods
//     for the nodes that placement reports, and no other pods.
//   - The API server refuses exactly the pods whose RuntimeClass contradicts them.
//
// Some pods have claims to persistent volumes with a node affinity. The controller
// of the lab binds a claim and a volume if one of them names the other. Other claims
// are open: the scheduler chooses a volume of their class, or finds none. preflight's
// answer for their pods is unknown, or no because of something else.
//
// The plugins of each version (internal/lab/tools/oracle) need no lab. They answer for
// each node, with the reasons, about taints, labels and requests: about pods without
// volumes, as the API server creates them. DaemonSets have a controller in the lab only.
//
// How much room pods leave each other on a node is not the subject: small pods are
// tried together, as they fit on a node together, and large ones alone.
//
// preflight reads its own form of the objects, of several kinds. Its answer must be
// the same as that of internal/core/placement for the same pod, which upstream's
// functions read.
//
// The pods do not have fields that preflight ignores: resources other than cpu and
// memory, pod anti-affinity. A lab has no provisioner, so no volume is provisioned for
// a claim.
package placement
