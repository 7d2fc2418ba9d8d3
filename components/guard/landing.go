package guard

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mixedkube/mixedkube/components/preflight"
	"github.com/mixedkube/mixedkube/components/report"
	"github.com/mixedkube/mixedkube/internal/landings"
	"github.com/mixedkube/mixedkube/internal/mutate"
)

// logLandings shows where the pods of workloads can land, for each cluster.
func (g *guard) logLandings(of []*resource) {
	for _, c := range g.clusters {
		g.logLandingsIn(c, of)
	}
}

// landing is where the pods of a workload can land.
type landing struct {
	*resource
	preflight.Landing
	workload, text string
}

func (g *guard) logLandingsIn(c *cluster, of []*resource) {
	var classes []map[string]any
	for _, o := range c.context {
		if o.Kind == "RuntimeClass" {
			classes = append(classes, o.Tree)
		}
	}
	var all []landing
	var workloads []*resource
	for _, r := range of {
		if r.cluster != c {
			continue
		}
		if r.object.Kind != "" && len(r.object.All()) > 0 {
			workloads = append(workloads, r)
		}
		if at, ok := c.checker.LandingOf(r.object, classes...); ok {
			all = append(all, landing{r, at, landings.Workload(r.object, r.name), at.String() + notes[r.outcome]})
		}
	}
	text := g.landingsIn(c, of, all)
	if c.pools {
		text = strings.TrimPrefix(text+g.placed(workloads), "\n")
	}
	if text == "" {
		return
	}
	// Nobody is left to tell that it cannot be shown.
	_ = g.ctx.Log.Info(text, nil)
	for _, l := range all {
		g.report.Landings = append(g.report.Landings, l.reported())
	}
}

// landingsIn sorts landings by the names of the workloads, and shows them.
func (g *guard) landingsIn(c *cluster, of []*resource, all []landing) string {
	if len(all) == 0 {
		return ""
	}
	slices.SortStableFunc(all, func(a, b landing) int { return strings.Compare(a.workload, b.workload) })
	text := landings.Heading
	if c.provider != "" {
		text = fmt.Sprintf("where the pods can land in the cluster of the provider %q:", c.provider)
	}
	lines := make([]landings.Line, len(all))
	for i, l := range all {
		lines[i] = landings.Line{Workload: l.workload, Text: l.text}
	}
	text += landings.Table(lines)
	if len(of) == len(g.seen) { // a late one is no sum
		answers := make([]preflight.Landing, len(all))
		for i, l := range all {
			answers[i] = l.Landing
		}
		text += requested(answers)
	}
	return text
}

func (l landing) reported() report.Landing {
	reported := report.Landing{Object: report.ObjectOf(l.object.Tree), Workload: l.workload, Text: l.text}
	reported.Resource, reported.Cluster = string(l.at), l.cluster.provider
	for _, p := range l.Pools {
		reported.Pools = append(reported.Pools, p.Name)
	}
	for _, p := range l.Perhaps {
		reported.Perhaps = append(reported.Perhaps, p.Name)
	}
	for _, r := range l.Refused() {
		reported.Refused = append(reported.Refused, report.Refused(r))
	}
	return reported
}

// notes say how [Args.Place] took pods, where that is not plain from the pools.
var notes = map[mutate.Outcome]string{
	mutate.TakenForLinux: ", taken for Linux: the images do not say",
	mutate.Unsaid:        ", not placed: the images do not say for which system they are",
	mutate.Misannotated:  ", not placed: the annotation " + preflight.PlatformAnnotation + " is wrong",
}
