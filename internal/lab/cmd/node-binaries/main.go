// Command node-binaries builds Kubernetes' programs for Windows nodes from source: see
// `make node-binaries`.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/mixedkube/mixedkube/internal/lab/nodebinaries"
	"github.com/mixedkube/mixedkube/internal/lab/tools"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	context.AfterFunc(ctx, stop)
	o := nodebinaries.Options{Out: os.Stdout}
	flag.StringVar(&o.Version, "version", "", "the `version` of Kubernetes (default the lab's control plane version)")
	flag.StringVar(&o.Dir, "o", "", "the `directory` for the programs")
	flag.Parse()
	if err := run(ctx, o); err != nil {
		fmt.Fprintf(os.Stderr, "error: %v\n", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, o nodebinaries.Options) error {
	if o.Version == "" {
		cache, err := tools.New(os.Stdout)
		if err != nil {
			return err
		}
		if o.Version, err = cache.Pinned("kubeadm"); err != nil {
			return err
		}
	}
	return nodebinaries.Build(ctx, o)
}
