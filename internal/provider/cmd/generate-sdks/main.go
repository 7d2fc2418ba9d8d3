// Generate-sdks writes the SDKs of the plugin for programs in other languages than Go, each into a
// folder with the name of its language.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"github.com/mixedkube/mixedkube/internal/provider"
	"github.com/mixedkube/mixedkube/internal/provider/sdks"
)

func main() {
	out := flag.String("out", "sdk", "the folder that holds the folders of the SDKs")
	version := flag.String("version", provider.DevelopmentVersion, "the version of the SDKs and their plugin")
	kubernetes := flag.String("kubernetes", "../lab/tools/pulumi-resource-kubernetes",
		"the module that names the kubernetes provider")
	flag.Parse()
	if err := run(context.Background(), *out, *version, *kubernetes); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, out, version, kubernetes string) error {
	plugin, err := provider.Schema(version)
	if err != nil {
		return err
	}
	referred, err := sdks.KubernetesSchema(ctx, kubernetes, true)
	if err != nil {
		return err
	}
	for language := range sdks.Languages {
		files, err := sdks.Generate(language, plugin, referred)
		if err != nil {
			return err
		}
		folder := filepath.Join(out, language)
		if err := sdks.Write(folder, files); err != nil {
			return err
		}
		fmt.Printf("%s: %d files\n", folder, len(files))
	}
	return nil
}
