package policy

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/core/images"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/fielderrors"
	"github.com/mixedkube/mixedkube/internal/core/manifests"
	"github.com/mixedkube/mixedkube/internal/system/disk"
)

// outside is the advice of errors about files that the pack does not read.
const outside = "move the file into the directory of the pack, or into its repository"

// directories are where the files of a configuration are: the directory of the pack, to which paths are relative, and
// that of the program, if the engine names another one. Files in their repositories count, as for links.
type directories struct{ pack, program string }

// open opens a file. Its path may be relative to the directory of the pack.
func (d directories) open(path string) (io.ReadCloser, error) {
	pack := disk.Access{Fix: outside}
	file, err := pack.OpenInside(d.pack, path)
	if _, refused := errors.AsType[*disk.RefusedError](err); refused && d.program != "" {
		program := disk.Access{Fix: outside}
		if found, programErr := program.OpenInside(d.program, path); programErr == nil {
			return found, nil
		}
	}
	return file, err
}

// topologyFile reads the topology in a file.
func (r *reading) topologyFile(file string, path *field.Path) (t topology.Topology) {
	r.read(file, path, func(from io.Reader, name string) (err error) {
		t, err = manifests.DecodeTopology(from, name)
		return err
	})
	return t
}

// lockFile reads a lock file.
func (r *reading) lockFile(file string, path *field.Path) (lock *images.Lock) {
	r.read(file, path, func(from io.Reader, name string) (err error) {
		lock, err = images.Decode(from, name)
		return err
	})
	return lock
}

// read reads a file that the configuration names at a path. The errors about it do not have the values in the file:
// their reader may see the configuration, but not every file.
func (r *reading) read(file string, path *field.Path, decode func(from io.Reader, name string) error) {
	name := filepath.ToSlash(r.at(file))
	from, err := r.dirs.open(r.at(file))
	if refused, ok := errors.AsType[*disk.RefusedError](err); ok {
		r.errs = append(r.errs, field.Invalid(path, file, refused.Error()))
		return
	}
	if err == nil {
		err = manifests.WithoutValues(decode(from, name))
		_ = from.Close()
	} else {
		err = disk.Named(name, err)
	}
	if err != nil {
		r.others = append(r.others, fielderrors.At{Path: path.String(), Err: fmt.Errorf("%s: %w", path, err)})
	}
}

// ofPack returns the name of a file that a pack may have, or "" if there is none.
func (r *reading) ofPack(file string) string {
	from, err := r.dirs.open(r.at(file))
	if errors.Is(err, fs.ErrNotExist) {
		return ""
	}
	if err == nil {
		_ = from.Close()
	}
	return file
}

// at returns a path, which may be relative to the directory of the pack.
func (r *reading) at(path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(r.dirs.pack, filepath.FromSlash(path))
}
