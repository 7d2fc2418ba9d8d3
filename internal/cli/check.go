package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"slices"

	"github.com/spf13/cobra"

	"github.com/mixedkube/mixedkube/core/preflight"
	"github.com/mixedkube/mixedkube/core/report"
	"github.com/mixedkube/mixedkube/internal/system/clock"
	"github.com/mixedkube/mixedkube/internal/system/disk"
	"github.com/mixedkube/mixedkube/internal/system/userfiles"
)

// checking has the flags and arguments of check.
type checking struct {
	options preflight.Options
	write   format
	reports reports
	// lists is true if the report includes the objects without a finding.
	lists  bool
	images known
	strict bool
	paths  []string
	files  selection
	charts charts
	config configuration
	// clusters has the cluster of files without an environment first, and then that of each environment.
	clusters []*checkedCluster
	since    since

	// mostObjects is the maximum number of objects; the default is [manifests.MaxObjects].
	mostObjects int

	baseline      string // its file
	known         *report.Baseline
	writeBaseline bool
}

func newCheck(in *input) *cobra.Command {
	var c checking
	var flags checkFlags
	cmd := &cobra.Command{
		Use:   "check [flags] PATH...",
		Short: "Find Windows-related errors in Kubernetes manifests",
		Long: `Find Windows-related errors in Kubernetes manifests before they are applied.

Each PATH is a file, a directory (with the *.yaml, *.yml and *.json files in and below it), a Helm chart,
or - for standard input. Without a topology, only findings that apply to every cluster are errors. A
.mixedkubeignore file in the directory excludes files, in the syntax of .gitignore. A .mixedkube.yaml
file in the working directory or above it sets the topology, ignored findings, severities of rules
and excluded files; flags take precedence.

With --to, the topology is compared with a planned one. Pods, RuntimeClasses, StorageClasses and
volumes that have a pool now and none in the plan are errors.

With --since, only what has changed since a commit is reported, and what depends on it in the same
environments. All files are read anyway.

A Helm chart is a directory with Chart.yaml, or an archive (*.tgz). The command runs the helm on PATH to
render it with its hooks and CRDs; a finding names the template, and the hook if it is one.

The exit code is 0 if there are no errors, 1 if the manifests or the topology have errors, and 2 if a
file cannot be read (the others are still checked), a PATH has no object, or the command line is
wrong. Templates of other programs below a directory are left alone, and named.`,
		Example: `  mixedkube check deploy/
  mixedkube check --topology cluster.yaml --values production.yaml ./chart
  mixedkube check --topology cluster.yaml --to planned.yaml deploy/
  helm template oci://registry.example.com/shop | mixedkube check --topology cluster.yaml -`,
		RunE: func(cmd *cobra.Command, paths []string) error {
			c.paths = paths
			if err := c.complete(cmd.Context(), in, flags, cmd.ErrOrStderr()); err != nil {
				return err
			}
			return c.run(cmd.Context(), in, cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	cmd.Flags().StringVar(&c.options.KubernetesVersion, "k8s", "",
		"the `version` of the API server, for example 1.36")
	configFlag(cmd, &flags.config)
	in.linksFlag(cmd)
	in.timeoutFlag(cmd)
	topologyFlag(cmd, &flags.topology)
	toFlag(cmd, &flags.to)
	matchingFlag(cmd, &c.options.Matching)
	horizonFlag(cmd, &c.options.Horizon)
	c.files.flag(cmd)
	cmd.Flags().StringVar(&flags.format, "format", "text",
		"the `format` of the findings: text, json, sarif, junit or gitlab (code quality)")
	completeFlag(cmd, "format", slices.Sorted(maps.Keys(formats))...)
	c.reports.flag(cmd)
	c.charts.flags(cmd)
	cmd.Flags().BoolVar(&c.strict, "strict", false, "treat warnings as errors")
	cmd.Flags().StringVar(&c.baseline, "baseline", "", "a YAML `file` of known findings, which do not fail the check")
	cmd.Flags().BoolVar(&c.writeBaseline, "write-baseline", false,
		"write all findings into the file of --baseline")
	c.images.flags(cmd)
	c.since.flag(cmd)
	return cmd
}

// checkFlags are the flags of check that complete validates.
type checkFlags struct{ config, topology, to, format string }

// complete reads the configuration and the topology, and returns all errors of the command line.
func (c *checking) complete(ctx context.Context, in *input, flags checkFlags, stderr io.Writer) error {
	var err error
	c.write, err = formatOf("--format "+flags.format, flags.format)
	errs := []error{err, c.reports.complete()}
	c.lists = flags.format == junit || c.reports.has(junit)
	if len(c.paths) == 0 {
		errs = append(errs, errors.New("nothing to check: name files or directories, or - for standard input"))
	}
	if c.config, err = in.configuration(flags.config, stderr); err != nil {
		errs = append(errs, err)
	}
	c.options.Today = clock.Today()
	errs = append(errs, c.readClusters(ctx, in, flags, stderr)...)
	errs = append(errs, c.readBaseline(in), c.images.read(in, stderr), c.since.read(ctx, &in.access, c.paths))
	return errors.Join(append(errs, c.files.complete(c.config))...)
}

// readBaseline reads the known findings, unless this run writes them.
func (c *checking) readBaseline(in *input) error {
	switch {
	case c.baseline == "" && c.writeBaseline:
		return errors.New("--write-baseline: name the file with --baseline")
	case c.baseline == "":
		return nil
	case c.writeBaseline && c.since.ref != "":
		return errors.New("--write-baseline: needs all findings: leave out --since")
	case c.baseline == stdinPath:
		return errors.New("--baseline -: name a file")
	case c.writeBaseline:
		return disk.CheckReplace(c.baseline)
	}
	file, err := in.access.Open(c.baseline)
	if err != nil {
		if err = disk.Named(shown(c.baseline), err); errors.Is(err, fs.ErrNotExist) {
			err = fmt.Errorf("--baseline: %w: add --write-baseline to write it", err)
		}
		return err
	}
	defer func() { _ = file.Close() }()
	c.known, err = report.DecodeBaseline(file, c.baseline)
	return err
}

func (c *checking) run(ctx context.Context, in *input, stdout, stderr io.Writer) error {
	r := c.check(ctx, in, stderr)
	printProblems(stderr, r.Problems)
	printLines(stderr, c.charts.notes)
	if err := c.write(stdout, &r.Report); err != nil {
		return err
	}
	if err := c.reports.write(&r.Report); err != nil {
		return err
	}
	if c.writeBaseline && len(r.Problems) == 0 {
		encode := func() ([]byte, error) { return r.baseline.Encode(checkRules()) }
		if err := userfiles.Write(c.baseline, encode); err != nil {
			return err
		}
	}
	printText(stderr, r.summary())
	switch {
	case len(r.Problems) > 0:
		return unusable
	case r.fails():
		return failed
	default:
		return nil
	}
}
