package placement

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/components/platform"
	"github.com/mixedkube/mixedkube/components/topology"
)

// Placement is the answer for a pod.
type Placement struct {
	// Verdicts has one for each pool, in the topology's order.
	Verdicts []Verdict
	// Requests are the pod's, with the overhead of its RuntimeClass.
	Requests corev1.ResourceList
}

// Pools are the verdicts on the pools where the pod schedules and runs.
func (p Placement) Pools() []Verdict {
	return p.filter(func(v Verdict) bool { return v.Answer() == platform.Yes })
}

// Possible are the verdicts on the pools where nothing is known to keep the
// pod from scheduling and running: the answer is Yes or Unknown. If there is none,
// the pod runs nowhere.
func (p Placement) Possible() []Verdict {
	return p.filter(func(v Verdict) bool { return v.Answer() != platform.No })
}

func (p Placement) filter(keep func(Verdict) bool) []Verdict {
	var kept []Verdict
	for _, v := range p.Verdicts {
		if keep(v) {
			kept = append(kept, v)
		}
	}
	return kept
}

// String says in one line where the pod lands, of the pools where it can run:
// "win22 (2 nodes), perhaps win25 (1 to 5 nodes)", or "nowhere". Perhaps is said
// where the scheduler's answer is not known. It is not said for images of which
// nothing is known, as nearly all are: such a pod does land there.
func (p Placement) String() string {
	var sure, perhaps []string
	for _, v := range p.Possible() {
		text := v.Pool.Name + " (" + nodes(*v.Pool) + ")"
		if v.Schedules == platform.Yes {
			sure = append(sure, text)
		} else {
			perhaps = append(perhaps, "perhaps "+text)
		}
	}
	if len(sure)+len(perhaps) == 0 {
		return "nowhere"
	}
	return strings.Join(slices.Concat(sure, perhaps), ", ")
}

// nodes says how many nodes a pool has; where that changes by itself, how many
// it can have.
func nodes(p topology.Pool) string {
	count := p.Count
	if a := p.Autoscaling; a.Enabled() {
		count = a.Max
		if a.Min != a.Max {
			return fmt.Sprintf("%d to %d nodes", a.Min, a.Max)
		}
	}
	switch count {
	case 0:
		return "no nodes"
	case 1:
		return "1 node"
	default:
		return fmt.Sprintf("%d nodes", count)
	}
}

// Nearest is the refused pool that a pod misses by the least: of those with the
// operating system that the pod is for, "" where that is not known, the one that what
// the pod selects leads to, then the one with the fewest reasons, and of equals one
// with the Windows release. It is false if no pool is refused.
func (p Placement) Nearest(os platform.OS, release platform.Platform) (Verdict, bool) {
	refused := p.filter(func(v Verdict) bool { return v.Answer() == platform.No })
	if len(refused) == 0 {
		return Verdict{}, false
	}
	reasons := make(map[*node][]Reason, len(refused))
	for _, v := range refused {
		reasons[v.node] = v.Reasons()
	}
	return slices.MinFunc(refused, func(a, b Verdict) int {
		return cmp.Or(
			first(a.Pool.Platform.OS() == os, b.Pool.Platform.OS() == os),
			cmp.Compare(elsewhere(reasons[a.node]), elsewhere(reasons[b.node])),
			cmp.Compare(len(reasons[a.node]), len(reasons[b.node])),
			first(a.Pool.Platform == release, b.Pool.Platform == release),
			// A topology's pools are in no particular order.
			cmp.Compare(a.Pool.Name, b.Pool.Name),
		)
	}), true
}

// elsewhere counts the reasons that the pod gives itself, by wanting other nodes.
func elsewhere(reasons []Reason) int {
	count := 0
	for _, r := range reasons {
		if r.Kind != KindTaint && r.Kind != KindResources {
			count++
		}
	}
	return count
}

// first puts what is true before what is not.
func first(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return -1
	default:
		return 1
	}
}
