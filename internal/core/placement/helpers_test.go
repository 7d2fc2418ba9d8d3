package placement_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/placement"
)

const (
	linuxOS   = platform.LinuxOS
	windowsOS = platform.WindowsOS
	no        = platform.No
	yes       = platform.Yes
	unknown   = platform.Unknown
)

// The pools of most tests.
func linux(change ...func(*topology.Pool)) topology.Pool {
	return pool("linux", platform.Linux, 3, change)
}

func win22(change ...func(*topology.Pool)) topology.Pool {
	return pool("win22", platform.WindowsServer2022, 2, change)
}

func win25(change ...func(*topology.Pool)) topology.Pool {
	return pool("win25", platform.WindowsServer2025, 1, change)
}

func pool(name string, p platform.Platform, count int, changes []func(*topology.Pool)) topology.Pool {
	made := topology.Pool{Name: name, Platform: p, Count: count, Size: "Standard_D4s_v5"}
	for _, change := range changes {
		change(&made)
	}
	return made
}

func named(name string) func(*topology.Pool) {
	return func(p *topology.Pool) { p.Name = name }
}

// declares returns other pools with labels, so that the topology knows the keys.
func declares(keys ...string) []topology.Pool {
	other := linux(named("other"), labels())
	for _, key := range keys {
		other.Labels[key] = "x"
	}
	return []topology.Pool{other}
}

func labels(keysAndValues ...string) func(*topology.Pool) {
	return func(p *topology.Pool) { p.Labels = set(keysAndValues...) }
}

func taints(taints ...string) func(*topology.Pool) {
	return func(p *topology.Pool) {
		p.Untainted = len(taints) == 0
		for _, text := range taints {
			taint, err := topology.ParseTaint(text)
			if err != nil {
				panic(err)
			}
			p.Taints = append(p.Taints, taint)
		}
	}
}

func size(size string) func(*topology.Pool) {
	return func(p *topology.Pool) { p.Size = size }
}

func reserved(cpu, memory string) func(*topology.Pool) {
	return func(p *topology.Pool) { p.Reserved = requests(cpu, memory) }
}

func scaled(least, most int) func(*topology.Pool) {
	return func(p *topology.Pool) { p.Autoscaling = topology.Autoscaling{Min: least, Max: most} }
}

func set(keysAndValues ...string) map[string]string {
	m := map[string]string{}
	for i := 0; i < len(keysAndValues); i += 2 {
		m[keysAndValues[i]] = keysAndValues[i+1]
	}
	return m
}

func mixed() []topology.Pool { return []topology.Pool{linux(), win22(), win25()} }

func place(pod placement.Pod, pools ...topology.Pool) placement.Placement {
	return placement.NewNodes(topology.Topology{Pools: pools}.WithDefaults(), platform.Strict).Place(pod)
}

// tolerateWindows returns the tolerations of a Windows pod.
func tolerateWindows() []corev1.Toleration {
	return []corev1.Toleration{topology.Tolerate(topology.WindowsTaint())}
}

// windowsClass returns the RuntimeClass of a release.
func windowsClass(p platform.Platform) *placement.RuntimeClass {
	return &placement.RuntimeClass{
		Name:         topology.RuntimeClassName(p),
		NodeSelector: topology.NodeSelector(p),
		Tolerations:  tolerateWindows(),
	}
}

func image(ref string) placement.Image {
	return placement.Image{Container: "web", Reference: ref, Image: platform.FromImage(ref)}
}

func requests(cpu, memory string) corev1.ResourceList {
	list := corev1.ResourceList{}
	if cpu != "" {
		list[corev1.ResourceCPU] = resource.MustParse(cpu)
	}
	if memory != "" {
		list[corev1.ResourceMemory] = resource.MustParse(memory)
	}
	return list
}

func requires(terms ...corev1.NodeSelectorTerm) *corev1.NodeSelector {
	return &corev1.NodeSelector{NodeSelectorTerms: terms}
}

func term(expressions ...corev1.NodeSelectorRequirement) corev1.NodeSelectorTerm {
	return corev1.NodeSelectorTerm{MatchExpressions: expressions}
}

func expr(key string, operator corev1.NodeSelectorOperator, values ...string) corev1.NodeSelectorRequirement {
	return corev1.NodeSelectorRequirement{Key: key, Operator: operator, Values: values}
}

// wantPlacement compares the answers and all texts, one per line:
// "pool: schedules yes, runs yes", then "kind: text | fix" for each reason.
func wantPlacement(t *testing.T, got placement.Placement, want ...string) {
	t.Helper()
	var lines []string
	for _, v := range got.Verdicts {
		line := fmt.Sprintf("%s: schedules %s, runs %s", v.Pool.Name, v.Schedules, v.Runs)
		if v.PendingPods {
			line += ", pending pods"
		}
		lines = append(lines, line)
		for _, r := range v.Reasons() {
			lines = append(lines, fmt.Sprintf("%s: %s | %s", r.Kind, r.Text, r.Fix))
		}
	}
	if diff := cmp.Diff(want, lines); diff != "" {
		t.Errorf("placement (-want +got):\n%s", diff)
	}
}

// A row places a pod on one pool, by default win22 without taints.
type row struct {
	name string
	pool topology.Pool
	// others are further pools of the topology.
	others []topology.Pool
	pod    placement.Pod
	// want is the answer of the scheduler, and reasons are "kind: text | fix" of its reasons.
	want    platform.Answer
	reasons []string
}

func runRows(t *testing.T, rows []row) {
	t.Helper()
	for _, tt := range rows {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if tt.pool.Name == "" {
				tt.pool = win22(taints())
			}
			got := place(tt.pod, append([]topology.Pool{tt.pool}, tt.others...)...)
			got.Verdicts = got.Verdicts[:1]
			want := []string{fmt.Sprintf("%s: schedules %s, runs yes", tt.pool.Name, tt.want)}
			wantPlacement(t, got, append(want, tt.reasons...)...)
		})
	}
}
