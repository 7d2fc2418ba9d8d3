// Command az is the simulated Azure CLI.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"github.com/mixedkube/mixedkube/internal/azuresim/azcli"
	"github.com/mixedkube/mixedkube/internal/lab/azurenodes"
)

func main() {
	if status, is := azurenodes.ContinueAsWorker(); is {
		os.Exit(status)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	status := azcli.Run(ctx, os.Args[1:], azcli.World{
		Open: azurenodes.Open, Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr,
	})
	stop()
	os.Exit(status)
}
