// Command stages runs targets of the Makefile in sequence, up to the first target that
// fails. At the end it prints the time of each target and of its slow packages, and why
// tests were skipped:
//
//	go -C tests run ./cmd/stages make unit e2e
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"time"
)

func main() {
	if len(os.Args) < 3 {
		fmt.Fprintln(os.Stderr, "usage: stages MAKE TARGET...")
		os.Exit(2)
	}
	processors, err := measure()
	if err == nil {
		err = run(context.Background(), os.Args[1], os.Args[2:], processors, os.Stdout)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// run runs the targets and prints the table of the targets that ran, including one that
// failed, then what processors writes, and the skipped tests.
func run(
	ctx context.Context, command string, targets []string, processors func(io.Writer) error, out io.Writer,
) (err error) {
	check, err := checkSkips(os.Getenv(skipsVariable))
	if err != nil {
		return err
	}
	var table table
	var skips []skipped
	defer func() {
		err = errors.Join(err, table.write(out), processors(out), writeSkipped(skips, out), check(skips))
	}()
	for _, target := range targets {
		fmt.Fprintf(out, "== %s\n", target)
		started := time.Now()
		packages, left, err := makeTarget(ctx, command, target, out)
		skips = append(skips, left...)
		table = append(table, stage{target, time.Since(started), err != nil, packages})
		if err != nil {
			return fmt.Errorf("%s: %w", target, err)
		}
	}
	return nil
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
