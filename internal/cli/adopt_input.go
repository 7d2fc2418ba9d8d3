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

// target is a file with its permissions, and where it goes in the folder of --out.
type target struct {
	file manifests.File
	mode fs.FileMode
	to   string
}

// targets reads the files, each once.
func (a *adoption) targets(ctx context.Context, in *input) (targets []target, problems []error) {
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
		files, errs := manifests.Read(ctx, []string{path}, a.skips)
		problems = append(problems, errs...)
		for _, f := range files {
			if slices.ContainsFunc(targets, func(t target) bool { return t.file.Path == f.Path }) {
				continue
			}
			t, err := placed(f, path)
			if first, taken := from[t.to]; err == nil && taken && a.folder != "" {
				err = fmt.Errorf("%s: %s would be written to the same place", f.Name, first)
			}
			if err == nil {
				err = a.checkLinks(t)
			}
			if err != nil {
				problems = append(problems, err)
				continue
			}
			from[t.to] = f.Name
			targets = append(targets, t)
		}
	}
	return targets, problems
}

// checkLinks says whether the file stays in its folder when it is written.
func (a *adoption) checkLinks(t target) error {
	switch {
	case a.folder != "":
		return checkInside(a.folder, filepath.Join(a.folder, t.to), "remove the link, or choose another folder")
	case a.inPlace && t.file.Folder != "":
		return checkInside(t.file.Folder, t.file.Path, "name the file itself, or use -o")
	default:
		return nil
	}
}

// placed says where a file goes that a path has found.
func placed(f manifests.File, path string) (target, error) {
	if f.Path == "" {
		return target{}, fmt.Errorf("%s: only files can be adopted: save it as one", f.Name)
	}
	to, err := filepath.Rel(filepath.Clean(path), f.Path)
	if err != nil || to == "." || !filepath.IsLocal(to) {
		to = filepath.Base(f.Path) // a file, or one that a pattern has found
	}
	info, err := os.Stat(f.Path)
	if err != nil {
		return target{}, manifests.Named(f.Name, err)
	}
	return target{f, info.Mode().Perm(), to}, nil
}
