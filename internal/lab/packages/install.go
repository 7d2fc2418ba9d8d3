package packages

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// check fails if a command is missing.
func (how installation) check() error {
	for _, name := range slices.Sorted(maps.Keys(how.needs)) {
		if _, err := exec.LookPath(name); err != nil {
			return UnavailableError{fmt.Sprintf("%s is not on PATH: install %s", name, how.needs[name])}
		}
	}
	return nil
}

// sdkOfNode is the SDK's name for npm.
const sdkOfNode = "@mixedkube/mixedkube"

// ownOfNode returns a package.json without the SDK.
func ownOfNode(pins []byte) ([]byte, error) {
	var manifest map[string]any
	if err := json.Unmarshal(pins, &manifest); err != nil {
		return nil, err
	}
	if dependencies, ok := manifest["dependencies"].(map[string]any); ok {
		delete(dependencies, sdkOfNode)
	}
	return json.MarshalIndent(manifest, "", "  ")
}

// npmFlags are the flags of an installation. The packages' own scripts do not run: nothing here needs them.
var npmFlags = []string{"--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline", "--loglevel=error"}

// installNode installs the packages of the lock file, or else of the package.json, and the SDK.
func installNode(ctx context.Context, dir, sdk string) error {
	how := "ci"
	if _, err := os.Stat(filepath.Join(dir, "package-lock.json")); errors.Is(err, fs.ErrNotExist) {
		how = "install"
	}
	if err := Run(ctx, dir, "npm", append([]string{how}, npmFlags...)...); err != nil {
		return err
	}
	return Run(ctx, dir, "npm", append([]string{"install", "--no-save", "--no-package-lock", sdk}, npmFlags...)...)
}

// ownOfPython returns requirements without the SDK, which is a file there.
func ownOfPython(pins []byte) ([]byte, error) {
	var own strings.Builder
	for line := range strings.Lines(string(pins)) {
		if strings.HasPrefix(filepath.Base(strings.TrimSpace(line)), "mixedkube-") {
			continue
		}
		own.WriteString(line)
	}
	return []byte(own.String()), nil
}

// installPython creates a virtual environment with the packages and the SDK.
func installPython(ctx context.Context, dir, sdk string) error {
	if err := Run(ctx, dir, "python3", "-m", "venv", "venv"); err != nil {
		return err
	}
	pip := []string{"-m", "pip", "install", "--quiet", "--disable-pip-version-check"}
	python := filepath.Join(dir, "venv", "bin", "python")
	if err := Run(ctx, dir, python, append(slices.Clone(pip), "--requirement", "requirements.txt")...); err != nil {
		return err
	}
	// Its dependencies are among the program's packages.
	return Run(ctx, dir, python, append(slices.Clone(pip), "--no-deps", sdk)...)
}

// offline matches what npm and pip print if they cannot reach the registry.
var offline = regexp.MustCompile(`\b(ENOTFOUND|ECONNREFUSED|ECONNRESET|EAI_AGAIN|ETIMEDOUT|ENETUNREACH)\b|` +
	`NewConnectionError|ConnectTimeoutError|ProxyError|Temporary failure in name resolution`)

// Run runs a command that downloads packages. The error is an [UnavailableError] if it cannot reach their registry.
func Run(ctx context.Context, dir, name string, args ...string) error {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err == nil {
		return nil
	}
	output := strings.TrimSpace(string(out))
	what := strings.Join(append([]string{filepath.Base(name)}, args...), " ")
	if found := offline.FindString(output); found != "" {
		return UnavailableError{fmt.Sprintf("%s does not reach its registry (%s)", what, found)}
	}
	return fmt.Errorf("%s in %s: %w\n%s", what, dir, err, output)
}
