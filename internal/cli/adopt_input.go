package cli

import (
	"context"
	"fmt"
	"io/fs"
	"path/filepath"

	"github.com/mixedkube/mixedkube/internal/system/disk"
	"github.com/mixedkube/mixedkube/internal/system/userfiles"
)

// target is a file to complete with its permissions, and its path in the directory of --out.
type target struct {
	path string
	mode fs.FileMode
	to   string
	// at is the path of the file without links. It is empty for standard input and for templates of charts.
	at string
}

// targets finds the files, each once.
func (a *adoption) targets(ctx context.Context, in *input) (targets []target, problems []error) {
	problems = a.charts.render(ctx, in, a.paths, a.options.Topology.KubernetesVersion)
	in.charts = &a.charts
	seen, from := map[string]bool{}, map[string]string{}
	for _, path := range a.paths {
		found, errs := a.found(in, path)
		problems = append(problems, errs...)
		for _, t := range found {
			if seen[t.path] {
				continue
			}
			seen[t.path] = true
			var err error
			if first, taken := from[t.to]; taken && a.toDir() {
				err = fmt.Errorf("%s: %s would be written to the same place", shown(t.path), first)
			} else if a.toDir() {
				err = disk.CheckReplace(filepath.Join(a.dir, t.to))
			}
			if err != nil {
				problems = append(problems, err)
				continue
			}
			from[t.to] = shown(t.path)
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
	written, links := map[string]bool{}, map[string]error{}
	for _, t := range targets {
		if err := disk.CheckReplace(t.path); err != nil {
			links[t.path] = err
			continue
		}
		written[t.at] = true
		writable = append(writable, t)
	}
	for _, t := range targets {
		if err := links[t.path]; err != nil && !written[t.at] {
			problems = append(problems, err)
		}
	}
	return writable, problems
}

// found returns the files that a path names, or the rendered templates if it is a chart.
func (a *adoption) found(in *input, path string) (found []target, problems []error) {
	if path == stdinPath {
		in.name(path)
		return []target{{path: path}}, nil
	}
	if chart, is := in.chart(path); is {
		for _, name := range chart.names {
			found = append(found, target{path: name, mode: 0o644, to: filepath.FromSlash(chart.parts[name].inside)})
		}
		return found, nil
	}
	files, problems := userfiles.Expand(&in.access, path, a.files.skips(in, &a.charts))
	for _, f := range files {
		t, err := in.placed(f, path)
		if err != nil {
			problems = append(problems, err)
			continue
		}
		if f.Dir == "" {
			in.name(t.path)
		}
		found = append(found, t)
	}
	return found, problems
}

// placed returns a file that a path has found, with its path in the directory of --out.
func (in *input) placed(f userfiles.Location, path string) (target, error) {
	if f.IsAddress() {
		return target{}, fmt.Errorf("%s: only files can be adopted: save it as a file", f.Path)
	}
	t := target{path: fileNamed(f.Path)}
	to, err := filepath.Rel(filepath.Clean(path), f.Path)
	if err != nil || to == "." || !filepath.IsLocal(to) {
		to = filepath.Base(f.Path) // a file, or a match of a pattern
	}
	t.to = to
	info, err := in.access.Stat(t.path)
	if err != nil {
		return target{}, disk.Named(shown(t.path), err)
	}
	t.mode = info.Mode().Perm()
	if t.at, err = in.access.Follow(t.path); err != nil {
		return target{}, disk.Named(shown(t.path), err)
	}
	return t, nil
}

// pathsOf returns the paths of the targets.
func pathsOf(targets []target) (paths []string) {
	for _, t := range targets {
		paths = append(paths, t.path)
	}
	return paths
}
