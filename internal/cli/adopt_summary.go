package cli

import (
	"fmt"

	"github.com/mixedkube/mixedkube/core/conversion"
	"github.com/mixedkube/mixedkube/internal/core/fielderrors"
)

// summary returns the counts of a run, which show when it found nothing. rest is what no file has.
func summary(files []*adoptedFile, rest left, c configuration) string {
	counts := map[conversion.Done]int{}
	changed, objects := 0, 0
	for _, f := range files {
		if f.look.aside != nil {
			rest.merge(f.look.aside.left)
		}
		if f.failed() {
			continue
		}
		objects += len(f.done)
		for _, done := range f.done {
			counts[done]++
		}
		if len(f.changes) > 0 {
			changed++
		}
	}
	pods := objects - counts[conversion.NoPods] - counts[conversion.Unsupported]
	text := fmt.Sprintf("adopted: %s with pods in %s, %d to change: %d completed, %d had all",
		fielderrors.Count(pods, "object"), fielderrors.Count(len(files), "file"), changed,
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
	return rest.String() + text + c.String() + "\n"
}
