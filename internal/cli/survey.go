package cli

import (
	"io"
	"os"
	"path/filepath"

	"github.com/mixedkube/mixedkube/internal/core/manifests"
	"github.com/mixedkube/mixedkube/internal/core/manifests/repository"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
	"github.com/mixedkube/mixedkube/internal/system/disk"
)

// survey reads what the files are for the kustomizations of their repository.
func (in *input) survey(files []string) { in.repository = in.surveyed(files, in.access.Open) }

// surveyed reads the kustomizations in the directories of files and in those above them, which say what the files are: a
// hook of git names a patch without its kustomization. The errors of a kustomization are those of a file like all
// others.
func (in *input) surveyed(files []string, open opener) *repository.Repository {
	seen := map[string]bool{}
	var found []repository.File
	for _, file := range files {
		if _, rendered := in.rendered(file); rendered || file == stdinPath {
			continue
		}
		dir := filepath.Dir(file)
		for _, dir := range [...]string{dir, filepath.Dir(dir)} {
			if seen[dir] {
				continue
			}
			seen[dir] = true
			for _, name := range repository.FileNames {
				found = append(found, kustomization(filepath.Join(dir, name), open)...)
			}
		}
	}
	r := repository.Read(found)
	r.Named, r.Resolve = in.environmentsOf, fromRoot()
	r.Whole = func(file string) bool {
		_, is := in.rendered(fromShown(file))
		return is || in.built(fromShown(file)) != nil
	}
	return r
}

// opener opens a file.
type opener func(path string) (io.ReadCloser, error)

// kustomization reads the file of a kustomization if it exists.
func kustomization(path string, open opener) []repository.File {
	file, err := open(path)
	if err != nil {
		return nil
	}
	defer func() { _ = file.Close() }()
	docs, _ := manifests.ReadObjects(file, shown(path))
	for _, doc := range docs {
		return []repository.File{{Path: shown(path), Document: tree.Map(doc.Value)}}
	}
	return nil
}

// hasDir returns a function that reports whether the repository of a file has a directory.
func (in *input) hasDir(file string) func(dir string) bool {
	return func(dir string) bool {
		return filepath.IsLocal(dir) && isDirectory(&in.access, fromShown(in.repository.Resolve(file, dir)))
	}
}

// fromRoot returns a function that returns the path of a directory, which a file names from the root of its repository,
// in the form of the file's own path: absolute, or from the working directory. Without a repository, as in an archive,
// the nearest directory above the file that has the directory is the root.
func fromRoot() func(file, dir string) string {
	roots := map[string]string{}
	return func(file, dir string) string {
		at := filepath.Dir(filepath.FromSlash(file))
		root, known := roots[at]
		if !known {
			if absolute, err := filepath.Abs(at); err == nil {
				root = disk.Repository(absolute)
			}
			if !disk.Exists(filepath.Join(root, ".git")) {
				root = ""
			}
			roots[at] = root
		}
		if root == "" {
			return withoutRoot(at, dir)
		}
		dir = filepath.Join(root, filepath.FromSlash(dir))
		if workingDirectory, err := os.Getwd(); err == nil && !filepath.IsAbs(at) {
			if below, err := filepath.Rel(workingDirectory, dir); err == nil {
				dir = below
			}
		}
		return filepath.ToSlash(dir)
	}
}

// withoutRoot returns the path of a directory that a file in another directory names from an unknown root.
func withoutRoot(from, dir string) string {
	for at := from; ; at = filepath.Dir(at) {
		if found := filepath.Join(at, filepath.FromSlash(dir)); disk.Exists(found) {
			return filepath.ToSlash(found)
		}
		if at == filepath.Dir(at) {
			return dir
		}
	}
}
