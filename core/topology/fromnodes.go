package topology

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/internal/core/facts/kubeversion"
)

// FromNodes describes a cluster by its nodes, as listed by its API server. Nodes belong to the same pool if a label of
// the cloud or of a provisioner, such as agentpool, names the same pool. Nodes without such a label belong to the same
// pool if they are alike. Taints and labels that are transient or differ for each node are left out; [Pool.Reported]
// describes the smallest node.
//
// The version of the control plane is the one that kubectl version prints. If it is empty, the version of the newest
// node is used.
//
// The notes are what a reader should check: nodes of a pool that differ, nodes that are left out, and facts that nodes
// do not show, such as the features that the cluster lacks. The errors are about nodes that cannot be part of a
// topology, with paths such as nodes[NAME], or about the topology if it is not valid. On an error the topology is
// empty; otherwise it is valid.
func FromNodes(nodes []corev1.Node, controlPlane string) (Topology, []string, field.ErrorList) {
	f := fromNodes{controlPlane: kubeversion.Plain(controlPlane)}
	for i := range nodes {
		f.add(&nodes[i], field.NewPath("nodes").Key(nodes[i].Name))
	}
	if len(f.errs) > 0 {
		return Topology{}, nil, f.errs
	}
	t := f.topology()
	if errs := t.Validate(nil); len(errs) > 0 {
		return Topology{}, nil, errs
	}
	return t, f.notes(), nil
}

// fromNodes collects the facts from nodes.
type fromNodes struct {
	groups []*group
	// byIdentity has each group by the identity of its first node, and by its name alone the first group of this name.
	byIdentity map[identity]*group

	cloud   Cloud
	newest  string // of the kubelets, control-plane nodes included
	control bool   // a node belongs to the control plane
	// controlPlane is the version that the caller passes.
	controlPlane string
	// ipam and noIPAM report whether some Windows nodes of EKS have addresses for pods, and whether some do not.
	ipam, noIPAM bool
	skipped      map[string]int // number of nodes outside of all pools, by reason
	errs         field.ErrorList
	differences  []string
}

// group is the nodes of a pool.
type group struct {
	name     string // the desired name, which may be invalid or taken
	platform platform.Platform
	nodes    []*corev1.Node
}

func (f *fromNodes) add(n *corev1.Node, path *field.Path) {
	version, ok := kubeletVersion(n)
	if !ok && n.Status.NodeInfo.KubeletVersion != "" {
		f.errs = append(f.errs, field.Invalid(path.Child("status", "nodeInfo", "kubeletVersion"),
			n.Status.NodeInfo.KubeletVersion, "not a Kubernetes version such as v1.36.3"))
		return
	}
	if newer(version, f.newest) {
		f.newest = version
	}
	f.cloud = cmp.Or(f.cloud, cloudOf(n))
	if isControlPlane(n) {
		f.control = true
		if repels(n.Spec.Taints) {
			f.skip("part of the control plane, which runs no pods of workloads")
			return
		}
	}
	for _, left := range leftOut {
		if n.Labels[left.label] == left.value {
			f.skip(left.reason)
			return
		}
	}
	p, err := platformOfNode(n, path)
	if err != nil {
		f.errs = append(f.errs, err)
		return
	}
	if p.IsWindows() && cloudOf(n) == EKS {
		addresses := n.Status.Capacity[resourcePrivateIPv4]
		f.ipam, f.noIPAM = f.ipam || !addresses.IsZero(), f.noIPAM || addresses.IsZero()
	}
	f.group(n, p)
}

func (f *fromNodes) skip(reason string) {
	if f.skipped == nil {
		f.skipped = map[string]int{}
	}
	f.skipped[reason]++
}

// resourcePrivateIPv4 are the addresses that a Windows node of EKS has for pods. The VPC resource controller writes
// them to the capacity of the node
// (https://github.com/aws/amazon-vpc-resource-controller-k8s/blob/master/docs/troubleshooting.md).
const resourcePrivateIPv4 = "vpc.amazonaws.com/PrivateIPv4Address"

// leftOut identifies nodes that are not machines, so that no pool describes them.
var leftOut = []struct{ label, value, reason string }{
	// https://docs.aws.amazon.com/eks/latest/userguide/fargate-pod-configuration.html
	{"eks.amazonaws.com/compute-type", "fargate", "part of Fargate, which creates a node for each pod"},
	// https://learn.microsoft.com/azure/aks/virtual-nodes
	{"type", "virtual-kubelet", "virtual"},
}

// cloudOf detects the cloud by labels that only the cloud sets, and by the version of the kubelet, which EKS and GKE
// mark, as in v1.34.2-eks-ecaa3a6 and v1.34.1-gke.1293000.
func cloudOf(n *corev1.Node) Cloud {
	version := n.Status.NodeInfo.KubeletVersion
	switch {
	case strings.Contains(version, "-eks-"), n.Labels[LabelEKSNodeGroup] != "", n.Labels[labelEksctlNodeGroup] != "":
		return EKS
	case strings.Contains(version, "-gke."), n.Labels[LabelGKENodePool] != "":
		return GKE
	case n.Labels[LabelAKSCluster] != "":
		return AKS
	default:
		return ""
	}
}

// labelEksctlNodeGroup is set to the name of a node group that eksctl created, managed or not
// (https://github.com/eksctl-io/eksctl/blob/main/pkg/apis/eksctl.io/v1alpha5/types.go).
const labelEksctlNodeGroup = "alpha.eksctl.io/nodegroup-name"

// isControlPlane also recognizes the old name of the label
// (https://kubernetes.io/docs/reference/labels-annotations-taints/#node-role-kubernetes-io-control-plane).
func isControlPlane(n *corev1.Node) bool {
	_, old := n.Labels["node-role.kubernetes.io/master"]
	_, found := n.Labels["node-role.kubernetes.io/control-plane"]
	return found || old
}

// repels reports whether permanent taints repel pods.
func repels(taints []corev1.Taint) bool {
	return slices.ContainsFunc(lasting(taints), func(t corev1.Taint) bool {
		return t.Effect != corev1.TaintEffectPreferNoSchedule
	})
}

func kubeletVersion(n *corev1.Node) (string, bool) {
	version := kubeversion.Plain(n.Status.NodeInfo.KubeletVersion)
	_, ok := kubeversion.Parse(version)
	return version, ok
}

// platformOfNode reads the operating system and, on Windows, the build: from a label that the kubelet sets, or else
// from the version of the kernel.
func platformOfNode(n *corev1.Node, path *field.Path) (platform.Platform, *field.Error) {
	info := n.Status.NodeInfo
	os := cmp.Or(n.Labels[corev1.LabelOSStable], n.Labels[LabelBetaOS], info.OperatingSystem)
	switch platform.OS(os) {
	case platform.LinuxOS:
		return platform.Linux, nil
	case platform.WindowsOS:
	default:
		at := path.Child("metadata", "labels").Key(corev1.LabelOSStable)
		if os == "" {
			return "", field.Required(at, "the node does not report its operating system")
		}
		return "", field.Invalid(at, os, "nodes run linux or windows")
	}
	build := cmp.Or(n.Labels[LabelWindowsBuild], info.KernelVersion)
	at := path.Child("metadata", "labels").Key(LabelWindowsBuild)
	if build == "" {
		return "", field.Required(at, fmt.Sprintf("the node does not report its Windows release (%s)",
			cmp.Or(info.OSImage, "nor does nodeInfo.osImage")))
	}
	p, ok := platform.ByBuild(build)
	if !ok {
		return "", field.Invalid(at, build, "not the build of a known Windows Server release: use a newer version of "+
			"mixedkube, or remove the node from the list")
	}
	if errs := ValidatePlatform(p, at); len(errs) > 0 {
		return "", errs[0]
	}
	return p, nil
}

// identity is what the nodes of a pool have in common: alike is empty for nodes with a pool label.
type identity struct {
	platform    platform.Platform
	name, alike string
}

// group adds a node to its pool.
func (f *fromNodes) group(n *corev1.Node, p platform.Platform) {
	name, labeled := poolName(n)
	named := identity{platform: p, name: name}
	id := named
	if !labeled {
		id.alike = likeness(n)
	}
	g := f.byIdentity[id]
	if g == nil {
		g = &group{name: name, platform: p}
		f.groups = append(f.groups, g)
		if f.byIdentity == nil {
			f.byIdentity = map[identity]*group{}
		}
		f.byIdentity[id] = g
		if f.byIdentity[named] == nil {
			f.byIdentity[named] = g
		}
	}
	g.nodes = append(g.nodes, n)
}

// poolLabels contain the name of a node's pool. The first one that a node has counts.
var poolLabels = []string{
	"kubernetes.azure.com/agentpool", "agentpool", // AKS
	LabelEKSNodeGroup, labelEksctlNodeGroup,
	LabelGKENodePool,
	labelKarpenterPool, labelKarpenterProvisioner,
	"node.cluster.x-k8s.io/machinedeployment",
}

// Labels of the nodes that Karpenter creates: a node pool, and in versions before 0.32 a provisioner
// (https://karpenter.sh/docs/upgrading/v1beta1-migration/). The node auto-provisioning of AKS is based on Karpenter
// (https://learn.microsoft.com/azure/aks/node-auto-provisioning).
const (
	labelKarpenterPool        = "karpenter.sh/nodepool"
	labelKarpenterProvisioner = "karpenter.sh/provisioner-name"
)

// poolName returns the name in the pool label, or else the operating system.
func poolName(n *corev1.Node) (name string, labeled bool) {
	for _, label := range poolLabels {
		if name := n.Labels[label]; name != "" {
			return name, true
		}
	}
	return cmp.Or(n.Labels[corev1.LabelOSStable], n.Labels[LabelBetaOS], n.Status.NodeInfo.OperatingSystem), false
}

// likeness returns a text that is the same for nodes without a pool label if they belong to the same pool.
func likeness(n *corev1.Node) string {
	var taints []string
	for _, t := range sortedTaints(n) {
		taints = append(taints, t.Key, t.Value, string(t.Effect))
	}
	return fmt.Sprintf("%q %q %q %q", sizeOf(n), architectureOf(n), poolLabelsOf(n), taints)
}

// named makes the names of pools valid and unique.
func (f *fromNodes) named() {
	names := uniqueNames{taken: map[string]bool{}, next: map[stem]int{}}
	for _, g := range f.groups {
		g.name = names.of(dnsLabel(g.name))
	}
}

// uniqueNames makes names unique. No number is tried twice, because all pools can have the same label.
type uniqueNames struct {
	taken map[string]bool
	next  map[stem]int // the first number that has not been tried
}

// stem is the part of a name before its number.
type stem struct {
	text   string
	digits int // of the number
}

// of returns the label, with the smallest number that makes it unique if it is taken.
func (u uniqueNames) of(label string) string {
	name := label
	for i := 2; u.taken[name]; i++ {
		suffix := fmt.Sprintf("-%d", i)
		text := strings.TrimRight(label[:min(len(label), validation.DNS1123LabelMaxLength-len(suffix))], "-")
		s := stem{text, len(suffix) - 1}
		if next := u.next[s]; i < next {
			i = next - 1
			continue
		}
		u.next[s] = i + 1
		name = text + suffix
	}
	u.taken[name] = true
	return name
}

// dnsLabel returns the name with hyphens in place of the characters that a DNS label cannot have, or "pool" if nothing
// is left.
func dnsLabel(name string) string {
	label := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			return r
		}
		return '-'
	}, strings.ToLower(name))
	label = strings.Trim(label[:min(len(label), validation.DNS1123LabelMaxLength)], "-")
	return cmp.Or(label, "pool")
}
