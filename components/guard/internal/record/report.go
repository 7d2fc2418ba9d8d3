package record

import (
	"bytes"
	"cmp"
	"errors"
	"os"
	"path/filepath"
	"slices"

	"github.com/mixedkube/mixedkube/core/report"
	"github.com/mixedkube/mixedkube/internal/system/disk"
)

// sarifVariable overrides the path of the file with the findings.
const sarifVariable = "MIXEDKUBE_SARIF"

// publish writes the report to its destinations.
func (r *Recorder) publish() error {
	r.report.Objects, r.report.Program = r.clusters.count(), r.pulumiYAML()
	for _, to := range r.options.Reports {
		*to = r.reported()
	}
	if !r.ctx.DryRun() {
		return nil
	}
	found := r.reported()
	text, err := r.options.Baseline.write(&found, r.options.Rules)
	if err == nil {
		r.journal.info(text)
	}
	text, imagesErr := r.options.Images.write(r.clusters)
	if imagesErr == nil {
		r.journal.info(text)
	}
	return errors.Join(err, imagesErr, r.writeSARIF(found))
}

// reported returns the report as it is now.
func (r *Recorder) reported() report.Report {
	now := r.report
	now.Findings, now.Landings = slices.Clone(r.journal.findings), slices.Clone(now.Landings)
	now.NotChecked, now.Problems = slices.Clone(now.NotChecked), r.problems()
	for _, u := range r.awaited {
		now.NotChecked = append(now.NotChecked, report.NotChecked{Resource: string(u.At), Reason: u.Reason})
	}
	now.Sort()
	return now
}

// problems returns the reasons why not everything has been seen.
func (r *Recorder) problems() []error {
	problems := slices.Clone(r.report.Problems)
	for _, u := range r.awaited {
		problems = with(problems, u.Problem)
	}
	return problems
}

// stopping returns the error that stops the program, with the findings so far.
func (r *Recorder) stopping() error {
	stopped := Stopped{
		Errors: r.journal.errors, Report: r.reported(), Endless: r.phase == endless, Unlogged: r.ctx.RunningWithMocks(),
	}
	for _, c := range r.refused {
		stopped.Refused = append(stopped.Refused, c.err)
	}
	return r.options.Stopping(stopped)
}

func (r *Recorder) writeSARIF(found report.Report) error {
	path := cmp.Or(os.Getenv(sarifVariable), r.options.SARIF)
	if path == "" {
		return nil
	}
	var text bytes.Buffer
	err := found.WriteSARIF(&text, r.options.Rules, disk.Repository(filepath.Dir(found.Program)))
	if err != nil {
		return err
	}
	return disk.Replace(path, text.Bytes(), 0o644)
}

// pulumiYAML returns the path of the program's project file. It returns "" if there is none, such as for an inline
// program of the Automation API.
func (r *Recorder) pulumiYAML() string {
	dir := cmp.Or(r.ctx.RootDirectory(), ".")
	for _, name := range []string{"Pulumi.yaml", "Pulumi.yml", "Pulumi.json"} {
		path, err := filepath.Abs(filepath.Join(dir, name))
		if err != nil {
			continue
		}
		if disk.Exists(path) {
			return path
		}
	}
	return ""
}

// with returns the problems and one more, once.
func with(problems []error, problem error) []error {
	if slices.Contains(problems, problem) {
		return problems
	}
	return append(problems, problem)
}

// Problem records a reason why not everything is seen.
func (r *Recorder) Problem(err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.report.Problems = append(r.report.Problems, err)
}

// Missed reports a resource that cannot be checked. If nothing sees the end of the program, more can always come.
func (r *Recorder) Missed(u Unseen) {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case u.Until == nil:
		r.report.Problems = with(r.report.Problems, u.Problem)
		r.notChecked(u.At, u.Reason)
		if r.phase == ended {
			_ = r.publish()
		}
	case r.phase != endless:
		r.awaited = append(r.awaited, u)
	}
}

// Arrived is called when more is registered: see [Unseen].
func (r *Recorder) Arrived(until any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.awaited = slices.DeleteFunc(r.awaited, func(u Unseen) bool { return u.Until == until })
}
