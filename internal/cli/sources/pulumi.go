package sources

import (
	"context"
	"errors"
)

// ExportStack reads the state of a stack with pulumi stack export, in the project of the working directory. The name is
// the stack's name, in a form that pulumi accepts.
func ExportStack(ctx context.Context, stack string) (*State, error) {
	text, messages, err := Program{Name: "pulumi"}.Run(ctx, "stack", "export", "--non-interactive", "--stack="+stack)
	command := "pulumi stack export --stack=" + stack
	switch {
	case errors.Is(err, ErrNotOnPath):
		return nil, errors.New("--stack is read with pulumi, and there is no pulumi on PATH: install it, or save " +
			"the output of `pulumi stack export` on another machine, and name that file")
	case err != nil:
		return nil, failure(command, messages, err)
	}
	return ReadState(text, command)
}
