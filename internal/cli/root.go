package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/mixedkube/mixedkube/internal/core/fielderrors"
)

// exitError ends a command that has reported everything.
type exitError int

// The exit codes of all commands. docs/command.md lists the ones of each command.
const (
	passed exitError = 0
	// failed: there is an error or a question in the input. The rest has been done.
	failed exitError = 1
	// unusable: something could not be read or written, or the command line is wrong.
	unusable exitError = 2
)

// Error makes the code an error, so that a command can return it.
func (c exitError) Error() string { return fmt.Sprintf("exit code %d", int(c)) }

// Run runs a command line without the program's name, and returns the exit code. It touches nothing except the streams,
// the files that the arguments name, the lock file of images in the working directory, and [ConfigFile] there or above
// it. The command images, and others with --look, send requests to registries; helm renders charts, and topology and
// map run kubectl and pulumi.
func Run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	return run(ctx, ownName, args, stdin, stdout, stderr)
}

func run(ctx context.Context, name string, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	in := &input{stdin: stdin}
	root := newRoot(in) //nolint:contextcheck // A command has the context of its own run.
	rename(root, name)
	if args == nil {
		args = []string{} // for nil, cobra takes the arguments of the process
	}
	root.SetArgs(args)
	root.SetOut(stdout)
	root.SetErr(stderr)
	err := in.execute(ctx, root)
	if err == nil {
		return int(passed)
	}
	if code, ok := errors.AsType[exitError](err); ok {
		return int(code)
	}
	printErrors(stderr, err)
	return int(unusable)
}

func newRoot(in *input) *cobra.Command {
	info, _ := debug.ReadBuildInfo()
	root := &cobra.Command{
		Use:   "mixedkube",
		Short: "Bring Kubernetes manifests and machines into a cluster with Linux and Windows nodes",
		Long: `mixedkube checks and completes Kubernetes manifests for a cluster with Linux and Windows nodes,
describes and draws such a cluster, and creates one from machines. It needs a cluster and kubectl only for
--live, and Pulumi only for --stack and policy.`,
		Version: version(info),
		// Run prints each error once.
		SilenceErrors: true,
		SilenceUsage:  true,
		Args: func(root *cobra.Command, args []string) error {
			if len(args) == 0 {
				return nil
			}
			return fmt.Errorf("%s: %s", args[0], fielderrors.Unknown("command", args[0], commandsOf(root)))
		},
		RunE: func(root *cobra.Command, _ []string) error {
			printText(root.ErrOrStderr(), root.UsageString())
			return unusable
		},
	}
	root.SetFlagErrorFunc(flagError)
	root.SetUsageFunc(oneUsage(root.UsageFunc()))
	root.AddCommand(newCheck(in), newAdopt(in), newExplain(), newTopology(in), newMap(in), newImages(in), newJoin(in),
		newPolicy(in), newVersion(), newCompletion())
	root.SetHelpCommand(newHelp())
	root.CompletionOptions.DisableDefaultCmd = true
	return root
}

// oneUsage removes the usage of a command that only fails without a subcommand.
func oneUsage(usage func(*cobra.Command) error) func(*cobra.Command) error {
	return func(cmd *cobra.Command) error {
		if run := cmd.RunE; cmd.HasAvailableSubCommands() {
			cmd.RunE = nil
			defer func() { cmd.RunE = run }()
		}
		return usage(cmd)
	}
}

// flagError suggests the intended flag, for example if it has only one hyphen, and lists the values of a boolean flag.
func flagError(cmd *cobra.Command, err error) error {
	if wrong, ok := errors.AsType[*pflag.InvalidValueError](err); ok && wrong.GetFlag().Value.Type() == "bool" {
		return fmt.Errorf("--%s: %q is not valid: write true or false", wrong.GetFlag().Name, wrong.GetValue())
	}
	unknown, ok := errors.AsType[*pflag.NotExistError](err)
	if !ok {
		return err
	}
	name := "--" + unknown.GetSpecifiedName()
	if letters := unknown.GetSpecifiedShortnames(); letters != "" {
		name = "-" + letters
	}
	var known []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { known = append(known, "--"+f.Name) })
	slices.Sort(known)
	return fmt.Errorf("%s: %s", name, fielderrors.Unknown("flag", name, known))
}
