package placement

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
)

// Placement is the answer for a pod.
type Placement struct {
	// Verdicts has one verdict for each pool, in the topology's order.
	Verdicts []Verdict
	// Requests are the requests of the pod, with the overhead of its RuntimeClass.
	Requests corev1.ResourceList
}

// Pools returns the verdicts on the pools where the pod schedules and runs.
func (p Placement) Pools() []Verdict {
	return p.filter(func(v Verdict) bool { return v.Answer() == platform.Yes })
}

// Possible returns the verdicts on the pools where nothing is known to prevent the
// pod from scheduling and running: the answer is Yes or Unknown. If there is none,
// the pod runs nowhere.
func (p Placement) Possible() []Verdict {
	return p.filter(func(v Verdict) bool { return v.Answer() != platform.No })
}

func (p Placement) filter(match func(Verdict) bool) []Verdict {
	var matching []Verdict
	for _, v := range p.Verdicts {
		if match(v) {
			matching = append(matching, v)
		}
	}
	return matching
}

// String returns the pools where the pod can run, in one line:
// "win22 (2 nodes), perhaps win25 (1 to 5 nodes)", or "nowhere". "perhaps" means that
// the scheduler's answer is not known. It is left out if only the platforms of the images
// are not known, as for nearly all images: the scheduler does place such a pod there.
func (p Placement) String() string {
	sure, perhaps := p.Texts()
	if len(sure)+len(perhaps) == 0 {
		return "nowhere"
	}
	for i := range perhaps {
		perhaps[i] = "perhaps " + perhaps[i]
	}
	return strings.Join(slices.Concat(sure, perhaps), ", ")
}

// Texts returns the pools where the pod can run, and those for which the scheduler's answer is not known, each with its
// number of nodes: "win22 (2 nodes)".
func (p Placement) Texts() (sure, perhaps []string) {
	for _, v := range p.Possible() {
		text := v.Pool.Name + " (" + nodes(*v.Pool) + ")"
		if v.Schedules == platform.Yes {
			sure = append(sure, text)
		} else {
			perhaps = append(perhaps, text)
		}
	}
	return sure, perhaps
}

// nodes returns how many nodes a pool has; with autoscaling, how many it can have.
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

// Nearest returns the refused pool that fits a pod best: first a pool with the operating
// system of the pod, "" if that is not known; then a pool that the pod selects; then the pool
// with the fewest reasons; and among equal pools one with the Windows release. It returns
// false if no pool is refused.
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
			cmp.Compare(mismatches(reasons[a.node]), mismatches(reasons[b.node])),
			cmp.Compare(len(reasons[a.node]), len(reasons[b.node])),
			first(a.Pool.Platform == release, b.Pool.Platform == release),
			// A topology's pools are in no particular order.
			cmp.Compare(a.Pool.Name, b.Pool.Name),
		)
	}), true
}

// mismatches counts the reasons in the pod itself, which selects or needs other nodes.
func mismatches(reasons []Reason) int {
	count := 0
	for _, r := range reasons {
		if r.Kind != KindTaint && r.Kind != KindResources {
			count++
		}
	}
	return count
}

// first orders true before false.
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
