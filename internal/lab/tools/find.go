package tools

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// finder looks for a tool outside of the cache.
type finder func(ctx context.Context, where surroundings, t tool, pinned string) found

// found is the result of a finder: a tool that fits, or no tool and, if there was
// one, why it was not used.
type found struct {
	source        source
	path, version string
	passedOver    string
}

// surroundings are what the finders look at.
type surroundings struct {
	environ []string
	root    string
	table   []tool
	// timeout is how long a tool may take to print its version.
	timeout time.Duration
}

// nowhere is for a tool of this project, which only this checkout can build.
func nowhere(context.Context, surroundings, tool, string) found { return found{} }

// onPath takes the first tool on PATH, as a shell would, and gets its version.
func onPath(ctx context.Context, where surroundings, t tool, pinned string) found {
	path := lookPath(where.environ, t.name)
	if path == "" {
		return found{}
	}
	version, err := where.askVersion(ctx, path, t)
	if err != nil {
		return found{passedOver: err.Error()}
	}
	if !t.fits.accepts(pinned, version) {
		return found{passedOver: fmt.Sprintf("%s is %s, %s is needed", path, version, t.fits.needs(pinned))}
	}
	return found{source: fromPath, path: path, version: version}
}

// nextToPulumi takes the tool in the directory of the pulumi on PATH, if that pulumi fits.
func nextToPulumi(ctx context.Context, where surroundings, t tool, _ string) found {
	for _, cli := range where.table {
		if cli.name != "pulumi" {
			continue
		}
		pinned, err := cli.pinned(where.root)
		if err != nil {
			return found{passedOver: err.Error()}
		}
		release := onPath(ctx, where, cli, pinned)
		if release.path == "" {
			return found{}
		}
		path := filepath.Join(filepath.Dir(release.path), t.name)
		if !isExecutable(path) {
			return found{passedOver: fmt.Sprintf("%s does not exist next to the pulumi on PATH", path)}
		}
		return found{source: fromPath, path: path, version: release.version}
	}
	return found{}
}

// inPluginDir takes the plugin that Pulumi itself installed; the directory's name
// has the version.
func inPluginDir(_ context.Context, where surroundings, t tool, pinned string) found {
	home := getenv(where.environ, "PULUMI_HOME")
	if home == "" {
		user := getenv(where.environ, homeVariable)
		if user == "" {
			return found{}
		}
		home = filepath.Join(user, ".pulumi")
	}
	home, err := filepath.Abs(home)
	if err != nil {
		return found{passedOver: err.Error()}
	}
	// The directory of pulumi-resource-kubernetes is resource-kubernetes-v4.25.0.
	dir := filepath.Join(home, "plugins", strings.TrimPrefix(t.name, "pulumi-")+"-"+pinned)
	path := filepath.Join(dir, t.name)
	if !isExecutable(path) {
		return found{}
	}
	// Pulumi itself marks an unfinished installation with this file.
	if _, err := os.Stat(dir + ".partial"); err == nil {
		return found{passedOver: dir + " is only partly installed"}
	}
	return found{source: fromPlugins, path: path, version: pinned}
}

// askVersion runs the tool to get its version. It kills a tool that hangs.
func (where surroundings) askVersion(ctx context.Context, path string, t tool) (string, error) {
	commandLine := strings.Join(append([]string{path}, t.ask...), " ")
	limited, cancel := context.WithTimeout(ctx, where.timeout)
	defer cancel()

	var printed bytes.Buffer
	cmd := command(limited, path, t.ask...)
	cmd.Env = slices.Concat(where.environ, []string{"PULUMI_SKIP_UPDATE_CHECK=true"})
	cmd.Stdout = &printed
	err := cmd.Run()
	if errors.Is(limited.Err(), context.DeadlineExceeded) {
		return "", fmt.Errorf("%s gave no answer in %s", commandLine, where.timeout)
	}
	if err != nil {
		return "", fmt.Errorf("%s failed: %w", commandLine, err)
	}
	version, ok := parseVersion(printed.String(), t.answer)
	if !ok {
		return "", fmt.Errorf("%s names no version", commandLine)
	}
	return version, nil
}

// lookPath returns the absolute path of a program on PATH, or "". It leaves out relative
// directories of PATH, as package os/exec does.
func lookPath(environ []string, name string) string {
	for _, dir := range filepath.SplitList(getenv(environ, "PATH")) {
		path := filepath.Join(dir, name)
		if filepath.IsAbs(dir) && isExecutable(path) {
			return path
		}
	}
	return ""
}

// getenv reads a variable; as in a process, the last of several values applies.
func getenv(environ []string, name string) (value string) {
	for _, variable := range environ {
		if after, is := strings.CutPrefix(variable, name+"="); is {
			value = after
		}
	}
	return value
}
