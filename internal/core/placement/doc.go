// Package placement decides where a pod can run: for every pool of a topology,
// whether the scheduler accepts its nodes and the kubelet can run the pod there,
// and why not, in the words of an operator. Package preflight has the rules that
// turn the answers into errors and warnings.
//
// The package is always used in the same order: [NewNodes] prepares a topology,
// once; [Nodes.Place] answers for a pod, with one [Verdict] for each pool;
// [Placement.String] describes the answer in a line, and [Placement.Nearest] and
// [Verdict.Reasons] explain a refusal.
//
// [NewChange] prepares a topology and a planned one in place of NewNodes, to compare the answers for both.
//
// # What is checked
//
// For the scheduler, the package checks the node selector, the required node
// affinity, taints, requests and the node affinity of bound persistent volumes,
// with the additions of a RuntimeClass when the pod is created. It uses k8s.io/component-helpers to match selectors, affinity and
// tolerations, like the scheduler. For the kubelet, it checks spec.os.name and the
// operating system and Windows release of each image. It does not check anything
// that depends on the other pods of the cluster: the free resources of a node,
// affinity to pods, topology spread.
//
// # Three answers
//
// The answer is Unknown if something is not known; a No is certain.
// [Pod.Unknown] names the parts of the pod that are not known completely. The
// known values of such a part can still refuse a pool, but nothing that the rest
// of the part could change is Yes or No. The following may be unknown about a pool:
//
//   - values that differ for each node: kubernetes.io/hostname and metadata.name;
//   - labels that a cloud or an add-on may have set. A label is missing for certain
//     only if kubelets set its key, or a pool of the topology declares it (in any
//     case), or it is such a key without its domain or misspelled; except for labels
//     that clouds set without a declaration, such as zones, the instance type of a
//     pool without a size, or AKS' agentpool;
//   - the architecture of a Linux pool, if its size does not determine it. It counts
//     as amd64, but never refuses a pod;
//   - the resources that a node has for pods, if its size does not determine them:
//     then requests do not count. Otherwise only a request for more than the whole
//     node has for pods is refused ([topology.Pool.Allocatable]);
//   - everything, if the platform is not valid.
package placement
