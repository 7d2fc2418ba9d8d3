package record

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/core/report"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/fielderrors"
	"github.com/mixedkube/mixedkube/internal/system/userfiles"
)

// baselineVariable makes a preview write the known findings.
const baselineVariable = "MIXEDKUBE_BASELINE"

// writeBaseline is the command that writes the file.
const writeBaseline = baselineVariable + "=write pulumi preview"

// Baseline is the file of known findings.
type Baseline struct {
	Path    string
	Known   *report.Baseline // nil if there is none
	Writing bool             // this run writes it
}

// ReadBaseline reads the file that the arguments name. Only a preview writes it: it sees the whole program, and the
// update after it reads what it has written. The errors are about the arguments, and about the content of the file.
func ReadBaseline(ctx *pulumi.Context, path string) (Baseline, field.ErrorList, error) {
	b, at := Baseline{Path: path}, field.NewPath("baseline")
	switch mode := os.Getenv(baselineVariable); {
	case mode != "" && mode != "write":
		variable := field.NewPath(baselineVariable)
		return b, field.ErrorList{field.NotSupported(variable, mode, []string{"write"})}, nil
	case mode != "" && path == "":
		return b, field.ErrorList{field.Required(at, baselineVariable+" is set: name the file to write")}, nil
	case path == "":
		return b, nil, nil
	default:
		b.Writing = mode != "" && ctx.DryRun()
	}
	var err error
	b.Known, err = userfiles.Decode(path, func(r io.Reader, _ string) (*report.Baseline, error) {
		return report.DecodeBaseline(r, path)
	})
	switch {
	case err == nil, errors.Is(err, fs.ErrNotExist) && b.Writing:
		return b, nil, nil
	case errors.Is(err, fs.ErrNotExist):
		return b, field.ErrorList{
			field.Invalid(at, path, "there is no such file: write it with "+writeBaseline),
		}, nil
	default:
		// Do not overwrite a file that cannot be read: it may be another file.
		return b, nil, fmt.Errorf("baseline: %w", err)
	}
}

// write writes the baseline if this run has to, and returns a summary of its changes.
func (b Baseline) write(r *report.Report, rules rule.Set) (string, error) {
	if !b.Writing {
		return "", nil
	}
	if len(r.Problems) > 0 {
		return "", fmt.Errorf("%s is not written: not all resources have been seen", b.Path)
	}
	now := report.BaselineOf(b.Path, r.Findings)
	if err := userfiles.Write(b.Path, func() ([]byte, error) { return now.Encode(rules) }); err != nil {
		return "", err
	}
	before := map[report.Known]bool{}
	if b.Known != nil {
		for _, k := range b.Known.Known {
			before[k] = true
		}
	}
	added := 0
	for _, k := range now.Known {
		if !before[k] {
			added++
		}
		delete(before, k)
	}
	return fmt.Sprintf("%s is written: %s, %d of them new, %d removed", b.Path,
		fielderrors.Count(len(now.Known), "known finding"), added, len(before)), nil
}

// fixed names known findings that no longer occur. It returns "" if there are none.
func (b Baseline) fixed(findings []report.Known) string {
	const most = 10
	if len(findings) == 0 {
		return ""
	}
	lines := []string{"fixed: remove from " + b.Path + ", or write it again with " + writeBaseline + ":"}
	for _, k := range findings[:min(most, len(findings))] {
		lines = append(lines, fielderrors.Printable(k.String()))
	}
	if len(findings) > most {
		lines = append(lines, fmt.Sprintf("and %d more", len(findings)-most))
	}
	return strings.Join(lines, "\n  ")
}
