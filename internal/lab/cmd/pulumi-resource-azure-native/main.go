// Command pulumi-resource-azure-native is the simulated azure-native as a plugin of the
// engine.
package main

import (
	"context"
	"fmt"
	"os"

	"github.com/mixedkube/mixedkube/internal/lab/armclient"
	"github.com/mixedkube/mixedkube/internal/lab/azurenative"
)

func main() {
	provider := azurenative.New(armclient.FromEnvironment)
	if err := provider.Run(context.Background(), "azure-native", azurenative.Version); err != nil {
		fmt.Fprintf(os.Stderr, "error: %v\n", err)
		os.Exit(1)
	}
}
