package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mixedkube/mixedkube/components/manifest/conversion"
	"github.com/mixedkube/mixedkube/components/platform"
	"github.com/mixedkube/mixedkube/internal/manifests"
)

// The exit codes.
const (
	passed = 0
	// asks: something is not known, or wrong with an object. The rest has been done.
	asks = 1
	// unusable: something could not be read or written, or the command line is wrong.
	// Nothing has been written but for what an error of writing came after.
	unusable = 2
)

const usage = `usage: adopt-manifests -topology FILE [-w | -o FOLDER] [-assume-linux] ` +
	`[-runtime-classes] [-platform KIND/NAME=PLATFORM]… PATH…

Each PATH is a file, a pattern or a folder (*.yaml, *.yml and *.json in it, and below
it). Without -w and -o it shows what would change.

`

// settings are what the command line says.
type settings struct {
	options conversion.Options
	inPlace bool
	folder  string
	paths   []string
}

// run is the command, with everything that it touches beside the files.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	s, err := parse(args, stderr)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return passed
	case err != nil:
		manifests.Print(stderr, err)
		return unusable
	}
	targets, problems := s.targets(ctx)
	var files []conversion.File
	for _, t := range targets {
		files = append(files, conversion.File{Name: t.file.Name, Text: t.file.Text})
	}
	result, errs := conversion.Convert(files, s.options)
	if problems = append(problems, errs...); len(problems) > 0 {
		manifests.Print(stderr, problems...)
		return unusable
	}
	if err := s.hand(targets, result.Files, stdout); err != nil {
		manifests.Print(stderr, err)
		return unusable
	}
	code := passed
	for _, f := range result.Findings {
		fmt.Fprintln(stderr, manifests.Line(severity(f)+": "+f.String()))
		if f.Asks || f.Blocks() {
			code = asks
		}
	}
	fmt.Fprint(stderr, summary(result))
	return code
}

// parse reads the command line, and the topology that it names. It prints nothing
// but the help.
func parse(args []string, stderr io.Writer) (settings, error) {
	s := settings{options: conversion.Options{Platforms: map[string]platform.Platform{}}}
	flags := flag.NewFlagSet("adopt-manifests", flag.ContinueOnError)
	flags.SetOutput(io.Discard) // what is wrong is said once, by run
	topology := flags.String("topology", "", "a YAML `file` that says which pools the cluster has")
	flags.BoolVar(&s.inPlace, "w", false, "write the files in place")
	flags.StringVar(&s.folder, "o", "", "write all files into a `folder`")
	flags.BoolVar(&s.options.AssumeLinux, "assume-linux", false, "take pods for Linux of which nothing is known")
	flags.BoolVar(&s.options.RuntimeClasses, "runtime-classes", false,
		"name the RuntimeClass of a Windows platform in place of node selector and tolerations")
	flags.Func("platform", "what the pods of an object are for: `KIND/NAME=PLATFORM`, or NAMESPACE/KIND/NAME=PLATFORM",
		func(text string) error {
			key, value, ok := strings.Cut(text, "=")
			if !ok {
				return errors.New("write Deployment/web=windows-2022")
			}
			p, err := platform.Parse(value)
			s.options.Platforms[key] = p
			return err
		})
	if err := flags.Parse(args); errors.Is(err, flag.ErrHelp) {
		flags.SetOutput(stderr)
		fmt.Fprint(stderr, usage)
		flags.PrintDefaults()
		return s, err
	} else if err != nil {
		return s, err
	}
	s.paths = flags.Args()

	var errs []error
	if len(s.paths) == 0 {
		errs = append(errs, errors.New("nothing to adopt: name files or folders"))
	}
	if s.inPlace && s.folder != "" {
		errs = append(errs, errors.New("-w and -o: use one of the two"))
	}
	if *topology == "" {
		errs = append(errs, errors.New("-topology: name the file that says which pools the cluster has"))
		return s, errors.Join(errs...)
	}
	var err error
	if s.options.Topology, err = manifests.ReadTopology(*topology); err != nil {
		errs = append(errs, err)
	}
	return s, errors.Join(errs...)
}

// target is a file with its permissions, and where it goes in the folder of -o.
type target struct {
	file manifests.File
	mode fs.FileMode
	to   string
}

// targets reads the files, each once.
func (s settings) targets(ctx context.Context) (targets []target, problems []error) {
	from := map[string]string{}
	for _, path := range s.paths {
		files, errs := manifests.Read(ctx, []string{path})
		problems = append(problems, errs...)
		for _, f := range files {
			if slices.ContainsFunc(targets, func(t target) bool { return t.file.Name == f.Name }) {
				continue
			}
			if f.Path == "" {
				problems = append(problems, fmt.Errorf("%s: only files can be adopted: save it as one", f.Name))
				continue
			}
			to, err := filepath.Rel(filepath.Clean(path), f.Path)
			if err != nil || to == "." || !filepath.IsLocal(to) {
				to = filepath.Base(f.Path) // a file, or one that a pattern has found
			}
			if first, taken := from[to]; taken && s.folder != "" {
				problems = append(problems, fmt.Errorf("%s: %s would be written to the same place", f.Name, first))
				continue
			}
			info, err := os.Stat(f.Path)
			if err != nil {
				problems = append(problems, manifests.Named(f.Name, err))
				continue
			}
			from[to] = f.Name
			targets = append(targets, target{f, info.Mode().Perm(), to})
		}
	}
	return targets, problems
}

// hand writes or shows the files.
func (s settings) hand(targets []target, files []conversion.File, stdout io.Writer) error {
	for i, t := range targets {
		f := files[i]
		var err error
		switch {
		case s.folder != "":
			err = write(filepath.Join(s.folder, t.to), f.Text, t.mode)
		case s.inPlace && f.Changed():
			err = write(t.file.Path, f.Text, t.mode)
		case !s.inPlace:
			before, _ := manifests.Decode(t.file.Text)
			_, err = io.WriteString(stdout, unified(f.Name, string(before), f.Changes))
		}
		if err != nil {
			return err
		}
	}
	return nil
}
