// Image builds the container image of a release from GoReleaser's output.
package main

import (
	"flag"
	"fmt"
	"os"
	"time"

	"github.com/mixedkube/mixedkube/internal/release"
	"github.com/mixedkube/mixedkube/internal/release/image"
)

func main() {
	root := flag.String("root", "../..", "the directory in which GoReleaser ran")
	dist := flag.String("dist", "../../dist/release", "the directory with its output")
	out := flag.String("out", "../../dist/release/image", "the directory to replace with the image")
	created := flag.String("created", "", "the time of the commit in the format of RFC 3339 (required)")
	flag.Parse()
	if err := run(*root, *dist, *out, *created); err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

func run(root, dist, out, created string) error {
	at, err := time.Parse(time.RFC3339, created)
	if err != nil {
		return fmt.Errorf("-created: %w: write the time of the commit, 2026-11-27T02:00:00Z for example", err)
	}
	r, err := release.Read(root, dist, at)
	if err != nil {
		return err
	}
	digest, err := image.Write(out, r)
	if err != nil {
		return err
	}
	fmt.Printf("%s: mixedkube %s for %d platforms, %s\n", out, r.Version, len(r.Programs), digest)
	return nil
}
