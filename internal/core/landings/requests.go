package landings

import (
	"strings"
	"unicode/utf8"

	"github.com/mixedkube/mixedkube/core/preflight"
)

// Requested describes, for each pool, how much of the capacity of its nodes the pods on it request; with an autoscaler
// also for the maximum number of nodes. Pods with a choice of several pools count once, for all of these together. It
// is empty if no pod requests anything, and for pools of an unknown size.
func Requested(landings []preflight.Landing) string {
	wishes := make([]Wish, len(landings))
	for i, l := range landings {
		wishes[i] = Wish{Pools: l.Pools, Requests: l.Requests, Count: l.Count, PerNode: l.PerNode}
	}
	width := 0
	var names, texts []string
	for _, l := range Loads(wishes) {
		if l.Most.None() {
			continue
		}
		text := judged(l.Now)
		if l.Now.Nodes != l.Most.Nodes {
			text += "; " + judged(l.Most)
		}
		names, texts = append(names, PoolNames(l.Pools)), append(texts, text)
		width = max(width, utf8.RuneCountInString(names[len(names)-1]))
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

func judged(s Share) string {
	if s.TooMuch() {
		return s.String() + ": too much"
	}
	return s.String()
}
