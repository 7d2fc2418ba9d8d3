// Pulumi-resource-mixedkube is the plugin with which programs in other languages than Go use the
// components. The engine starts it.
package main

import (
	"fmt"
	"os"

	"github.com/mixedkube/mixedkube/internal/provider"
)

// version is the plugin's and that of its schema; a release sets it when it links.
var version = provider.DevelopmentVersion

func main() {
	if err := provider.Serve(version); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
