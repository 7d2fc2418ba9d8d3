// Command check tests a change: the packages with a changed file, packages that depend on them up to a sum of known
// costs, generated files, prose, architecture, and the linters for changed packages. It prints which affected tests it
// did not run, and how to run them:
//
//	go -C tests run ./cmd/check -modules ". internal/lab tests" [-since main] [-within 60] [-list]
//
// A package depends on a change if its tests import a changed package, directly or not, or if a string in its source
// names a changed file. The packages whose code composes such names are in the table readers.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"time"

	"github.com/mixedkube/mixedkube/tests/internal/costs"
)

func main() {
	modules := flag.String("modules", "", "the directories of the modules, from the root of the checkout")
	since := flag.String("since", "", "a branch or commit to compare with: the upstream branch by default")
	within := flag.Int("within", 60, "how many seconds of known cost the dependents' tests may have")
	list := flag.Bool("list", false, "list the commands without running them")
	flag.Parse()
	// After an interrupt, it still prints what ran.
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, strings.Fields(*modules), *since, *within, *list, os.Stdout)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "check:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, modules []string, since string, within int, list bool, out io.Writer) error {
	// The command runs in the module's directory, below the checkout.
	checkout, err := filepath.Abs("..")
	if err != nil {
		return err
	}
	c, about, err := read(ctx, checkout, modules, since, within)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "%d files differ from %.8s, %s\n", len(c.files), about.commit, about.name)
	var results []result
	failed := 0
	for _, s := range c.steps(checkout) {
		// A shell in the root of the checkout runs this line as well.
		line := strings.ReplaceAll(s.line(), checkout+string(filepath.Separator), "$PWD/")
		fmt.Fprintf(out, "\n== %s\n%s\n", s.title, line)
		if list {
			continue
		}
		r := s.run(ctx, checkout, out)
		results = append(results, r)
		if r.failed {
			failed++
		}
		if ctx.Err() != nil {
			break
		}
	}
	if err := errors.Join(writeResults(results, out), c.writeOmitted(within, out)); err != nil {
		return err
	}
	if failed > 0 {
		return fmt.Errorf("%d of %d steps failed", failed, len(results))
	}
	return nil
}

// read finds the changed files of a checkout, and plans the check.
func read(ctx context.Context, checkout string, modules []string, since string, within int) (change, base, error) {
	r := repository{checkout}
	about, err := r.base(ctx, since)
	if err != nil {
		return change{}, base{}, err
	}
	files, err := r.changed(ctx, about.commit)
	if err != nil {
		return change{}, base{}, err
	}
	all, err := r.files(ctx)
	if err != nil {
		return change{}, base{}, err
	}
	g, err := scan(os.DirFS(checkout), all, modules)
	if err != nil {
		return change{}, base{}, err
	}
	known, err := costs.Read(checkout)
	if err != nil {
		return change{}, base{}, err
	}
	e := g.affectedBy(files)
	untidy := g.untidy(files, modules, func(file string) (before, after string) {
		return r.versions(ctx, about.commit, file)
	})
	return change{files, untidy, modules, e, newPlan(g, e.packages, known, within)}, about, nil
}

// run runs the step and shows its output.
func (s step) run(ctx context.Context, checkout string, out io.Writer) result {
	cmd := exec.CommandContext(ctx, s.command[0], s.command[1:]...)
	cmd.Dir = filepath.Join(checkout, filepath.FromSlash(s.module))
	cmd.Stdout, cmd.Stderr = out, out
	started := time.Now()
	err := cmd.Run()
	if err != nil {
		fmt.Fprintln(out, err)
	}
	return result{s, time.Since(started), err != nil}
}
