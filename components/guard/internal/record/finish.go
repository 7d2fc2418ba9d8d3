package record

import (
	"errors"
	"fmt"
	"strings"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource/urn"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/core/preflight"
	"github.com/mixedkube/mixedkube/core/report"
	"github.com/mixedkube/mixedkube/internal/core/fielderrors"
	"github.com/mixedkube/mixedkube/internal/core/fielderrors/escape"
)

// End is how a program has ended.
type End struct {
	Problem error     // why not everything has been registered, or nil
	Unseen  error     // why not everything has been shown, or nil
	Early   []urn.URN // the objects that were registered before the guard began
}

// Finish runs the checks that need the complete program, and reports. An object that is shown later is checked alone.
func (r *Recorder) Finish(e End) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.phase = ended
	for _, c := range r.clusters {
		for i, found := range c.checker.AcrossObjects(c.read()) {
			r.journal.judgeObject(c.objects[i], found)
		}
	}
	r.judgeClusters(false)
	if e.Problem != nil {
		r.report.Problems = append(r.report.Problems, e.Problem)
	}
	for _, at := range e.Early {
		if !r.looked[at] {
			r.notChecked(at, "was registered before guard.Enforce")
		}
	}
	// No rule has seen the objects of the components.
	for _, c := range r.refused {
		r.report.Problems = append(r.report.Problems, c.err)
		_ = r.ctx.Log.Error(escape.Lines(c.err.Error()), &pulumi.LogArgs{Resource: c.component})
	}
	if r.sums() {
		r.logLandings()
		r.logAccepted()
	}
	err := errors.Join(e.Unseen, r.publish())
	if r.journal.errors > 0 {
		err = errors.Join(err, r.stopping())
	}
	return err
}

// Refuse records the error of a component with wrong arguments, which is shown at the end.
func (r *Recorder) Refuse(component pulumi.Resource, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.refused = append(r.refused, refused{component, err})
	r.journal.errors++
}

// logAccepted logs, at the end of a preview, the findings that the arguments accept, and the parts of the arguments
// that no longer accept anything.
func (r *Recorder) logAccepted() {
	complete := len(r.problems()) == 0 // otherwise an object that is not seen may have it
	policy := r.journal.policy
	for i, n := range policy.Ignored() {
		if n > 0 {
			continue
		}
		ignore := r.options.Ignore[i]
		r.report.UnusedIgnores = append(r.report.UnusedIgnores, ignore)
		if complete {
			r.journal.warn(fmt.Sprintf("ignore[%d]: %s: there is no such finding: remove it", i, ignore))
		}
	}
	lines := policy.Accepted()
	known, severities := 0, map[preflight.Severity]int{}
	for _, f := range r.journal.findings {
		if f.SuppressedBy == report.ByBaseline {
			known++
			severities[f.Severity]++
		}
	}
	if known > 0 {
		lines = append(lines, fmt.Sprintf("known in %s: %s, %s", r.options.Baseline.Path,
			fielderrors.Count(severities[preflight.Error], "error"),
			fielderrors.Count(severities[preflight.Warning], "warning")))
	}
	if len(lines) > 0 {
		r.journal.info("accepted findings:\n  " + strings.Join(lines, "\n  "))
	}
	r.journal.info(r.clusters.unlisted())
	if !complete {
		return
	}
	for _, text := range r.clusters.misnamed() {
		r.journal.warn(text)
	}
	r.report.Fixed = policy.Fixed(r.options.Baseline.Known)
	r.journal.info(r.options.Baseline.fixed(r.report.Fixed))
}
