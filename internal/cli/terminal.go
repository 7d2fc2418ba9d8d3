package cli

import (
	"io"
	"os"
	"slices"
)

// isTerminal reports whether the output goes to a device such as a terminal, not to a file or another program.
func isTerminal(w io.Writer) bool {
	file, ok := behind(w).(*os.File)
	if !ok {
		return false
	}
	info, err := file.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// reader is what reads standard output.
type reader int

const (
	// toProgram is for a file or another program: the bytes matter.
	toProgram reader = iota
	// toTerminal is for a person.
	toTerminal
	// toAgent is for the agent of a CI service, which takes commands from the output. It reads through a pipe, as
	// another program may: in a pipeline, each pipe counts as the agent.
	toAgent
)

// agents are variables that the agents of Azure Pipelines, GitHub and GitLab set.
var agents = []string{"TF_BUILD", "GITHUB_ACTIONS", "GITLAB_CI"}

func readerOf(w io.Writer) reader {
	if isTerminal(w) {
		return toTerminal
	}
	w = behind(w)
	file, ok := w.(*os.File)
	if !ok {
		return toProgram
	}
	info, err := file.Stat()
	inPipeline := slices.ContainsFunc(agents, func(name string) bool { return os.Getenv(name) != "" })
	if err == nil && !info.Mode().IsRegular() && inPipeline {
		return toAgent
	}
	return toProgram
}
