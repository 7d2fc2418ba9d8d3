package clustermap

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/preflight"
	"github.com/mixedkube/mixedkube/core/topology"
)

// summary describes a map in a few lines: the pools with their workloads, and the pending workloads.
func summary(m *Map) []string {
	l := m.lay()
	var lines []string
	for _, g := range l.Groups {
		for _, c := range g.Cards {
			parts := []string{c.Platform, c.Build, c.Nodes, strings.Join(c.Taints, " ")}
			for _, m := range c.Meters {
				parts = append(parts, m.Name+" "+m.Used+" of "+m.Of)
			}
			lines = append(lines, c.Name+": "+strings.Join(append(parts, c.RoomNote), "|"))
			for _, e := range slices.Concat(c.Entries, c.Later) {
				lines = append(lines, "  "+e.Name+" "+e.Kind+" "+e.Pods+" "+e.Note)
			}
		}
	}
	for _, p := range l.Problems {
		lines = append(lines, "pending: "+p.Title+" ("+p.About+"): "+p.Why)
		for _, r := range slices.Concat(p.Reasons, p.Later) {
			lines = append(lines, "  "+r.Pools+": "+r.Text)
		}
	}
	for _, note := range m.Notes {
		lines = append(lines, "note: "+note)
	}
	return lines
}

func want(t *testing.T, m *Map, lines ...string) {
	t.Helper()
	if diff := cmp.Diff(lines, summary(m)); diff != "" {
		t.Errorf("the map (-want +got):\n%s", diff)
	}
}

func TestPoolsAreGroupedByPlatformWithTheirWorkloads(t *testing.T) {
	t.Parallel()
	want(
		t, New(small(t)),
		"sys: Linux||2 nodes||CPU 0.6 of 8|Memory 0.63 of 31.3 GiB|",
		"  monitoring/node-exporter DaemonSet on each node ",
		"  shop/orders Deployment 2 pods ",
		"win22: Windows Server 2022|10.0.20348|2 nodes|os=windows:NoSchedule|CPU 3.1 to 4.1 of 8|"+
			"Memory 6.13 to 8.13 of 31.99 GiB|",
		"  monitoring/node-exporter DaemonSet on each node ",
		"  shop/import Job up to 2 pods or on 1 other pool",
		"  storefront Deployment 3 pods ",
		"win25: Windows Server 2025|10.0.26100|1 node, at most 5|os=windows:NoSchedule|CPU 0.05 to 1.05 of 4|"+
			"Memory 0.07 to 2.07 of 15.99 GiB|",
		"  monitoring/node-exporter DaemonSet on each node ",
		"  shop/import Job up to 2 pods or on 1 other pool",
		"pending: shop/legacy-soap (Deployment, 3 pods): No pool can run its pods.",
		"  sys: spec.os.name is windows, but its nodes run Linux; image "+
			"mcr.microsoft.com/windows/servercore:ltsc2019 is a Windows image, but its nodes run Linux",
		"  win22: its taint os=windows:NoSchedule is not tolerated; image "+
			"mcr.microsoft.com/windows/servercore:ltsc2019 needs Windows Server 2019, but its nodes run Windows "+
			"Server 2022",
		"  win25: its taint os=windows:NoSchedule is not tolerated; image "+
			"mcr.microsoft.com/windows/servercore:ltsc2019 needs Windows Server 2019, but its nodes run Windows "+
			"Server 2025",
	)
}

// For each workload and pool, the map has the result of preflight.
func TestWorkloadsLandOnThePoolsOfPreflight(t *testing.T) {
	t.Parallel()
	s := large(t, 100, 300)
	m := New(s)
	checker := preflight.New(s.Options)
	byName := map[string]Workload{}
	for _, w := range m.Workloads {
		byName[w.Name] = w
	}
	names := func(indexes []int) []string {
		var all []string
		for _, i := range indexes {
			all = append(all, m.Pools[i].Name)
		}
		slices.Sort(all)
		return all
	}
	nowhere := 0
	for _, o := range s.Objects {
		metadata := o["metadata"].(map[string]any)
		w := byName[metadata["namespace"].(string)+"/"+metadata["name"].(string)]
		l, _ := checker.Landing(o)
		var pools []string
		for _, p := range l.Pools {
			pools = append(pools, p.Name)
		}
		slices.Sort(pools)
		if diff := cmp.Diff(pools, names(w.On)); diff != "" {
			t.Errorf("%s lands (-preflight +map):\n%s", w.Name, diff)
		}
		if w.Pending != (l.String() == "nowhere") {
			t.Errorf("%s is pending: %t, and lands %s", w.Name, w.Pending, l)
		}
		if w.Pending {
			nowhere++
		}
	}
	if nowhere == 0 || nowhere == len(s.Objects) {
		t.Errorf("%d of %d land nowhere: the test sees one of the two only", nowhere, len(s.Objects))
	}
}

func pod(name, rest string) string {
	return `{apiVersion: v1, kind: Pod, metadata: {name: ` + name + `}, spec: {containers: ` +
		`[{name: a, image: a.example/a}], ` + rest + `}}`
}

func TestPendingPodsAndReasons(t *testing.T) {
	t.Parallel()
	const deployment = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec: {replicas: REPLICAS, " +
		"template: {spec: {REST, containers: [{name: a, image: a.example/a, resources: {requests: {cpu: CPU}}}]}}}"
	const withoutA = "nodeSelector: {kubernetes.io/os: linux}, affinity: {nodeAffinity: " +
		"{requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchExpressions: " +
		"[{key: a, operator: DoesNotExist}]}]}}}"
	of := func(replicas, cpu, rest string) string {
		return strings.NewReplacer("REPLICAS", replicas, "CPU", cpu, "REST", rest).Replace(deployment)
	}
	linux := topology.Pool{Name: "sys", Platform: platform.Linux, Size: "Standard_D2s_v5"}
	none := topology.Pool{Name: "none", Platform: platform.Linux, Empty: true, Labels: map[string]string{"a": "none"}}
	scaled := topology.Pool{
		Name: "scaled", Platform: platform.Linux, Empty: true, Labels: map[string]string{"a": "scaled"},
		Autoscaling: topology.Autoscaling{Max: 3}, Size: "Standard_D2s_v5",
	}
	windows := topology.Pool{Name: "win", Platform: platform.WindowsServer2022}
	for _, tt := range []struct {
		name    string
		objects string
		want    []string
	}{
		{"all is well", of("1", "1", "nodeSelector: {kubernetes.io/os: linux}"), nil},
		{
			"a pool without nodes", of("1", "1", "nodeSelector: {a: none}"),
			[]string{"web (Deployment, 1 pod): none has no nodes: its pods wait."},
		},
		{
			"an autoscaler helps", of("2", "1", "nodeSelector: {a: scaled}"),
			[]string{
				"web (Deployment, 2 pods): scaled has no nodes now: its pods wait until an autoscaler adds one.",
				"scaled (no room for all of web): The pods that land there request 2 of 0 CPUs and 0 of 0 GiB on 0 " +
					"nodes: some wait until an autoscaler adds nodes.",
			},
		},
		{"no pods are wanted", of("0", "1", "nodeSelector: {a: other}"), nil},
		{
			"too large for every node", of("1", "64", withoutA),
			[]string{"web (Deployment, 1 pod): No pool can run its pods."},
		},
		{
			"too many for the nodes", of("5", "1", withoutA),
			[]string{
				"sys (no room for all of web): The pods that land there request 5 of 2 CPUs and 0 of 7.77 GiB on 1 " +
					"node: some stay pending.",
			},
		},
		{
			"the controller of a DaemonSet does not look at requests",
			"apiVersion: apps/v1\nkind: DaemonSet\nmetadata: {name: agent}\nspec: {template: {spec: {nodeSelector: " +
				"{kubernetes.io/os: linux}, containers: [{name: a, image: a.example/a, resources: " +
				"{requests: {cpu: 3}}}]}}}",
			[]string{
				"agent (DaemonSet, a pod on each node): Its controller still creates a pod for each node of sys, " +
					"scaled, which stays pending.",
			},
		},
		{"a plain pod", pod("p", "nodeSelector: {a: other}"), []string{"p (Pod): No pool can run its pods."}},
		{
			"two for the same reason",
			pod("p", "nodeSelector: {a: other}") + "\n---\n" + pod("q", "nodeSelector: {a: other}"),
			[]string{"2 workloads (p, q): No pool can run its pods."},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			m := New(Source{
				Options: preflight.Options{Topology: topology.Topology{
					Pools: []topology.Pool{linux, none, scaled, windows},
				}},
				Objects: objects(t, tt.objects),
			})
			var got []string
			for _, p := range m.lay().Problems {
				got = append(got, p.Title+" ("+p.About+"): "+p.Why)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("pending (-want +got):\n%s", diff)
			}
		})
	}
}

func TestObjectsWithSeveralTemplatesAreNamed(t *testing.T) {
	t.Parallel()
	s := small(t)
	s.Objects = objects(t, `
apiVersion: argoproj.io/v1alpha1
kind: Workflow
metadata: {name: build}
spec:
  entrypoint: a
  templates:
  - {name: a, container: {image: a.example/a}}
  - {name: b, container: {image: a.example/b}}
`)
	m := New(s)
	if want := []string{"Not drawn, because they have several templates of pods: Workflow build."}; !slices.Equal(
		m.Notes, want) || len(m.Workloads) > 0 {
		t.Errorf("the notes are %q, with %d workloads, want %q", m.Notes, len(m.Workloads), want)
	}
}
