package cli

import (
	"errors"
	"io"
	"path/filepath"

	"github.com/mixedkube/mixedkube/components/images/registry"
	"github.com/mixedkube/mixedkube/internal/manifests"
)

// stdinPath stands for standard input, stdinName is how it is shown.
const (
	stdinPath = "-"
	stdinName = "stdin"
)

// input opens what a command line names, and asks registries.
type input struct {
	stdin      io.Reader
	taken      bool
	registries registry.Client
}

var errTaken = errors.New("is read once: name a file for one of the two")

// open opens a file, or standard input.
func (in *input) open(path string) (io.ReadCloser, error) {
	if path != stdinPath {
		return manifests.Open(path)
	}
	if in.taken {
		return nil, errTaken
	}
	in.taken = true
	return io.NopCloser(in.stdin), nil
}

// text is all of a file, or a byte more than [manifests.ReadYAML] takes. The error names the file.
func (in *input) text(path string) (string, error) {
	file, err := in.open(path)
	if err != nil {
		return "", manifests.Named(shown(path), err)
	}
	defer func() { _ = file.Close() }()
	text, err := io.ReadAll(io.LimitReader(file, manifests.MaxFileSize+1))
	if err != nil {
		return "", manifests.Named(shown(path), err)
	}
	return string(text), nil
}

// shown is a path as messages have it.
func shown(path string) string {
	if path == stdinPath {
		return stdinName
	}
	return filepath.ToSlash(path)
}
