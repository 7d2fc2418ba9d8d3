// Package placement holds what preflight says of where pods land against those
// who decide it: the real scheduler, the DaemonSet controller and the admission
// of RuntimeClasses, on the control plane of a lab. Topologies and pods for them
// are made at random.
//
//	go test ./placement
//	go test ./placement -v -timeout 1h -pairs 5000 -seed 7
//	go test ./placement -v -seed 7 -only 12
//
// # What is compared
//
// Each topology is registered as the lab registers it, one after the other, with
// the RuntimeClasses of components/runtimeclass and others. Then:
//
//   - A pod is bound to a node of a pool that preflight names, and one that fits
//     nowhere stays pending, with the scheduler's word for it. One that surely
//     fits somewhere is bound.
//   - Copies of it that select one pool each, so that what is said of each pool
//     is tried, and not only what is said of the one that the scheduler likes
//     best. Pools without nodes get one for that: they are judged by the nodes
//     that they will have.
//   - The reasons. The scheduler says how many nodes it has refused for taints,
//     labels and requests, and so does placement.
//   - A DaemonSet has a pod on each node of a pool that preflight names, pending
//     ones where placement says so, and none elsewhere.
//   - The API server refuses exactly the pods whose RuntimeClass contradicts them.
//
// What a node takes beside other pods is not the subject: small pods are tried
// together, as they do not disturb each other, large ones alone.
//
// preflight reads its own form of the objects, of several kinds. Its answer has to
// be that of internal/placement for the same pod read by upstream's functions.
//
// What a cluster has and preflight does not look at is not among the pods:
// resources other than cpu and memory, pods that repel each other, volumes.
package placement
