// Generate-sdks writes the SDKs of the plugin for languages other than Go, each into a directory with the
// name of its language, and the packages that users install next to these directories. With -locks it writes
// the lock files of the packages that build the SDKs instead.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/mixedkube/mixedkube/internal/provider"
	"github.com/mixedkube/mixedkube/internal/provider/sdks"
)

func main() {
	out := flag.String("out", "sdk", "the directory that holds the directories of the SDKs")
	version := flag.String("version", provider.DevelopmentVersion, "the version of the SDKs and their plugin")
	kubernetes := flag.String("kubernetes", "../lab/tools/pulumi-resource-kubernetes",
		"the module that names the kubernetes provider")
	license := flag.String("license", "../../LICENSE", "the file with the license")
	locks := flag.String("locks", "", "the directory of the lock files, to write them and no SDK")
	flag.Parse()
	if err := run(context.Background(), *out, *locks, *version, *kubernetes, *license); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, out, locks, version, kubernetes, license string) error {
	plugin, err := provider.Schema(version)
	if err != nil {
		return err
	}
	referred, err := sdks.KubernetesSchema(ctx, kubernetes, true)
	if err != nil {
		return err
	}
	terms, err := os.ReadFile(license)
	if err != nil {
		return err
	}
	for _, language := range slices.Sorted(maps.Keys(sdks.Languages)) {
		files, err := sdks.Generate(language, plugin, referred, terms)
		if err != nil {
			return err
		}
		if locks != "" {
			file, err := sdks.Lock(ctx, language, locks, files)
			if err != nil {
				return err
			}
			fmt.Println(file)
			continue
		}
		dir := filepath.Join(out, language)
		if err := sdks.Write(dir, files); err != nil {
			return err
		}
		packed, err := sdks.Pack(ctx, language, dir)
		switch {
		case errors.Is(err, sdks.ErrLeftOut):
			fmt.Printf("%s: %d files; packing them is %v\n", dir, len(files), err)
		case err != nil:
			return err
		default:
			fmt.Printf("%s: %d files, packed as %s\n", dir, len(files), packed)
		}
	}
	return nil
}
