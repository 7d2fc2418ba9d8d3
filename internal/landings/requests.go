package landings

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	corev1 "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/components/preflight"
	"github.com/mixedkube/mixedkube/components/topology"
)

// Requested says, for each pool, what the pods that land on it request of what its nodes have
// for pods; with an autoscaler also when it has all the nodes that it can have. Pods that have
// the choice of several pools count once, for all of these together. It is empty where no pod
// requests anything, and for pools of whose size nothing is known.
func Requested(landings []preflight.Landing) string {
	type group struct {
		name     string
		pools    []topology.Pool
		landings []preflight.Landing
	}
	var groups []group
	add := func(pools []topology.Pool, l preflight.Landing) {
		name := poolNames(pools)
		i := slices.IndexFunc(groups, func(g group) bool { return g.name == name })
		if i < 0 {
			i, groups = len(groups), append(groups, group{name: name, pools: pools})
		}
		groups[i].landings = append(groups[i].landings, l)
	}
	for _, l := range landings {
		switch {
		case l.PerNode:
			for _, pool := range l.Pools {
				add([]topology.Pool{pool}, l)
			}
		case len(l.Pools) > 0:
			add(l.Pools, l)
		}
	}
	slices.SortFunc(groups, func(a, b group) int { return strings.Compare(a.name, b.name) })
	width := 0
	var names, texts []string
	for _, g := range groups {
		if text := load(g.pools, g.landings); text != "" {
			names, texts = append(names, g.name), append(texts, text)
			width = max(width, utf8.RuneCountInString(g.name))
		}
	}
	if len(names) == 0 {
		return ""
	}
	var text strings.Builder
	text.WriteString("\nwhat they request of the room for pods, the cluster's own pods not counted:")
	for i, name := range names {
		text.WriteString("\n  " + name + strings.Repeat(" ", width-utf8.RuneCountInString(name)) + " ← " + texts[i])
	}
	return text.String()
}

func poolNames(pools []topology.Pool) string {
	names := make([]string, len(pools))
	for i, p := range pools {
		names[i] = p.Name
	}
	slices.Sort(names)
	return strings.Join(names, " or ")
}

// load says what is requested of pools together.
func load(pools []topology.Pool, landings []preflight.Landing) string {
	now, most := 0, 0
	var room, largest corev1.ResourceList
	for _, p := range pools {
		each, known := p.Allocatable()
		if !known {
			return ""
		}
		can := max(p.Count, p.Autoscaling.Max)
		now, most = now+p.Count, most+can
		room, largest = plus(room, each, p.Count), plus(largest, each, can)
	}
	requests := func(nodes int) corev1.ResourceList {
		var sum corev1.ResourceList
		for _, l := range landings {
			if l.PerNode {
				sum = plus(sum, l.Requests, nodes*l.Count)
			} else {
				sum = plus(sum, l.Requests, l.Count)
			}
		}
		return sum
	}
	at := requests(most)
	if at.Cpu().IsZero() && at.Memory().IsZero() {
		return ""
	}
	if now == most {
		return share(at, largest, most)
	}
	return share(requests(now), room, now) + "; " + share(at, largest, most)
}

// share is "0.4 of 7.72 CPUs and 1.2 of 25.1 GiB on 2 nodes".
func share(requests, room corev1.ResourceList, nodes int) string {
	text := fmt.Sprintf("%s of %s CPUs and %s of %s GiB on %d node", rounded(cpus(requests), math.Ceil),
		rounded(cpus(room), math.Floor), rounded(gib(requests), math.Ceil), rounded(gib(room), math.Floor), nodes)
	if nodes != 1 {
		text += "s"
	}
	if requests.Cpu().Cmp(*room.Cpu()) > 0 || requests.Memory().Cmp(*room.Memory()) > 0 {
		text += ": too much"
	}
	return text
}

// rounded has two decimals: what is requested is rounded up, what there is down.
func rounded(n float64, round func(float64) float64) string {
	// A sum like 0.1 is a little more than that as a number.
	return strconv.FormatFloat(round(math.Round(n*1e8)/1e6)/100, 'f', -1, 64)
}

func cpus(list corev1.ResourceList) float64 { return list.Cpu().AsApproximateFloat64() }

func gib(list corev1.ResourceList) float64 { return list.Memory().AsApproximateFloat64() / (1 << 30) }

// plus adds a list so many times.
func plus(sum, each corev1.ResourceList, times int) corev1.ResourceList {
	total := corev1.ResourceList{}
	for _, name := range []corev1.ResourceName{corev1.ResourceCPU, corev1.ResourceMemory} {
		q := each[name]
		q = q.DeepCopy()
		q.Mul(int64(times))
		q.Add(sum[name])
		total[name] = q
	}
	return total
}
