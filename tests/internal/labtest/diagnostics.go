package labtest

import (
	"errors"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// Diagnostics returns the diagnostics that the CLI prints at the end, with their resources sorted: the CLI prints
// them in the order in which the engine has seen them.
func Diagnostics(text string) string {
	_, text, _ = strings.Cut(text, "Diagnostics:\n")
	text, _, _ = strings.Cut(text, "Resources:\n")
	text, _, _ = strings.Cut(text, "\nOutputs:\n")
	resources := regexp.MustCompile(`(?m)^  \S`).FindAllStringIndex(text, -1)
	var blocks []string
	for i, at := range resources {
		end := len(text)
		if i+1 < len(resources) {
			end = resources[i+1][0]
		}
		blocks = append(blocks, strings.TrimRight(text[at[0]:end], "\n ")+"\n")
	}
	slices.Sort(blocks)
	return strings.Join(blocks, "\n")
}

var shownAt = regexp.MustCompile(`^  \S+ \((.+)\):`)

// ErrorsAt returns the errors that the CLI prints, with the names of their resources, sorted.
func ErrorsAt(text string) []string {
	var found []string
	at := ""
	for line := range strings.Lines(Diagnostics(text)) {
		if name := shownAt.FindStringSubmatch(line); name != nil {
			at = name[1]
		}
		if text := strings.TrimSpace(line); strings.HasPrefix(text, "error: ") {
			found = append(found, at+" "+text)
		}
	}
	slices.Sort(found)
	return found
}

// Failed fails the test unless a command has ended with exit status 1, the CLI's exit status for an error.
func Failed(t *testing.T, command string, err error) {
	t.Helper()
	if exit, ok := errors.AsType[*exec.ExitError](err); !ok || exit.ExitCode() != 1 {
		t.Errorf("%s ends with %v, want exit status 1", command, err)
	}
}
