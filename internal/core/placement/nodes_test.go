package placement_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/placement"
)

// Pools that are the same for every pod are judged once. Here every pool is next to a pool that differs
// from it in one thing, and must be judged as if it were alone.
func TestPoolsAreJudgedIndependently(t *testing.T) {
	t.Parallel()
	pools := []topology.Pool{
		win22(),
		win22(named("twin")),
		win22(named("labeled"), labels("team", "shop")),
		win22(named("otherLabel"), labels("team", "bank")),
		win22(named("untainted"), taints()),
		win22(named("otherTaint"), taints("os=linux:NoSchedule")),
		win22(named("otherEffect"), taints("os=windows:NoExecute")),
		win22(named("preferred"), taints("os=windows:NoSchedule", "a=b:PreferNoSchedule")),
		win22(named("large"), size("Standard_D32s_v5")),
		win22(named("mislabeled"), size("Standard_D32s_v5"),
			labels("node.kubernetes.io/instance-type", "Standard_D4s_v5")),
		win22(named("unsized"), size("")),
		win25(),
		linux(),
		linux(named("guessed"), size("")),
		linux(named("arm"), size("Standard_D4ps_v5")),
	}
	pods := []placement.Pod{
		{},
		{Tolerations: tolerateWindows(), NodeSelector: set("team", "shop")},
		{Tolerations: tolerateWindows(), NodeSelector: set("kubernetes.io/arch", "amd64")},
		{Tolerations: tolerateWindows(), OS: windowsOS, Requests: requests("16", "")},
		{
			Tolerations: tolerateWindows(),
			Images:      []placement.Image{image("mcr.microsoft.com/windows/nanoserver:ltsc2022")},
		},
	}
	texts := func(v placement.Verdict) string { return fmt.Sprint(v.Pool.Name, " ", v.Schedules, " ", v.Runs) }
	for i, pod := range pods {
		together := place(pod, pools...).Verdicts
		for j, pool := range pools {
			// The labels of all pools count as known.
			alone := place(pod, append([]topology.Pool{pool}, declares("team")...)...).Verdicts[0]
			if got, want := texts(together[j]), texts(alone); got != want {
				t.Errorf("pod %d: got %s, alone %s", i, got, want)
			}
			if diff := cmp.Diff(alone.Reasons(), together[j].Reasons()); diff != "" {
				t.Errorf("pod %d: reasons of %s (-alone +together):\n%s", i, pool.Name, diff)
			}
		}
	}
}
