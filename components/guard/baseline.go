package guard

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/core/report"
	"github.com/mixedkube/mixedkube/internal/core/fielderrors"
	"github.com/mixedkube/mixedkube/internal/system/userfiles"
)

// The environment variables that change a run without a change of the program.
const (
	baselineVariable = "MIXEDKUBE_BASELINE"
	sarifVariable    = "MIXEDKUBE_SARIF"
)

// writeBaseline is the command that writes the file.
const writeBaseline = baselineVariable + "=write pulumi preview"

// baseline is the file of known findings.
type baseline struct {
	known   *report.Baseline // nil if there is none
	writing bool             // this run writes it
}

// prepare checks the arguments, and reads the topology, the baseline and the lock of images. Only a preview writes the
// last two: it sees the whole program, and the update after it reads what it has written.
func prepare(ctx *pulumi.Context, args *Args) (baseline, locked, error) {
	b := baseline{}
	errs, others := args.readTopology()
	errs = append(errs, args.validate()...)
	path := field.NewPath("baseline")
	mode := os.Getenv(baselineVariable)
	switch {
	case mode != "" && mode != "write":
		errs = append(errs, field.NotSupported(field.NewPath(baselineVariable), mode, []string{"write"}))
	case mode != "" && args.Baseline == "":
		errs = append(errs, field.Required(path, baselineVariable+" is set: name the file to write"))
	case args.Baseline != "":
		b.writing = mode != "" && ctx.DryRun()
		var err error
		b.known, err = userfiles.Decode(args.Baseline, func(r io.Reader, _ string) (*report.Baseline, error) {
			return report.DecodeBaseline(r, args.Baseline)
		})
		switch {
		case errors.Is(err, fs.ErrNotExist) && !b.writing:
			errs = append(errs, field.Invalid(path, args.Baseline,
				"there is no such file: write it with "+writeBaseline))
		case err != nil && !errors.Is(err, fs.ErrNotExist):
			// Do not overwrite a file that cannot be read: it may be another file.
			others = append(others, fielderrors.At{Path: "baseline", Err: fmt.Errorf("baseline: %w", err)})
		}
	}
	l, err := readImages(ctx, args.Images)
	if err != nil {
		others = append(others, fielderrors.At{Path: "images", Err: err})
	}
	return b, l, fielderrors.Join("guard", errs, others...)
}

// write writes the baseline if this run has to, and returns a summary of its changes.
func (b baseline) write(path string, r *Report) (string, error) {
	if !b.writing {
		return "", nil
	}
	if len(r.Problems) > 0 {
		return "", fmt.Errorf("%s is not written: not all resources have been seen", path)
	}
	now := report.BaselineOf(path, r.Findings)
	if err := userfiles.Write(path, func() ([]byte, error) { return now.Encode(rules) }); err != nil {
		return "", err
	}
	before := map[report.Known]bool{}
	if b.known != nil {
		for _, k := range b.known.Known {
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
	return fmt.Sprintf("%s is written: %s, %d of them new, %d removed", path,
		fielderrors.Count(len(now.Known), "known finding"), added, len(before)), nil
}
