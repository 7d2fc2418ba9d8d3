package topology_test

import (
	"encoding/json"
	"os"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gopkg.in/yaml.v3"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
)

// amounts returns a list of cpu and memory.
func amounts(cpu, memory string) corev1.ResourceList {
	return corev1.ResourceList{"cpu": resource.MustParse(cpu), "memory": resource.MustParse(memory)}
}

// published reads nodes of testdata.
func published(t *testing.T, file string) []corev1.Node {
	t.Helper()
	text, err := os.ReadFile("testdata/" + file)
	if err != nil {
		t.Fatal(err)
	}
	var raw any
	if err := yaml.Unmarshal(text, &raw); err != nil {
		t.Fatal(err)
	}
	asJSON, err := json.Marshal(raw)
	if err != nil {
		t.Fatal(err)
	}
	var list corev1.NodeList
	if err := json.Unmarshal(asJSON, &list); err != nil {
		t.Fatal(err)
	}
	return list.Items
}

func TestPublishedNodesOfEKS(t *testing.T) {
	t.Parallel()
	got, notes, errs := topology.FromNodes(published(t, "eks.yaml"), "")
	if len(errs) > 0 {
		t.Fatal(errs.ToAggregate())
	}
	want := topology.Topology{
		KubernetesVersion: "1.34.2", Cloud: topology.EKS, MissingFeatures: []topology.Feature{topology.WindowsIPAM},
		Pools: []topology.Pool{
			{
				Name: "gpu-e2e-cluster-gpu-on-demand", Platform: platform.Linux, Count: 1, Size: "g4dn.xlarge",
				KubernetesVersion: "1.34.2", MaxPods: 29,
				Labels: map[string]string{
					"accelerator": "nvidia", "eks.amazonaws.com/capacityType": "ON_DEMAND",
					"eks.amazonaws.com/nodegroup":              "gpu-e2e-cluster-gpu-on-demand",
					"failure-domain.beta.kubernetes.io/region": "us-east-1",
					"failure-domain.beta.kubernetes.io/zone":   "us-east-1a",
					"topology.kubernetes.io/region":            "us-east-1",
					"topology.kubernetes.io/zone":              "us-east-1a",
				},
				Reported: topology.Reported{Capacity: amounts("4", "16164852Ki")},
				Reserved: amounts("80m", "690176Ki"),
			},
			{
				Name: "eks-nt-workers", Platform: platform.WindowsServer2019, Count: 1, Size: "t3a.medium",
				Untainted: true,
				Labels: map[string]string{
					"alpha.eksctl.io/cluster-name":             "dev-eks-cluster",
					"alpha.eksctl.io/nodegroup-name":           "eks-nt-workers",
					"failure-domain.beta.kubernetes.io/region": "eu-west-2",
					"failure-domain.beta.kubernetes.io/zone":   "eu-west-2b",
					"role":                                     "workers", "topology.kubernetes.io/region": "eu-west-2",
					"topology.kubernetes.io/zone": "eu-west-2b",
				},
			},
			{
				Name: "gpu-win", Platform: platform.WindowsServer2022, Count: 1, Size: "g4dn.2xlarge", Untainted: true,
				Labels: map[string]string{
					"eks.amazonaws.com/capacityType": "ON_DEMAND", "eks.amazonaws.com/nodegroup": "gpu-win",
					"failure-domain.beta.kubernetes.io/region": "ap-southeast-2",
					"failure-domain.beta.kubernetes.io/zone":   "ap-southeast-2a",
				},
			},
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("topology (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{
		"kubernetesVersion: 1.34.2 is the newest node's version, and the control plane may be newer: see kubectl " +
			"version",
		untold,
		"missingFeatures: the Windows nodes have no vpc.amazonaws.com/PrivateIPv4Address: set enable-windows-ipam in " +
			"the ConfigMap amazon-vpc-cni",
	}, notes); diff != "" {
		t.Errorf("notes (-want +got):\n%s", diff)
	}
	again, errs := topology.Decode(topology.Encode(got), nil)
	if len(errs) > 0 {
		t.Fatal(errs.ToAggregate())
	}
	if diff := cmp.Diff(got, again); diff != "" {
		t.Errorf("written and read again (-want +got):\n%s", diff)
	}
}

// machine returns a node of a self-managed cluster, changed by a test.
func machine(name, os string, change func(*corev1.Node)) corev1.Node {
	n := corev1.Node{
		ObjectMeta: metav1.ObjectMeta{
			Name: name,
			Labels: map[string]string{
				corev1.LabelOSStable: os, corev1.LabelHostname: name, corev1.LabelArchStable: "amd64",
			},
		},
		Status: corev1.NodeStatus{
			Capacity: amounts("4", "16Gi"), Allocatable: amounts("3900m", "15Gi"),
			NodeInfo: corev1.NodeSystemInfo{KubeletVersion: "v1.36.3", OperatingSystem: os, Architecture: "amd64"},
		},
	}
	if os == "windows" {
		n.Labels[corev1.LabelWindowsBuild] = "10.0.26100"
	}
	if change != nil {
		change(&n)
	}
	return n
}

func label(key, value string) func(*corev1.Node) {
	return func(n *corev1.Node) { n.Labels[key] = value }
}

func taint(text string) func(*corev1.Node) {
	return func(n *corev1.Node) {
		taint, err := topology.ParseTaint(text)
		if err != nil {
			panic(err)
		}
		n.Spec.Taints = append(n.Spec.Taints, taint)
	}
}

func all(changes ...func(*corev1.Node)) func(*corev1.Node) {
	return func(n *corev1.Node) {
		for _, change := range changes {
			change(n)
		}
	}
}

func version(v string) func(*corev1.Node) {
	return func(n *corev1.Node) { n.Status.NodeInfo.KubeletVersion = v }
}

// summary has the fields of a pool that a test compares.
type summary struct {
	Name, Platform, Size, Version string
	Count                         int
	Taints                        []string
	Labels                        map[string]string
	Untainted                     bool
}

const untold = "missingFeatures: nodes do not show which features the cluster has, so all of them count as " +
	"available: list those that it lacks, and set autoscaling for pools that have it"

const newestNode = "kubernetesVersion: 1.36.3 is the newest node's version, and the control plane may be newer: see " +
	"kubectl version"

func TestFromNodes(t *testing.T) {
	t.Parallel()
	onGKE := version("v1.36.3-gke.1234000")
	control := label("node-role.kubernetes.io/control-plane", "")
	for name, tt := range map[string]struct {
		nodes        []corev1.Node
		controlPlane string
		want         []summary
		notes        []string
	}{
		"nodes that no pod can tell apart are one pool": {
			nodes: []corev1.Node{
				machine("a", "linux", taint("node.kubernetes.io/unschedulable:NoSchedule")),
				machine("w", "windows", nil),
				machine("b", "linux", label("topology.kubernetes.io/zone", "2")),
			},
			want: []summary{
				{Name: "linux", Platform: "linux", Count: 2, Version: "1.36.3"},
				{Name: "windows", Platform: "windows-2025", Count: 1, Version: "1.36.3", Untainted: true},
			},
			notes: []string{newestNode},
		},
		"others are several, with names of their own": {
			nodes: []corev1.Node{
				machine("a", "linux", nil), machine("b", "linux", label("disk", "ssd")),
				machine("c", "linux", taint("gpu=yes:NoSchedule")),
			},
			want: []summary{
				{Name: "linux", Platform: "linux", Count: 1, Version: "1.36.3"},
				{
					Name: "linux-2", Platform: "linux", Count: 1, Version: "1.36.3",
					Labels: map[string]string{"disk": "ssd"},
				},
				{
					Name: "linux-3", Platform: "linux", Count: 1, Version: "1.36.3",
					Taints: []string{"gpu=yes:NoSchedule"},
				},
			},
			notes: []string{newestNode},
		},
		"a label names the pool, and differences are reported": {
			nodes: []corev1.Node{
				machine("a", "linux", all(label("agentpool", "Big_Pool"), label("disk", "ssd"), taint("a:NoSchedule"),
					taint("b:NoExecute"), label(corev1.LabelInstanceTypeStable, "Standard_D4s_v5"))),
				machine("b", "linux", all(label("agentpool", "Big_Pool"), label("disk", "hdd"), taint("a:NoSchedule"),
					version("v1.35.1"), label(corev1.LabelInstanceTypeStable, "Standard_D8s_v5"))),
			},
			want: []summary{{
				Name: "big-pool", Platform: "linux", Count: 2, Version: "1.35.1", Taints: []string{"a:NoSchedule"},
				Labels: map[string]string{"agentpool": "Big_Pool"},
			}},
			notes: []string{
				"pool big-pool: the versions of the nodes differ (1.35.1, 1.36.3): the oldest one counts",
				"pool big-pool: the labels of the nodes differ (disk): they are left out",
				"pool big-pool: only some nodes have the taint b:NoExecute: it is left out",
				"pool big-pool: the sizes of the nodes differ (Standard_D4s_v5, Standard_D8s_v5): the capacity of " +
					"the smallest node counts",
				newestNode,
			},
		},
		"control planes are not a pool, and show the version": {
			nodes: []corev1.Node{
				machine("m", "linux", all(control, taint("node-role.kubernetes.io/control-plane:NoSchedule"))),
				machine("a", "linux", version("v1.34.0+k3s1")),
			},
			want:  []summary{{Name: "linux", Platform: "linux", Count: 1, Version: "1.34.0"}},
			notes: []string{"1 node is part of the control plane, which runs no pods of workloads: left out"},
		},
		"a control plane that takes pods is one": {
			nodes: []corev1.Node{machine("m", "linux", control)},
			want:  []summary{{Name: "linux", Platform: "linux", Count: 1, Version: "1.36.3"}},
		},
		"nodes that are not machines are left out, and the caller knows the version": {
			nodes: []corev1.Node{
				machine("f", "linux", label("eks.amazonaws.com/compute-type", "fargate")),
				machine("g", "linux", label("eks.amazonaws.com/compute-type", "fargate")),
				machine("v", "linux", label("type", "virtual-kubelet")), machine("a", "linux", nil),
			},
			controlPlane: "v1.37.0-eks-1a2b3c4",
			want:         []summary{{Name: "linux", Platform: "linux", Count: 1, Version: "1.36.3"}},
			notes: []string{
				"2 nodes are part of Fargate, which creates a node for each pod: left out", "1 node is virtual: left " +
					"out",
			},
		},
		"GKE's taint is not transient": {
			nodes: []corev1.Node{
				machine("a", "linux", all(onGKE, label(topology.LabelGKENodePool, "default"))),
				machine("w", "windows", all(onGKE, label(topology.LabelGKENodePool, "win"),
					taint("node.kubernetes.io/os=windows:NoSchedule"),
					taint("node.kubernetes.io/not-ready:NoExecute"),
					taint("remediator.kubernetes.azure.com/unschedulable:NoSchedule"))),
			},
			want: []summary{
				{
					Name: "default", Platform: "linux", Count: 1, Version: "1.36.3",
					Labels: map[string]string{"cloud.google.com/gke-nodepool": "default"},
				},
				{
					Name: "win", Platform: "windows-2025", Count: 1, Version: "1.36.3",
					Taints: []string{"node.kubernetes.io/os=windows:NoSchedule"},
					Labels: map[string]string{"cloud.google.com/gke-nodepool": "win"},
				},
			},
			notes: []string{newestNode},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, notes, errs := topology.FromNodes(tt.nodes, tt.controlPlane)
			if len(errs) > 0 {
				t.Fatal(errs.ToAggregate())
			}
			var pools []summary
			for _, p := range got.Pools {
				s := summary{
					Name: p.Name, Platform: p.Platform.String(), Size: p.Size, Version: p.KubernetesVersion,
					Count:  p.Count,
					Labels: p.Labels, Untainted: p.Untainted,
				}
				for _, taint := range p.Taints {
					s.Taints = append(s.Taints, topology.FormatTaint(taint))
				}
				allocatable, _ := p.Allocatable()
				if diff := cmp.Diff(amounts("3900m", "15Gi"), allocatable); diff != "" {
					t.Errorf("allocatable of %s (-want +got):\n%s", p.Name, diff)
				}
				pools = append(pools, s)
			}
			if diff := cmp.Diff(tt.want, pools); diff != "" {
				t.Errorf("pools (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(append(tt.notes, untold), notes); diff != "" {
				t.Errorf("notes (-want +got):\n%s", diff)
			}
		})
	}
}

// Any node of the cluster shows the cloud, also one that is in no pool.
func TestNodesShowTheirCloud(t *testing.T) {
	t.Parallel()
	ofAKS := label(topology.LabelAKSCluster, "MC_rg_shop_westeurope")
	for name, tt := range map[string]struct {
		changed func(*corev1.Node)
		want    topology.Cloud
	}{
		"AKS":                        {ofAKS, topology.AKS},
		"AKS, a virtual node":        {all(ofAKS, label("type", "virtual-kubelet")), topology.AKS},
		"EKS":                        {version("v1.34.2-eks-ecaa3a6"), topology.EKS},
		"GKE":                        {version("v1.34.1-gke.1293000"), topology.GKE},
		"the label of others' pools": {label("agentpool", "sys"), ""},
		"none":                       {nil, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			nodes := []corev1.Node{machine("a", "linux", nil), machine("b", "linux", tt.changed)}
			got, _, errs := topology.FromNodes(nodes, "")
			if len(errs) > 0 || got.Cloud != tt.want {
				t.Fatalf("%q, %v, want %q", got.Cloud, errs.ToAggregate(), tt.want)
			}
			again, errs := topology.Decode(topology.Encode(got), nil)
			if diff := cmp.Diff(got, again); diff != "" || len(errs) > 0 {
				t.Errorf("written and read again: %v (-want +got):\n%s", errs.ToAggregate(), diff)
			}
		})
	}
}

func TestNodesThatCannotBeDescribed(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		nodes []corev1.Node
		want  []string
	}{
		"no Linux": {
			[]corev1.Node{machine("w", "windows", nil)},
			[]string{
				"pools: Required value: at least one Linux pool: cluster add-ons such as CoreDNS run on Linux only",
			},
		},
		"unknown ones, all of them": {
			[]corev1.Node{
				machine("a", "linux", nil), machine("m", "darwin", nil), machine("none", "", nil),
				machine("x", "windows", label(corev1.LabelWindowsBuild, "10.0.99999")),
				machine("old", "windows", label(corev1.LabelWindowsBuild, "10.0.14393")),
				machine("y", "windows", label(corev1.LabelWindowsBuild, "")),
				machine("v", "linux", version("latest")),
			},
			[]string{
				"nodes[m].metadata.labels[kubernetes.io/os]: Invalid value: \"darwin\": nodes run linux or windows",
				"nodes[none].metadata.labels[kubernetes.io/os]: Required value: the node does not report its " +
					"operating system",
				"nodes[x].metadata.labels[node.kubernetes.io/windows-build]: Invalid value: \"10.0.99999\": not the " +
					"build of a known Windows Server release: use a newer version of mixedkube, or remove the node " +
					"from the list",
				"nodes[old].metadata.labels[node.kubernetes.io/windows-build]: Invalid value: \"windows-2016\": " +
					"Windows Server 2016 is no longer supported as a node: a pool runs linux, windows-2019, " +
					"windows-2022 or windows-2025",
				"nodes[y].metadata.labels[node.kubernetes.io/windows-build]: Required value: the node does not " +
					"report its Windows release (nor does nodeInfo.osImage)",
				"nodes[v].status.nodeInfo.kubeletVersion: Invalid value: \"latest\": not a Kubernetes version such " +
					"as v1.36.3",
			},
		},
		"too old": {
			[]corev1.Node{machine("a", "linux", nil), machine("b", "linux", all(version("v1.32.0"), label("x", "y")))},
			[]string{
				"pools[1].kubernetesVersion: Invalid value: \"1.32.0\": 4 minor versions older than the control " +
					"plane (1.36), and at most 3 are supported: use 1.33 or newer",
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, notes, errs := topology.FromNodes(tt.nodes, "")
			wantErrors(t, errs, tt.want...)
			if got.IsSet() || notes != nil {
				t.Errorf("beside errors there are %+v and %v", got, notes)
			}
		})
	}
}

// The build is read from the kernel version if the label is missing.
func TestReleaseFromKernelVersion(t *testing.T) {
	t.Parallel()
	nodes := []corev1.Node{machine("a", "linux", nil), machine("w", "windows", func(n *corev1.Node) {
		delete(n.Labels, corev1.LabelWindowsBuild)
		n.Status.NodeInfo.KernelVersion = "10.0.20348.4171"
		n.Status.Capacity = amounts("8", "32Gi")
	})}
	got, _, errs := topology.FromNodes(nodes, "")
	if len(errs) > 0 || got.Pools[1].Platform != platform.WindowsServer2022 {
		t.Errorf("%+v, %v", got, errs)
	}
	slices.Reverse(nodes)
	if again, _, _ := topology.FromNodes(nodes, ""); !cmp.Equal(got, again) {
		t.Errorf("in another order (-want +got):\n%s", cmp.Diff(got, again))
	}
}

// FuzzFromNodes checks that the result is either an error or a valid topology that can be encoded and decoded.
func FuzzFromNodes(f *testing.F) {
	f.Add(`[{"metadata": {"name": "a", "labels": {"kubernetes.io/os": "linux", "agentpool": "Ä_b-"}},
		"spec": {"taints": [{"key": "a", "effect": "NoSchedule"}]}, "status": {"capacity": {"cpu": "4",
		"memory": "16Gi", "pods": "-1"}, "allocatable": {"cpu": "5", "memory": "1Gi"}, "nodeInfo":
		{"kubeletVersion": "v1.36.3+x"}}}]`, "")
	f.Add(`[{"metadata": {"labels": {"kubernetes.io/os": "linux"}}},
		{"metadata": {"labels": {"kubernetes.io/os": "linux"}}, "status": {"nodeInfo":
		{"kubeletVersion": "v1.30.0", "architecture": "arm64"}}}, {"metadata": {"labels":
		{"kubernetes.io/os": "windows", "node.kubernetes.io/windows-build": "10.0.20348",
		"eks.amazonaws.com/nodegroup": "linux-2"}}, "status": {"capacity":
		{"vpc.amazonaws.com/PrivateIPv4Address": "3"}}}]`, "v1.31.0-eks-1")
	f.Fuzz(func(t *testing.T, text, controlPlane string) {
		var nodes []corev1.Node
		if json.Unmarshal([]byte(text), &nodes) != nil {
			return
		}
		got, _, errs := topology.FromNodes(nodes, controlPlane)
		if len(errs) > 0 {
			return
		}
		again, errs := topology.Decode(topology.Encode(got), nil)
		if len(errs) > 0 {
			t.Fatal(errs.ToAggregate())
		}
		if diff := cmp.Diff(got, again); diff != "" {
			t.Errorf("another topology (-want +got):\n%s", diff)
		}
	})
}

// Each node is in the pool that its cluster describes, and nodes outside of all pools are in none.
func TestPoolsOfNodes(t *testing.T) {
	t.Parallel()
	nodes := published(t, "eks.yaml")
	pools, _, errs := topology.FromNodes(nodes, "")
	if len(errs) > 0 {
		t.Fatal(errs.ToAggregate())
	}
	fargate := *nodes[0].DeepCopy()
	fargate.Name = "fargate"
	fargate.Labels["eks.amazonaws.com/compute-type"] = "fargate"
	strange := *nodes[0].DeepCopy()
	strange.Name, strange.Labels["kubernetes.io/os"] = "strange", "plan9"
	of := topology.PoolsOfNodes(append(slices.Clone(nodes), fargate, strange))
	counts := map[string]int{}
	for _, pool := range of {
		counts[pool]++
	}
	want := map[string]int{}
	for _, p := range pools.Pools {
		want[p.Name] = p.Count
	}
	if diff := cmp.Diff(want, counts); diff != "" {
		t.Errorf("the nodes of each pool (-want +got):\n%s", diff)
	}
	if len(of) != len(nodes) || of["fargate"] != "" || of["strange"] != "" {
		t.Errorf("of %d nodes %d are in pools: %v", len(nodes)+2, len(of), of)
	}
}

// Karpenter can create nodes that are in no pool of the list.
func TestNodesOfKarpenterAreAPartOfTheCluster(t *testing.T) {
	t.Parallel()
	const note = "partial: Karpenter creates some of the nodes, and can create nodes that are in no pool of the " +
		"list: " +
		"pods that fit no pool are warnings"
	for name, tt := range map[string]struct {
		change  func(*corev1.Node)
		partial bool
	}{
		"a node pool":          {label("karpenter.sh/nodepool", "default"), true},
		"a former provisioner": {label("karpenter.sh/provisioner-name", "default"), true},
		"a pool of AKS":        {label("agentpool", "default"), false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			nodes := []corev1.Node{machine("a", "linux", nil), machine("b", "linux", tt.change)}
			got, notes, errs := topology.FromNodes(nodes, "1.36.3")
			if len(errs) > 0 || got.Partial != tt.partial || slices.Contains(notes, note) != tt.partial {
				t.Errorf("partial: %t, notes %q, %v, want partial: %t", got.Partial, notes, errs, tt.partial)
			}
		})
	}
}
