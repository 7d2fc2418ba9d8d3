package guard

import (
	"bytes"
	"cmp"
	"errors"
	"os"
	"path/filepath"
	"slices"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource/urn"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/internals"

	"github.com/mixedkube/mixedkube/core/report"
	"github.com/mixedkube/mixedkube/internal/core/fielderrors/escape"
	"github.com/mixedkube/mixedkube/internal/core/pods"
	"github.com/mixedkube/mixedkube/internal/system/disk"
)

// Report is the report about the objects of a program.
type Report = report.Report

// publish writes the report to its destinations.
func (g *guard) publish() error {
	g.report.Objects, g.report.Program = len(g.seen), g.pulumiYAML()
	for _, to := range g.to {
		*to = g.reported()
	}
	if !g.ctx.DryRun() {
		return nil
	}
	found := g.reported()
	text, err := g.baseline.write(g.args.Baseline, &found)
	if err == nil && text != "" {
		_ = g.ctx.Log.Info(escape.Lines(text), nil)
	}
	text, imagesErr := g.images.write(g.seen)
	if imagesErr == nil && text != "" {
		_ = g.ctx.Log.Info(escape.Lines(text), nil)
	}
	return errors.Join(err, imagesErr, g.writeSARIF(found))
}

// reported returns a copy of the report as it is now: later resources change only the guard's own.
func (g *guard) reported() Report {
	r := g.report
	r.Findings, r.Landings = slices.Clone(r.Findings), slices.Clone(r.Landings)
	r.NotChecked = append(slices.Clone(r.NotChecked), g.notRendered()...)
	r.Problems = g.problems()
	r.Sort()
	return r
}

// problems are the reasons why not everything has been seen.
func (g *guard) problems() []error {
	if !g.partly && len(g.notRendered()) > 0 {
		return append(slices.Clone(g.report.Problems), errPartly)
	}
	return g.report.Problems
}

// late handles a resource that comes when the program is complete. If a file cannot be written, the error can no longer
// be returned to the program.
func (g *guard) late(r *resource) {
	if g.sums() {
		g.logLandings([]*resource{r})
	}
	_ = g.publish()
}

func (g *guard) writeSARIF(found Report) error {
	path := cmp.Or(os.Getenv(sarifVariable), g.args.SARIF)
	if path == "" {
		return nil
	}
	var text bytes.Buffer
	if err := found.WriteSARIF(&text, rules, disk.Repository(filepath.Dir(found.Program))); err != nil {
		return err
	}
	return disk.Replace(path, text.Bytes(), 0o644)
}

// pulumiYAML returns the path of the program's project file. It returns "" if there is none, such as for an inline
// program of the Automation API.
func (g *guard) pulumiYAML() string {
	dir := cmp.Or(g.ctx.RootDirectory(), ".")
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

// patchReason is why a patch is not checked.
const patchReason = "a patch is only a part of an object"

// notChecked reports a resource that is not checked.
func (g *guard) notChecked(at urn.URN, reason string) {
	g.report.NotChecked = append(g.report.NotChecked, report.NotChecked{Resource: string(at), Reason: reason})
}

func (g *guard) notCheckedLater(at urn.URN, reason string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.notChecked(at, reason)
}

// notCheckedEarly reports the objects that were registered before Enforce.
func (g *guard) notCheckedEarly() {
	for _, r := range g.early {
		_, custom := r.(pulumi.CustomResource)
		if !pods.IsResource(r.PulumiResourceType(), custom) && !g.rendersNothing(r) {
			continue
		}
		result, err := internals.UnsafeAwaitOutput(g.ctx.Context(), r.URN())
		if at, ok := result.Value.(pulumi.URN); err == nil && ok && !g.looked[urn.URN(at)] {
			g.notChecked(urn.URN(at), "was registered before guard.Enforce")
		}
	}
}
