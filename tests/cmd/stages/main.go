// Command stages runs targets of the Makefile in sequence, up to the first target that
// fails. At the end it prints the time of each target and of its slow packages, and why
// tests were skipped:
//
//	go -C tests run ./cmd/stages [-costs] make unit e2e
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"time"

	"github.com/mixedkube/mixedkube/tests/internal/costs"
)

func main() {
	writes := flag.Bool("costs", false, "write the times of the packages into the table of make check")
	flag.Parse()
	if flag.NArg() < 2 {
		fmt.Fprintln(os.Stderr, "usage: stages [-costs] MAKE TARGET...")
		os.Exit(2)
	}
	s := stages{command: flag.Arg(0), costs: func(table) error { return nil }}
	if *writes {
		s.costs = func(t table) error { return costs.Write("..", t.costs()) }
	}
	var err error
	if s.processors, err = measure(); err == nil {
		err = s.run(context.Background(), flag.Args()[1:], os.Stdout)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// stages runs targets of the Makefile.
type stages struct {
	command string
	// processors prints who has used the processors.
	processors func(io.Writer) error
	// costs gets the times of the packages if all targets succeed.
	costs func(table) error
}

// run runs the targets and prints the table of the targets that ran, including one that
// failed, then who has used the processors, and the skipped tests.
func (s stages) run(ctx context.Context, targets []string, out io.Writer) (err error) {
	check, err := checkSkips(os.Getenv(skipsVariable))
	if err != nil {
		return err
	}
	var table table
	var skips []skipped
	defer func() {
		err = errors.Join(err, table.write(out), s.processors(out), writeSkipped(skips, out), check(skips))
	}()
	for _, target := range targets {
		fmt.Fprintf(out, "== %s\n", target)
		started := time.Now()
		packages, left, err := makeTarget(ctx, s.command, target, out)
		skips = append(skips, left...)
		table = append(table, stage{target, time.Since(started), err != nil, packages})
		if err != nil {
			return fmt.Errorf("%s: %w", target, err)
		}
	}
	return s.costs(table)
}

// makeTarget runs make, prints its output, and returns the lines about packages and the skipped tests.
func makeTarget(ctx context.Context, command, target string, out io.Writer) ([]line, []skipped, error) {
	reader := &lines{to: out}
	events := &events{to: reader}
	cmd := exec.CommandContext(ctx, command, "--no-print-directory", target, "JSON=-json")
	// The command runs in the module's directory, below the checkout.
	cmd.Dir = ".."
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, events, os.Stderr
	err := errors.Join(cmd.Run(), events.flush())
	return reader.packages, events.skipped, err
}
