package cli

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/mixedkube/mixedkube/internal/manifests"
)

// target is a file with its permissions, and its path in the directory of --out.
type target struct {
	file manifests.File
	mode fs.FileMode
	to   string
}

// targets reads the files, each once.
func (a *adoption) targets(ctx context.Context, in *input) (targets []target, problems []error) {
	problems = a.charts.render(ctx, a.paths, a.options.Topology.KubernetesVersion)
	in.charts = &a.charts
	from := map[string]string{}
	for _, path := range a.paths {
		if path == stdinPath {
			text, err := in.text(stdinPath)
			if err != nil {
				problems = append(problems, err)
				continue
			}
			targets = append(targets, target{file: manifests.File{Name: stdinName, Text: []byte(text)}})
			continue
		}
		found, errs := a.found(ctx, in, path)
		problems = append(problems, errs...)
		for _, t := range found {
			if slices.ContainsFunc(targets, func(other target) bool { return other.is(t) }) {
				continue
			}
			var err error
			if first, taken := from[t.to]; taken && a.toDir() {
				err = fmt.Errorf("%s: %s would be written to the same place", t.file.Name, first)
			} else {
				err = a.checkLinks(t)
			}
			if err != nil {
				problems = append(problems, err)
				continue
			}
			from[t.to] = t.file.Name
			targets = append(targets, t)
		}
	}
	return targets, problems
}

// is reports whether two targets are the same file.
func (t target) is(other target) bool {
	if t.file.Path == "" {
		return other.file.Path == "" && t.file.Name == other.file.Name
	}
	return t.file.Path == other.file.Path
}

// found returns the files that a path names, or the rendered templates if it is a chart.
func (a *adoption) found(ctx context.Context, in *input, path string) (found []target, problems []error) {
	if chart, is := in.chart(path); is {
		for _, name := range chart.names {
			one := chart.parts[name]
			file := manifests.File{Name: name, Text: one.text}
			found = append(found, target{file, 0o644, filepath.FromSlash(one.inside)})
		}
		return found, nil
	}
	files, problems := manifests.Read(ctx, []string{path}, a.files.skips(&a.charts))
	for _, f := range files {
		t, err := placed(f, path)
		if err != nil {
			problems = append(problems, err)
			continue
		}
		found = append(found, t)
	}
	return found, problems
}

// checkLinks returns an error if links would lead the file out of its directory when it is written.
func (a *adoption) checkLinks(t target) error {
	switch {
	case a.toDir():
		return checkInside(a.dir, filepath.Join(a.dir, t.to), "remove the link, or choose another directory")
	case a.inPlace && t.file.Dir != "":
		return checkInside(t.file.Dir, t.file.Path, "name the file itself, or use -o")
	default:
		return nil
	}
}

// placed returns a file that a path has found, with its path in the directory of --out.
func placed(f manifests.File, path string) (target, error) {
	if f.Path == "" {
		return target{}, fmt.Errorf("%s: only files can be adopted: save it as a file", f.Name)
	}
	to, err := filepath.Rel(filepath.Clean(path), f.Path)
	if err != nil || to == "." || !filepath.IsLocal(to) {
		to = filepath.Base(f.Path) // a file, or a match of a pattern
	}
	info, err := os.Stat(f.Path)
	if err != nil {
		return target{}, manifests.Named(f.Name, err)
	}
	return target{f, info.Mode().Perm(), to}, nil
}
