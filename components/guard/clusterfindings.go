package guard

import (
	"slices"

	"github.com/mixedkube/mixedkube/components/preflight"
	"github.com/mixedkube/mixedkube/components/report"
)

// refuseClusters shows the errors about the topologies. An update, in which the guard cannot wait for the end of the
// program, gets them as an error, and so does a program of which the guard does not see the end.
func (g *guard) refuseClusters() error {
	stops := g.judgeClusters(true)
	if g.unwrapped {
		stops = g.judgeClusters(false) || stops
	}
	if stops && (g.unwrapped || !g.sums()) {
		return g.stopping()
	}
	return nil
}

// judgeClusters shows the errors about the topologies, or the other findings, which the end of a program shows: a
// component that creates a cluster may have logged the same by then, with the path of its own argument. It reports
// whether an error stops the program.
func (g *guard) judgeClusters(blocking bool) (stops bool) {
	for _, c := range g.clusters {
		of := report.TopologyOf(c.provider)
		var judged []report.Finding
		for _, f := range c.checker.CheckCluster() {
			if (f.Severity == preflight.Error) == blocking && !g.logged[f.Message()] {
				judged = append(judged, g.policy.Judge(of, f))
			}
		}
		g.report.Findings = append(g.report.Findings, judged...)
		g.logAt(nil, of.String()+": ", judged)
		stops = stops || slices.ContainsFunc(judged, g.stops)
	}
	return stops
}
