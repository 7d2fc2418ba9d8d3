// Command pulumi-resource-command is the simulated pulumi-command as a plugin of the
// engine.
package main

import (
	"context"
	"fmt"
	"os"

	"github.com/mixedkube/mixedkube/internal/azuresim/pulumicommand"
)

func main() {
	if err := pulumicommand.New().Run(context.Background(), "command", pulumicommand.Version); err != nil {
		fmt.Fprintf(os.Stderr, "error: %v\n", err)
		os.Exit(1)
	}
}
