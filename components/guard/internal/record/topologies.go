package record

import (
	"slices"

	"github.com/mixedkube/mixedkube/core/preflight"
	"github.com/mixedkube/mixedkube/core/report"
	"github.com/mixedkube/mixedkube/internal/components/refusal"
)

// Open shows the errors about the topologies. An update, in which the guard cannot wait for the end of the program,
// gets them as an error, and so does a program of which the guard does not see the end.
func (r *Recorder) Open() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	stops := r.judgeClusters(true)
	if r.phase == endless {
		stops = r.judgeClusters(false) || stops
	}
	if stops && (r.phase == endless || !r.sums()) {
		return r.stopping()
	}
	return nil
}

// judgeClusters shows the errors about the topologies, or the other findings, which the end of a program shows: a
// component that creates a cluster may have logged the same by then, with the path of its own argument, and the program
// may register the RuntimeClasses that a plan strands. It reports whether an error stops the program.
func (r *Recorder) judgeClusters(blocking bool) (stops bool) {
	for _, c := range r.clusters {
		found := slices.DeleteFunc(c.checker.CheckCluster(), func(f preflight.Finding) bool {
			return (f.Severity == preflight.Error) != blocking
		})
		if !blocking {
			found = append(found, c.checker.CheckClasses(c.read())...)
		}
		found = slices.DeleteFunc(found, func(f preflight.Finding) bool { return r.options.Logged(f.Message()) })
		of := report.TopologyOf(c.provider)
		judged := r.journal.judge(of, found)
		r.journal.log(nil, of.String()+": ", judged)
		stops = stops || slices.ContainsFunc(judged, r.stops)
	}
	if !blocking {
		r.judgeFacts()
	}
	return stops
}

// judgeFacts shows once whether facts are old that the clusters and their objects use and no component has reported.
func (r *Recorder) judgeFacts() {
	var used []string
	for _, c := range r.clusters {
		var needs preflight.Needs
		for _, o := range c.objects {
			needs |= preflight.NeedsOf(o.Object)
		}
		used = append(used, c.checker.UsedFacts(needs)...)
	}
	of := report.Facts()
	found := r.clusters[0].checker.CheckFacts(refusal.NewFacts(r.ctx, used))
	r.journal.log(nil, of.String()+": ", r.journal.judge(of, found))
}

// stops reports whether an object must not be deployed. While a baseline is written, objects whose errors become known
// are handled as in any preview that finds them: the API server would refuse some of them, and end the preview before
// all are seen.
func (r *Recorder) stops(f report.Finding) bool {
	if r.options.Baseline.Writing && r.phase == running {
		return f.Severity == preflight.Error && (f.Blocks() || f.SuppressedBy == report.ByBaseline)
	}
	return f.Blocks() && !r.options.Advisory
}
