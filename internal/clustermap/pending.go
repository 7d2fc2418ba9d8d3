package clustermap

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/mixedkube/mixedkube/core/preflight"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/fielderrors"
	"github.com/mixedkube/mixedkube/internal/core/landings"
)

// addPending adds the workloads that do not run.
func (b *builder) addPending() {
	for i := range b.Workloads {
		w := &b.Workloads[i]
		why, refused := b.why(w)
		if why == "" {
			continue
		}
		w.Pending = true
		b.Pending = append(b.Pending, Pending{
			Title: w.Name, About: w.about(), Why: why, Reasons: b.reasons(refused), Workloads: []int{i},
		})
	}
	for _, load := range b.loads {
		if load.Now.TooMuch() {
			b.Pending = append(b.Pending, b.crowded(load))
		}
	}
}

// about returns a text such as "Deployment, 3 pods".
func (w *Workload) about() string {
	switch {
	case w.PerNode:
		return w.Kind + ", a pod on each node"
	case w.Kind == "Pod":
		return w.Kind
	default:
		return w.Kind + ", " + fielderrors.Count(w.Pods, "pod")
	}
}

// why returns why pods of a workload do not run, and on which pools they cannot; "" if all run, or if it is not known.
func (b *builder) why(w *Workload) (string, []preflight.Refusal) {
	nowhere := w.landed && len(w.landing.Pools)+len(w.landing.Perhaps) == 0
	if b.Live {
		return w.whySeen(), refusedIf(nowhere, w.landing)
	}
	switch {
	case !w.landed || w.Pods == 0:
		return "", nil
	case nowhere && !w.PerNode:
		return "No pool can run its pods.", w.landing.Refused()
	}
	if on := w.landing.PendingOn(); len(on) > 0 {
		refused := slices.DeleteFunc(w.landing.Refused(), func(r preflight.Refusal) bool {
			return !slices.Contains(on, r.Pool)
		})
		return "Its controller still creates a pod for each node of " + few(on) + ", which stays pending.", refused
	}
	if nowhere {
		return "No pool can run its pods, so none are created.", w.landing.Refused()
	}
	return withoutNodes(slices.Concat(w.landing.Pools, w.landing.Perhaps), w.PerNode), nil
}

func refusedIf(nowhere bool, l preflight.Landing) []preflight.Refusal {
	if nowhere {
		return l.Refused()
	}
	return nil
}

// withoutNodes returns a text if none of the pools where pods can run has nodes, "" if one has.
func withoutNodes(pools []topology.Pool, perNode bool) string {
	var names []string
	scales := false
	for _, p := range pools {
		if p.Count > 0 || perNode {
			return ""
		}
		names = append(names, p.Name)
		scales = scales || p.Autoscaling.Enabled()
	}
	has := "has"
	if len(names) > 1 {
		has = "have"
	}
	if scales {
		return fmt.Sprintf("%s %s no nodes now: its pods wait until an autoscaler adds one.", few(names), has)
	}
	return fmt.Sprintf("%s %s no nodes: its pods wait.", few(names), has)
}

// whySeen returns what the pods of a live cluster wait for.
func (w *Workload) whySeen() string {
	var all []string
	if w.failure != "" {
		all = append(all, "Pods cannot be created: "+w.failure)
	}
	if w.seen == nil {
		return strings.Join(all, " ")
	}
	for _, why := range slices.Sorted(maps.Keys(w.seen.waiting)) {
		n := w.seen.waiting[why]
		switch {
		case w.seen.all == 1:
			all = append(all, "The pod waits: "+why)
		case n == w.seen.all:
			all = append(all, fmt.Sprintf("All %d pods wait: %s", n, why))
		case n == 1:
			all = append(all, fmt.Sprintf("1 of %d pods waits: %s", w.seen.all, why))
		default:
			all = append(all, fmt.Sprintf("%d of %d pods wait: %s", n, w.seen.all, why))
		}
	}
	return strings.Join(all, " ")
}

// reasons returns the refusals, grouped by the reasons. The pools with the fewest reasons come first, because they are
// the easiest to fix.
func (b *builder) reasons(refused []preflight.Refusal) []Reason {
	var all []Reason
	at := map[string]int{}
	slices.SortStableFunc(refused, func(x, y preflight.Refusal) int { return cmp.Compare(b.at[x.Pool], b.at[y.Pool]) })
	for _, r := range refused {
		texts := r.Reasons
		if len(texts) == 0 {
			texts = []string{"a secret decides, so the reason is not shown"}
		}
		key := strings.Join(texts, "\x00")
		i, found := at[key]
		if !found {
			i, at[key] = len(all), len(all)
			all = append(all, Reason{Texts: texts})
		}
		all[i].Pools = append(all[i].Pools, r.Pool)
	}
	slices.SortStableFunc(all, func(x, y Reason) int { return cmp.Compare(len(x.Texts), len(y.Texts)) })
	return all
}

// crowded returns the problem of pools whose pods request more than their capacity.
func (b *builder) crowded(load landings.Load) Pending {
	names := make([]string, len(load.Pools))
	for i, p := range load.Pools {
		names[i] = p.Name
	}
	p := Pending{
		Title: few(names), Workloads: slices.Clone(load.Wishes),
		Why: "The pods that land there request " + load.Now.String() + ": some stay pending.",
	}
	if load.Now.Nodes < load.Most.Nodes && !load.Most.TooMuch() {
		p.Why = "The pods that land there request " + load.Now.String() + ": some wait until an autoscaler adds nodes."
	}
	workloads := make([]string, len(load.Wishes))
	for i, w := range load.Wishes {
		workloads[i] = b.Workloads[w].Name
	}
	p.About = "no room for all of " + few(workloads)
	return p
}
