package cli

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/mixedkube/mixedkube/core/preflight"
	"github.com/mixedkube/mixedkube/core/report"
	"github.com/mixedkube/mixedkube/internal/core/fielderrors"
	"github.com/mixedkube/mixedkube/internal/core/fielderrors/escape"
)

// checked is the result of a run.
type checked struct {
	report.Report
	// files is the number of checked files, left are documents that are not manifests.
	files int
	left  left
	// builds are the kustomizations, and built the findings about what they build. order has the index of each file.
	builds *builds
	built  builtFindings
	order  map[string]int
	// environments describes those of the configuration.
	environments string
	baseline     *report.Baseline
	config       configuration
	// since is the commit that the report is limited to, and leftOut counts the findings that are older.
	since   string
	leftOut int
}

func (r *checked) takeWarningsAsErrors() {
	for i := range r.Findings {
		if r.Findings[i].Severity == preflight.Warning {
			r.Findings[i].Severity = preflight.Error
		}
	}
}

func (r *checked) fails() bool { return len(r.Blocking()) > 0 }

// summary returns the counts of a run, which show when it found nothing to check.
func (r *checked) summary() string {
	counts := map[string]int{}
	for _, f := range r.Findings {
		counts[severity(f)]++
	}
	var b strings.Builder
	b.WriteString(r.builds.String())
	b.WriteString(r.left.String())
	for _, k := range r.Fixed {
		fmt.Fprintf(&b, "fixed, remove from %s: %s\n", escape.Line(filepath.ToSlash(r.baseline.Path)),
			escape.Line(k.String()))
	}
	b.WriteString(r.environments)
	if r.leftOut > 0 {
		fmt.Fprintf(&b, "left out: %s in files that have not changed since %s: run without --since to see all\n",
			fielderrors.Count(r.leftOut, "finding"), escape.Line(r.since))
	}
	fmt.Fprintf(&b, "checked: %s in %s", fielderrors.Count(r.Objects, "object"), fielderrors.Count(r.files, "file"))
	for _, s := range []preflight.Severity{preflight.Error, preflight.Warning, preflight.Info} {
		if n := counts[string(s)]; n > 0 {
			fmt.Fprintf(&b, ", %s", fielderrors.Count(n, string(s)))
		}
	}
	if n := r.known(); n > 0 {
		fmt.Fprintf(&b, ", %d known", n)
	}
	b.WriteString(r.config.String() + "\n")
	return b.String()
}

// known counts the findings that the baseline suppresses.
func (r *checked) known() int {
	n := 0
	for _, f := range r.Findings {
		if f.SuppressedBy == report.ByBaseline {
			n++
		}
	}
	return n
}
