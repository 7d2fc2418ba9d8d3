package placement

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/mixedkube/mixedkube/components/platform"
	"github.com/mixedkube/mixedkube/components/topology"
)

// Placement is the answer for a pod.
type Placement struct {
	// Verdicts has one for each pool, in the topology's order.
	Verdicts []Verdict
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
		text := v.Pool.Name + " (" + nodes(v.Pool) + ")"
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
	count := p.Nodes()
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

// Nearest is the refused pool that the pod misses by the least: of those with
// the operating system that the pod means, if it is known, the one with the
// fewest reasons, and of equals one with the Windows release of its images. It is
// false if no pool is refused.
func (p Placement) Nearest() (Verdict, bool) {
	refused := p.filter(func(v Verdict) bool { return v.Answer() == platform.No })
	if len(refused) == 0 {
		return Verdict{}, false
	}
	os, release := refused[0].pod.meant()
	reasons := make(map[*node]int, len(refused))
	for _, v := range refused {
		reasons[v.node] = len(v.Reasons())
	}
	return slices.MinFunc(refused, func(a, b Verdict) int {
		return cmp.Or(
			first(a.Pool.Platform.OS() == os, b.Pool.Platform.OS() == os),
			cmp.Compare(reasons[a.node], reasons[b.node]),
			first(a.Pool.Platform == release, b.Pool.Platform == release),
			// A topology's pools are in no particular order.
			cmp.Compare(a.Pool.Name, b.Pool.Name),
		)
	}), true
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

// meant is what the pod is made for, as far as it tells: by spec.os.name, the
// images or the node selector.
func (p *preparedPod) meant() (platform.OS, platform.Platform) {
	os := p.OS
	var release platform.Platform
	for _, image := range p.Images {
		os = cmp.Or(os, image.OS)
		release = cmp.Or(release, image.Release)
	}
	return cmp.Or(os, p.selectedOS()), release
}
