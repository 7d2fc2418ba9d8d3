// Command pulumi-resource-azure-native is the simulated azure-native as a plugin of the
// engine.
package main

import (
	"context"
	"fmt"
	"os"

	"github.com/mixedkube/mixedkube/internal/azuresim/azurenative"
	"github.com/mixedkube/mixedkube/internal/lab/azurenodes"
)

func main() {
	if status, is := azurenodes.ContinueAsWorker(); is {
		os.Exit(status)
	}
	provider := azurenative.New(azurenodes.Open)
	if err := provider.Run(context.Background(), "azure-native", azurenative.Version); err != nil {
		fmt.Fprintf(os.Stderr, "error: %v\n", err)
		os.Exit(1)
	}
}
