// Command faults puts faults into the code, one at a time, and runs a command that should find each of them: whether
// tests find less after a change of the tests.
//
//	go -C tests run ./cmd/faults -seed 1 -count 60 'go test ./$PACKAGE' components/aks components/guard
//
// The seed chooses the faults among all in the packages, so that two commits with the same code get the same ones. The
// command runs in the root of the checkout by sh, with the variable PACKAGE, and finds a fault by failing. Faults that
// do not compile are replaced by others. The checkout must not have changes, and has none afterwards.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

func main() {
	seed := flag.Uint64("seed", 1, "the `seed` of the choice")
	count := flag.Int("count", 60, "how many faults to put in")
	only := flag.String("only", "", "the `numbers` of the faults to put in, as in 3,17; by default all")
	root := flag.String("root", "..", "the `directory` of the checkout")
	flag.Parse()
	if flag.NArg() < 2 {
		fmt.Fprintln(os.Stderr, "usage: faults [-seed N] [-count N] [-only N,N] [-root DIR] COMMAND PACKAGE...")
		os.Exit(2)
	}
	numbers, err := parseNumbers(*only)
	if err == nil {
		// An interrupt restores the file, too.
		ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
		r := run{root: *root, command: flag.Arg(0), only: numbers, out: os.Stdout}
		err = r.all(ctx, flag.Args()[1:], *seed, *count)
		stop()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func parseNumbers(text string) ([]int, error) {
	var all []int
	for field := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == ',' }) {
		number, err := strconv.Atoi(field)
		if err != nil {
			return nil, fmt.Errorf("-only: %q is not a number", field)
		}
		all = append(all, number)
	}
	return all, nil
}

// run puts faults into a checkout.
type run struct {
	root, command string
	// only has the numbers of the faults that the command gets, nil for all.
	only []int
	out  io.Writer
}

func (r run) all(ctx context.Context, packages []string, seed uint64, count int) error {
	var faults []fault
	for _, pkg := range packages {
		found, err := faultsOf(r.root, pkg)
		if err != nil {
			return err
		}
		faults = append(faults, found...)
	}
	rand.New(rand.NewPCG(seed, 0)).Shuffle(len(faults), func(i, j int) { faults[i], faults[j] = faults[j], faults[i] })
	number, found, tried := 0, 0, 0
	for _, f := range faults {
		if number == count {
			break
		}
		result, err := r.try(ctx, f, number+1)
		if err != nil {
			return err
		}
		if result == doesNotCompile {
			continue
		}
		number++
		if result == notTried {
			continue
		}
		tried++
		if result == isFound {
			found++
		}
	}
	fmt.Fprintf(r.out, "%d of %d faults are found\n", found, tried)
	return nil
}

type result int

const (
	doesNotCompile result = iota
	notTried
	isFound
	isNotFound
)

// try puts a fault in, runs the command, and restores the file.
func (r run) try(ctx context.Context, f fault, number int) (_ result, err error) {
	path := filepath.Join(r.root, filepath.FromSlash(f.file))
	before, err := os.ReadFile(path)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, os.WriteFile(path, before, 0o644)) }()
	if err := os.WriteFile(path, f.in(before), 0o644); err != nil {
		return 0, err
	}
	dir := filepath.Dir(path)
	if out, err := r.shell(ctx, dir, "go build ."); err != nil {
		if ctx.Err() != nil {
			return 0, ctx.Err()
		}
		if strings.Contains(out, "no space left") {
			return 0, errors.New(out)
		}
		return doesNotCompile, nil
	}
	if r.only != nil && !slices.Contains(r.only, number) {
		return notTried, nil
	}
	started := time.Now()
	_, failed := r.shell(ctx, r.root, "PACKAGE="+filepath.ToSlash(filepath.Dir(f.file))+"; "+r.command)
	if ctx.Err() != nil {
		return 0, ctx.Err()
	}
	text, found := "not found", isNotFound
	if failed != nil {
		text, found = "found", isFound
	}
	fmt.Fprintf(r.out, "%3d  %-9s  %4.0f s  %s\n", number, text, time.Since(started).Seconds(), f)
	return found, nil
}

func (r run) shell(ctx context.Context, dir, command string) (string, error) {
	cmd := exec.CommandContext(ctx, "sh", "-c", command)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	return string(out), err
}
