package placement_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/placement"
)

// cluster returns a cluster whose Windows pools have no taints.
func cluster(cloud topology.Cloud, pools ...topology.Pool) placement.Cluster {
	for i := range pools {
		pools[i].Taints, pools[i].Untainted = nil, pools[i].Platform.IsWindows()
	}
	return placement.Cluster{Defaulted: topology.Topology{Cloud: cloud, Pools: pools}.WithDefaults()}
}

// answersOf returns the answers for the pools, and the first reason of each No.
func answersOf(p placement.Placement) []string {
	var texts []string
	for _, v := range p.Verdicts {
		text := v.Pool.Name + ": " + v.Answer().String()
		if reasons := v.Reasons(); len(reasons) > 0 {
			text += ", " + string(reasons[0].Kind) + " " + reasons[0].Label + ": " + reasons[0].Text + " | " +
				reasons[0].Fix
		}
		texts = append(texts, text)
	}
	return texts
}

func selects(key, value string) placement.Pod { return placement.Pod{NodeSelector: set(key, value)} }

func needs(key string, operator corev1.NodeSelectorOperator, values ...string) placement.Pod {
	return placement.Pod{Required: requires(term(expr(key, operator, values...)))}
}

func onField(values ...string) placement.Pod {
	return placement.Pod{Required: requires(corev1.NodeSelectorTerm{
		MatchFields: []corev1.NodeSelectorRequirement{expr("metadata.name", in, values...)},
	})}
}

const (
	in      = corev1.NodeSelectorOpIn
	notIn   = corev1.NodeSelectorOpNotIn
	exists  = corev1.NodeSelectorOpExists
	absent  = corev1.NodeSelectorOpDoesNotExist
	osSKU   = "kubernetes.azure.com/os-sku"
	azPool  = "kubernetes.azure.com/agentpool"
	ofWin22 = "akswin22000001"
	ofApps  = "aks-linux-12345678-vmss00000a"
)

// The labels that AKS sets are known for both topologies, with every operator. A single topology tells nothing about
// them.
func TestAChangeKnowsTheLabelsOfAKS(t *testing.T) {
	t.Parallel()
	today, plan := []topology.Pool{linux(), win22()}, []topology.Pool{linux(), win25()}
	for _, tt := range []struct {
		name        string
		pod         placement.Pod
		today, plan []string
	}{
		{
			"the name of a pool", selects("agentpool", "win22"),
			[]string{
				"linux: no, selector agentpool: selects agentpool=win22, but its nodes have linux | select " +
					"agentpool=linux",
				"win22: yes",
			},
			[]string{
				"linux: no, selector agentpool: selects agentpool=win22, but its nodes have linux | select " +
					"agentpool=linux",
				"win25: no, selector agentpool: selects agentpool=win22, but its nodes have win25 | select " +
					"agentpool=win25",
			},
		},
		{
			"other pools than one", needs(azPool, notIn, "win25"),
			[]string{"linux: yes", "win22: yes"},
			[]string{
				"linux: yes", "win25: no, affinity " + azPool + ": requires " + azPool + " not in (win25), but its " +
					"nodes have win25 | remove " + azPool + " from the node affinity",
			},
		},
		{"any pool", needs("agentpool", exists), []string{"linux: yes", "win22: yes"}, []string{"linux: " +
			"yes", "win25: yes"}},
		{
			"nodes without a pool", needs(azPool, absent),
			[]string{
				"linux: no, affinity " + azPool + ": requires no label " + azPool + ", but its nodes have " + azPool +
					"=linux | remove " + azPool + " from the node affinity",
				"win22: no, affinity " + azPool + ": requires no label " + azPool + ", but its nodes have " + azPool +
					"=win22 | remove " + azPool + " from the node affinity",
			},
			[]string{
				"linux: no, affinity " + azPool + ": requires no label " + azPool + ", but its nodes have " + azPool +
					"=linux | remove " + azPool + " from the node affinity",
				"win25: no, affinity " + azPool + ": requires no label " + azPool + ", but its nodes have " + azPool +
					"=win25 | remove " + azPool + " from the node affinity",
			},
		},
		{
			"the osSKU", selects(osSKU, "Windows2022"),
			[]string{
				"linux: no, selector " + osSKU + ": selects " + osSKU + "=Windows2022, but its nodes run Linux | " +
					"remove " +
					osSKU + " from the node selector",
				"win22: yes",
			},
			[]string{
				"linux: no, selector " + osSKU + ": selects " + osSKU + "=Windows2022, but its nodes run Linux | " +
					"remove " +
					osSKU + " from the node selector",
				"win25: no, selector " + osSKU + ": selects " + osSKU + "=Windows2022, but its nodes have " +
					"Windows2025 | select " + osSKU + "=Windows2025",
			},
		},
		{
			"one of several osSKUs of Windows", needs(osSKU, in, "Windows2019", "Windows2022"),
			[]string{
				"linux: no, affinity " + osSKU + ": requires " + osSKU + " in (Windows2019, Windows2022), but its " +
					"nodes run Linux | remove " + osSKU + " from the node affinity",
				"win22: yes",
			},
			[]string{
				"linux: no, affinity " + osSKU + ": requires " + osSKU + " in (Windows2019, Windows2022), but its " +
					"nodes run Linux | remove " + osSKU + " from the node affinity",
				"win25: no, affinity " + osSKU + ": requires " + osSKU + " in (Windows2019, Windows2022), but its " +
					"nodes have Windows2025 | require " + osSKU + "=Windows2025",
			},
		},
		{
			"no osSKU", needs(osSKU, absent),
			[]string{
				"linux: no, affinity " + osSKU + ": requires no label " + osSKU + ", but its nodes have one | " +
					"remove " + osSKU +
					" from the node affinity",
				"win22: no, affinity " + osSKU + ": requires no label " + osSKU + ", but its nodes have " + osSKU +
					"=Windows2022 | remove " + osSKU + " from the node affinity",
			},
			[]string{
				"linux: no, affinity " + osSKU + ": requires no label " + osSKU + ", but its nodes have one | " +
					"remove " + osSKU +
					" from the node affinity",
				"win25: no, affinity " + osSKU + ": requires no label " + osSKU + ", but its nodes have " + osSKU +
					"=Windows2025 | remove " + osSKU + " from the node affinity",
			},
		},
		{
			"not one osSKU", needs(osSKU, notIn, "Windows2025"),
			[]string{"linux: yes", "win22: yes"},
			[]string{
				"linux: yes", "win25: no, affinity " + osSKU + ": requires " + osSKU + " not in (Windows2025), but " +
					"its nodes have Windows2025 | remove " + osSKU + " from the node affinity",
			},
		},
		{
			"a distribution of Linux, which may be another", selects(osSKU, "AzureLinux"),
			[]string{"linux: unknown", "win22: no, selector " + osSKU + ": selects " + osSKU + "=AzureLinux, but " +
				"its nodes have Windows2022 | select " + osSKU + "=Windows2022"},
			[]string{"linux: unknown", "win25: no, selector " + osSKU + ": selects " + osSKU + "=AzureLinux, but " +
				"its nodes have Windows2025 | select " + osSKU + "=Windows2025"},
		},
		{
			"a node of a pool",
			placement.Pod{NodeName: ofWin22},
			[]string{
				"linux: no, node : names the node akswin22000001, of pool win22 | remove nodeName", "win22: unknown",
			},
			[]string{
				"linux: no, node : names the node akswin22000001, of pool win22 | remove nodeName",
				"win25: no, node : names the node akswin22000001, of pool win22 | remove nodeName",
			},
		},
		{
			"a node of a pool that stays", onField(ofApps),
			[]string{
				"linux: unknown", "win22: no, affinity metadata.name: requires metadata.name in (" + ofApps +
					"), of pool linux | remove metadata.name from the node affinity",
			},
			[]string{
				"linux: unknown", "win25: no, affinity metadata.name: requires metadata.name in (" + ofApps +
					"), of pool linux | remove metadata.name from the node affinity",
			},
		},
		{
			"nodes of two pools", needs("kubernetes.io/hostname", in, ofWin22, ofApps),
			[]string{"linux: unknown", "win22: unknown"},
			[]string{
				"linux: unknown", "win25: no, affinity kubernetes.io/hostname: requires kubernetes.io/hostname in (" +
					ofWin22 + ", " + ofApps + "), of pool win22 or linux | remove kubernetes.io/hostname from the " +
					"node affinity",
			},
		},
		{
			"any other node", selects("kubernetes.io/hostname", "akswin2200001"),
			[]string{"linux: unknown", "win22: unknown"},
			[]string{"linux: unknown", "win25: unknown"},
		},
		{
			"all nodes but one", needs("kubernetes.io/hostname", notIn, ofWin22),
			[]string{"linux: unknown", "win22: unknown"},
			[]string{"linux: unknown", "win25: unknown"},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			now, later := placement.NewChange(cluster("", today...), cluster("aks", plan...))
			if diff := cmp.Diff(tt.today, answersOf(now.Place(tt.pod))); diff != "" {
				t.Errorf("today (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tt.plan, answersOf(later.Place(tt.pod))); diff != "" {
				t.Errorf("the plan (-want +got):\n%s", diff)
			}
			// Nothing but the platforms is known of a cluster of another cloud, and of one that is not compared.
			now, later = placement.NewChange(cluster(topology.EKS, today...), cluster(topology.EKS, plan...))
			alone := placement.NewNodes(cluster("", plan...).Defaulted, platform.Strict)
			for name, nodes := range map[string]*placement.Nodes{"EKS": now, "EKS, planned": later, "alone": alone} {
				for _, v := range nodes.Place(tt.pod).Verdicts {
					if v.Answer() != platform.Unknown {
						t.Errorf("%s: %v", name, answersOf(nodes.Place(tt.pod)))
					}
				}
			}
		})
	}
}

// A label that the cluster has and the plan does not list is missing in the plan, unless something else sets it.
func TestAPlanLacksTheLabelsThatItDoesNotList(t *testing.T) {
	t.Parallel()
	const lacks = ", but its nodes have no label "
	for _, tt := range []struct {
		key, value  string
		today, plan topology.Pool
		want        []string
	}{
		{"tier", "web", win22(labels("tier", "web")), win22(), []string{
			"win22: yes", "win22: no, selector tier: selects tier=web" + lacks + "tier | remove tier from the node " +
				"selector, or give the pool this label",
		}},
		{"tier", "web", win22(), win22(), []string{"win22: unknown", "win22: unknown"}},
		{
			"tier", "web", win22(labels("tier", "web")), win25(labels("tier", "web")),
			[]string{"win22: yes", "win25: yes"},
		},
		{"example.com/tier", "web", win22(labels("example.com/Tier", "web")), win22(), []string{
			"win22: no, selector example.com/tier: selects example.com/tier=web" + lacks + "example.com/tier, only " +
				"example.com/Tier=web | select example.com/Tier=web",
			"win22: no, selector example.com/tier: selects example.com/tier=web" + lacks + "example.com/tier | " +
				"remove example.com/tier from the node selector, or give the pool this label",
		}},
		{
			"topology.kubernetes.io/zone", "a", win22(labels("topology.kubernetes.io/zone", "a")), win22(),
			[]string{"win22: yes", "win22: unknown"},
		},
		{
			"kubernetes.azure.com/mode", "user", win22(labels("kubernetes.azure.com/mode", "user")), win22(),
			[]string{"win22: yes", "win22: unknown"},
		},
		{
			"topology.ebs.csi.aws.com/zone", "a", win22(labels("topology.ebs.csi.aws.com/zone", "a")), win22(),
			[]string{"win22: yes", "win22: unknown"},
		},
		// A component may set the library's own label, but never to another platform.
		{
			topology.LabelPlatform, "windows-2022", win22(labels(topology.LabelPlatform, "windows-2022")), win22(),
			[]string{"win22: yes", "win22: unknown"},
		},
		{
			topology.LabelPlatform, "windows-2022", win22(labels(topology.LabelPlatform, "windows-2022")), win25(),
			[]string{
				"win22: yes", "win25: no, selector mixedkube.dev/platform: selects " +
					"mixedkube.dev/platform=windows-2022, but its nodes run Windows Server 2025 | remove " +
					"mixedkube.dev/platform from the node selector",
			},
		},
		// A label that a pool lists takes precedence.
		{"agentpool", "web", win22(labels("agentpool", "web")), win25(labels("agentpool", "web")), []string{
			"win22: yes", "win25: yes",
		}},
	} {
		now, later := placement.NewChange(cluster("", tt.today), cluster("", tt.plan))
		pod := selects(tt.key, tt.value)
		got := append(answersOf(now.Place(pod)), answersOf(later.Place(pod))...)
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s=%s (-want +got):\n%s", tt.key, tt.value, diff)
		}
	}
}

// The names of pools in Azure may differ from those in the topology. A pool that stays keeps its name there.
func TestThePoolsOfAzureInAPlan(t *testing.T) {
	t.Parallel()
	in := labels("agentpool", "win22d", osSKU, "Windows2022")
	const others = "win22: no, selector agentpool: selects agentpool=win22d, but its nodes have win22 | select " +
		"agentpool=win22"
	for name, tt := range map[string]struct {
		plan topology.Pool
		pod  placement.Pod
		want string
	}{
		"a pool that stays":             {win22(), selects("agentpool", "win22d"), "win22: yes"},
		"a pool with an unknown size":   {win22(size("")), selects("agentpool", "win22d"), "win22: yes"},
		"a pool with another size":      {win22(size("Standard_D8s_v5")), selects("agentpool", "win22d"), others},
		"a pool with another platform":  {win25(named("win22")), selects("agentpool", "win22d"), others},
		"the name of one of its nodes":  {win22(), placement.Pod{NodeName: "akswin22d000001"}, "win22: unknown"},
		"the name of a node of no pool": {win22(), placement.Pod{NodeName: "akswin22e000001"}, "win22: unknown"},
		"the name of a node that it " +
			"has": {win22(labels("agentpool", "other")), placement.Pod{NodeName: "aksother000001"}, "win22: unknown"},
	} {
		_, later := placement.NewChange(cluster("", win22(in)), cluster("", tt.plan))
		if diff := cmp.Diff([]string{tt.want}, answersOf(later.Place(tt.pod))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	_, later := placement.NewChange(cluster("", win22(in), win25()), cluster("", win25()))
	want := []string{"win25: no, node : names the node akswin22d000001, of pool win22 | remove nodeName"}
	if diff := cmp.Diff(want, answersOf(later.Place(placement.Pod{NodeName: "akswin22d000001"}))); diff != "" {
		t.Errorf("a node of a pool that goes (-want +got):\n%s", diff)
	}
	// A distribution of Linux that a pool has is known if the pool stays.
	_, later = placement.NewChange(cluster("", linux(labels(osSKU, "AzureLinux"))), cluster("", linux()))
	if got := answersOf(later.Place(selects(osSKU, "Ubuntu")))[0]; !strings.HasPrefix(got, "linux: no") {
		t.Error(got)
	}
}

func TestTheMatchingOfAPlan(t *testing.T) {
	t.Parallel()
	pod := placement.Pod{Images: []placement.Image{image("mcr.microsoft.com/windows/servercore:ltsc2022")}}
	for matching, want := range map[platform.Matching]platform.Answer{
		platform.Strict: platform.No, platform.Relaxed: platform.Yes,
	} {
		plan := cluster("", win25())
		plan.Matching = matching
		_, later := placement.NewChange(cluster("", win22()), plan)
		if got := later.Place(pod).Verdicts[0].Answer(); got != want {
			t.Errorf("%s: %s, want %s", matching, got, want)
		}
	}
}

func TestThePoolInTheNameOfANode(t *testing.T) {
	t.Parallel()
	now, _ := placement.NewChange(cluster("", linux(), win22(named("win")), win22(named("win22"))),
		cluster("", linux(), win25()))
	for name, want := range map[string]string{
		"akswin000000": "win", "akswin22000000": "win22", "akswin2500000z": "win25", "akswin25_00000": "",
		"aks-linux-12345678-vmss000000": "linux", "aks-linux-12345678-0": "linux", "aks-linux-1234567-vmss000000": "",
		"aks-gone-12345678-vmss000000": "", "win22": "", "": "", "akswin22": "",
	} {
		pool, shown := now.PoolOf(name)
		if !shown {
			pool = ""
		}
		if pool != want {
			t.Errorf("PoolOf(%q) = %q, want %q", name, pool, want)
		}
	}
}

// A plan is often a copy of a topology that was read from nodes, with the labels of AKS.
func TestAnOSSKUOfAnotherPlatformIsStale(t *testing.T) {
	t.Parallel()
	copied := win25()
	copied.Labels = map[string]string{osSKU: "Windows2022"}
	_, later := placement.NewChange(
		cluster("aks", linux(), win22()), cluster("aks", linux(), copied))
	want := "win25: no, selector " + osSKU + ": selects " + osSKU + "=Windows2022, but its nodes have Windows2025 | " +
		"select " + osSKU + "=Windows2025"
	if got := answersOf(later.Place(selects(osSKU, "Windows2022"))); len(got) != 2 || got[1] != want {
		t.Errorf("got %q, want %q at its end", got, want)
	}
}
