package guard

import (
	"strings"

	"github.com/mixedkube/mixedkube/core/report"
	"github.com/mixedkube/mixedkube/internal/core/fielderrors/escape"
	"github.com/mixedkube/mixedkube/internal/core/landings"
)

// logLandings shows where the pods of workloads can land, for each cluster.
func (g *guard) logLandings(of []*resource) {
	for _, c := range g.clusters {
		g.logLandingsIn(c, of)
	}
}

func (g *guard) logLandingsIn(c *cluster, of []*resource) {
	var resources []*resource
	var objects []landings.Object
	for _, r := range of {
		if r.cluster == c {
			resources = append(resources, r)
			objects = append(objects, landings.Object{Object: r.object, Resource: r.name, Outcome: r.outcome})
		}
	}
	all := landings.Of(c.checker, objects, c.context)
	text := landings.Text(all, c.provider)
	if len(of) == len(g.seen) { // a resource that comes after the end of the program is not counted
		text += landings.RequestedBy(all)
	}
	if c.pools && g.args.Place {
		by := landings.Placing{AssumeLinux: "AssumeLinux"}
		if g.args.AssumeLinux {
			by.AssumeLinux = ""
		}
		text = strings.TrimPrefix(text+landings.Placed(objects, by), "\n")
	}
	if text == "" {
		return
	}
	// An error can no longer be returned to the program.
	_ = g.ctx.Log.Info(escape.Lines(text), nil)
	for _, l := range all {
		g.report.Landings = append(g.report.Landings, reported(resources[l.Index], l))
	}
}

func reported(r *resource, l landings.Landed) report.Landing {
	reported := report.Landing{Object: report.ObjectOf(r.object.Tree), Workload: l.Workload, Text: l.Text}
	reported.Resource, reported.Cluster = string(r.at), r.cluster.provider
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
