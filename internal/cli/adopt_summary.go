package cli

import (
	"fmt"

	"github.com/mixedkube/mixedkube/core/conversion"
	"github.com/mixedkube/mixedkube/internal/core/fielderrors"
)

// summary returns the counts of a run, which show when it found nothing.
func (a *adoption) summary(files []*adoptedFile, planned *buildPlan) string {
	counts := map[conversion.Done]int{}
	read, changed, objects := len(a.covered), 0, 0
	unknown, others := 0, 0 // with errors
	rest := a.charts.below
	seen := map[sourceDocument]bool{}
	for _, f := range files {
		if f.look.aside != nil {
			rest.merge(f.look.aside.left)
		}
		if !f.isBuilt {
			read++
		}
		if f.failed() {
			continue
		}
		for i, done := range f.done {
			if f.isBuilt { // overlays share documents
				from := f.built[i].from
				if from.file != "" && seen[from] {
					continue
				}
				seen[from] = true
			}
			objects++
			counts[done]++
			switch {
			case done == conversion.Wrong || !f.look.objects[i].blocked():
			case done == conversion.Unknown:
				unknown++
			default:
				others++
			}
		}
		if len(f.changes) > 0 {
			changed++
		}
	}
	if planned != nil {
		changed += len(planned.after)
	}
	pods := objects - counts[conversion.NoPods] - counts[conversion.Unsupported]
	text := fmt.Sprintf("adopted: %s with pods in %s, %d to change: %d completed, %d had all",
		fielderrors.Count(pods, "object"), fielderrors.Count(read, "file"), changed,
		counts[conversion.Completed], counts[conversion.Unchanged])
	if n := counts[conversion.Assumed]; n > 0 {
		text += fmt.Sprintf(", %d assumed to be for Linux", n)
	}
	if n := counts[conversion.Wrong]; n > 0 {
		text += fmt.Sprintf(", %d wrong", n)
	}
	if n := counts[conversion.Unknown]; n > 0 {
		text += fmt.Sprintf(", %d not known", n)
	}
	if unknown > 0 {
		text += fmt.Sprintf(" (%d with errors)", unknown)
	}
	if n := counts[conversion.Unsupported]; n > 0 {
		text += fmt.Sprintf("; %s of other kinds left alone", fielderrors.Count(n, "object"))
	}
	if others > 0 {
		text += "; " + fielderrors.Count(others, "more object") + " with errors"
	}
	return a.builds.String() + rest.String() + text + a.config.String() + "\n"
}
