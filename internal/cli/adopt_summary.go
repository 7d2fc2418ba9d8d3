package cli

import (
	"fmt"

	"github.com/mixedkube/mixedkube/core/conversion"
	"github.com/mixedkube/mixedkube/internal/core/fielderrors"
)

// summary returns the counts of a run, which show when it found nothing.
func summary(r conversion.Result, c configuration) string {
	counts := map[conversion.Done]int{}
	for _, o := range r.Objects {
		counts[o.Done]++
	}
	changed := 0
	for _, f := range r.Files {
		if f.Changed() {
			changed++
		}
	}
	pods := len(r.Objects) - counts[conversion.NoPods] - counts[conversion.Unsupported]
	text := fmt.Sprintf("adopted: %s with pods in %s, %d to change: %d completed, %d had all",
		fielderrors.Count(pods, "object"), fielderrors.Count(len(r.Files), "file"), changed,
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
	if n := counts[conversion.Unsupported]; n > 0 {
		text += fmt.Sprintf("; %s of other kinds left alone", fielderrors.Count(n, "object"))
	}
	var rest left
	for _, l := range r.Left {
		rest.count(l.Kind, 1)
	}
	return rest.String() + text + c.String() + "\n"
}
