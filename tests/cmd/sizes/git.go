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

// goFiles returns the Go files of a commit, except test data.
func goFiles(commit string) ([]file, error) {
	return filesOf(commit, func(name string) bool {
		return path.Ext(name) == ".go" && !slices.Contains(strings.Split(name, "/"), "testdata")
	})
}

// filesOf returns the files of a commit for whose names keep is true.
func filesOf(commit string, keep func(name string) bool) ([]file, error) {
	top, err := exec.Command("git", "rev-parse", "--show-toplevel").Output()
	if err != nil {
		return nil, fmt.Errorf("git rev-parse: %w", err)
	}
	archive := exec.Command("git", "-C", strings.TrimSpace(string(top)), "archive", commit)
	var stderr bytes.Buffer
	archive.Stderr = &stderr
	content, err := archive.Output()
	if err != nil {
		return nil, fmt.Errorf("git archive %s: %w: %s", commit, err, strings.TrimSpace(stderr.String()))
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
