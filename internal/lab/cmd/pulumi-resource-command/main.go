// Command pulumi-resource-command is the simulated pulumi-command as a plugin of the
// engine.
package main

import (
	"context"
	"fmt"
	"os"

	"github.com/mixedkube/mixedkube/internal/lab/command"
)

func main() {
	if err := command.New().Run(context.Background(), "command", command.Version); err != nil {
		fmt.Fprintf(os.Stderr, "error: %v\n", err)
		os.Exit(1)
	}
}
