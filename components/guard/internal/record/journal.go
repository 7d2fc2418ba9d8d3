package record

import (
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/core/preflight"
	"github.com/mixedkube/mixedkube/core/report"
	"github.com/mixedkube/mixedkube/internal/core/fielderrors/escape"
)

// journal collects the findings, and shows them in the log of the engine.
type journal struct {
	ctx      *pulumi.Context
	policy   *report.Policy
	advisory bool
	once     map[string]bool // findings about objects, by resource and text
	findings []report.Finding
	errors   int
}

// judge decides whether the arguments accept the findings.
func (j *journal) judge(of report.Object, found []preflight.Finding) (judged []report.Finding) {
	for _, f := range found {
		judged = append(judged, j.policy.Judge(of, f))
	}
	j.findings = append(j.findings, judged...)
	return judged
}

// judgeObject judges the new ones among the findings about an object, and logs them there.
func (j *journal) judgeObject(o *object, found []preflight.Finding) []report.Finding {
	var fresh []preflight.Finding
	for _, f := range found {
		if id := string(o.At) + "\n" + f.String(); !j.once[id] {
			j.once[id] = true
			fresh = append(fresh, f)
		}
	}
	if len(fresh) == 0 {
		return nil
	}
	judged := j.judge(o.reported(), fresh)
	j.log(&pulumi.LogArgs{Resource: &o.Located}, "", judged)
	return judged
}

// log shows findings, whose texts begin with the subject. If they cannot be shown, the engine has ended, and reports
// that itself. Findings that the arguments accept are only counted.
func (j *journal) log(at *pulumi.LogArgs, subject string, findings []report.Finding) {
	for _, f := range findings {
		text := subject + f.String()
		switch {
		case f.SuppressedBy == report.ByObject:
			_ = j.ctx.Log.Info(escape.Lines("ignored: "+text), at)
		case f.Suppressed:
		case f.Severity == preflight.Error && j.advisory:
			_ = j.ctx.Log.Warn(escape.Lines("would stop the program: "+text), at)
		case f.Severity == preflight.Error:
			j.errors++
			_ = j.ctx.Log.Error(escape.Lines(text), at)
		case f.Severity == preflight.Warning:
			_ = j.ctx.Log.Warn(escape.Lines(text), at)
		default:
			_ = j.ctx.Log.Info(escape.Lines(text), at)
		}
	}
}

// info logs a text about the whole program, if there is one.
func (j *journal) info(text string) {
	if text != "" {
		_ = j.ctx.Log.Info(escape.Lines(text), nil)
	}
}

// warn is info for what should be changed.
func (j *journal) warn(text string) { _ = j.ctx.Log.Warn(escape.Lines(text), nil) }
