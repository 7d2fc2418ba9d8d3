package cli

import (
	"context"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"

	"github.com/mixedkube/mixedkube/internal/system/disk"
	"github.com/mixedkube/mixedkube/internal/system/userfiles"
)

// target is a file with its permissions, and its path in the directory of --out.
type target struct {
	file userfiles.File
	mode fs.FileMode
	to   string
	// at is the path of the file without links.
	at string
}

// targets reads the files, each once.
func (a *adoption) targets(ctx context.Context, in *input) (targets []target, problems []error) {
	problems = a.charts.render(ctx, in, a.paths, a.options.Topology.KubernetesVersion)
	in.charts = &a.charts
	from := map[string]string{}
	for _, path := range a.paths {
		if path == stdinPath {
			text, err := in.text(stdinPath)
			if err != nil {
				problems = append(problems, err)
				continue
			}
			targets = append(targets, target{file: userfiles.File{Name: stdinName, Text: []byte(text)}})
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
			} else if a.toDir() {
				err = disk.CheckReplace(filepath.Join(a.dir, t.to))
			}
			if err != nil {
				problems = append(problems, err)
				continue
			}
			from[t.to] = t.file.Name
			targets = append(targets, t)
		}
	}
	if a.inPlace {
		return inPlace(targets, problems)
	}
	return targets, problems
}

// inPlace removes the targets that cannot be written because they are links. A link to another target is not a problem:
// the file itself is written.
func inPlace(targets []target, problems []error) ([]target, []error) {
	var writable []target
	for _, t := range targets {
		switch err := disk.CheckReplace(t.file.Path); {
		case err == nil:
			writable = append(writable, t)
		case !slices.ContainsFunc(targets, func(other target) bool {
			return other.at == t.at && disk.CheckReplace(other.file.Path) == nil
		}):
			problems = append(problems, err)
		}
	}
	return writable, problems
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
			file := userfiles.File{Name: name, Text: one.text}
			found = append(found, target{file: file, mode: 0o644, to: filepath.FromSlash(one.inside)})
		}
		return found, nil
	}
	files, problems := userfiles.Read(ctx, &in.access, []string{path}, a.files.skips(in, &a.charts))
	for _, f := range files {
		t, err := in.placed(f, path)
		if err != nil {
			problems = append(problems, err)
			continue
		}
		found = append(found, t)
	}
	return found, problems
}

// placed returns a file that a path has found, with its path in the directory of --out.
func (in *input) placed(f userfiles.File, path string) (target, error) {
	if f.Path == "" {
		return target{}, fmt.Errorf("%s: only files can be adopted: save it as a file", f.Name)
	}
	to, err := filepath.Rel(filepath.Clean(path), f.Path)
	if err != nil || to == "." || !filepath.IsLocal(to) {
		to = filepath.Base(f.Path) // a file, or a match of a pattern
	}
	info, err := in.access.Stat(f.Path)
	if err != nil {
		return target{}, disk.Named(f.Name, err)
	}
	at, err := in.access.Follow(f.Path)
	if err != nil {
		return target{}, disk.Named(f.Name, err)
	}
	return target{f, info.Mode().Perm(), to, at}, nil
}

// pathsOf returns the paths of the targets that are files.
func pathsOf(targets []target) (paths []string) {
	for _, t := range targets {
		if t.file.Path != "" {
			paths = append(paths, t.file.Path)
		}
	}
	return paths
}
