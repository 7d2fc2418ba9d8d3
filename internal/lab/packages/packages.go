// Package packages installs what programs in TypeScript and Python import: the packages that a program
// names, in the versions that it pins, and the SDK of the plugin with the components.
//
// They lie in a folder of the user's cache that is named after all that they are made from, so that
// nothing is installed twice. A program runs in a copy of its folder that leads there: the checkout stays
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
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/gofrs/flock"
)

// Installer installs packages.
type Installer struct {
	// Dir holds what is installed.
	Dir string
	// SDKs writes the SDKs of the plugin into a folder, each below the name of its runtime. Version
	// names what it writes: it changes with the plugin's schema.
	SDKs    func(ctx context.Context, dir string) error
	Version string
	// Out gets the progress, a line at a time.
	Out io.Writer
}

// UnavailableError says why the packages of a language cannot be had on this machine.
type UnavailableError struct{ Reason string }

func (e UnavailableError) Error() string { return e.Reason }

// installation is how the packages of a runtime are installed.
type installation struct {
	// pins are the files of a program that name its packages. They exist.
	pins []string
	// folder is where a program finds its packages, in its own folder.
	folder string
	// install installs them into a folder that has the pins, and the SDK below sdks.
	install func(ctx context.Context, dir, sdk string) error
	// needs are the commands that it takes, and what to install where one is missing.
	needs map[string]string
}

var installations = map[string]installation{
	"nodejs": {
		pins: []string{"package.json", "package-lock.json"}, folder: "node_modules", install: installNode,
		needs: map[string]string{"node": "Node.js 20 or later", "npm": "Node.js with npm"},
	},
	"python": {
		pins: []string{"requirements.txt"}, folder: "venv", install: installPython,
		needs: map[string]string{"python3": "Python 3.10 or later"},
	},
}

// Ready makes the folder target a copy of a program's folder in which the program finds its packages.
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
	return os.Symlink(filepath.Join(installed, how.folder), filepath.Join(target, how.folder))
}

// ensure installs the packages of a program, unless they are there.
func (i Installer) ensure(ctx context.Context, runtime string, how installation, program string) (string, error) {
	if err := how.check(); err != nil {
		return "", err
	}
	key, err := how.key(program, i.Version)
	if err != nil {
		return "", err
	}
	dir := filepath.Join(i.Dir, runtime+"-"+key)
	ready := filepath.Join(dir, "ready")
	if _, err := os.Stat(ready); err == nil {
		return dir, nil
	}
	if err := os.MkdirAll(i.Dir, 0o755); err != nil {
		return "", err
	}
	lock := flock.New(dir + ".lock")
	if locked, err := lock.TryLockContext(ctx, 200*time.Millisecond); err != nil || !locked {
		return "", fmt.Errorf("waiting for another process that installs packages: %w", err)
	}
	defer func() { _ = lock.Unlock() }()
	if _, err := os.Stat(ready); err == nil {
		return dir, nil
	}
	started := time.Now()
	fmt.Fprintf(i.Out, "%-8s installing what programs in %s import, into %s\n", "packages", runtime, dir)
	if err := i.install(ctx, runtime, how, program, dir); err != nil {
		return "", err
	}
	fmt.Fprintf(i.Out, "%-8s installed in %s\n", "packages", time.Since(started).Round(time.Second))
	return dir, os.WriteFile(ready, nil, 0o644)
}

func (i Installer) install(ctx context.Context, runtime string, how installation, program, dir string) error {
	// What a killed installation has left is not to be trusted.
	if err := errors.Join(os.RemoveAll(dir), os.MkdirAll(dir, 0o755)); err != nil {
		return err
	}
	for _, name := range how.pins {
		if err := copyFile(filepath.Join(program, name), filepath.Join(dir, name)); err != nil {
			return err
		}
	}
	sdks := filepath.Join(dir, "sdks")
	if err := i.SDKs(ctx, sdks); err != nil {
		return err
	}
	return how.install(ctx, dir, filepath.Join(sdks, runtime))
}

// key names all that an installation is made from.
func (how installation) key(program, version string) (string, error) {
	hash := sha256.New()
	fmt.Fprintf(hash, "%q\n", version)
	for _, name := range how.pins {
		content, err := os.ReadFile(filepath.Join(program, name))
		if errors.Is(err, fs.ErrNotExist) {
			return "", fmt.Errorf("%s: no such file: it pins the packages of the program", filepath.Join(program, name))
		}
		if err != nil {
			return "", err
		}
		fmt.Fprintf(hash, "%q %q\n", name, content)
	}
	return hex.EncodeToString(hash.Sum(nil))[:12], nil
}

// left are what a program's folder may have of its own, and a copy does not want.
var left = []string{"node_modules", "venv", "__pycache__", "bin"}

// copyProgram makes target a copy of a program's folder, without packages.
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
