// Command stages runs targets of the Makefile in sequence, up to the first target that
// fails. At the end it prints the time of each target and of its slow packages:
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
	if err := measured(os.Stdout, func() error {
		return run(context.Background(), *writes, flag.Arg(0), flag.Args()[1:], os.Stdout)
	}); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// run runs the targets and prints the table of the targets that ran, including one that
// failed.
func run(ctx context.Context, writesCosts bool, command string, targets []string, out io.Writer) error {
	var table table
	for _, target := range targets {
		fmt.Fprintf(out, "== %s\n", target)
		started := time.Now()
		packages, err := makeTarget(ctx, command, target, out)
		table = append(table, stage{target, time.Since(started), err != nil, packages})
		if err != nil {
			return errors.Join(fmt.Errorf("%s: %w", target, err), table.write(out))
		}
	}
	err := table.write(out)
	if writesCosts {
		err = errors.Join(err, costs.Write("..", table.costs()))
	}
	return err
}

// makeTarget runs make, prints its output, and returns the lines about packages.
func makeTarget(ctx context.Context, command, target string, out io.Writer) ([]line, error) {
	reader := &lines{to: out}
	cmd := exec.CommandContext(ctx, command, "--no-print-directory", target)
	// The command runs in the module's directory, below the checkout.
	cmd.Dir = ".."
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, reader, os.Stderr
	err := cmd.Run()
	return reader.packages, err
}
