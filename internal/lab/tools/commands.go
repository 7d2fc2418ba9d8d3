package tools

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/mod/modfile"
)

// Command is a command of the lab's own module: a part of the simulated Azure that
// Pulumi or a program starts.
type Command struct {
	// Name is that of the file, Path its absolute path.
	Name, Path string
	// Version is that of the Pulumi SDK which programs speak to a plugin with,
	// v3.16.0 for example; empty for what is no plugin.
	Version string
}

// ownCommand is a command, and the module of its SDK: the root module requires it.
type ownCommand struct{ name, sdk string }

func ownCommands() []ownCommand {
	return []ownCommand{
		{"pulumi-resource-azure-native", "github.com/pulumi/pulumi-azure-native-sdk/containerservice/v3"},
		{"pulumi-resource-command", "github.com/pulumi/pulumi-command/sdk"},
		{"az", ""},
	}
}

// Commands builds the commands of the simulated Azure as they are in the checkout. Go
// keeps the results in its own cache, and knows when they are out of date.
func (c *Cache) Commands(ctx context.Context) ([]Command, error) {
	compiler := lookPath(c.environ, "go")
	if compiler == "" {
		return nil, errors.New("build the simulated Azure: go is not on PATH: install Go")
	}
	started := time.Now()
	cmd := goCommand{
		path: compiler, dir: filepath.Join(c.Root, "internal", "lab"), environ: c.environ, heartbeat: c.heartbeat,
		beat: func() {
			c.progress().line("the simulated Azure: still building after %s …", duration(time.Since(started)))
		},
	}
	goflags, err := cmd.run(ctx, "env", "GOFLAGS")
	if err != nil {
		return nil, err
	}
	cmd.environ = buildEnviron(cmd.environ, goflags, "", host())
	var commands []Command
	for _, own := range ownCommands() {
		version, err := c.required(own.sdk)
		if err != nil {
			return nil, err
		}
		path, err := cmd.run(ctx, "tool", "-n", own.name)
		if err != nil {
			return nil, fmt.Errorf("build %s: %w", own.name, err)
		}
		commands = append(commands, Command{Name: own.name, Path: path, Version: version})
	}
	c.progress().line("the simulated Azure is ready after %s", duration(time.Since(started)))
	return commands, nil
}

// required is the version in which the root module requires another; "" for none.
func (c *Cache) required(module string) (string, error) {
	if module == "" {
		return "", nil
	}
	path := filepath.Join(c.Root, "go.mod")
	content, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	file, err := modfile.ParseLax(path, content, nil)
	if err != nil {
		return "", err
	}
	for _, require := range file.Require {
		if require.Mod.Path == module {
			return require.Mod.Version, nil
		}
	}
	return "", fmt.Errorf("%s does not require %s, which says what to simulate: run go mod tidy", path, module)
}
