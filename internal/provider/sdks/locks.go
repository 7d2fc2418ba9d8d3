package sdks

import (
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

// locks has the lock file of each language, in a directory with the name of the language. It names the packages that
// build the SDK, each with its version and its hash: the build runs no other code of a registry.
//
//go:embed locks
var locks embed.FS

// The names of the lock files, in locks and in the directory of an SDK.
const (
	nodeLock   = "package-lock.json"
	pythonLock = "build-requirements.txt"
)

// Lock resolves the packages that build the SDK of a language in the registry of the language, and writes the lock file
// in the directory of the language in dir. files are the generated files of the SDK.
func Lock(ctx context.Context, language, dir string, files map[string][]byte) (string, error) {
	p, ok := packers[language]
	if !ok {
		return "", unknown(language)
	}
	file := filepath.Join(dir, language, p.lockFile)
	content, err := p.lock(ctx, files)
	if err == nil {
		err = os.WriteFile(file, content, 0o644)
	}
	if err != nil {
		return "", fmt.Errorf("writing %s: %w", file, err)
	}
	return file, nil
}

// cooldown is the minimum age of a locked package of npm: most malicious releases are found within days. Dependabot
// waits as long, see .github/dependabot.yml. pip has no such option.
const cooldown = 7 * 24 * time.Hour

func lockNode(ctx context.Context, files map[string][]byte) ([]byte, error) {
	var manifest map[string]any
	if err := json.Unmarshal(files[manifestFile], &manifest); err != nil {
		return nil, fmt.Errorf("reading the generated %s: %w", manifestFile, err)
	}
	// The lock file applies to each version of the SDK.
	delete(manifest, "version")
	short, err := json.MarshalIndent(manifest, "", "  ")
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "mixedkube-lock-")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	if err := os.WriteFile(filepath.Join(dir, manifestFile), short, 0o600); err != nil {
		return nil, err
	}
	// The addresses of the registry of this machine are not for others.
	if err := run(ctx, dir, "npm", "install", "--package-lock-only", "--ignore-scripts", "--no-audit", "--no-fund",
		"--omit-lockfile-registry-resolved", "--loglevel=error",
		"--before", time.Now().Add(-cooldown).UTC().Format(time.RFC3339)); err != nil {
		return nil, err
	}
	return os.ReadFile(filepath.Join(dir, nodeLock))
}

// buildRequires matches the packages that pip installs before it builds a project.
var buildRequires = regexp.MustCompile(`(?m)^\s*requires = \[(.*)\]$`)

// required returns the packages that build a project in Python, from its pyproject.toml.
func required(project []byte) ([]string, error) {
	found := buildRequires.FindSubmatch(project)
	if found == nil {
		return nil, errors.New("the generated pyproject.toml has no list requires of the packages that build it")
	}
	var names []string
	if err := json.Unmarshal(slices.Concat([]byte("["), found[1], []byte("]")), &names); err != nil {
		return nil, fmt.Errorf("reading requires of the generated pyproject.toml: %w", err)
	}
	return names, nil
}

func lockPython(ctx context.Context, files map[string][]byte) ([]byte, error) {
	names, err := required(files["pyproject.toml"])
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "mixedkube-lock-")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	report := filepath.Join(dir, "report.json")
	if err := run(ctx, dir, "python3", append([]string{
		"-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--dry-run", "--ignore-installed",
		"--only-binary=:all:", "--report", report,
	}, names...)...); err != nil {
		return nil, err
	}
	content, err := os.ReadFile(report)
	if err != nil {
		return nil, err
	}
	var found struct {
		Install []struct {
			Metadata     struct{ Name, Version string }
			DownloadInfo struct {
				ArchiveInfo struct{ Hashes map[string]string } `json:"archive_info"`
			} `json:"download_info"`
		}
	}
	if err := json.Unmarshal(content, &found); err != nil {
		return nil, fmt.Errorf("reading the report of pip: %w", err)
	}
	lines := []string{"# Written by make locks: what builds the wheel."}
	for _, p := range found.Install {
		lines = append(lines, fmt.Sprintf("%s==%s --hash=sha256:%s", p.Metadata.Name, p.Metadata.Version,
			p.DownloadInfo.ArchiveInfo.Hashes["sha256"]))
	}
	slices.Sort(lines)
	return []byte(strings.Join(lines, "\n") + "\n"), nil
}
