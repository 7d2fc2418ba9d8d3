// Command az is the simulated Azure CLI.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"github.com/mixedkube/mixedkube/internal/lab/armclient"
	"github.com/mixedkube/mixedkube/internal/lab/azcli"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	status := azcli.Run(ctx, os.Args[1:], azcli.World{
		Open: armclient.FromEnvironment, Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr,
	})
	stop()
	os.Exit(status)
}
