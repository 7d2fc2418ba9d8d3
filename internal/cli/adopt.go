package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mixedkube/mixedkube/core/conversion"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/preflight"
	"github.com/mixedkube/mixedkube/internal/core/fielderrors"
	"github.com/mixedkube/mixedkube/internal/core/fielderrors/escape"
	"github.com/mixedkube/mixedkube/internal/core/manifests"
	"github.com/mixedkube/mixedkube/internal/system/clock"
)

// adoption has the flags and arguments of adopt.
type adoption struct {
	options conversion.Options
	inPlace bool
	images  known
	dir     string
	paths   []string
	files   selection
	charts  charts
	config  configuration
	horizon int
	// topology is where the topology is written.
	topology placeOfTopology
	// patches is true if patches are written into overlays. builds are the kustomizations that were built, and covered the
	// files that they read.
	patches bool
	builds  *builds
	covered []target
}

func newAdopt(in *input) *cobra.Command {
	a := adoption{options: conversion.Options{Platforms: map[string]platform.Platform{}}}
	var config, topology string
	cmd := &cobra.Command{
		Use:   "adopt [--topology FILE] [flags] PATH...",
		Short: "Complete Kubernetes manifests for a cluster with Linux and Windows nodes",
		Long: `Complete your Kubernetes manifests for a cluster with Linux and Windows nodes: each workload gets
os.name, and the node selector and tolerations that send its pods to the nodes of their operating
system. Comments and everything else stay unchanged. If nothing indicates the operating system of
pods, the command reports a question.

Each PATH is a file, a pattern, a directory (with the *.yaml, *.yml and *.json files in and below it), a
Helm chart, or - for standard input. Without -w and -o, the command shows what would change. A
.mixedkubeignore file in the directory excludes files, in the syntax of .gitignore. A .mixedkube.yaml
file in the working directory or above it sets the topology, ignored findings, severities of rules
and excluded files; flags take precedence.

A directory with a kustomization is built, and its objects are completed in the files of the base if all
overlays need the same. Otherwise --write-patches adds patches to the overlays.

A Helm chart is a directory with Chart.yaml, or an archive (*.tgz). The command runs the helm on PATH to
render it with its hooks and CRDs; the templates stay unchanged, and -o writes the rendered files. To
use it as Helm's post-renderer, run "mixedkube adopt --topology FILE -o - -". Helm 3 does not pass
hooks to post-renderers.

The exit code is 0 if there are no questions or errors, 1 if an object or the topology has one (the
others are written), and 2 if a file cannot be read or completed in place (it stays unchanged, and the
others are completed), a file cannot be written, or the command line is wrong.`,
		Example: `  mixedkube adopt --topology cluster.yaml deploy/
  mixedkube adopt --topology cluster.yaml --platform Deployment/web=windows-2022 -w deploy/
  mixedkube adopt --topology cluster.yaml --values production.yaml -o rendered/ ./chart`,
		RunE: func(cmd *cobra.Command, paths []string) error {
			a.paths = paths
			if err := a.read(cmd.Context(), in, config, topology, cmd.ErrOrStderr()); err != nil {
				return err
			}
			return a.run(cmd.Context(), in, cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	flags := cmd.Flags()
	configFlag(cmd, &config)
	in.linksFlag(cmd)
	in.timeoutFlag(cmd)
	topologyFlag(cmd, &topology)
	matchingFlag(cmd, &a.options.Matching)
	horizonFlag(cmd, &a.horizon)
	a.files.flag(cmd)
	flags.BoolVarP(&a.inPlace, "write", "w", false, "write the files in place")
	flags.StringVarP(&a.dir, "out", "o", "", "write all files into a `directory`, or to standard output with -")
	a.charts.flags(cmd)
	flags.BoolVar(&a.options.AssumeLinux, "assume-linux", false,
		"assume Linux for pods if nothing indicates their operating system")
	flags.BoolVar(&a.patches, "write-patches", false,
		"add patches to overlays for objects that cannot be completed in their base, because others need other fields")
	flags.BoolVar(&a.options.MovePins, "move-pins", false,
		"move the Windows builds that earlier versions of mixedkube selected without a mark")
	flags.BoolVar(&a.options.RuntimeClasses, "runtime-classes", false,
		"set the RuntimeClass of a Windows platform instead of node selector and tolerations")
	a.images.flags(cmd)
	flags.Func("platform", "the platform of an object's pods: `[NAMESPACE/]KIND/NAME=PLATFORM`; "+
		"can be repeated", a.answer)
	completeWith(cmd, "platform", completeAnswer)
	return cmd
}

// answer parses a value of --platform.
func (a adoption) answer(text string) error {
	key, value, ok := strings.Cut(text, "=")
	if !ok {
		return errors.New("write Deployment/web=windows-2022")
	}
	p, err := platform.Parse(value)
	a.options.Platforms[key] = p
	return err
}

// read reads the configuration and the topology, and returns all errors of the command line.
func (a *adoption) read(
	ctx context.Context, in *input, config, topology string, stderr io.Writer,
) (err error) {
	errs := []error{a.images.read(in, stderr)}
	a.config, err = in.configuration(config, stderr)
	errs = append(errs, err)
	if len(a.paths) == 0 {
		errs = append(errs, errors.New("nothing to adopt: name files or directories, or - for standard input"))
	}
	if a.inPlace && a.dir != "" {
		errs = append(errs, errors.New("-w and -o: use only one of them"))
	}
	if (a.inPlace || a.toDir()) && slices.Contains(a.paths, stdinPath) {
		errs = append(errs, errors.New(stdinName+": has no file to be written to: leave out -w and -o, or write -o -"))
	}
	errs = append(errs, a.files.complete(a.config))
	for _, path := range a.paths {
		if a.inPlace && in.isChart(path) {
			errs = append(errs, fmt.Errorf("%s: -w: the templates of a Helm chart cannot be changed: "+
				"write the rendered files into a directory with -o", shown(path)))
		}
	}
	if topology == "" && a.config.hasTopologies() {
		errs = append(errs, errors.New("--topology: environments in "+ConfigFile+" have topologies of their own: name "+
			"the one of the files to adopt"))
		return errors.Join(errs...)
	}
	var configured bool
	a.options.Topology, configured, err = in.topology(ctx, topology, a.config, stderr)
	switch {
	case err != nil:
		return errors.Join(append(errs, err)...)
	case !configured:
		errs = append(errs, errors.New("--topology: name the file with the pools of the cluster, or set it "+
			"in "+ConfigFile))
		return errors.Join(errs...)
	}
	a.topology = in.placeOfTopology(topology, a.config)
	return errors.Join(append(errs, wrongOptions(a.preflight())...)...)
}

// preflight returns the options of the rules.
func (a *adoption) preflight() preflight.Options {
	return preflight.Options{
		Topology: a.options.Topology, Matching: a.options.Matching, Horizon: a.horizon, Today: clock.Today(),
	}
}

func (a *adoption) run(ctx context.Context, in *input, stdout, stderr io.Writer) error {
	p := started(stderr, "reading "+shownAll(a.paths))
	targets, problems := a.targets(ctx, in)
	in.survey(pathsOf(targets))
	used := newReferences()
	files, built := a.builtFiles(in, remembered(targets))
	files = append(files, built...)
	classes := a.classes(in, files, used)
	p.end()
	if missing := a.images.complete(ctx, in, used.sorted(), stderr); len(missing) > 0 {
		return errors.Join(append(problems, missing...)...)
	}
	options := a.options.WithImages(a.images.lock).WithRepository(in.repository)
	converter, errs := conversion.NewConverter(options, classes)
	if len(errs) == 0 {
		p = started(stderr, "completing the objects of "+fielderrors.Count(len(files), "file"))
		errs = a.convert(in, converter, files)
		p.end()
	}
	var planned *buildPlan
	if len(errs) == 0 {
		planned = a.plannedBuilds(in, converter, built)
	}
	if len(errs) > 0 {
		return errors.Join(append(problems, errs...)...)
	}
	for i, f := range files {
		if err := a.write(in, i, f, stdout); err != nil {
			return err
		}
	}
	more, err := a.writePlan(planned, stdout)
	if err != nil {
		return err
	}
	return a.report(files, planned, append(problems, more...), stderr)
}

// report writes what was found, and returns the exit code.
func (a *adoption) report(files []*adoptedFile, planned *buildPlan, problems []error, stderr io.Writer) error {
	for _, f := range files {
		if f.failed() {
			problems = append(problems, f.look.aside.problems...)
		}
	}
	printProblems(stderr, problems)
	printLines(stderr, a.charts.notes)
	policy := a.config.policy(nil)
	code := passed
	for _, f := range clusterFindings(a.preflight(), a.topology, a.config.Severities, policy) {
		how := colorsOf(stderr).finding(f.Finding, severity(f))
		_ = printEscaped(stderr, findingLine(f.File, f.Line, f.Key(), how, f.String())+"\n")
		if f.Blocks() {
			code = failed
		}
	}
	var all []message
	for _, f := range files {
		all = append(all, f.findings(a.config.Severities, policy)...)
	}
	all = append(onceEach(all), planned.questions(a.patches)...)
	if slices.ContainsFunc(all, func(f message) bool { return f.Question || f.Blocks() }) {
		code = failed
	}
	writeMessages(stderr, all)
	printText(stderr, a.summary(files, planned))
	if len(problems) > 0 {
		code = unusable
	}
	if code != passed {
		return code
	}
	return nil
}

// toStdout reports whether all files are written to standard output.
func (a adoption) toStdout() bool { return a.dir == stdoutPath }

// toDir reports whether the files are written into a directory.
func (a adoption) toDir() bool { return a.dir != "" && !a.toStdout() }

// together writes several files to one stream, with a separator before every document except the first. They are
// manifests for another program: an agent that would take commands from them gets an error instead of other manifests.
func together(w io.Writer, to reader, i int, f conversion.File) error {
	text, _ := manifests.Decode(f.Text)
	if to == toAgent && escape.HasCommands(string(text)) {
		return fmt.Errorf("%s: has a command for the agent of this pipeline (##vso[, ##[ or ::), and "+
			"standard output is its log: redirect it into a file, or name a directory with --out", f.Name)
	}
	if i > 0 && !bytes.HasPrefix(text, []byte("---")) {
		text = append([]byte("---\n"), text...)
	}
	if len(text) > 0 && !bytes.HasSuffix(text, []byte("\n")) {
		text = append(slices.Clip(text), '\n')
	}
	if to == toTerminal {
		return printEscaped(w, escape.Lines(string(text)))
	}
	return printData(w, text)
}

// show writes the changes of a text as a difference. It is unchanged, so that it can be applied, unless its reader
// would interpret it.
func show(w io.Writer, before []byte, f conversion.File, to reader, c colors) error {
	text, _ := manifests.Decode(before)
	difference, err := unified(f.Name, string(text), f.Changes)
	if err != nil {
		return fmt.Errorf("%s: %w", f.Name, err)
	}
	switch to {
	case toTerminal:
		return printEscaped(w, c.difference(escape.Lines(difference)))
	case toAgent:
		return printEscaped(w, difference)
	default:
		return printData(w, []byte(difference))
	}
}
