package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mixedkube/mixedkube/core/report"
	"github.com/mixedkube/mixedkube/internal/core/fielderrors"
	"github.com/mixedkube/mixedkube/internal/system/disk"
)

// format writes a report.
type format func(io.Writer, *report.Report) error

// junit is the format that includes objects without a finding.
const junit = "junit"

// formats are the values of the flags --format and --report.
var formats = map[string]format{
	"text": writeText,
	"json": func(w io.Writer, r *report.Report) error { return r.WriteJSON(w) },
	"sarif": fromHere(func(w io.Writer, r *report.Report, here string) error {
		return r.WriteSARIF(w, checkRules(), here)
	}),
	junit: func(w io.Writer, r *report.Report) error { return r.WriteJUnit(w) },
	"gitlab": fromHere(func(w io.Writer, r *report.Report, here string) error {
		return r.WriteCodeQuality(w, here)
	}),
}

// fromHere returns a format whose paths are relative to the working directory.
func fromHere(write func(w io.Writer, r *report.Report, here string) error) format {
	return func(w io.Writer, r *report.Report) error {
		here, err := os.Getwd()
		if err != nil {
			return err
		}
		return write(w, r, here)
	}
}

// formatOf returns the format that a flag names.
func formatOf(flag, name string) (format, error) {
	if f := formats[name]; f != nil {
		return f, nil
	}
	return nil, fmt.Errorf("%s: %s", flag, fielderrors.Unknown("format", name, slices.Sorted(maps.Keys(formats))))
}

// reports are files that a run writes in addition to its output: one run serves the log, the merge request and the code
// scanning of a pipeline.
type reports struct {
	flags []string
	files []reportFile
}

type reportFile struct {
	path   string
	format string
	write  format
}

func (r *reports) flag(cmd *cobra.Command) {
	cmd.Flags().StringArrayVar(&r.flags, "report", nil,
		"also write the findings into a file: `FORMAT=FILE`, such as junit=report.xml; can be repeated")
}

// complete parses the flags, and returns all their errors.
func (r *reports) complete() error {
	var errs []error
	taken := map[string]bool{}
	for _, flag := range r.flags {
		name, path, _ := strings.Cut(flag, "=")
		at := "--report " + flag
		write, err := formatOf(at, name)
		if err != nil {
			errs = append(errs, err)
		}
		switch {
		case path == "" || path == stdoutPath:
			errs = append(errs,
				fmt.Errorf("%s: name a file: --report %s=FILE; --format is for standard output", at, name))
		case taken[filepath.Clean(path)]:
			errs = append(errs, fmt.Errorf("%s: another report is written into this file: name another one", at))
		}
		taken[filepath.Clean(path)] = true
		r.files = append(r.files, reportFile{path, name, write})
	}
	return errors.Join(errs...)
}

// atFlag adds a flag to an error.
func atFlag(flag string, err error) error {
	if err != nil {
		return fmt.Errorf("%s: %w", flag, err)
	}
	return nil
}

// has reports whether one of the files has a format.
func (r *reports) has(name string) bool {
	return slices.ContainsFunc(r.files, func(f reportFile) bool { return f.format == name })
}

// write writes all files, each atomically.
func (r *reports) write(found *report.Report) error {
	var errs []error
	for _, f := range r.files {
		var text bytes.Buffer
		err := f.write(&text, found)
		if err == nil {
			err = disk.Replace(f.path, text.Bytes(), 0o644)
		}
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}
