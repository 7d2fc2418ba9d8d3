package userfiles

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/mixedkube/mixedkube/internal/core/manifests"
	"github.com/mixedkube/mixedkube/internal/system/disk"
)

// File is a file that was read.
type File struct {
	// Name is the name of the file for messages, with forward slashes, or its address without user, password and query.
	// Two addresses that differ only in these have the same name.
	Name string
	// Path is the path of the file, "" for an address.
	Path string
	// Dir is the directory that was named, or that a pattern matched, in which the file was found. It is "" for a
	// file that was named or matched itself.
	Dir  string
	Text []byte
}

// Read reads files that users name: files, directories (see [List]), patterns of [filepath.Match], and addresses that
// begin with https://, or with http:// if they are of this machine. An address may end with #sha256= and the SHA-256 of
// its content in hexadecimal digits: any other content is an error. Redirects are followed as long as they stay with
// https://. access decides where links may lead. Each file is read once, in the order of the names. The problems are all errors, one for each name or file.
func Read(
	ctx context.Context, access *disk.Access, names []string, skips Skips,
) (files []File, problems []error) {
	seen := map[string]bool{}
	for _, name := range names {
		found, errs := Expand(access, name, skips)
		problems = append(problems, errs...)
		for _, at := range found {
			if seen[at.Path] {
				continue
			}
			seen[at.Path] = true
			f, err := read(ctx, access, at.Path)
			if err != nil {
				problems = append(problems, disk.Named(f.Name, err))
				continue
			}
			f.Dir = at.Dir
			files = append(files, f)
		}
	}
	return files, problems
}

// Location is a file or an address, and the directory in which a file was found, if any.
type Location struct{ Path, Dir string }

// IsAddress reports whether it is an address.
func (l Location) IsAddress() bool { return isAddress(l.Path) }

// Expand returns the files of one name, without reading them. See [Read].
func Expand(access *disk.Access, name string, skips Skips) (files []Location, problems []error) {
	if isAddress(name) {
		return []Location{{Path: name}}, nil
	}
	name = filepath.Clean(name)
	matches := []string{name}
	if !disk.Exists(name) && strings.ContainsAny(name, "*?[") {
		var err error
		matches, err = disk.Glob(name)
		switch {
		case err != nil:
			return nil, []error{fmt.Errorf("%s: is not a valid pattern: %w", filepath.ToSlash(name), err)}
		case len(matches) == 0:
			return nil, []error{fmt.Errorf("%s: no file matches the pattern", filepath.ToSlash(name))}
		}
	}
	for _, match := range matches {
		list, errs := List(access, match, skips)
		problems = append(problems, errs...)
		for _, path := range list {
			at := Location{Path: path}
			if path != match {
				at.Dir = match
			}
			files = append(files, at)
		}
	}
	return files, problems
}

// read reads a byte more than [manifests.ReadYAML] accepts, so that it reports a file that is too large.
func read(ctx context.Context, access *disk.Access, path string) (File, error) {
	if isAddress(path) {
		text, err := fetcher{}.fetch(ctx, path)
		return File{Name: named(path), Text: text}, err
	}
	f := File{Name: filepath.ToSlash(path), Path: path}
	file, err := access.Open(path)
	if err != nil {
		return f, err
	}
	defer func() { _ = file.Close() }()
	f.Text, err = io.ReadAll(io.LimitReader(file, manifests.MaxFileSize+1))
	return f, err
}
