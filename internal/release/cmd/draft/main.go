// Draft collects the files that are attached to a release, with the list of their checksums.
package main

import (
	"flag"
	"fmt"
	"os"
	"time"

	"github.com/mixedkube/mixedkube/internal/release"
)

func main() {
	root := flag.String("root", "../..", "the checkout")
	dist := flag.String("dist", "../../dist/release", "the directory with the built files")
	out := flag.String("out", "../../dist/release/draft", "the directory to replace with the draft")
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
	names, err := release.Draft(root, dist, out, at)
	if err != nil {
		return err
	}
	fmt.Printf("%s: %d files, and the list of their checksums\n", out, len(names))
	return nil
}
