// Package packages installs what programs in TypeScript and Python import: the packages that a program
// names, in the versions that it pins, and the SDK of the plugin with the components.
//
// They are in a directory of the user's cache that is named after everything that they are built from, so that
// nothing is installed twice. A program runs in a copy of its directory that links to them: the checkout stays
// clean.
package packages

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/gofrs/flock"
)

// Installer installs packages.
type Installer struct {
	// Dir is the directory of the installations.
	Dir string
	// SDKs packs the SDKs of the plugin into a directory, for npm and for pip. Version identifies what it packs:
	// it changes with the plugin's schema.
	SDKs    func(ctx context.Context, dir string) error
	Version string
	// Out gets the progress, a line at a time.
	Out io.Writer
}

// UnavailableError is the reason why the packages of a language are not available on this machine.
type UnavailableError struct{ Reason string }

// Error returns the reason.
func (e UnavailableError) Error() string { return e.Reason }

// installation describes how the packages of a runtime are installed.
type installation struct {
	// pins is the file of a program that names its packages, locks the lock file that it may have as well.
	pins, locks string
	// own returns pins without the package of the SDK, which is not published.
	own func(pins []byte) ([]byte, error)
	// sdk matches the file of the packed SDK.
	sdk string
	// dir is where a program finds its packages, in its own directory.
	dir string
	// install installs them into a directory that has the pins.
	install func(ctx context.Context, dir, sdk string) error
	// needs are the required commands, and what to install if one is missing.
	needs map[string]string
}

var installations = map[string]installation{
	"nodejs": {
		pins: "package.json", locks: "package-lock.json", own: ownOfNode, sdk: "*.tgz", dir: "node_modules",
		install: installNode,
		needs:   map[string]string{"node": "Node.js 20 or later", "npm": "Node.js with npm"},
	},
	"python": {
		pins: "requirements.txt", own: ownOfPython, sdk: "*.whl", dir: "venv", install: installPython,
		needs: map[string]string{"python3": "Python 3.10 or later"},
	},
}

// Ready turns the directory target into a copy of a program's directory in which the program finds its packages.
func (i Installer) Ready(ctx context.Context, runtime, program, target string) error {
	how, ok := installations[runtime]
	if !ok {
		return fmt.Errorf("programs of the runtime %s have no packages to install", runtime)
	}
	installed, err := i.ensure(ctx, runtime, how, program)
	if err != nil {
		return err
	}
	if err := copyProgram(program, target); err != nil {
		return err
	}
	return os.Symlink(filepath.Join(installed, how.dir), filepath.Join(target, how.dir))
}

// Locked installs the packages that the lock file of npm in a directory names, and returns the directory with them. It
// takes no SDK.
func (i Installer) Locked(ctx context.Context, dir string) (string, error) {
	how := installations["nodejs"]
	if err := how.check(); err != nil {
		return "", err
	}
	files, err := how.files(dir)
	if err != nil {
		return "", err
	}
	named := key(string(files[how.pins]), string(files[how.locks]))
	installed, err := i.Once(ctx, "npm", named, func(ctx context.Context, dir string) error {
		if err := write(dir, files); err != nil {
			return err
		}
		return Run(ctx, dir, "npm", append([]string{"ci"}, npmFlags...)...)
	})
	return filepath.Join(installed, how.dir), err
}

// ensure installs the packages of a program, unless they are already installed.
func (i Installer) ensure(ctx context.Context, runtime string, how installation, program string) (string, error) {
	if err := how.check(); err != nil {
		return "", err
	}
	files, err := how.files(program)
	if err != nil {
		return "", err
	}
	sdk, err := i.Once(ctx, "sdks", key(i.Version), i.SDKs)
	if err != nil {
		return "", err
	}
	packed, err := filepath.Glob(filepath.Join(sdk, how.sdk))
	if err != nil || len(packed) != 1 {
		return "", errors.Join(err,
			fmt.Errorf("the SDKs in %s have %d packages %s, want one", sdk, len(packed), how.sdk))
	}
	pins, locks := string(files[how.pins]), string(files[how.locks])
	return i.Once(ctx, runtime, key(i.Version, pins, locks), func(ctx context.Context, dir string) error {
		if err := write(dir, files); err != nil {
			return err
		}
		return how.install(ctx, dir, packed[0])
	})
}

// Once fills a directory of Dir that is named after its kind and a key, unless that is done, and returns
// its path. It removes directories that nothing has used for two weeks. Several processes may call it at once.
func (i Installer) Once(
	ctx context.Context, what, key string, fill func(ctx context.Context, dir string) error,
) (string, error) {
	dir := filepath.Join(i.Dir, what+"-"+key)
	ready := filepath.Join(dir, readyFile)
	if _, err := os.Stat(ready); err == nil {
		return dir, os.Chtimes(ready, time.Time{}, time.Now())
	}
	if err := os.MkdirAll(i.Dir, 0o755); err != nil {
		return "", err
	}
	lock := flock.New(dir + ".lock")
	if locked, err := lock.TryLockContext(ctx, 200*time.Millisecond); err != nil || !locked {
		return "", fmt.Errorf("waiting for another process that installs %s: %w", dir, err)
	}
	defer func() { _ = lock.Unlock() }()
	if _, err := os.Stat(ready); err == nil {
		return dir, nil
	}
	// The files that a killed process has left may be incomplete.
	if err := errors.Join(os.RemoveAll(dir), os.MkdirAll(dir, 0o755)); err != nil {
		return "", err
	}
	if err := i.removeUnused(what); err != nil {
		return "", err
	}
	started := time.Now()
	fmt.Fprintf(i.Out, "%-8s preparing %s\n", "packages", dir)
	if err := fill(ctx, dir); err != nil {
		return "", err
	}
	fmt.Fprintf(i.Out, "%-8s prepared in %s\n", "packages", time.Since(started).Round(time.Second))
	return dir, os.WriteFile(ready, nil, 0o600)
}

// readyFile is in an installation that is complete. Its modification time is the time of the last use.
const readyFile = ".ready"

// unused is how long an installation is not used before it is removed: each change of the plugin creates
// new installations.
const unused = 14 * 24 * time.Hour

// removeUnused removes the installations of a kind that are no longer used.
func (i Installer) removeUnused(what string) error {
	used, err := filepath.Glob(filepath.Join(i.Dir, what+"-*", readyFile))
	if err != nil {
		return err
	}
	for _, ready := range used {
		info, err := os.Stat(ready)
		if err == nil && time.Since(info.ModTime()) > unused {
			err = errors.Join(os.Remove(ready), os.RemoveAll(filepath.Dir(ready)))
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err // another process may have removed it
		}
	}
	return nil
}

// files returns the files of a program that name its packages, without the SDK.
func (how installation) files(program string) (map[string][]byte, error) {
	path := filepath.Join(program, how.pins)
	pins, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: no such file: it names the packages of the program", path)
	}
	if err != nil {
		return nil, err
	}
	own, err := how.own(pins)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	files := map[string][]byte{how.pins: own}
	if how.locks == "" {
		return files, nil
	}
	locks, err := os.ReadFile(filepath.Join(program, how.locks))
	if errors.Is(err, fs.ErrNotExist) {
		return files, nil
	}
	files[how.locks] = locks
	return files, err
}

// write writes files, by name, into a directory.
func write(dir string, files map[string][]byte) error {
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if err := os.WriteFile(filepath.Join(dir, name), files[name], 0o600); err != nil {
			return err
		}
	}
	return nil
}

// key returns a name for what is built from parts.
func key(parts ...string) string {
	hash := sha256.New()
	fmt.Fprintf(hash, "%q", parts)
	return hex.EncodeToString(hash.Sum(nil))[:12]
}

// left are the directories that a program's directory may have, and that are not copied.
var left = []string{"node_modules", "venv", "__pycache__", "bin"}

// copyProgram turns target into a copy of a program's directory, without packages.
func copyProgram(program, target string) error {
	if err := os.RemoveAll(target); err != nil {
		return err
	}
	return filepath.WalkDir(program, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		below, err := filepath.Rel(program, path)
		if err != nil {
			return err
		}
		switch {
		case entry.IsDir() && below != "." && slices.Contains(left, entry.Name()):
			return fs.SkipDir
		case entry.IsDir():
			return os.MkdirAll(filepath.Join(target, below), 0o700)
		case entry.Type().IsRegular():
			return copyFile(path, filepath.Join(target, below))
		default:
			return nil
		}
	})
}

func copyFile(from, to string) error {
	content, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, content, 0o600)
}
