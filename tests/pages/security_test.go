package pages

import (
	"regexp"
	"strings"
	"testing"
)

// prepends matches the texts that put a directory before the others on PATH, in a shell and in PowerShell. In a text
// of Go, quotes have backslashes.
var prepends = regexp.MustCompile(`(?i)(?:\bPATH|\$env:Path) ?= ?[^\n]*[:;]\$(?:\{?PATH\b|env:Path\b|\{env:Path\})`)

// printed reports whether users read or run the text of a file: pages, what the command prints, and what they copy.
func printed(file string) bool {
	if strings.HasSuffix(file, "_test.go") {
		return false
	}
	for _, dir := range []string{
		"ci/", "components/", "core/", "docs/", "examples/", "internal/cli/", "internal/components/",
		"internal/policy/", "machines/", "site/",
		"system/",
	} {
		if strings.HasPrefix(file, dir) {
			return true
		}
	}
	return !strings.Contains(file, "/") || strings.HasPrefix(file, "tests/tasks/testdata/")
}

// A program in a directory that is before the others on PATH runs in place of the system's, such as pulumi. Anyone who
// can change a repository can add one.
func TestNoTextPutsADirectoryFirstOnPath(t *testing.T) {
	t.Parallel()
	all := readAll(t)
	for file, text := range all {
		for _, found := range prepends.FindAllString(text, -1) {
			t.Errorf("%s puts a directory first on PATH: %s", file, found)
		}
	}
	for _, file := range []string{
		"README.md", "docs/guard.md", "docs/command.md", "internal/cli/policy.go", "action.yml", "ci/check.sh",
		"tests/tasks/testdata/guard-typescript/task.sh",
	} {
		if all[file] == "" {
			t.Errorf("%s was not read", file)
		}
	}
}

// readAll returns the texts that users read or run.
func readAll(t *testing.T) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, file := range files(t, ".md", ".go", ".sh", ".yml", ".yaml", ".ps1", ".ts", ".py") {
		if printed(file) {
			all[file] = read(t, root, file)
		}
	}
	return all
}

func TestPrepends(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		`export PATH="$PWD/policy:$PATH"`:                    true,
		`"  export PATH=\"$(cd %s && pwd):$PATH\"\n", dir))`: true,
		`PATH=policy:${PATH} pulumi preview`:                 true,
		`$env:Path = "$PWD\policy;$env:Path"`:                true,
		`export PATH="$PATH:$PWD/policy"`:                    false,
		`$env:Path = "$env:Path;$directory"`:                 false,
		`PATH=$PATH:$3`:                                      false,
		"PATH=/usr/bin\necho a:$PATH":                        false,
	} {
		if got := prepends.MatchString(text); got != want {
			t.Errorf("%s: %t, want %t", text, got, want)
		}
	}
}

// secretless matches the claim that anyone may see the data that a machine was created with.
var secretless = regexp.MustCompile(`(?i)\bcustom ?data\b[^.|\n]*\b(?:no|without|free of) secret`)

// custom data has the key of a machine's secrets: see bootstrap.PayloadKey.
func TestCustomDataIsNotCalledFreeOfSecrets(t *testing.T) {
	t.Parallel()
	for file, text := range readAll(t) {
		for _, found := range secretless.FindAllString(text, -1) {
			t.Errorf("%s: %s", file, found)
		}
	}
	if before := "the machines' custom data, which has no secret, and all"; !secretless.MatchString(before) {
		t.Errorf("%q is not found", before)
	}
}
