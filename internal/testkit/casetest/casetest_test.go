package casetest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

type example struct {
	Count  int
	Inputs map[string]any
}

func write(t *testing.T, name, content string) string {
	t.Helper()
	dir := t.TempDir()
	path := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestCasesAreReadFromFiles(t *testing.T) {
	t.Parallel()
	dir := write(t, "pools/size.yaml", `
small: {count: 1}
large: {inputs: {$group/x: '$key"', size: 2, tags: null}}
`)
	want := map[string]example{
		"pools/size: small": {Count: 1},
		"pools/size: large": {Inputs: map[string]any{"/rg/x": "a\nb\"", "size": 2.0, "tags": nil}},
	}
	if diff := cmp.Diff(want, Cases[example](t, dir, "$group", "/rg", "$key", "a\nb")); diff != "" {
		t.Errorf("cases (-want +got):\n%s", diff)
	}
}

func TestWrongFilesAreErrors(t *testing.T) {
	t.Parallel()
	for content, want := range map[string]string{
		"":                   "a.yaml: EOF",
		"a: {cuont: 1}":      `a.yaml: json: unknown field "cuont"`,
		"a: {}\na: {}":       "a.yaml: yaml: unmarshal errors:\n  line 2: mapping key \"a\" already defined at line 1",
		"a: {}\n---\na: {}":  "a.yaml: more than one document",
		"a: {inputs: {1: }}": "a.yaml: json: unsupported type: map[interface {}]interface {}",
	} {
		_, err := read[map[string]example](write(t, "a.yaml", content), nil)
		if err == nil || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("%q: the error is %v, want %s", content, err, want)
		}
	}
	if _, err := read[example](t.TempDir(), nil); err == nil || !strings.HasSuffix(err.Error(), ": no cases") {
		t.Errorf("the error is %v", err)
	}
}
