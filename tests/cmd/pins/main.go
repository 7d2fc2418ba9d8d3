// Command pins records what an earlier version of mixedkube has written, for the package tests/pins: files that its
// command has completed, states of Pulumi that its components have made, and stacks with pools in AKS. The earlier
// version is a checkout, such as a worktree of its commit:
//
//	git worktree add /tmp/earlier 78ace420
//	go -C tests run ./cmd/pins -checkout /tmp/earlier files
//	go -C tests run ./cmd/pins -checkout /tmp/earlier states
//	go -C tests run ./cmd/pins -checkout /tmp/earlier azure
//
// The states are made on a lab of this checkout, with the components of the earlier one, and those of pools also with
// its simulated Azure. The programs are copied into the earlier checkout, below tests/pins, and removed again.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	checkout := flag.String("checkout", "", "the `directory` with the checkout of the earlier version")
	flag.Parse()
	err := record(ctx, *checkout, flag.Args())
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

func record(ctx context.Context, checkout string, parts []string) error {
	if checkout == "" || len(parts) == 0 {
		return errors.New("name the checkout with -checkout, and the parts to record: files, states, azure")
	}
	checkout, err := filepath.Abs(checkout)
	if err != nil {
		return err
	}
	for _, part := range parts {
		switch part {
		case "files":
			err = recordFiles(ctx, checkout)
		case "states":
			err = recordStates(ctx, checkout)
		case "azure":
			err = recordAzure(ctx, checkout)
		default:
			err = fmt.Errorf("%q is not a part: record files, states or azure", part)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", part, err)
		}
	}
	return nil
}

// data is the directory of the recordings, in the module tests.
const data = "pins/testdata"

// matchings are the values of --matching, with one set of recordings each.
var matchings = []string{"relaxed", "strict"}
