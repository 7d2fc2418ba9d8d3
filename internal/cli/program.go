package cli

import (
	"context"
	"io"
	"path"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mixedkube/mixedkube/internal/policy"
)

const (
	ownName = "mixedkube"
	// asPlugin is how kubectl calls a program on PATH with the name pluginFile.
	asPlugin   = "kubectl mixedkube"
	pluginFile = "kubectl-mixedkube"
)

// RunAs is [Run] for a program that was started under a name, os.Args[0]. kubectl starts the program kubectl-mixedkube
// for `kubectl mixedkube`; usage and examples then show that. Pulumi's engine starts the policy pack under the name of
// its program.
func RunAs(ctx context.Context, program string, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	return run(ctx, calledBy(program), argumentsOf(program, args), stdin, stdout, stderr)
}

// argumentsOf returns the arguments of a program for [Run].
func argumentsOf(program string, args []string) []string {
	if policy.IsProgram(program) {
		return append([]string{"policy", "serve"}, args...)
	}
	return args
}

// calledBy returns the command that starts a program with this name.
func calledBy(program string) string {
	name := path.Base(strings.ReplaceAll(program, `\`, "/"))
	if strings.TrimSuffix(strings.ToLower(name), ".exe") == pluginFile {
		return asPlugin
	}
	return ownName
}

// rename puts another name into the usage and the examples of all commands.
func rename(root *cobra.Command, name string) {
	if name == ownName {
		return
	}
	root.Annotations = map[string]string{cobra.CommandDisplayNameAnnotation: name}
	renameExamples(root, name)
}

func renameExamples(cmd *cobra.Command, name string) {
	cmd.Example = strings.ReplaceAll(cmd.Example, ownName+" ", name+" ")
	for _, below := range cmd.Commands() {
		renameExamples(below, name)
	}
}
