package azcli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/mixedkube/mixedkube/internal/azuresim/arm"
	"github.com/mixedkube/mixedkube/internal/azuresim/armclient"
)

// The exit statuses of az.
const (
	failed   = 1
	misused  = 2
	notFound = 3
)

// World is the environment of a command.
type World struct {
	// Open opens the simulated Azure.
	Open func() (*armclient.Client, error)
	// Stdin is the source of the value @-.
	Stdin          io.Reader
	Stdout, Stderr io.Writer
}

// Run runs a command line, without the name of the program, and returns its exit status.
func Run(ctx context.Context, args []string, w World) int {
	err := run(ctx, args, w)
	if err == nil {
		return 0
	}
	if refused, ok := errors.AsType[*arm.Error](err); ok {
		fmt.Fprintf(w.Stderr, "ERROR: (%s) %s\nCode: %s\nMessage: %s\n", refused.Code, refused.Message, refused.Code,
			refused.Message)
	} else {
		fmt.Fprintf(w.Stderr, "ERROR: %v\n", err)
	}
	if _, ok := errors.AsType[*usageError](err); ok {
		return misused
	}
	if armclient.IsNotFound(err) {
		return notFound
	}
	return failed
}

func run(ctx context.Context, args []string, w World) error {
	c, rest, err := find(args)
	if err != nil {
		return err
	}
	values, err := c.parse(rest, w.Stdin)
	if err != nil {
		return err
	}
	client, err := w.Open()
	if err != nil {
		return err
	}
	result, err := c.run(ctx, client, values)
	if err != nil || result == nil || values.one(output) == "none" {
		return err
	}
	return show(w.Stdout, result)
}

// usageError is a command line that argparse refuses.
type usageError struct{ text string }

func (e *usageError) Error() string { return e.text }

func usage(format string, args ...any) error { return &usageError{fmt.Sprintf(format, args...)} }

// find finds the command that the arguments begin with.
func find(args []string) (command, []string, error) {
	var words []string
	for _, arg := range args {
		if strings.HasPrefix(arg, "-") {
			break
		}
		words = append(words, arg)
	}
	line := strings.Join(words, " ")
	for _, c := range commands {
		if line == c.words {
			return c, args[len(words):], nil
		}
		// Further words are values without an option.
		if more, ok := strings.CutPrefix(line, c.words+" "); ok {
			return command{}, nil, usage("unrecognized arguments: %s", more)
		}
	}
	return command{}, nil,
		usage("'%s' is misspelled or not recognized by the system: the simulated az has only %s", line, names())
}
