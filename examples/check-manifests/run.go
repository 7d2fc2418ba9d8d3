package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/mixedkube/mixedkube/components/preflight"
	"github.com/mixedkube/mixedkube/internal/manifests"
	"github.com/mixedkube/mixedkube/internal/nearest"
)

// The exit codes.
const (
	passed = 0
	// failed: there are errors in the manifests.
	failed = 1
	// unusable: something could not be read, or the command line is wrong.
	unusable = 2
)

const usage = `usage: check-manifests [-k8s VERSION] [-topology FILE] [-format text|json|sarif] [-strict] PATH…

Each PATH is a file, a folder (*.yaml, *.yml and *.json in it, and below it) or -
for standard input.

`

// settings are what the command line says.
type settings struct {
	options preflight.Options
	write   func(io.Writer, report) error
	strict  bool
	paths   []string
}

// run is the command, with everything that it touches.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	s, err := parse(args, stderr)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return passed
	case err != nil:
		manifests.Print(stderr, err)
		return unusable
	}
	r := check(s, stdin)
	manifests.Print(stderr, r.problems...)
	if err := s.write(stdout, r); err != nil {
		manifests.Print(stderr, err)
		return unusable
	}
	fmt.Fprint(stderr, r.summary())
	switch {
	case len(r.problems) > 0:
		return unusable
	case r.fails():
		return failed
	default:
		return passed
	}
}

// parse reads the command line, and the topology that it names. It prints nothing
// but the help.
func parse(args []string, stderr io.Writer) (settings, error) {
	var s settings
	flags := flag.NewFlagSet("check-manifests", flag.ContinueOnError)
	// What is wrong is said once, by run.
	flags.SetOutput(io.Discard)
	flags.StringVar(&s.options.KubernetesVersion, "k8s", "", "the `version` of the API server, for example 1.36")
	topology := flags.String("topology", "", "a YAML `file` that says which pools the cluster has")
	format := flags.String("format", "text", "text, json or sarif")
	flags.BoolVar(&s.strict, "strict", false, "take warnings as errors")
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
	s.write = formats[*format]
	if s.write == nil {
		errs = append(errs, fmt.Errorf("-format %s: %s", *format,
			nearest.Unknown("format", *format, slices.Sorted(maps.Keys(formats)))))
	}
	if len(s.paths) == 0 {
		errs = append(errs, errors.New("nothing to check: name files or folders, or - for standard input"))
	}
	if *topology != "" {
		var err error
		if s.options.Topology, err = manifests.ReadTopology(*topology); err != nil {
			errs = append(errs, err)
		}
	}
	for _, err := range s.options.Validate(nil) {
		errs = append(errs, fmt.Errorf("-k8s: %s", err.ErrorBody()))
	}
	return s, errors.Join(errs...)
}
