// Command prepare prepares what the lab's command needs, and reports its progress: it builds the
// tools, and compiles the programs of this checkout. It imports little, so that it compiles
// quickly on a new machine. See the Makefile.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"syscall"

	"github.com/mixedkube/mixedkube/internal/lab/debian"
	"github.com/mixedkube/mixedkube/internal/lab/tools"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	context.AfterFunc(ctx, stop)
	stack := flag.String("stack", "", "the `stack` to deploy: prepare its program, and the tools for it")
	program := flag.String("program", tools.Go, "the `language` of the program that deploys it")
	tests := flag.Bool("tests", false, "prepare all tools, including those that only tests need")
	flag.Parse()
	if err := prepare(ctx, *stack, *program, *tests); err != nil {
		fmt.Fprintf(os.Stderr, "error: %v\n", err)
		os.Exit(1)
	}
}

func prepare(ctx context.Context, stack, program string, tests bool) error {
	cache, err := tools.New(os.Stdout)
	if err != nil {
		return err
	}
	var names []string
	programs := []tools.Program{tools.Lab()}
	if stack != "" {
		if names, programs, err = cache.ForUp(stack, program); err != nil {
			return err
		}
	}
	if tests {
		names = tools.Names()
		programs = append(programs, tools.StackPrograms(), tools.Plugin())
	}
	if err := cache.Prepare(ctx, names, programs...); err != nil || !tests {
		return err
	}
	return unpack(ctx, cache.Dir)
}

// unpack unpacks the programs of tests that run only on Linux, if they are available for the machine.
func unpack(ctx context.Context, dir string) error {
	if runtime.GOOS != "linux" {
		return nil
	}
	for _, p := range debian.Programs() {
		_, err := p.Ensure(ctx, dir, os.Stdout)
		if unavailable, ok := errors.AsType[debian.UnavailableError](err); ok {
			fmt.Printf("tools    tests are skipped that need %v\n", unavailable)
		} else if err != nil {
			return fmt.Errorf("unpack %s: %w", p.Name, err)
		}
	}
	return nil
}
