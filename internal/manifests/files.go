package manifests

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// File is a file that was read.
type File struct {
	// Name is the file's for messages, with forward slashes, or its address without
	// user, password and query. Two addresses that differ in these only have one name.
	Name string
	// Path is where it is on the disk, "" for an address.
	Path string
	Text []byte
}

// patience is how long an address may take to answer.
const patience = time.Minute

// Read reads what people name: files, folders (see [List]), patterns as
// [filepath.Match] has them, and addresses that begin with http:// or https://. Each
// file is read once, in the order of the names. The problems are all that is wrong,
// one for each name or file.
func Read(ctx context.Context, names []string) (files []File, problems []error) {
	seen := map[string]bool{}
	for _, name := range names {
		found, errs := find(name)
		problems = append(problems, errs...)
		for _, path := range found {
			if seen[path] {
				continue
			}
			seen[path] = true
			f, err := read(ctx, path)
			if err != nil {
				problems = append(problems, Named(f.Name, err))
				continue
			}
			files = append(files, f)
		}
	}
	return files, problems
}

func isAddress(name string) bool {
	return strings.HasPrefix(name, "http://") || strings.HasPrefix(name, "https://")
}

// find lists the files of one name.
func find(name string) (files []string, problems []error) {
	if isAddress(name) {
		return []string{name}, nil
	}
	name = filepath.Clean(name)
	matches := []string{name}
	if _, err := os.Lstat(name); err != nil && strings.ContainsAny(name, "*?[") {
		matches, err = filepath.Glob(name)
		switch {
		case err != nil:
			return nil, []error{fmt.Errorf("%s: is no pattern: %w", filepath.ToSlash(name), err)}
		case len(matches) == 0:
			return nil, []error{fmt.Errorf("%s: no file matches the pattern", filepath.ToSlash(name))}
		}
	}
	for _, match := range matches {
		list, errs := List(match)
		if len(list) == 0 && len(errs) == 0 {
			errs = []error{fmt.Errorf("%s: no *.yaml, *.yml or *.json in the folder", filepath.ToSlash(match))}
		}
		files, problems = append(files, list...), append(problems, errs...)
	}
	return files, problems
}

// read reads a byte more than [ReadYAML] takes, so that it says what is too large.
func read(ctx context.Context, path string) (File, error) {
	if isAddress(path) {
		text, err := fetch(ctx, path)
		return File{Name: named(path), Text: text}, err
	}
	f := File{Name: filepath.ToSlash(path), Path: path}
	file, err := Open(path)
	if err != nil {
		return f, err
	}
	defer func() { _ = file.Close() }()
	f.Text, err = io.ReadAll(io.LimitReader(file, MaxSize+1))
	return f, err
}

// named is an address without what may be secret in it.
func named(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		scheme, _, _ := strings.Cut(address, "://")
		return scheme + "://…" // nobody knows what is what in it
	}
	return u.Scheme + "://" + u.Host + u.EscapedPath()
}

func fetch(ctx context.Context, address string) (text []byte, err error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, http.NoBody)
	if err != nil {
		// The parser's own words have parts of the address.
		return nil, errors.New("is no address: write https://host/path, with %XX for what is special in it")
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil, errors.Unwrap(err) // the address is said already
	}
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("the server answers %s", response.Status)
	}
	return io.ReadAll(io.LimitReader(response.Body, MaxSize+1))
}
