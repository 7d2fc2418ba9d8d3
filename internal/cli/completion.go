package cli

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/fielderrors"
)

// shells write the script for a shell.
var shells = map[string]func(root *cobra.Command, w io.Writer) error{
	"bash": func(root *cobra.Command, w io.Writer) error { return root.GenBashCompletionV2(w, true) },
	"zsh":  func(root *cobra.Command, w io.Writer) error { return root.GenZshCompletion(w) },
	"fish": func(root *cobra.Command, w io.Writer) error { return root.GenFishCompletion(w, true) },
	"powershell": func(root *cobra.Command, w io.Writer) error {
		return root.GenPowerShellCompletionWithDesc(w)
	},
}

// newCompletion replaces cobra's command, which exits with 0 for an unknown shell.
func newCompletion() *cobra.Command {
	known := slices.Sorted(maps.Keys(shells))
	return &cobra.Command{
		Use:   "completion SHELL",
		Short: "Write the completion script for a shell",
		Long: `Write the script with which a shell completes commands, flags, values and the IDs of rules. SHELL is
bash, zsh, fish or powershell.

  bash        mixedkube completion bash > ~/.local/share/bash-completion/completions/mixedkube
  zsh         mixedkube completion zsh > "${fpath[1]}/_mixedkube"
  fish        mixedkube completion fish > ~/.config/fish/completions/mixedkube.fish
  powershell  mixedkube completion powershell | Out-String | Invoke-Expression

The exit code is 0, or 2 if the command line is wrong.`,
		Example: "  source <(mixedkube completion bash)",
		Args: func(_ *cobra.Command, args []string) error {
			switch {
			case len(args) == 0:
				return errors.New("name a shell: bash, zsh, fish or powershell")
			case len(args) > 1:
				return fmt.Errorf("%s: unexpected argument: name one shell", args[1])
			case shells[args[0]] == nil:
				return fmt.Errorf("%s: %s", args[0], fielderrors.Unknown("shell", args[0], known))
			default:
				return nil
			}
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			return shells[args[0]](cmd.Root(), cmd.OutOrStdout())
		},
		ValidArgsFunction: func(
			_ *cobra.Command, args []string, _ string,
		) ([]cobra.Completion, cobra.ShellCompDirective) {
			if len(args) > 0 {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			return known, cobra.ShellCompDirectiveNoFileComp
		},
	}
}

// completeFlag makes shells complete the value of a flag.
func completeFlag(cmd *cobra.Command, flag string, values ...string) {
	completeWith(cmd, flag, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp))
}

// completeFiles makes shells complete the value of a flag with files that have one of the extensions.
func completeFiles(cmd *cobra.Command, flag string, extensions ...string) {
	completeWith(cmd, flag, cobra.FixedCompletions(extensions, cobra.ShellCompDirectiveFilterFileExt))
}

func completeWith(cmd *cobra.Command, flag string, complete cobra.CompletionFunc) {
	if err := cmd.RegisterFlagCompletionFunc(flag, complete); err != nil {
		panic("completion: " + err.Error()) // the flag does not exist, or it is completed already
	}
}

// completeAnswer completes the platform of [NAMESPACE/]KIND/NAME=PLATFORM.
func completeAnswer(_ *cobra.Command, _ []string, begun string) ([]cobra.Completion, cobra.ShellCompDirective) {
	object, name, ok := strings.Cut(begun, "=")
	if !ok {
		return nil, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
	}
	var found []cobra.Completion
	for _, p := range platform.All() {
		isOfPools := len(topology.ValidatePlatform(p, nil)) == 0
		if isOfPools && strings.HasPrefix(p.String(), name) {
			found = append(found, object+"="+p.String())
		}
	}
	return found, cobra.ShellCompDirectiveNoFileComp
}

// matchings returns the values of --matching.
func matchings() []string {
	var names []string
	for _, m := range platform.Matchings() {
		names = append(names, string(m))
	}
	slices.Sort(names)
	return names
}
