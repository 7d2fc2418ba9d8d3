package e2e

import (
	"os"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/mixedkube/mixedkube/internal/lab"
	"github.com/mixedkube/mixedkube/internal/lab/deploy"
)

// TestChangedTopology changes the pools of a running lab: it scales a pool down, changes the release of a pool, and
// removes a pool.
func TestChangedTopology(t *testing.T) {
	t.Parallel()
	l := emptyLab(t, "lab-given")
	l.Stacks = t.TempDir()
	configure := func(pools string) {
		t.Helper()
		content := "config:\n  mixedkube:cluster:\n    pools:\n" + pools +
			"  mixedkube:workloads: [iis, linux-web]\n"
		if err := os.WriteFile(deploy.StackFile(l.Stacks, "lab-given"), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	up := func() {
		t.Helper()
		if err := l.Up(t.Context(), lab.Options{Stack: "lab-given"}); err != nil {
			t.Fatal(err)
		}
	}

	configure(`
      - {name: linux, platform: linux, count: 2}
      - {name: winx, platform: windows-2019}
      - {name: winy, platform: windows-2022}
`)
	up()
	contains(t, l.Out.Take(), "4 simulated nodes: 2 linux, 1 windows-2019, 1 windows-2022",
		"6 pods on 4 nodes, 0 problems")

	configure(`
      - {name: linux, platform: linux, count: 1}
      - {name: winx, platform: windows-2025}
`)
	up()
	contains(t, l.Out.Take(), "2 simulated nodes: 1 linux, 1 windows-2025", "4 pods on 2 nodes, 0 problems")
	pods, err := l.client(t).CoreV1().Pods(metav1.NamespaceAll).List(t.Context(), metav1.ListOptions{})
	check(t, err)
	for _, pod := range pods.Items {
		want := "linux-0"
		if strings.HasSuffix(pod.Labels["app"], "-2025") {
			want = "winx-0"
		}
		if pod.Spec.NodeName != want {
			t.Errorf("pod %s is on %s, want %s", pod.Name, pod.Spec.NodeName, want)
		}
	}
}
