package clustermap

import (
	"slices"
	"strings"

	"github.com/mixedkube/mixedkube/internal/core/fielderrors"
)

// together groups the pending workloads with the same reasons.
func together(all []Pending) []Pending {
	var alike []Pending
	at := map[string]int{}
	names := map[int][]string{}
	for _, p := range all {
		parts := []string{p.Why}
		for _, r := range p.Reasons {
			parts = append(parts, strings.Join(r.Pools, "\x01"), strings.Join(r.Texts, "\x01"))
		}
		key := strings.Join(parts, "\x00")
		i, found := at[key]
		if !found {
			i, at[key] = len(alike), len(alike)
			alike = append(alike, p)
		} else {
			alike[i].Workloads = slices.Concat(alike[i].Workloads, p.Workloads)
		}
		names[i] = append(names[i], p.Title)
	}
	for i := range alike {
		if n := len(names[i]); n > 1 {
			alike[i].Title, alike[i].About = fielderrors.Count(n, "workload"), few(names[i])
		}
	}
	return alike
}

// layProblem shows few reasons at once, and only one if there are many problems.
func layProblem(i int, p Pending, problems int) problem {
	laid := problem{ID: i, Title: p.Title, About: p.About, Why: p.Why}
	most := 4
	if problems > 3 {
		most = 1
	}
	for _, r := range p.Reasons {
		laid.Reasons = append(laid.Reasons, because{few(r.Pools), strings.Join(r.Texts, "; ")})
	}
	if len(laid.Reasons) <= most+1 {
		return laid
	}
	laid.Reasons, laid.Later = laid.Reasons[:most], laid.Reasons[most:]
	pools := 0
	for _, r := range p.Reasons[most:] {
		pools += len(r.Pools)
	}
	laid.Summary = "Why not on " + fielderrors.Count(pools, "other pool")
	return laid
}
