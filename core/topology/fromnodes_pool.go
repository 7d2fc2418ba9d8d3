package topology

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/version"

	"github.com/mixedkube/mixedkube/core/platform"
)

// sort sorts the groups in the order of the topology, and names them.
func (f *fromNodes) sort() {
	slices.SortStableFunc(f.groups, func(a, b *group) int {
		// Linux first, and Windows by its release.
		return cmp.Or(cmp.Compare(order(a.platform), order(b.platform)), cmp.Compare(a.name, b.name))
	})
	f.named()
}

func (f *fromNodes) topology() Topology {
	f.sort()
	t := Topology{KubernetesVersion: cmp.Or(f.controlPlane, f.newest), Cloud: f.cloud}
	for _, g := range f.groups {
		t.Pools = append(t.Pools, f.pool(g))
		t.Partial = t.Partial || slices.ContainsFunc(g.nodes, isProvisioned)
	}
	if f.noIPAM && !f.ipam {
		t.MissingFeatures = []Feature{WindowsIPAM}
	}
	return t
}

// labelAKSMode is set to system on the nodes of AKS system pools
// (https://learn.microsoft.com/azure/aks/use-system-pools).
const labelAKSMode = "kubernetes.azure.com/mode"

func order(p platform.Platform) int { return slices.Index(platform.All(), p) }

// pool describes the nodes of a group.
func (f *fromNodes) pool(g *group) Pool {
	p := Pool{
		Name: g.name, Platform: g.platform, Count: min(len(g.nodes), MaxCount), Size: sizeOf(g.nodes[0]),
		KubernetesVersion: f.oldest(g), Labels: f.labels(g), Taints: f.taints(g), MaxPods: maxPods(g.nodes),
	}
	p.Reported, p.Reserved = reportedOf(g.nodes)
	p.Reported.OSVersion = f.osVersion(g)
	if g.nodes[0].Labels[labelAKSMode] == "system" && !p.Platform.IsWindows() {
		p.Mode = System
	}
	p.Untainted = p.Platform.IsWindows() && len(p.Taints) == 0
	if slices.ContainsFunc(g.nodes, func(n *corev1.Node) bool { return sizeOf(n) != p.Size }) {
		p.Size = ""
		f.differ(g, "the sizes of the nodes differ ("+strings.Join(distinct(g.nodes, sizeOf), ", ")+
			"): the capacity of the smallest node counts")
	}
	if found := distinct(g.nodes, architectureOf); len(found) > 1 {
		f.differ(g, "the architectures of the nodes differ ("+strings.Join(found, ", ")+"): describe a pool of each")
	}
	// Values that the size implies are not repeated.
	sized := Pool{Platform: p.Platform, Size: p.Size}
	if sized.Architecture() == p.Reported.Architecture {
		p.Reported.Architecture = ""
	}
	return p
}

// isProvisioned reports whether Karpenter has created a node.
func isProvisioned(n *corev1.Node) bool {
	return n.Labels[labelKarpenterPool] != "" || n.Labels[labelKarpenterProvisioner] != ""
}

func (f *fromNodes) differ(g *group, text string) {
	f.differences = append(f.differences, "pool "+g.name+": "+text)
}

// distinct returns the different values that nodes have, sorted.
func distinct(nodes []*corev1.Node, of func(*corev1.Node) string) []string {
	values := map[string]bool{}
	for _, n := range nodes {
		values[cmp.Or(of(n), "none")] = true
	}
	return slices.Sorted(maps.Keys(values))
}

func sizeOf(n *corev1.Node) string {
	return cmp.Or(n.Labels[corev1.LabelInstanceTypeStable], n.Labels[corev1.LabelInstanceType])
}

func architectureOf(n *corev1.Node) string {
	return cmp.Or(n.Labels[corev1.LabelArchStable], n.Labels[LabelBetaArch], n.Status.NodeInfo.Architecture)
}

// oldest returns the version of the oldest kubelet of a pool.
func (f *fromNodes) oldest(g *group) string {
	oldest, _ := kubeletVersion(g.nodes[0])
	for _, n := range g.nodes[1:] {
		if v, _ := kubeletVersion(n); newer(oldest, v) {
			oldest = v
		}
	}
	if found := distinct(g.nodes, func(n *corev1.Node) string { v, _ := kubeletVersion(n); return v }); len(found) > 1 {
		f.differ(g, "the versions of the nodes differ ("+strings.Join(found, ", ")+"): the oldest one counts")
	}
	return oldest
}

// osVersion returns the oldest revision of Windows in a pool, or "" if a node does not report its revision.
func (f *fromNodes) osVersion(g *group) string {
	oldest, least := "", 0
	for _, n := range g.nodes {
		version := n.Status.NodeInfo.KernelVersion
		revision, ok := g.platform.Revision(version)
		if !ok {
			return ""
		}
		if oldest == "" || revision < least {
			oldest, least = version, revision
		}
	}
	found := distinct(g.nodes, func(n *corev1.Node) string { return n.Status.NodeInfo.KernelVersion })
	if len(found) > 1 {
		f.differ(g, "the revisions of Windows differ ("+strings.Join(found, ", ")+"): the oldest one counts")
	}
	return oldest
}

// newer reports whether version a is newer than b. An empty version is the oldest.
func newer(a, b string) bool {
	if a == "" || b == "" {
		return a != "" && b == ""
	}
	return version.MustParseGeneric(b).LessThan(version.MustParseGeneric(a))
}

// transientTaints depend on the current state of a node.
var transientTaints = []string{
	corev1.TaintNodeNotReady, corev1.TaintNodeUnreachable, corev1.TaintNodeUnschedulable,
	corev1.TaintNodeMemoryPressure, corev1.TaintNodeDiskPressure, corev1.TaintNodePIDPressure,
	corev1.TaintNodeNetworkUnavailable, corev1.TaintNodeOutOfService,
	"node.cloudprovider.kubernetes.io/uninitialized", "node.cloudprovider.kubernetes.io/shutdown",
	"node.cluster.x-k8s.io/uninitialized", "node.cluster.x-k8s.io/outdated-revision",
	"ToBeDeletedByClusterAutoscaler", "DeletionCandidateOfClusterAutoscaler",
	"karpenter.sh/disrupted", "karpenter.sh/disruption", "karpenter.sh/unregistered",
	"node.cilium.io/agent-not-ready", "ebs.csi.aws.com/agent-not-ready", "efs.csi.aws.com/agent-not-ready",
	"cloud.google.com/impending-node-termination",
	"remediator.kubernetes.azure.com/unschedulable", // of https://learn.microsoft.com/azure/aks/node-auto-drain
}

// lasting returns the taints that are not transient, each once.
func lasting(taints []corev1.Taint) []corev1.Taint {
	var permanent []corev1.Taint
	seen := map[corev1.Taint]bool{}
	for _, t := range taints {
		t.TimeAdded = nil
		if !slices.Contains(transientTaints, t.Key) && !seen[t] {
			seen[t] = true
			permanent = append(permanent, t)
		}
	}
	return permanent
}

func sortedTaints(n *corev1.Node) []corev1.Taint {
	taints := lasting(n.Spec.Taints)
	slices.SortFunc(taints, func(a, b corev1.Taint) int { return cmp.Compare(FormatTaint(a), FormatTaint(b)) })
	return taints
}

// taints returns the taints that all nodes of a pool have.
func (f *fromNodes) taints(g *group) []corev1.Taint {
	nodes := map[corev1.Taint]int{} // how many nodes have a taint
	for _, n := range g.nodes {
		for _, t := range lasting(n.Spec.Taints) {
			nodes[t]++
		}
	}
	var common []corev1.Taint
	for _, t := range sortedTaints(g.nodes[0]) {
		if nodes[t] == len(g.nodes) {
			common = append(common, t)
		}
	}
	var some []string
	for t, count := range nodes {
		if count < len(g.nodes) {
			some = append(some, FormatTaint(t))
		}
	}
	if slices.Sort(some); len(some) > 0 {
		f.differ(g, "only some nodes have the taint "+strings.Join(some, ", ")+": it is left out")
	}
	return common
}

// perNodeLabels differ for each node, or record how it was created: pods do not select by them.
var perNodeLabels = []string{
	"k8s.io/cloud-provider-aws", "eks.amazonaws.com/nodegroup-image", "eks.amazonaws.com/sourceLaunchTemplateId",
	"eks.amazonaws.com/sourceLaunchTemplateVersion", "alpha.eksctl.io/instance-id",
	"kubernetes.azure.com/node-image-version", "karpenter.sh/registered", "karpenter.sh/initialized",
	"karpenter.k8s.aws/ec2nodeclass", "topology.k8s.aws/zone-id", "topology.ebs.csi.aws.com/zone",
	"topology.gke.io/zone", "topology.disk.csi.azure.com/zone",
}

// poolLabelsOf returns the labels of a node that a pool can have: all except those that the kubelet and the cloud set
// for this node only.
func poolLabelsOf(n *corev1.Node) map[string]string {
	labels := map[string]string{}
	for key, value := range n.Labels {
		if slices.Contains(perNodeLabels, key) || slices.Contains(zoneLabels, key) ||
			len(validateLabels(map[string]string{key: value}, nil)) > 0 {
			continue
		}
		labels[key] = value
	}
	return labels
}

// labels returns the labels that all nodes of a pool have, including the zone if there is only one.
func (f *fromNodes) labels(g *group) map[string]string {
	common := poolLabelsOf(g.nodes[0])
	for _, key := range zoneLabels {
		if value, ok := g.nodes[0].Labels[key]; ok && len(validateLabels(map[string]string{key: value}, nil)) == 0 {
			common[key] = value
		}
	}
	differ := map[string]bool{}
	for _, n := range g.nodes[1:] {
		for key := range poolLabelsOf(n) {
			if _, ok := common[key]; !ok {
				differ[key] = true
			}
		}
		for key, value := range common {
			if has, ok := n.Labels[key]; !ok || has != value {
				delete(common, key)
				differ[key] = !slices.Contains(zoneLabels, key)
			}
		}
	}
	maps.DeleteFunc(differ, func(_ string, differs bool) bool { return !differs })
	if len(differ) > 0 {
		f.differ(g, "the labels of the nodes differ ("+strings.Join(slices.Sorted(maps.Keys(differ)), ", ")+
			"): they are left out")
	}
	if len(common) == 0 {
		return nil
	}
	return common
}

// maxPods returns the lowest capacity for pods of all nodes, or 0 if a node does not report one.
func maxPods(nodes []*corev1.Node) int {
	fewest := int64(math.MaxInt32)
	for _, n := range nodes {
		fewest = min(fewest, n.Status.Capacity.Pods().Value())
	}
	return int(max(fewest, 0))
}

// reportedOf returns the smallest amount of each resource that a node has, and the amount that it reserves, or nil if
// that is unknown.
func reportedOf(nodes []*corev1.Node) (r Reported, reserved corev1.ResourceList) {
	r = Reported{Architecture: architectureOf(nodes[0])}
	if !slices.Contains(architectures, r.Architecture) {
		r.Architecture = ""
	}
	smallest := func(of func(*corev1.Node) corev1.ResourceList) corev1.ResourceList {
		list := corev1.ResourceList{}
		for _, name := range measured {
			for _, n := range nodes {
				q, ok := of(n)[name]
				if !ok || q.Sign() < 0 {
					return nil
				}
				if least, found := list[name]; !found || q.Cmp(least) < 0 {
					list[name] = q.DeepCopy()
				}
			}
		}
		return list
	}
	r.Capacity = smallest(func(n *corev1.Node) corev1.ResourceList { return n.Status.Capacity })
	allocatable := smallest(func(n *corev1.Node) corev1.ResourceList { return n.Status.Allocatable })
	if r.Capacity == nil || allocatable == nil {
		return r, nil
	}
	reserved = corev1.ResourceList{}
	for _, name := range measured {
		q := r.Capacity[name].DeepCopy()
		q.Sub(allocatable[name])
		if q.Sign() < 0 {
			return r, nil // no kubelet reports such values
		}
		reserved[name] = q
	}
	return r, reserved
}

// notes returns what a reader should check.
func (f *fromNodes) notes() []string {
	notes := slices.Clone(f.differences)
	for _, reason := range slices.Sorted(maps.Keys(f.skipped)) {
		nodes := strconv.Itoa(f.skipped[reason]) + " nodes are "
		if f.skipped[reason] == 1 {
			nodes = "1 node is "
		}
		notes = append(notes, nodes+reason+": left out")
	}
	if !f.control && f.newest != "" && f.controlPlane == "" {
		notes = append(notes, fmt.Sprintf("kubernetesVersion: %s is the newest node's version, and the control plane "+
			"may be "+
			"newer: see kubectl version", f.newest))
	}
	if slices.ContainsFunc(f.groups, func(g *group) bool { return slices.ContainsFunc(g.nodes, isProvisioned) }) {
		notes = append(notes, "partial: Karpenter creates some of the nodes, and can create nodes that are in no pool "+
			"of the list: pods that fit no pool are warnings")
	}
	notes = append(notes, "missingFeatures: nodes do not show which features the cluster has, so all of them count as "+
		"available: "+
		"list those that it lacks, and set autoscaling for pools that have it")
	if f.noIPAM && !f.ipam {
		notes = append(notes, "missingFeatures: the Windows nodes have no "+resourcePrivateIPv4+
			": set enable-windows-ipam in the ConfigMap amazon-vpc-cni")
	}
	return notes
}
