package record

import (
	"strings"

	"github.com/mixedkube/mixedkube/core/report"
	"github.com/mixedkube/mixedkube/internal/core/landings"
)

// logLandings shows where the pods of workloads can land, for each cluster.
func (r *Recorder) logLandings() {
	for _, c := range r.clusters {
		r.logLandingsIn(c, c.objects, true)
	}
}

// logLandingsIn shows where the pods of objects of a cluster can land, and which fields they request if they count: an
// object that comes after the end of the program is not counted.
func (r *Recorder) logLandingsIn(c *cluster, of []*object, counted bool) {
	var objects []landings.Object
	for _, o := range of {
		objects = append(objects, landings.Object{Object: o.Object, Resource: o.name, Outcome: o.outcome})
	}
	all := landings.Of(c.checker, objects, c.context)
	text := landings.Text(all, c.provider)
	if counted {
		text += landings.RequestedBy(all)
	}
	if p := r.options.Place; p != nil && c.pools {
		by := landings.Placing{AssumeLinux: "AssumeLinux"}
		if p.Policy.AssumeLinux {
			by.AssumeLinux = ""
		}
		text = strings.TrimPrefix(text+landings.Placed(objects, by), "\n")
	}
	if text == "" {
		return
	}
	r.journal.info(text)
	for _, l := range all {
		r.report.Landings = append(r.report.Landings, landing(of[l.Index], l))
	}
}

func landing(o *object, l landings.Landed) report.Landing {
	of := report.Landing{Object: o.reported(), Workload: l.Workload, Text: l.Text}
	for _, p := range l.Pools {
		of.Pools = append(of.Pools, p.Name)
	}
	for _, p := range l.Perhaps {
		of.Perhaps = append(of.Perhaps, p.Name)
	}
	for _, r := range l.Refused() {
		of.Refused = append(of.Refused, report.Refused(r))
	}
	return of
}
