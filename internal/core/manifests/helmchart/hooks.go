package helmchart

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"slices"
	"strings"

	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// hookAnnotation makes an object a hook: https://helm.sh/docs/topics/charts_hooks/.
const hookAnnotation = "helm.sh/hook"

// withoutHooks reports whether a chart certainly has no hooks: it is a directory on this machine, and neither its files
// nor its values contain the annotation.
func withoutHooks(chart string, properties map[string]any, open func(dir string) fs.FS) bool {
	return isLocal(chart) && !nonEmpty(properties["valueYamlFiles"]) && !mentionsHooks(properties["values"]) &&
		nowhereIn(open(chart))
}

// mentionsHooks reports whether the annotation is among the keys or in the texts of a tree. Unknown values do not
// count.
func mentionsHooks(v any) bool {
	for key, value := range tree.Map(v) {
		if strings.Contains(key, hookAnnotation) || mentionsHooks(value) {
			return true
		}
	}
	if slices.ContainsFunc(tree.List(v), mentionsHooks) {
		return true
	}
	text, _ := tree.Text(v)
	return strings.Contains(text, hookAnnotation)
}

// The limits of what is read: a preview does not wait for the rest.
const (
	mostFiles    = 1000
	mostFileSize = 1 << 20
)

var errFound = errors.New("there may be a hook")

// nowhereIn reports whether no file of a chart contains the annotation. It is false if the chart has archives, such as
// subcharts, links, or files that are too large, and if it cannot be read.
func nowhereIn(chart fs.FS) bool {
	info, err := fs.Stat(chart, "Chart.yaml")
	if err != nil || !info.Mode().IsRegular() {
		return false
	}
	files := 0
	return nil == fs.WalkDir(chart, ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		files++
		if !info.Mode().IsRegular() || info.Size() > mostFileSize || files > mostFiles || isArchive(path) {
			return errFound
		}
		content, err := read(chart, path)
		if err == nil && bytes.Contains(content, []byte(hookAnnotation)) {
			err = errFound
		}
		return err
	})
}

// read reads a file, which can have become larger.
func read(chart fs.FS, path string) ([]byte, error) {
	file, err := chart.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	content, err := io.ReadAll(io.LimitReader(file, mostFileSize+1))
	if err == nil && len(content) > mostFileSize {
		err = errFound
	}
	return content, err
}

func isArchive(path string) bool {
	return strings.HasSuffix(path, ".tgz") || strings.HasSuffix(path, ".gz")
}
