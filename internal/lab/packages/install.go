package packages

import (
	"context"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// check fails where a command is missing.
func (how installation) check() error {
	for _, name := range slices.Sorted(maps.Keys(how.needs)) {
		if _, err := exec.LookPath(name); err != nil {
			return UnavailableError{fmt.Sprintf("%s is not on PATH: install %s", name, how.needs[name])}
		}
	}
	return nil
}

// installNode installs the packages of the lock file, and the compiled SDK beside them.
func installNode(ctx context.Context, dir, sdk string) error {
	// No package's own scripts: what programs import here needs none.
	if err := run(ctx, dir, "npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"); err != nil {
		return err
	}
	modules := filepath.Join(dir, "node_modules")
	if err := run(ctx, sdk, "node", filepath.Join(modules, "typescript", "bin", "tsc")); err != nil {
		return err
	}
	scope := filepath.Join(modules, "@mixedkube")
	if err := os.MkdirAll(scope, 0o755); err != nil {
		return err
	}
	compiled := filepath.Join(sdk, "bin")
	if err := copyFile(filepath.Join(sdk, "package.json"), filepath.Join(compiled, "package.json")); err != nil {
		return err
	}
	return os.Rename(compiled, filepath.Join(scope, "mixedkube"))
}

// installPython makes a virtual environment with the packages and the SDK.
func installPython(ctx context.Context, dir, sdk string) error {
	if err := run(ctx, dir, "python3", "-m", "venv", "venv"); err != nil {
		return err
	}
	pip := []string{"-m", "pip", "install", "--quiet", "--disable-pip-version-check"}
	python := filepath.Join(dir, "venv", "bin", "python")
	if err := run(ctx, dir, python, append(slices.Clone(pip), "--requirement", "requirements.txt")...); err != nil {
		return err
	}
	// Its dependencies are among the program's, which pins them.
	return run(ctx, dir, python, append(slices.Clone(pip), "--no-deps", sdk)...)
}

// offline matches what npm and pip say where the registry cannot be reached.
var offline = regexp.MustCompile(`\b(ENOTFOUND|ECONNREFUSED|ECONNRESET|EAI_AGAIN|ETIMEDOUT|ENETUNREACH)\b|` +
	`NewConnectionError|ConnectTimeoutError|ProxyError|Temporary failure in name resolution`)

func run(ctx context.Context, dir, name string, args ...string) error {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err == nil {
		return nil
	}
	said := strings.TrimSpace(string(out))
	what := strings.Join(append([]string{filepath.Base(name)}, args...), " ")
	if found := offline.FindString(said); found != "" {
		return UnavailableError{fmt.Sprintf("%s does not reach its registry (%s)", what, found)}
	}
	return fmt.Errorf("%s in %s: %w\n%s", what, dir, err, said)
}
