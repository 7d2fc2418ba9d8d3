package cli

import (
	"context"
	"io"
	"path"
	"strings"

	"github.com/spf13/cobra"
)

const (
	ownName = "mixedkube"
	// asPlugin is how kubectl calls a program on PATH that is called pluginFile.
	asPlugin   = "kubectl mixedkube"
	pluginFile = "kubectl-mixedkube"
)

// RunAs is [Run] for a program that was started by a name: os.Args[0]. kubectl starts the program
// kubectl-mixedkube for `kubectl mixedkube`: usage and examples say that then.
func RunAs(ctx context.Context, program string, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	return run(ctx, calledBy(program), args, stdin, stdout, stderr)
}

// calledBy is what somebody has written who has started a program.
func calledBy(program string) string {
	name := path.Base(strings.ReplaceAll(program, `\`, "/"))
	if strings.TrimSuffix(strings.ToLower(name), ".exe") == pluginFile {
		return asPlugin
	}
	return ownName
}

// rename has the usage and the examples of all commands say another name.
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
