// Command catalogue writes RULES.md, the catalogue of preflight's rules, from the
// table of rules and the examples in testdata/rules.
//
//	go run ./components/preflight/internal/catalogue          # write it
//	go run ./components/preflight/internal/catalogue -check   # fail if it is stale
package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/mixedkube/mixedkube/components/preflight"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("catalogue: ")
	dir := flag.String("dir", filepath.Join("components", "preflight"), "the folder of the package preflight")
	check := flag.Bool("check", false, "write nothing, and fail if the catalogue is stale")
	flag.Parse()
	if err := run(*dir, *check); err != nil {
		log.Fatal(err)
	}
}

// run writes the catalogue of the package in a folder, or checks it.
func run(dir string, check bool) error {
	catalogue, err := render(preflight.Rules(), filepath.Join(dir, "testdata", "rules"))
	if err != nil {
		return err
	}
	file := filepath.Join(dir, "RULES.md")
	if !check {
		return os.WriteFile(file, catalogue, 0o644)
	}
	present, err := os.ReadFile(file)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	if !bytes.Equal(present, catalogue) {
		return fmt.Errorf("%s is stale: run make generate", file)
	}
	return nil
}
