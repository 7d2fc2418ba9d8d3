// Package placement says where a pod can run: for every pool of a topology
// whether the scheduler accepts its nodes and the kubelet can run the pod there,
// and why not, the way an operator would say it. Rules about what to do with the
// answers, an error or a warning, belong to preflight.
//
// The way through the package is always the same: [NewNodes] makes a topology
// ready, once; [Nodes.Place] answers for a pod, with one [Verdict] for each pool;
// [Placement.String] says it in a line, and [Placement.Nearest] and
// [Verdict.Reasons] explain a refusal.
//
// # What is asked
//
// The scheduler: the node selector, the required node affinity, taints and
// requests, with what a RuntimeClass adds when the pod is created. Selectors,
// affinity and tolerations are matched by k8s.io/component-helpers, as in the
// scheduler. The kubelet: spec.os.name and the operating system and Windows
// release of each image. Not asked is what depends on the other pods of the
// cluster: what is left on a node, affinity to pods, topology spread.
//
// # Three answers
//
// What is not known is Unknown, and neither Yes nor No; a No is certain.
// [Pod.Unknown] names the parts of the pod that are not known completely. What
// is known of such a part still refuses, but nothing that only the rest could
// change is Yes or No. Of a pool may be unknown:
//
//   - what differs for each node: kubernetes.io/hostname and metadata.name;
//   - labels that a cloud or an add-on may have set. A label is called missing
//     only if its key is one that kubelets set, or that some pool of the topology
//     declares (also in other case), or one without a domain, as disktype; but
//     not those that clouds set beside what is declared, as zones, the instance
//     type of a pool without a size, or AKS' agentpool;
//   - the architecture of a Linux pool whose size does not tell it. It counts as
//     amd64, but nothing is refused for it;
//   - what a node has for pods, if its size does not tell it: then requests do not
//     count. Where it does, only a request for more than the whole node has for pods
//     is refused ([topology.Pool.Allocatable]);
//   - everything, if its platform is not a valid one.
package placement
