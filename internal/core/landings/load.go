package landings

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/core/topology"
)

// Wish is what the pods of a workload request, and the pools where they can run.
type Wish struct {
	// Pools are the pools where the pods certainly can run, with their defaults.
	Pools []topology.Pool
	// Requests are the requests of one pod.
	Requests corev1.ResourceList
	// Count is the number of pods, with PerNode on each node.
	Count   int
	PerNode bool
}

// Load is how much of the capacity of pools the pods request. Pods with a choice of several pools count once, for all
// of these together.
type Load struct {
	// Pools are sorted by their names.
	Pools []topology.Pool
	// Wishes are the indexes of the wishes that are counted here.
	Wishes []int
	// Now is how much they request of the current nodes, and Most how much they request of all nodes that an autoscaler
	// may add.
	Now, Most Share
}

// Share is how much of the capacity for pods on a number of nodes is requested: of cpu and memory.
type Share struct {
	Requests, Room corev1.ResourceList
	Nodes          int
}

// Loads adds up wishes, sorted by the names of the pools. Pools of an unknown size are left out.
func Loads(wishes []Wish) []Load {
	var loads []Load
	at := map[string]int{}
	add := func(pools []topology.Pool, wish int) {
		name := PoolNames(pools)
		i, found := at[name]
		if !found {
			i, at[name] = len(loads), len(loads)
			pools = slices.Clone(pools)
			slices.SortFunc(pools, func(a, b topology.Pool) int { return strings.Compare(a.Name, b.Name) })
			loads = append(loads, Load{Pools: pools})
		}
		loads[i].Wishes = append(loads[i].Wishes, wish)
	}
	for i, w := range wishes {
		switch {
		case w.PerNode:
			for _, pool := range w.Pools {
				add([]topology.Pool{pool}, i)
			}
		case len(w.Pools) > 0:
			add(w.Pools, i)
		}
	}
	known := loads[:0]
	for _, l := range loads {
		if l.measure(wishes) {
			known = append(known, l)
		}
	}
	slices.SortFunc(known, func(a, b Load) int { return strings.Compare(PoolNames(a.Pools), PoolNames(b.Pools)) })
	return known
}

// measure computes the shares, unless the capacity of a pool is not known.
func (l *Load) measure(all []Wish) bool {
	for _, p := range l.Pools {
		each, known := p.Allocatable()
		if !known {
			return false
		}
		most := max(p.Count, p.Autoscaling.Max)
		l.Now.Room, l.Now.Nodes = Plus(l.Now.Room, each, p.Count), l.Now.Nodes+p.Count
		l.Most.Room, l.Most.Nodes = Plus(l.Most.Room, each, most), l.Most.Nodes+most
	}
	for _, i := range l.Wishes {
		w := all[i]
		for _, share := range []*Share{&l.Now, &l.Most} {
			times := w.Count
			if w.PerNode {
				times *= share.Nodes
			}
			share.Requests = Plus(share.Requests, w.Requests, times)
		}
	}
	return true
}

// PoolNames returns the names of pools that pods can choose from: "win22 or win25".
func PoolNames(pools []topology.Pool) string {
	names := make([]string, len(pools))
	for i, p := range pools {
		names[i] = p.Name
	}
	slices.Sort(names)
	return strings.Join(names, " or ")
}

// None reports whether nothing is requested.
func (s Share) None() bool { return s.Requests.Cpu().IsZero() && s.Requests.Memory().IsZero() }

// TooMuch reports whether more is requested than the capacity.
func (s Share) TooMuch() bool {
	return s.Requests.Cpu().Cmp(*s.Room.Cpu()) > 0 || s.Requests.Memory().Cmp(*s.Room.Memory()) > 0
}

// String returns a text such as "0.4 of 7.72 CPUs and 1.2 of 25.1 GiB on 2 nodes".
func (s Share) String() string {
	text := fmt.Sprintf("%s of %s CPUs and %s of %s GiB on %d node", RoundUp(CPUs(s.Requests)), RoundDown(CPUs(s.Room)),
		RoundUp(GiB(s.Requests)), RoundDown(GiB(s.Room)), s.Nodes)
	if s.Nodes != 1 {
		text += "s"
	}
	return text
}

// RoundUp formats a request with two decimals, rounded up.
func RoundUp(n float64) string { return rounded(n, math.Ceil) }

// RoundDown formats a capacity with two decimals, rounded down.
func RoundDown(n float64) string { return rounded(n, math.Floor) }

func rounded(n float64, round func(float64) float64) string {
	// As a floating-point number, a sum such as 0.1 can be a little larger.
	return strconv.FormatFloat(round(math.Round(n*1e8)/1e6)/100, 'f', -1, 64)
}

// CPUs returns the cpu of a list.
func CPUs(list corev1.ResourceList) float64 { return list.Cpu().AsApproximateFloat64() }

// GiB returns the memory of a list.
func GiB(list corev1.ResourceList) float64 { return list.Memory().AsApproximateFloat64() / (1 << 30) }

// Plus adds the cpu and the memory of a list, multiplied by times.
func Plus(sum, each corev1.ResourceList, times int) corev1.ResourceList {
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
