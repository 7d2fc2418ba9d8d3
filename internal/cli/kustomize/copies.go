package kustomize

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"sync"

	"sigs.k8s.io/kustomize/api/provider"
	"sigs.k8s.io/kustomize/api/resmap"
	"sigs.k8s.io/kustomize/api/resource"
	"sigs.k8s.io/kustomize/kyaml/filesys"

	"github.com/mixedkube/mixedkube/internal/core/manifests"
	"github.com/mixedkube/mixedkube/internal/system/disk"
)

// copies are the files of a repository that builds have read. The library reads them, and nothing else: it is the file
// system of its builds, and never writes.
type copies struct {
	filesys.FileSystem // an empty one in memory, for functions that no build calls

	access *disk.Access
	// dir is a directory of the repository: files outside of that are not read.
	dir     string
	factory *resmap.Factory

	mutex  sync.Mutex
	texts  map[string]copied
	stats  map[string]stat
	parsed map[string]parsed
}

type copied struct {
	text []byte
	err  error
}

// stat is what a path leads to: an absolute path without links.
type stat struct {
	at    string
	isDir bool
	err   error
}

func newCopies(access *disk.Access, dir string, replaced map[string][]byte) *copies {
	c := &copies{
		FileSystem: filesys.MakeFsInMemory(), access: access, dir: dir,
		factory: resmap.NewFactory(provider.NewDefaultDepProvider().GetResourceFactory()),
		texts:   map[string]copied{}, stats: map[string]stat{}, parsed: map[string]parsed{},
	}
	for at, text := range replaced {
		c.texts[at], c.stats[at] = copied{text: text}, stat{at: at}
	}
	return c
}

// stat returns what a path leads to.
func (c *copies) stat(path string) stat {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if known, is := c.stats[path]; is {
		return known
	}
	var s stat
	if entersGit(path) {
		s.err = errGit
	} else {
		var info fs.FileInfo
		if s.at, info, s.err = c.access.StatInside(c.dir, path); s.err == nil {
			s.isDir = info.IsDir()
		}
	}
	c.stats[path] = s
	return s
}

var errGit = errors.New("is in the directory of git, and is not read")

func entersGit(path string) bool {
	for ; path != filepath.Dir(path); path = filepath.Dir(path) {
		if disk.IsGit(path) {
			return true
		}
	}
	return false
}

// read returns the content of a file.
func (c *copies) read(path string) ([]byte, error) {
	s := c.stat(path)
	switch {
	case s.err != nil:
		return nil, s.err
	case s.isDir:
		return nil, errDirectory
	}
	c.mutex.Lock()
	defer c.mutex.Unlock()
	known, is := c.texts[s.at]
	if !is {
		known.text, known.err = c.open(s.at)
		c.texts[s.at] = known
	}
	return known.text, known.err
}

var errDirectory = errors.New("is a directory")

// open reads a file that has no links in its path.
func (c *copies) open(at string) ([]byte, error) {
	file, err := c.access.OpenInside(c.dir, at)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	text, err := io.ReadAll(io.LimitReader(file, maxSize+1))
	switch {
	case err != nil:
		return nil, err
	case len(text) > maxSize:
		return nil, fmt.Errorf("is larger than %d MB, which is all that a build reads", maxSize>>20)
	}
	return text, nil
}

// checkAliases returns an error about aliases of aliases, which stand for more values than any memory has: the library
// has no limit for them.
func checkAliases(text []byte, name string) error {
	if bytes.IndexByte(text, '&') < 0 || bytes.IndexByte(text, '*') < 0 {
		return nil
	}
	_, err := manifests.ReadObjects(bytes.NewReader(text), name)
	return err
}

// parsed is a file with objects, as this module and as the library reads it.
type parsed struct {
	docs      []manifests.Document
	resources []*resource.Resource
}

// parse reads the objects of a file.
func (c *copies) parse(file string) parsed {
	text, err := c.read(file)
	c.mutex.Lock()
	defer c.mutex.Unlock()
	p, is := c.parsed[file]
	if !is && err == nil {
		p.docs, _ = manifests.ReadObjects(bytes.NewReader(text), filepath.Base(file))
		p.resources, _ = c.factory.RF().SliceFromBytes(text)
		c.parsed[file] = p
	}
	return p
}

// IsDir reports whether a path is a directory.
func (c *copies) IsDir(path string) bool { s := c.stat(path); return s.err == nil && s.isDir }

// Exists reports whether there is something at a path that may be read.
func (c *copies) Exists(path string) bool { return c.stat(path).err == nil }

// CleanedAbs returns the directory and the name of a file, without links; the name is empty for a directory.
func (c *copies) CleanedAbs(path string) (filesys.ConfirmedDir, string, error) {
	s := c.stat(path)
	switch {
	case s.err != nil:
		return "", "", s.err
	case s.isDir:
		return filesys.ConfirmedDir(s.at), "", nil
	}
	return filesys.ConfirmedDir(filepath.Dir(s.at)), filepath.Base(s.at), nil
}

// ReadFile returns the content of a file.
func (c *copies) ReadFile(path string) ([]byte, error) {
	text, err := c.read(path)
	return bytes.Clone(text), err
}
