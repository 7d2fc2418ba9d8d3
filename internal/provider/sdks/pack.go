package sdks

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// Pack builds the SDK of a language in its directory, and writes the package that users install next to the directory:
// a .tgz for npm, a wheel for pip. It removes packages of earlier builds.
func Pack(ctx context.Context, language, dir string) (string, error) {
	p, ok := packers[language]
	if !ok {
		return "", unknown(language)
	}
	out := filepath.Dir(dir)
	if err := remove(filepath.Join(out, "*"+p.suffix)); err != nil {
		return "", err
	}
	if err := p.available(ctx); err != nil {
		return "", err
	}
	if err := p.pack(ctx, dir, out); err != nil {
		return "", fmt.Errorf("packing the SDK in %s: %w", dir, err)
	}
	made, err := filepath.Glob(filepath.Join(out, "*"+p.suffix))
	if err != nil || len(made) != 1 {
		return "", errors.Join(fmt.Errorf("packing the SDK in %s produced %q, want one file", dir, made), err)
	}
	return made[0], nil
}

// ErrLeftOut is the error if a tool that builds a package is not on this machine.
var ErrLeftOut = errors.New("left out")

type packer struct {
	suffix string
	// needs are the commands that must work.
	needs [][]string
	// install is what to install if one does not work.
	install string
	pack    func(ctx context.Context, dir, out string) error
	// lockFile names the packages that pack installs. lock returns its content for the generated files of an SDK.
	lockFile string
	lock     func(ctx context.Context, files map[string][]byte) ([]byte, error)
}

var packers = map[string]packer{
	"nodejs": {
		".tgz",
		[][]string{{"node", "--version"}, {"npm", "--version"}},
		"Node.js 20 or later with npm",
		packNode, nodeLock, lockNode,
	},
	"python": {
		".whl",
		[][]string{{"python3", "-m", "pip", "--version"}},
		"Python 3.10 or later with pip",
		packPython, pythonLock, lockPython,
	},
}

func (p packer) available(ctx context.Context) error {
	for _, command := range p.needs {
		if err := run(ctx, ".", command[0], command[1:]...); err != nil {
			return fmt.Errorf("%w: %q does not work on this machine: install %s", ErrLeftOut,
				strings.Join(command, " "), p.install)
		}
	}
	return nil
}

// packNode packs the output of the compiler, as Pulumi packs its own packages: the SDK looks for its package.json next
// to its code.
func packNode(ctx context.Context, dir, out string) error {
	// npm compares each package with its hash in the lock file. No package needs an install script.
	if err := run(ctx, dir, "npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline",
		"--loglevel=error"); err != nil {
		return err
	}
	if err := run(ctx, dir, "node", filepath.Join("node_modules", "typescript", "bin", "tsc")); err != nil {
		return err
	}
	built := filepath.Join(dir, "bin")
	for _, name := range []string{"README.md", licenseFile} {
		content, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(built, name), content, 0o644); err != nil {
			return err
		}
	}
	manifest, err := installed(filepath.Join(dir, manifestFile))
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(built, manifestFile), manifest, 0o644); err != nil {
		return err
	}
	out, err = filepath.Abs(out)
	if err != nil {
		return err
	}
	return run(ctx, built, "npm", "pack", "--loglevel=error", "--pack-destination", out)
}

// installed returns the package.json of the packed SDK, without what only the build needs.
func installed(file string) ([]byte, error) {
	content, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var manifest map[string]any
	if err := json.Unmarshal(content, &manifest); err != nil {
		return nil, fmt.Errorf("reading %s: %w", file, err)
	}
	delete(manifest, "scripts")
	delete(manifest, "devDependencies")
	return json.MarshalIndent(manifest, "", "    ")
}

// packPython installs what builds the wheel into a directory of its own, and builds without a connection to an index:
// pip would install the newest packages for a build that it isolates.
func packPython(ctx context.Context, dir, out string) error {
	backend, err := os.MkdirTemp("", "mixedkube-backend-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(backend) }()
	// Wheels run no code while they are installed.
	if err := run(ctx, dir, "python3", "-m", "pip", "install", "--quiet", "--disable-pip-version-check",
		"--require-hashes", "--only-binary=:all:", "--target", backend, "--requirement", pythonLock); err != nil {
		return err
	}
	if out, err = filepath.Abs(out); err != nil {
		return err
	}
	return runWith(ctx, dir, []string{"PYTHONPATH=" + backend}, "python3", "-m", "pip", "wheel", "--quiet",
		"--disable-pip-version-check", "--no-deps", "--no-build-isolation", "--no-index", "--wheel-dir", out, ".")
}

// run runs a command in a directory. The error has the output of the command.
func run(ctx context.Context, dir, name string, args ...string) error {
	return runWith(ctx, dir, nil, name, args...)
}

// runWith runs a command with variables in addition to those of this process.
func runWith(ctx context.Context, dir string, variables []string, name string, args ...string) error {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), variables...)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", strings.Join(cmd.Args, " "), err, bytes.TrimSpace(out))
	}
	return nil
}

func remove(pattern string) error {
	files, err := filepath.Glob(pattern)
	if err != nil {
		return err
	}
	for _, file := range files {
		if err := os.Remove(file); err != nil {
			return err
		}
	}
	return nil
}
