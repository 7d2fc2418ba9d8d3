package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mixedkube/mixedkube/components/manifest/conversion"
	"github.com/mixedkube/mixedkube/components/platform"
	"github.com/mixedkube/mixedkube/components/preflight"
	"github.com/mixedkube/mixedkube/components/report"
	"github.com/mixedkube/mixedkube/internal/fielderrors"
	"github.com/mixedkube/mixedkube/internal/manifests"
)

// adoption is what the command line of adopt says.
type adoption struct {
	options conversion.Options
	inPlace bool
	images  known
	folder  string
	paths   []string
	files   selection
	charts  charts
	config  configuration
}

func newAdopt(in *input) *cobra.Command {
	a := adoption{options: conversion.Options{Platforms: map[string]platform.Platform{}}}
	var config, topology string
	cmd := &cobra.Command{
		Use:   "adopt [--topology FILE] [flags] PATH...",
		Short: "Complete Kubernetes manifests for a cluster with Linux and Windows nodes",
		Long: `Complete the Kubernetes manifests that you have for a cluster with Linux and Windows nodes: each
workload gets os.name, and the node selector and the tolerations that lead its pods to the nodes of
their operating system. Comments and everything else stay as they are. Where nothing tells what pods
are for, the command asks.

Each PATH is a file, a pattern, a folder (*.yaml, *.yml and *.json in it, and below it), a Helm chart
or - for standard input. Without -w and -o the command shows what would change. A file
.mixedkubeignore in the folder says which of its files are left out, as a .gitignore does. A file
.mixedkube.yaml in the working directory or above it has the topology, what is ignored, severities
of rules and what is left out; flags take precedence.

A Helm chart is a folder with Chart.yaml, or an archive (*.tgz). It is rendered by the helm on PATH,
with its hooks and CRDs; its templates stay as they are, and -o writes what they became. As Helm's
post-renderer the command is "mixedkube adopt --topology FILE -o - -". Helm 3 hands it no hooks.

The exit code is 0 if all is known and nothing is wrong, 1 with a question or an error in an object
(what is known has been written), and 2 if something cannot be read or completed in place (it stays
as it is, and the rest is done), cannot be written, or the command line is wrong.`,
		Example: `  mixedkube adopt --topology cluster.yaml deploy/
  mixedkube adopt --topology cluster.yaml --platform Deployment/web=windows-2022 -w deploy/
  mixedkube adopt --topology cluster.yaml --values production.yaml -o rendered/ ./chart`,
		RunE: func(cmd *cobra.Command, paths []string) error {
			a.paths = paths
			if err := a.complete(cmd.Context(), in, config, topology, cmd.ErrOrStderr()); err != nil {
				return err
			}
			return a.run(cmd.Context(), in, cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	flags := cmd.Flags()
	configFlag(cmd, &config)
	topologyFlag(cmd, &topology)
	matchingFlag(cmd, &a.options.Matching)
	a.files.flag(cmd)
	flags.BoolVarP(&a.inPlace, "write", "w", false, "write the files in place")
	flags.StringVarP(&a.folder, "out", "o", "", "write all files into a `folder`, or with - to standard output")
	a.charts.flags(cmd)
	flags.BoolVar(&a.options.AssumeLinux, "assume-linux", false, "take pods for Linux of which nothing is known")
	flags.BoolVar(&a.options.RuntimeClasses, "runtime-classes", false,
		"name the RuntimeClass of a Windows platform in place of node selector and tolerations")
	a.images.flags(cmd)
	flags.Func("platform", "what the pods of an object are for: `[NAMESPACE/]KIND/NAME=PLATFORM`; "+
		"may be given several times", a.answer)
	completeWith(cmd, "platform", completeAnswer)
	return cmd
}

// answer takes a value of --platform.
func (a adoption) answer(text string) error {
	key, value, ok := strings.Cut(text, "=")
	if !ok {
		return errors.New("write Deployment/web=windows-2022")
	}
	p, err := platform.Parse(value)
	a.options.Platforms[key] = p
	return err
}

// complete reads configuration and topology, and returns all that is wrong with the command line.
func (a *adoption) complete(
	ctx context.Context, in *input, config, topology string, stderr io.Writer,
) (err error) {
	errs := []error{a.images.read()}
	a.config, err = in.configuration(config)
	errs = append(errs, err)
	if len(a.paths) == 0 {
		errs = append(errs, errors.New("nothing to adopt: name files or folders, or - for standard input"))
	}
	if a.inPlace && a.folder != "" {
		errs = append(errs, errors.New("-w and -o: use one of the two"))
	}
	if (a.inPlace || a.toFolder()) && slices.Contains(a.paths, stdinPath) {
		errs = append(errs, errors.New(stdinName+": has no file to be written to: leave out -w and -o, or write -o -"))
	}
	errs = append(errs, a.files.complete(a.config))
	for _, path := range a.paths {
		if a.inPlace && isChart(path) {
			errs = append(errs, fmt.Errorf("%s: -w: a Helm chart has templates, which stay as they are: "+
				"write what they became into a folder with -o", shown(path)))
		}
	}
	var given bool
	a.options.Topology, given, err = in.topology(ctx, topology, a.config, stderr)
	switch {
	case err != nil:
		return errors.Join(append(errs, err)...)
	case !given:
		errs = append(errs, errors.New("--topology: name the file that says which pools the cluster has, or write it "+
			"into "+ConfigFile))
		return errors.Join(errs...)
	}
	return errors.Join(append(errs,
		wrongOptions(preflight.Options{Topology: a.options.Topology, Matching: a.options.Matching})...)...)
}

func (a *adoption) run(ctx context.Context, in *input, stdout, stderr io.Writer) error {
	p := started(stderr, "reading "+shownAll(a.paths))
	targets, problems := a.targets(ctx, in)
	p.end()
	var files []conversion.File
	for _, t := range targets {
		files = append(files, conversion.File{Name: t.file.Name, Text: t.file.Text})
	}
	if missing := a.images.complete(ctx, in, used(targets), stderr); len(missing) > 0 {
		return errors.Join(append(problems, missing...)...)
	}
	converting := started(stderr, "completing the objects of "+fielderrors.Count(len(files), "file"))
	result, errs := conversion.Convert(files, a.options.WithImages(a.images.lock))
	converting.end()
	if len(errs) > 0 {
		return errors.Join(append(problems, errs...)...)
	}
	if err := a.hand(targets, result.Files, stdout); err != nil {
		return err
	}
	for _, f := range result.Files {
		problems = append(problems, f.Problems...)
	}
	printProblems(stderr, problems)
	printLines(stderr, a.charts.notes)
	policy := a.config.policy(nil)
	for i := range result.Findings {
		f := &result.Findings[i]
		inHook(&f.Finding, a.charts.hooks[hook{f.File, f.Kind, f.Namespace, f.Name}])
		if !f.Asks { // that is for people to answer
			f.Finding = policy.Judge(objectOf(*f), a.config.Severities.Apply(f.Finding)).Finding
		}
	}
	code := passed
	if slices.ContainsFunc(result.Findings, func(f conversion.Finding) bool { return f.Asks || f.Blocks() }) {
		code = failed
	}
	onceOfAFile(result.Findings,
		func(f conversion.Finding) told { return toldOnce(report.Finding{Finding: f.Finding}, f.File) },
		func(f conversion.Finding, more string) {
			fmt.Fprintln(stderr, adoptLine(f, coloursOf(stderr), more))
		})
	fmt.Fprint(stderr, summary(result, a.config))
	if len(problems) > 0 {
		code = unusable
	}
	if code != passed {
		return code
	}
	return nil
}

// hand writes or shows the files.
func (a *adoption) hand(targets []target, files []conversion.File, stdout io.Writer) error {
	for i, t := range targets {
		f := files[i]
		var err error
		switch {
		case len(f.Problems) > 0: // it stays as it is
		case a.toStdout():
			err = together(stdout, i, f.Text)
		case a.folder != "":
			err = manifests.Replace(filepath.Join(a.folder, t.to), f.Text, t.mode)
		case a.inPlace && f.Changed():
			err = manifests.Replace(t.file.Path, f.Text, t.mode)
		case !a.inPlace:
			err = show(stdout, t.file.Text, f, isTerminal(stdout), coloursOf(stdout))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// toStdout reports whether all of what is read is written to standard output.
func (a adoption) toStdout() bool { return a.folder == stdoutPath }

// toFolder reports whether files are written into a folder.
func (a adoption) toFolder() bool { return a.folder != "" && !a.toStdout() }

// together writes the texts of several files one after the other: the i-th is a document of its own.
func together(w io.Writer, i int, text []byte) error {
	text, _ = manifests.Decode(text)
	if i > 0 && !bytes.HasPrefix(text, []byte("---")) {
		text = append([]byte("---\n"), text...)
	}
	if len(text) > 0 && !bytes.HasSuffix(text, []byte("\n")) {
		text = append(slices.Clip(text), '\n')
	}
	_, err := w.Write(text)
	return err
}

// show writes what changes in a text: as it is, so that it can be applied, unless a terminal
// would act upon it.
func show(w io.Writer, before []byte, f conversion.File, onTerminal bool, c colours) error {
	text, _ := manifests.Decode(before)
	difference, err := unified(f.Name, string(text), f.Changes)
	if err != nil {
		return fmt.Errorf("%s: %w", f.Name, err)
	}
	if onTerminal {
		difference = forTerminal(difference)
	}
	_, err = io.WriteString(w, c.difference(difference))
	return err
}
