package preflight

import (
	"maps"
	"slices"
	"strings"

	"github.com/mixedkube/mixedkube/components/platform"
	"github.com/mixedkube/mixedkube/components/topology"
	"github.com/mixedkube/mixedkube/internal/placement"
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
	change := m.change(m.now.Verdicts[i].Pool)
	return change.platform != "" || slices.Contains(change.fields, size)
}

// size is a field of a pool whose change needs other machines.
const size = "size"

// mostOthers is how many reasons a text has in addition to those of the nearest pool.
const mostOthers = 4

// text describes the move in a sentence with a subject, and a verb for pools.
func (m move) text(subject, verb string, nearest placement.Verdict) string {
	text := subject + " " + verb + " " + m.now.String() + ", but " + verb + " no pool of the plan"
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
			reason = "its nodes run " + describe(os)
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
		change := m.change(v.Pool)
		switch {
		case change.platform == removal:
			removed = append(removed, v.Pool.Name)
		case change.platform != "":
			changes = append(changes, "changes "+v.Pool.Name+" from "+v.Pool.Platform.String()+" to "+change.platform)
		case len(change.fields) > 0:
			changes = append(changes, "changes the "+strings.Join(change.fields, " and the ")+" of "+v.Pool.Name)
		}
	}
	if len(removed) > 0 {
		changes = append([]string{"removes " + strings.Join(removed, " and ")}, changes...)
	}
	return changes
}

// removal is the platform of a pool that the plan does not have.
const removal = "none"

// poolChange is what the plan changes in a pool.
type poolChange struct {
	// platform is the new platform, [removal] for a pool that is removed, and "" if it stays.
	platform string
	// fields are other fields that decide where pods land.
	fields []string
}

func (m move) change(pool *topology.Pool) poolChange {
	i := slices.IndexFunc(m.planned.Verdicts, func(v placement.Verdict) bool { return v.Pool.Name == pool.Name })
	if i < 0 {
		return poolChange{platform: removal}
	}
	planned := m.planned.Verdicts[i].Pool
	if planned.Platform != pool.Platform {
		return poolChange{platform: planned.Platform.String()}
	}
	var change poolChange
	if !maps.Equal(planned.Labels, pool.Labels) {
		change.fields = append(change.fields, "labels")
	}
	if !slices.Equal(planned.Taints, pool.Taints) {
		change.fields = append(change.fields, "taints")
	}
	if planned.Size != pool.Size && planned.Size != "" && pool.Size != "" {
		change.fields = append(change.fields, size)
	}
	return change
}
