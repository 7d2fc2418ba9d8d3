// Pulumi-resource-mixedkube is the plugin with which programs in languages other than Go use the
// components. The engine starts it.
package main

import (
	"fmt"
	"os"

	"github.com/mixedkube/mixedkube/internal/provider"
)

// version is the version of the plugin and of its schema. The linker sets it in a release.
var version = provider.DevelopmentVersion

func main() {
	if err := provider.Serve(version); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
