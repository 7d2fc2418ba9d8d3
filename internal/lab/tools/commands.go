package tools

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"golang.org/x/mod/modfile"
)

// Command is a command of the lab's own module: a part of the simulated Azure that
// Pulumi or a program starts.
type Command struct {
	// Name is the name of the file, Path its absolute path.
	Name, Path string
	// Version is the version of the Pulumi SDK that programs use with a plugin,
	// v3.23.0 for example. It is empty if the command is not a plugin.
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

// Commands builds the commands of the simulated Azure as they are in the checkout.
func (c *Cache) Commands(ctx context.Context) ([]Command, error) {
	own := ownCommands()
	commands, failed := make([]Command, len(own)), make([]error, len(own))
	var all sync.WaitGroup
	for i, each := range own {
		all.Go(func() { commands[i], failed[i] = c.command(ctx, each) })
	}
	all.Wait()
	// All of them fail to compile for the same reason.
	if i := slices.IndexFunc(failed, func(err error) bool { return err != nil }); i >= 0 {
		return nil, failed[i]
	}
	return commands, nil
}

func (c *Cache) command(ctx context.Context, own ownCommand) (Command, error) {
	version, err := c.required(own.sdk)
	if err != nil {
		return Command{}, err
	}
	path, err := c.Executable(ctx, filepath.Join(c.Root, filepath.FromSlash(labModule), "cmd", own.name))
	return Command{Name: own.name, Path: path, Version: version}, err
}

// required returns the version of a module that the root module requires, or "" if the module is "".
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
