package cli

import (
	"bytes"
	"errors"
	"io"
	"path/filepath"
	"strings"

	"github.com/mixedkube/mixedkube/components/images/registry"
	"github.com/mixedkube/mixedkube/internal/manifests"
)

// stdinPath stands for standard input, stdinName is how it is shown.
const (
	stdinPath = "-"
	stdinName = "stdin"
	// stdoutPath stands for standard output.
	stdoutPath = "-"
)

// input opens the files of a command line, and looks up images in registries.
type input struct {
	stdin      io.Reader
	taken      bool
	registries registry.Client
	// charts are the rendered charts: their templates are opened as if they were files.
	charts *charts
}

var errTaken = errors.New("can be read only once: name a file for one of the two")

// chart returns the rendered chart at a path, false if there is none.
func (in *input) chart(path string) (rendered, bool) {
	if in.charts == nil {
		return rendered{}, false
	}
	chart, is := in.charts.done[path]
	return chart, is
}

// rendered returns a rendered template of a chart, false if the path is something else.
func (in *input) rendered(path string) ([]byte, bool) {
	if in.charts == nil {
		return nil, false
	}
	for _, chart := range in.charts.done {
		if one, is := chart.parts[path]; is {
			return one.text, true
		}
	}
	return nil, false
}

// open opens a file, a template of a chart, or standard input.
func (in *input) open(path string) (io.ReadCloser, error) {
	if text, ok := in.rendered(path); ok {
		return io.NopCloser(bytes.NewReader(text)), nil
	}
	if path != stdinPath {
		return manifests.Open(path)
	}
	if in.taken {
		return nil, errTaken
	}
	in.taken = true
	return io.NopCloser(in.stdin), nil
}

// text returns the whole file, or a byte more than [manifests.ReadYAML] accepts. The error names the file.
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

// shown returns a path for messages.
func shown(path string) string {
	if path == stdinPath {
		return stdinName
	}
	return filepath.ToSlash(path)
}

// shownAll returns several paths for messages.
func shownAll(paths []string) string {
	names := make([]string, len(paths))
	for i, path := range paths {
		names[i] = shown(path)
	}
	return strings.Join(names, ", ")
}
