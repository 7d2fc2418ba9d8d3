package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/mixedkube/mixedkube/internal/core/fielderrors"
)

// group returns a command that only has subcommands, and fails without one of them.
func group(cmd *cobra.Command, below ...*cobra.Command) *cobra.Command {
	cmd.Args = func(_ *cobra.Command, args []string) error {
		if len(args) == 0 {
			return nil
		}
		var known []string
		for _, c := range below {
			if !c.Hidden {
				known = append(known, c.Name())
			}
		}
		return fmt.Errorf("%s: %s", args[0], fielderrors.Unknown("command", args[0], known))
	}
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		printText(cmd.ErrOrStderr(), cmd.UsageString())
		return unusable
	}
	cmd.AddCommand(below...)
	return cmd
}
