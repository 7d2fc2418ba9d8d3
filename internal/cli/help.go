package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mixedkube/mixedkube/internal/core/fielderrors"
)

// newHelp replaces cobra's command, which exits with 0 if there is no such command.
func newHelp() *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND]",
		Short: "Explain a command and its flags",
		Long: `Explain a command and its flags, as the flag --help of the command does.

The exit code is 0, or 2 if there is no such command.`,
		Example: "  mixedkube help check",
		RunE: func(cmd *cobra.Command, args []string) error {
			about := cmd.Root()
			for i, name := range args {
				next := commandNamed(about, name)
				if next == nil {
					return fmt.Errorf("%s: %s", strings.Join(args[:i+1], " "),
						fielderrors.Unknown("command", name, commandsOf(about)))
				}
				about = next
			}
			return about.Help()
		},
		ValidArgsFunction: func(
			cmd *cobra.Command, args []string, _ string,
		) ([]cobra.Completion, cobra.ShellCompDirective) {
			about := cmd.Root()
			for _, name := range args {
				if about = commandNamed(about, name); about == nil {
					return nil, cobra.ShellCompDirectiveNoFileComp
				}
			}
			return commandsOf(about), cobra.ShellCompDirectiveNoFileComp
		},
	}
}

func commandNamed(cmd *cobra.Command, name string) *cobra.Command {
	for _, c := range cmd.Commands() {
		if c.Name() == name {
			return c
		}
	}
	return nil
}

// commandsOf returns the names of the subcommands of a command.
func commandsOf(cmd *cobra.Command) []string {
	var names []string
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() {
			names = append(names, c.Name())
		}
	}
	return names
}
