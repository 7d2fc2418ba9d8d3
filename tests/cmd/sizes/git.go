package main

import (
	"archive/tar"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path"
	"slices"
	"strings"
)

// file is a file of a commit.
type file struct {
	path    string
	content []byte
}

// isGo returns whether a file has Go code, and is not test data.
func isGo(name string) bool {
	return path.Ext(name) == ".go" && !slices.Contains(strings.Split(name, "/"), "testdata")
}

// filesOf returns the files of a commit for whose names keep is true.
func filesOf(commit string, keep func(name string) bool) ([]file, error) {
	top, err := topLevel()
	if err != nil {
		return nil, err
	}
	content, err := git(top, "archive", commit)
	if err != nil {
		return nil, err
	}
	var files []file
	for in := tar.NewReader(bytes.NewReader(content)); ; {
		header, err := in.Next()
		if errors.Is(err, io.EOF) {
			return files, nil
		}
		if err != nil {
			return nil, err
		}
		if !keep(header.Name) {
			continue
		}
		text, err := io.ReadAll(in)
		if err != nil {
			return nil, err
		}
		files = append(files, file{header.Name, text})
	}
}

// topLevel returns the directory of the checkout.
func topLevel() (string, error) {
	out, err := git(".", "rev-parse", "--show-toplevel")
	return strings.TrimSpace(string(out)), err
}

func git(dir string, args ...string) ([]byte, error) {
	command := exec.Command("git", append([]string{"-C", dir}, args...)...)
	var stderr bytes.Buffer
	command.Stderr = &stderr
	out, err := command.Output()
	if err != nil {
		return nil, fmt.Errorf("git %s: %w: %s", args[0], err, strings.TrimSpace(stderr.String()))
	}
	return out, nil
}
