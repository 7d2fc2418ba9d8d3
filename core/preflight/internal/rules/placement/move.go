package placement

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/placement"
)

// move compares where something can land now with where it can land in the plan.
type move struct {
	now, planned placement.Placement
	// hidden means that one of the two depends on a value that must not be shown.
	hidden bool
	// os and release are what the pods need, or what all pools of now run; "" if that is not known.
	os      platform.OS
	release platform.Platform
}

func moveOf(now, planned placement.Placement, hidden bool) move {
	m := move{now: now, planned: planned, hidden: hidden}
	for i, v := range now.Possible() {
		if i == 0 {
			m.os, m.release = v.Pool.Platform.OS(), v.Pool.Platform
		}
		if v.Pool.Platform.OS() != m.os {
			m.os = ""
		}
		if v.Pool.Platform != m.release {
			m.release = ""
		}
	}
	return m
}

// nearest returns the pool of the plan that fits best, if the plan strands something.
func (m move) nearest() placement.Verdict {
	nearest, _ := m.planned.Nearest(m.os, m.release)
	return nearest
}

// strands reports whether there is a pool now and none in the plan. What is not known strands nothing.
func (m move) strands() bool { return len(m.now.Possible()) > 0 && len(m.planned.Possible()) == 0 }

// replaces reports whether the plan removes all nodes of a pool: it removes the pool, or needs other machines.
func (m move) replaces(pool string) bool {
	i := slices.IndexFunc(m.now.Verdicts, func(v placement.Verdict) bool { return v.Pool.Name == pool })
	if i < 0 {
		return true
	}
	now := m.now.Verdicts[i].Pool
	later := m.later(now)
	return later == nil || later.Pool.Platform != now.Platform || resized(now, later.Pool)
}

// later returns the verdict about the same pool in the plan, nil if the plan removes it.
func (m move) later(pool *topology.Pool) *placement.Verdict {
	i := slices.IndexFunc(m.planned.Verdicts, func(v placement.Verdict) bool { return v.Pool.Name == pool.Name })
	if i < 0 {
		return nil
	}
	return &m.planned.Verdicts[i]
}

// resized reports whether the plan gives a pool other machines.
func resized(now, later *topology.Pool) bool {
	return now.Size != later.Size && now.Size != "" && later.Size != ""
}

// mostOthers is how many reasons a text has in addition to those of the nearest pool.
const mostOthers = 4

// text describes the move in a sentence. It begins with what it is about, with %s for a word such as perhaps, and the
// verb is for pools.
func (m move) text(about, verb string, nearest placement.Verdict) string {
	sure, perhaps := m.now.Texts()
	doubt, where := "", strings.Join(sure, ", ")
	switch {
	case len(sure) == 0:
		doubt, where = " perhaps", strings.Join(perhaps, ", ")
	case len(perhaps) > 0:
		where += ", perhaps " + verb + " " + strings.Join(perhaps, ", ")
	}
	text := fmt.Sprintf(about, doubt) + " " + verb + " " + where + ", but " + verb + " no pool of the plan"
	if changes := m.changes(); len(changes) > 0 {
		text += ", which " + strings.Join(changes, " and ")
	}
	texts := make([]string, 0, len(nearest.Reasons()))
	for _, r := range nearest.Reasons() {
		texts = append(texts, r.Text)
	}
	text += ": not " + nearest.Pool.Name + " (" + strings.Join(texts, "; ") + ")"
	// Pools with the same reason share it.
	var others []string
	names := map[string][]string{}
	for _, v := range m.planned.Verdicts {
		reasons := v.Reasons()
		if v.Pool == nearest.Pool || len(reasons) == 0 {
			continue
		}
		reason := reasons[0].Text
		if os := v.Pool.Platform.OS(); m.os != "" && os != m.os {
			reason = "its nodes run " + os.DisplayName()
		}
		if names[reason] == nil {
			others = append(others, reason)
		}
		names[reason] = append(names[reason], v.Pool.Name)
	}
	for i, reason := range others {
		if i == mostOthers {
			return text + ", nor any other pool"
		}
		text += ", nor " + strings.Join(names[reason], " or ") + " (" + reason + ")"
	}
	return text
}

// changes describes what the plan does to the pools of now.
func (m move) changes() []string {
	var removed, changes []string
	for _, v := range m.now.Possible() {
		switch later := m.later(v.Pool); {
		case later == nil:
			removed = append(removed, v.Pool.Name)
		case later.Pool.Platform != v.Pool.Platform:
			changes = append(changes,
				"changes "+v.Pool.Name+" from "+v.Pool.Platform.String()+" to "+later.Pool.Platform.String())
		default:
			if fields := changed(v.Pool, later); len(fields) > 0 {
				changes = append(changes, "changes the "+strings.Join(fields, " and the ")+" of "+v.Pool.Name)
			}
		}
	}
	if len(removed) > 0 {
		changes = append([]string{"removes " + strings.Join(removed, " and ")}, changes...)
	}
	return changes
}

// changed returns the fields of a pool that differ in the plan and are the reasons why it refuses what it runs now.
func changed(now *topology.Pool, later *placement.Verdict) []string {
	var fields []string
	for _, r := range later.Reasons() {
		for _, field := range changedBy(&r, now, later.Pool) {
			if !slices.Contains(fields, field) {
				fields = append(fields, field)
			}
		}
	}
	return fields
}

// size is a field of a pool whose change needs other machines.
const size = "size"

// changedBy returns the fields of a pool that a reason is about, and that differ in the plan.
func changedBy(r *placement.Reason, now, later *topology.Pool) []string {
	switch r.Kind {
	case placement.KindSelector, placement.KindAffinity, placement.KindVolume:
		differ := !maps.Equal(now.Labels, later.Labels)
		if r.Label != "" {
			differ = now.Labels[r.Label] != later.Labels[r.Label]
		}
		switch {
		case differ:
			return []string{"labels"}
		case now.NodeLabels()[r.Label] != later.NodeLabels()[r.Label]: // it follows from the size
			return []string{size}
		}
	case placement.KindTaint:
		if !slices.Equal(now.Taints, later.Taints) {
			return []string{"taints"}
		}
	case placement.KindArchitecture, placement.KindResources:
		if resized(now, later) {
			return []string{size}
		}
		return smaller(now, later)
	}
	return nil
}

// smaller returns the resources of which the nodes of a pool have less for pods in the plan.
func smaller(now, later *topology.Pool) []string {
	var names []string
	had, known := now.Allocatable()
	has, _ := later.Allocatable()
	for _, name := range [...]corev1.ResourceName{corev1.ResourceCPU, corev1.ResourceMemory} {
		if before, after := had[name], has[name]; !known || after.Cmp(before) < 0 {
			names = append(names, string(name))
		}
	}
	return names
}
