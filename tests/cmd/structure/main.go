// Command structure writes the table of package structure of preflight: the kinds that the API
// servers of the supported versions of Kubernetes serve, with all their fields and types. It
// reads the OpenAPI description in the module of each release, which the go command downloads.
//
//	go -C tests run ./cmd/structure [-o FILE] [VERSION…]
package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// releases are one for each supported minor version, those that the lab's tools pin.
var releases = []string{"v1.34.4", "v1.35.4", "v1.36.3"}

func main() {
	out := flag.String("o", filepath.Join("..", "components", "preflight", "internal", "structure", "table.txt"),
		"the file to write")
	flag.Parse()
	if flag.NArg() > 0 {
		releases = flag.Args()
	}
	if err := run(*out); err != nil {
		fmt.Fprintln(os.Stderr, "structure:", err)
		os.Exit(1)
	}
}

func run(out string) error {
	var all table
	for _, release := range releases {
		description, err := openAPI(release)
		if err != nil {
			return err
		}
		if err := all.add(release, description); err != nil {
			return fmt.Errorf("%s: %w", release, err)
		}
	}
	return os.WriteFile(out, all.text(), 0o644)
}

// openAPI reads the description in the module of a release.
func openAPI(release string) (*description, error) {
	cmd := exec.Command("go", "mod", "download", "-json", "k8s.io/kubernetes@"+release)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	runErr := cmd.Run()
	var module struct{ Dir, Error string }
	if err := json.Unmarshal(stdout.Bytes(), &module); err != nil || module.Error != "" || runErr != nil {
		return nil, fmt.Errorf("download k8s.io/kubernetes %s: %v %s%s", release, runErr, module.Error, stderr.String())
	}
	content, err := os.ReadFile(filepath.Join(module.Dir, "api", "openapi-spec", "swagger.json"))
	if err != nil {
		return nil, err
	}
	var d description
	if err := json.Unmarshal(content, &d); err != nil {
		return nil, fmt.Errorf("the OpenAPI description of %s: %w", release, err)
	}
	return &d, nil
}
