package guard

import (
	"slices"

	"github.com/mixedkube/mixedkube/core/preflight"
	"github.com/mixedkube/mixedkube/core/report"
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
// component that creates a cluster may have logged the same by then, with the path of its own argument, and the program
// may register the RuntimeClasses that a plan strands. It reports whether an error stops the program.
func (g *guard) judgeClusters(blocking bool) (stops bool) {
	for _, c := range g.clusters {
		found := slices.DeleteFunc(c.checker.CheckCluster(), func(f preflight.Finding) bool {
			return (f.Severity == preflight.Error) != blocking
		})
		if !blocking {
			_, objects := g.seenIn(c)
			found = append(found, c.checker.CheckClasses(objects)...)
		}
		of := report.TopologyOf(c.provider)
		var judged []report.Finding
		for _, f := range found {
			if !g.logged[f.Message()] {
				judged = append(judged, g.policy.Judge(of, f))
			}
		}
		g.report.Findings = append(g.report.Findings, judged...)
		g.logAt(nil, of.String()+": ", judged)
		stops = stops || slices.ContainsFunc(judged, g.stops)
	}
	return stops
}
