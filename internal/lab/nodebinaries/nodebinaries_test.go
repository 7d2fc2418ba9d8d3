package nodebinaries

import (
	"bytes"
	"debug/pe"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const upstream = `module k8s.io/kubernetes

go 1.26.0

godebug default=go1.26

require (
	k8s.io/api v0.0.0
	k8s.io/klog/v2 v2.140.0
	k8s.io/utils v0.0.0-20260210185600-b8788abfbbc2
)

replace (
	example.com/fork => example.com/other v1.2.3
	k8s.io/api => ./staging/src/k8s.io/api
	k8s.io/kms => ./staging/src/k8s.io/kms
)
`

func TestTheModuleOfAVersion(t *testing.T) {
	t.Parallel()
	got, err := module("v1.36.1", []byte(upstream))
	if err != nil {
		t.Fatal(err)
	}
	want := `module example.com/node-binaries

go 1.26.0

require k8s.io/kubernetes v1.36.1

replace k8s.io/api => k8s.io/api v0.36.1

replace k8s.io/kms => k8s.io/kms v0.36.1
`
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("go.mod (-want +got):\n%s", diff)
	}
}

func TestInvalidVersions(t *testing.T) {
	t.Parallel()
	for _, version := range []string{"", "1.36", "latest", "2.0.0", "1.36.1 ", "1.36.1;rm"} {
		err := Build(t.Context(), Options{Version: version, Dir: t.TempDir(), Out: os.Stdout})
		want := `"` + version + `" is not a version of Kubernetes: write 1.36.3`
		if err == nil || err.Error() != want {
			t.Errorf("got error %v, want %s", err, want)
		}
	}
}

var build = flag.String("build", "",
	"build this `version` of Kubernetes for Windows nodes, which takes minutes and gigabytes")

// TestBuild builds all programs where -build names a version: make soak does.
func TestBuild(t *testing.T) {
	t.Parallel()
	if *build == "" {
		t.Skip("only with make soak: -build names a version")
	}
	dir := t.TempDir()
	var out bytes.Buffer
	if err := Build(t.Context(), Options{Version: *build, Dir: dir, Out: &out}); err != nil {
		t.Fatal(err)
	}
	for _, p := range Programs {
		path := filepath.Join(dir, p+".exe")
		program, err := pe.Open(path)
		if err != nil {
			t.Errorf("%s is not a program of Windows: %v", p, err)
			continue
		}
		if program.Machine != pe.IMAGE_FILE_MACHINE_AMD64 {
			t.Errorf("%s is for the machine %#x", p, program.Machine)
		}
		_ = program.Close()
		content, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Contains(content, []byte("v"+strings.TrimPrefix(*build, "v"))) {
			t.Errorf("%s does not know its version", p)
		}
		if !regexp.MustCompile(`(?m)^[0-9a-f]{64}  ` + p + `\.exe$`).Match(out.Bytes()) {
			t.Errorf("the SHA-256 of %s is not printed:\n%s", p, out.String())
		}
	}
}
