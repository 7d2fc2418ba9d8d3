package main

import (
	"bytes"
	"path"
	"slices"
	"testing"
	"unicode/utf8"
)

// A file, a function or a line with more lines or columns than this does more than one thing.
const (
	longestFile     = 450
	longestFunction = 90
	longestLine     = 120
)

// A change of a budget is a line that a reviewer sees.
func TestEachDirectoryIsWithinItsBudget(t *testing.T) {
	t.Parallel()
	needsGit(t)
	all, err := readFolders()
	if err != nil {
		t.Fatal(err)
	}
	for _, finding := range all.findings() {
		t.Error(finding)
	}
	if len(all.budgets) < 20 {
		t.Errorf("only %d directories have a budget", len(all.budgets))
	}
}

func TestNothingIsTooLong(t *testing.T) {
	t.Parallel()
	needsGit(t)
	files, err := checkoutFiles(isGo)
	if err != nil {
		t.Fatal(err)
	}
	s, err := measure(files)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range []part{s.library, s.lab} {
		if p.longestFile.lines > longestFile {
			t.Errorf("a file has more than %d lines: %s", longestFile, p.longestFile)
		}
		if p.longestFunction.lines > longestFunction {
			t.Errorf("a function has more than %d lines: %s", longestFunction, p.longestFunction)
		}
	}
}

// The linter looks at the lines of Go files.
func TestNoLineOfAScriptIsTooLong(t *testing.T) {
	t.Parallel()
	needsGit(t)
	// systemd reads this file, and has no other way to write a long value.
	exempt := []string{"machines/bootstrap/linux/10-kubeadm.conf"}
	files, err := checkoutFiles(func(name string) bool {
		kinds := []string{".ps1", ".sh", ".mjs", ".yml", ".conf"}
		return path.Base(name) == "Makefile" || slices.Contains(kinds, path.Ext(name)) && !slices.Contains(exempt, name)
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		for i, line := range bytes.Split(f.content, []byte("\n")) {
			line = bytes.ReplaceAll(line, []byte("\t"), []byte("    "))
			if n := utf8.RuneCount(line); n > longestLine {
				t.Errorf("%s:%d: the line has %d columns, more than %d", f.path, i+1, n, longestLine)
			}
		}
	}
}
