package sources

import (
	"context"
	"errors"
)

// ExportStack reads the state of a stack with pulumi stack export, in the project of the working
// directory. The name is that of the stack, as pulumi takes it.
func ExportStack(ctx context.Context, stack string) (*State, error) {
	text, said, err := Program{Name: "pulumi"}.Run(ctx, "stack", "export", "--non-interactive", "--stack="+stack)
	command := "pulumi stack export --stack=" + stack
	switch {
	case errors.Is(err, ErrNotOnPath):
		return nil, errors.New("--stack is read with pulumi, and there is no pulumi on PATH: install it, or save " +
			"what `pulumi stack export` prints elsewhere and name that file")
	case err != nil:
		return nil, failure(command, said, err)
	}
	return ReadState(text, command)
}
