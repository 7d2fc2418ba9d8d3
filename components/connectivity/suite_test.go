package connectivity_test

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/mixedkube/mixedkube/components/connectivity"
	"github.com/mixedkube/mixedkube/components/mocktest"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
)

// jobs returns the pod specs of all Jobs, by pair.
func jobs(t *testing.T, graph *mocktest.Graph) map[string]map[string]any {
	t.Helper()
	found := map[string]map[string]any{}
	for _, r := range graph.ByType(jobType) {
		found[strings.TrimSuffix(strings.TrimPrefix(r.Name, "net-"), "-job")] = podSpec(r)
	}
	return found
}

// urls returns the addresses that the checks of a Job request.
func urls(spec map[string]any) map[string]any {
	found := map[string]any{}
	for _, c := range spec["containers"].([]any) {
		c := c.(map[string]any)
		for _, v := range c["env"].([]any) {
			if v := v.(map[string]any); v["name"] == "URL" {
				found[c["name"].(string)] = v["value"]
			}
		}
	}
	return found
}

func TestTheScriptsInTheContainersAreTheFiles(t *testing.T) {
	t.Parallel()
	want := map[string]bool{}
	for _, name := range []string{"check.ps1", "check.sh", "serve.ps1", "serve.sh"} {
		text, err := os.ReadFile(filepath.Join("scripts", name))
		if err != nil {
			t.Fatal(err)
		}
		want[strings.ReplaceAll(string(text), "\r\n", "\n")] = true
	}
	graph := run(t, newSuite(&connectivity.SuiteArgs{Topology: two}))
	have := map[string]bool{}
	for _, r := range slices.Concat(graph.ByType(podType), graph.ByType(jobType)) {
		for _, c := range podSpec(r)["containers"].([]any) {
			command := c.(map[string]any)["command"].([]any)
			script := command[len(command)-1].(string)
			if strings.Contains(strings.ReplaceAll(script, "$$", ""), "$") {
				t.Errorf("%s: a single $ is left in the command, which Kubernetes may expand", r.Name)
			}
			have[strings.ReplaceAll(script, "$$", "$")] = true
		}
	}
	if diff := cmp.Diff(want, have); diff != "" {
		t.Errorf("scripts (-files +containers):\n%s", diff)
	}
}

func TestSkippedChecksHaveNoContainers(t *testing.T) {
	t.Parallel()
	graph := run(t, newSuite(&connectivity.SuiteArgs{
		Topology: two, OutboundURL: "http://example.com/",
		Skip: []connectivity.Check{connectivity.NodeToPod, connectivity.Inbound, connectivity.Outbound},
	}))
	// Nothing is left for Windows nodes, nor outbound.
	want := []string{
		"linux-node-to-linux", "linux-node-to-windows-2022", "linux-to-linux", "linux-to-windows-2022",
		"windows-2022-to-linux", "windows-2022-to-windows-2022",
	}
	if diff := cmp.Diff(want, slices.Sorted(maps.Keys(jobs(t, graph)))); diff != "" {
		t.Errorf("Jobs (-want +got):\n%s", diff)
	}
	if strings.Contains(graph.String(), "example.com") {
		t.Error("the address outside is still in there")
	}
	const table = `CHECK                FROM              linux  windows-2022  outside
1-pod-running        -                 ok     ok            -
2-node-to-pod        skipped           -      -             -
3-pod-to-pod         linux pod         ok     ok            -
                     windows-2022 pod  ok     ok            -
4-service-to-pod     linux node        ok     ok            -
                     linux pod         ok     ok            -
                     windows-2022 pod  ok     ok            -
5-service-discovery  linux pod         ok     ok            -
                     windows-2022 pod  ok     ok            -
6-inbound            skipped           -      -             -
7-outbound           skipped           -      -             -
`
	if diff := cmp.Diff(table, graph.Exports()["table"].StringValue()); diff != "" {
		t.Errorf("the table (-want +got):\n%s", diff)
	}
}

func TestOnlyThePodsAreLeftWhereAllElseIsSkipped(t *testing.T) {
	t.Parallel()
	graph := run(t, newSuite(&connectivity.SuiteArgs{Topology: two, Skip: connectivity.Checks()[1:]}))
	if found := jobs(t, graph); len(found) > 0 {
		t.Errorf("Jobs %v", found)
	}
	want := map[string]any{
		"linux":        map[string]any{"1-pod-running": "ok"},
		"windows-2022": map[string]any{"1-pod-running": "ok"},
	}
	if diff := cmp.Diff(want, mocktest.Plain(graph.Exports())["matrix"]); diff != "" {
		t.Errorf("the matrix (-want +got):\n%s", diff)
	}
}

func TestNoCheckIsOKBeforeItHasPassed(t *testing.T) {
	t.Parallel()
	graph := mocktest.MustRun(t, newSuite(&connectivity.SuiteArgs{Topology: two}), mocktest.Preview())
	want := map[string]any{"matrix": mocktest.UnknownValue, "table": mocktest.UnknownValue}
	if diff := cmp.Diff(want, mocktest.Plain(graph.Exports())); diff != "" {
		t.Errorf("exports of the preview (-want +got):\n%s", diff)
	}
}

func TestAnotherRunChangesTheJobsAndNothingElse(t *testing.T) {
	t.Parallel()
	inputs := func(text string) map[string]map[string]any {
		found := map[string]map[string]any{}
		for _, r := range run(t, newSuite(&connectivity.SuiteArgs{Topology: two, Run: text})).Resources() {
			found[r.Type+" "+r.Name] = r.Plain()
		}
		return found
	}
	first, second := inputs(""), inputs("2026-11-22, after the upgrade")
	for name := range first {
		changed := !cmp.Equal(first[name], second[name])
		if changed != strings.HasPrefix(name, jobType) {
			t.Errorf("%s: changed %t", name, changed)
		}
	}
}

func TestImagesCanBeReplaced(t *testing.T) {
	t.Parallel()
	graph := run(t, newSuite(&connectivity.SuiteArgs{Topology: four, Images: connectivity.Images{
		Linux: "m/busybox:1", HostProcess: "m/hpc:1",
		Windows: map[platform.Platform]string{
			platform.WindowsServer2019: "m/core:19",
			platform.WindowsServer2025: "m/core:25",
		},
	}}))
	have := map[string]int{}
	for _, r := range slices.Concat(graph.ByType(podType), graph.ByType(jobType)) {
		for _, c := range podSpec(r)["containers"].([]any) {
			have[c.(map[string]any)["image"].(string)]++
		}
	}
	// A Windows platform has a server, four Jobs with three checks each, one outbound, and one from its nodes.
	want := map[string]int{
		"m/busybox:1": 14 + 12, "m/hpc:1": 3, "m/core:19": 14, "m/core:25": 14,
		"mcr.microsoft.com/windows/servercore:ltsc2022": 14,
	}
	if diff := cmp.Diff(want, have); diff != "" {
		t.Errorf("images (-want +got):\n%s", diff)
	}
}

func TestAddresses(t *testing.T) {
	t.Parallel()
	graph := run(t, newSuite(&connectivity.SuiteArgs{
		Topology: two, Namespace: pulumi.String("shop"), ClusterDomain: pulumi.String("k8s.example.com"),
		OutboundURL: "http://example.com/x", NodeAddress: pulumi.String("edge.example.com"),
		RemotePodsFromWindowsNodes: true,
	}))
	want := map[string]map[string]any{
		"linux-node-to-windows-2022": {
			"2-node-to-pod": "http://10.244.3.5:80/", "4-service-to-pod": "http://10.96.0.3:80/",
			"6-inbound": "http://edge.example.com:30003/",
		},
		"windows-2022-node-to-linux": {"2-node-to-pod": "http://10.244.1.5:80/"},
		"windows-2022-to-linux": {
			"3-pod-to-pod": "http://10.244.1.5:80/", "4-service-to-pod": "http://10.96.0.1:80/",
			"5-service-discovery": "http://net-linux.shop.svc.k8s.example.com:80/",
		},
		"linux-to-outside": {"7-outbound": "http://example.com/x"},
	}
	all := jobs(t, graph)
	for name, checks := range want {
		if diff := cmp.Diff(checks, urls(all[name])); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestAddressesOfIPv6AreInBrackets(t *testing.T) {
	t.Parallel()
	graph := mocktest.MustRun(t, newSuite(&connectivity.SuiteArgs{Topology: two}),
		mocktest.Outputs(func(r mocktest.Resource) resource.PropertyMap {
			if r.Type == podType {
				return resource.NewPropertyMapFromMap(map[string]any{"status": map[string]any{
					"podIP":  "fd00::5",
					"hostIP": "fd00:1::1",
				}})
			}
			return addresses(r)
		}))
	want := map[string]any{
		"2-node-to-pod": "http://[fd00::5]:80/", "4-service-to-pod": "http://10.96.0.1:80/",
		"6-inbound": "http://[fd00:1::1]:30001/",
	}
	if diff := cmp.Diff(want, urls(jobs(t, graph)["linux-node-to-linux"])); diff != "" {
		t.Errorf("addresses (-want +got):\n%s", diff)
	}
}

func TestPlatformsWithoutNodesAreLeftOut(t *testing.T) {
	t.Parallel()
	graph := run(t, newSuite(&connectivity.SuiteArgs{Topology: topology.Topology{Pools: []topology.Pool{
		{Name: "sys", Platform: platform.Linux},
		{Name: "win19", Platform: platform.WindowsServer2019, Empty: true},
		{
			Name: "win22", Platform: platform.WindowsServer2022, Empty: true,
			Autoscaling: topology.Autoscaling{Max: 2},
		},
	}}}))
	var pods []string
	for _, r := range graph.ByType(podType) {
		pods = append(pods, r.Name)
	}
	slices.Sort(pods)
	if want := []string{"net-linux-pod", "net-windows-2022-pod"}; !slices.Equal(want, pods) {
		t.Errorf("pods %q, want %q: an autoscaler adds a node for one pool, and none for the other pool", pods, want)
	}
}

// On one platform a request must go from one node to another, if there are two.
func TestJobsKeepAwayFromTheNodeOfTheirTarget(t *testing.T) {
	t.Parallel()
	pool := func(p topology.Pool) topology.Topology {
		p.Name, p.Platform = "win22", platform.WindowsServer2022
		return topology.Topology{Pools: []topology.Pool{{Name: "sys", Platform: platform.Linux}, p}}
	}
	const required, preferred = "requiredDuringSchedulingIgnoredDuringExecution",
		"preferredDuringSchedulingIgnoredDuringExecution"
	for name, tt := range map[string]struct {
		cluster topology.Topology
		want    string
	}{
		"one node":  {pool(topology.Pool{}), preferred},
		"two nodes": {pool(topology.Pool{Count: 2}), required},
		"one node, or more": {
			pool(topology.Pool{Count: 2, Autoscaling: topology.Autoscaling{Min: 1, Max: 5}}),
			preferred,
		},
		"two nodes or more": {
			pool(topology.Pool{Count: 2, Autoscaling: topology.Autoscaling{Min: 2, Max: 5}}),
			required,
		},
		"a node in two pools": {topology.Topology{Pools: append(pool(topology.Pool{}).Pools,
			topology.Pool{Name: "more", Platform: platform.WindowsServer2022})}, required},
		"the other pool is not": {topology.Topology{Pools: append(pool(topology.Pool{}).Pools,
			topology.Pool{Name: "more", Platform: platform.WindowsServer2025})}, preferred},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			all := jobs(t, run(t,
				newSuite(&connectivity.SuiteArgs{Topology: tt.cluster, RemotePodsFromWindowsNodes: true})))
			for _, pair := range []string{"windows-2022-to-windows-2022", "windows-2022-node-to-windows-2022"} {
				affinity := all[pair]["affinity"].(map[string]any)["podAntiAffinity"].(map[string]any)
				if have := slices.Sorted(maps.Keys(affinity)); !slices.Equal([]string{tt.want}, have) {
					t.Errorf("%s has %v, want %s", pair, have, tt.want)
				}
			}
			for _, pair := range []string{"windows-2022-to-linux", "linux-to-windows-2022", "windows-2022-to-outside"} {
				if have, isSet := all[pair]["affinity"]; isSet {
					t.Errorf("%s has %v", pair, have)
				}
			}
		})
	}
}

// On an overlay network such as flannel's vxlan, a Windows node reaches only the pods on its own node: a check with
// another target would fail on a healthy cluster.
func TestWindowsNodesAreCheckedWithThePodOnTheirOwnNode(t *testing.T) {
	t.Parallel()
	graph := run(t, newSuite(&connectivity.SuiteArgs{Topology: four}))
	var pairs []string
	for name, spec := range jobs(t, graph) {
		target, ofWindowsNode := strings.CutPrefix(name, "windows-")
		source, target, ofNode := strings.Cut(target, "-node-to-")
		if !ofWindowsNode || !ofNode {
			continue
		}
		pairs = append(pairs, name)
		want := map[string]any{"podAffinity": map[string]any{
			"requiredDuringSchedulingIgnoredDuringExecution": []any{map[string]any{
				"labelSelector": map[string]any{"matchLabels": map[string]any{
					"app.kubernetes.io/name": "mixedkube-connectivity", "app.kubernetes.io/instance": "net",
					"app.kubernetes.io/component": "target",
					"mixedkube.dev/platform":      "windows-" + source,
				}},
				"topologyKey": "kubernetes.io/hostname",
			}},
		}}
		if diff := cmp.Diff(want, spec["affinity"]); diff != "" || target != "windows-"+source {
			t.Errorf("%s: affinity (-want +got):\n%s", name, diff)
		}
		if have := slices.Sorted(maps.Keys(urls(spec))); !slices.Equal([]string{"2-node-to-pod"}, have) {
			t.Errorf("%s has the checks %v", name, have)
		}
	}
	slices.Sort(pairs)
	want := []string{
		"windows-2019-node-to-windows-2019", "windows-2022-node-to-windows-2022",
		"windows-2025-node-to-windows-2025",
	}
	if diff := cmp.Diff(want, pairs); diff != "" {
		t.Errorf("pairs from Windows nodes (-want +got):\n%s", diff)
	}
	const note = "2-node-to-pod checks Windows nodes with a pod on their own node only: not every network lets them " +
		"reach others (remotePodsFromWindowsNodes)"
	if table := graph.Exports()["table"].StringValue(); !strings.HasSuffix(table, "\n"+note+"\n") {
		t.Errorf("the table does not say what is left out:\n%s", table)
	}
	if !slices.ContainsFunc(graph.Logs(),
		func(l mocktest.Log) bool { return l.Message == note && l.URN.Name() == "net" }) {
		t.Errorf("the log does not say what is left out: %v", graph.Logs())
	}
}

// If the option is set, no request is left out.
func TestWindowsNodesAreCheckedWithAllPodsIfTheNetworkAllowsIt(t *testing.T) {
	t.Parallel()
	for name, args := range map[string]*connectivity.SuiteArgs{
		"all nodes":        {Topology: two, RemotePodsFromWindowsNodes: true},
		"no check of them": {Topology: two, Skip: []connectivity.Check{connectivity.NodeToPod}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			graph := run(t, newSuite(args))
			_, checked := jobs(t, graph)["windows-2022-node-to-linux"]
			if checked != args.RemotePodsFromWindowsNodes {
				t.Errorf("Windows nodes have a check for the Linux pod: %t", checked)
			}
			if text := graph.Exports()["table"].StringValue(); strings.Contains(text, "own node") ||
				len(graph.Logs()) > 0 {
				t.Errorf("the log reports omissions: %v\n%s", graph.Logs(), text)
			}
		})
	}
}

// Two nodes do not help a pod that one of them repels.
func TestPodsTolerateTheTaintsOfAllPoolsOfTheirPlatform(t *testing.T) {
	t.Parallel()
	cluster := topology.Topology{Pools: []topology.Pool{
		{
			Name: "sys", Platform: platform.Linux,
			Taints: []corev1.Taint{{Key: "CriticalAddonsOnly", Value: "true", Effect: corev1.TaintEffectNoSchedule}},
		},
		{Name: "user", Platform: platform.Linux},
		{Name: "win22", Platform: platform.WindowsServer2022},
		{
			Name: "gpu22", Platform: platform.WindowsServer2022,
			Taints: []corev1.Taint{{Key: "gpu", Effect: corev1.TaintEffectNoExecute}},
		},
	}}
	all := jobs(t, run(t, newSuite(&connectivity.SuiteArgs{Topology: cluster})))
	want := map[string][]any{
		"linux-to-outside": {map[string]any{
			"key": "CriticalAddonsOnly", "operator": "Equal", "value": "true",
			"effect": "NoSchedule",
		}},
		"windows-2022-to-outside": {map[string]any{
			"key": "os", "operator": "Equal", "value": "windows",
			"effect": "NoSchedule",
		}, map[string]any{"key": "gpu", "operator": "Equal", "effect": "NoExecute"}},
	}
	for pair, tolerations := range want {
		if diff := cmp.Diff(tolerations, all[pair]["tolerations"]); diff != "" {
			t.Errorf("%s (-want +got):\n%s", pair, diff)
		}
	}
}

// A Job's pods must not be behind the Service that they send requests to.
func TestServicesLeadToTheirOwnPodOnly(t *testing.T) {
	t.Parallel()
	graph := run(t, newSuite(&connectivity.SuiteArgs{Topology: four}))
	labels := map[string]map[string]any{}
	for _, r := range graph.ByType(podType) {
		labels[r.Name] = r.Plain()["metadata"].(map[string]any)["labels"].(map[string]any)
	}
	for _, r := range graph.ByType(jobType) {
		template := r.Plain()["spec"].(map[string]any)["template"].(map[string]any)
		labels[r.Name] = template["metadata"].(map[string]any)["labels"].(map[string]any)
	}
	for _, r := range graph.ByType(serviceType) {
		selector := r.Plain()["spec"].(map[string]any)["selector"].(map[string]any)
		var selected []string
		for name, have := range labels {
			matches := true
			for key, value := range selector {
				matches = matches && have[key] == value
			}
			if matches {
				selected = append(selected, name)
			}
		}
		if want := []string{strings.TrimSuffix(r.Name, "-service") + "-pod"}; !slices.Equal(want, selected) {
			t.Errorf("%s leads to %q, want %q", r.Name, selected, want)
		}
	}
}

func TestTheLongestNameOfAJobIsALabel(t *testing.T) {
	t.Parallel()
	graph := mocktest.MustRun(t, func(ctx *pulumi.Context) error {
		_, err := connectivity.NewSuite(ctx, "the-nets-of-amix",
			&connectivity.SuiteArgs{Topology: four, RemotePodsFromWindowsNodes: true})
		return err
	}, mocktest.Preview())
	longest := 0
	for _, r := range graph.ByType(jobType) {
		// Pulumi adds a hyphen and eight digits.
		longest = max(longest, len(r.Name)+9)
	}
	if longest != validation.LabelValueMaxLength {
		t.Errorf("the longest name has %d characters, want all of %d", longest, validation.LabelValueMaxLength)
	}
}

func TestTheOptionsReachTheChildren(t *testing.T) {
	t.Parallel()
	const providerURN = "urn:pulumi:stack::project::pulumi:providers:kubernetes::cluster"
	graph := mocktest.MustRun(t, func(ctx *pulumi.Context) error {
		provider, err := kubernetes.NewProvider(ctx, "cluster", nil)
		if err != nil {
			return err
		}
		return newSuite(&connectivity.SuiteArgs{Topology: two}, pulumi.Provider(provider))(ctx)
	}, mocktest.Preview())
	children := 0
	for _, r := range graph.Resources() {
		if !r.Custom || r.Name == "cluster" {
			continue
		}
		children++
		if r.Provider != providerURN {
			t.Errorf("%s has the provider %q", r.Name, r.Provider)
		}
	}
	if children != 13 {
		t.Errorf("%d children, want 13", children)
	}
}
