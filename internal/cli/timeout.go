package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/mixedkube/mixedkube/internal/core/fielderrors"
)

// watch ends a command whose time is over, whatever it is doing, and knows what the command has not read.
type watch struct {
	limit time.Duration
	// after calls a function after a time; the default is [time.AfterFunc].
	after func(time.Duration, func())
	// over gets an error when the time is over.
	over chan error

	mutex sync.Mutex
	// names are the files to read, in the order of the command line, and read has those that have been read.
	names []string
	read  map[string]bool
}

// timeoutFlag adds the flag that limits the time of a command whose arguments are paths.
func (in *input) timeoutFlag(cmd *cobra.Command) {
	cmd.Flags().
		DurationVar(&in.watch.limit, "timeout", 0, "the `time` that the command may take, such as 10m; when it "+
			"is over, the exit code is 2 (default no limit)")
	prepare := cmd.PreRunE
	cmd.PreRunE = func(cmd *cobra.Command, args []string) error {
		err := in.watch.start(cmd, args)
		if prepare != nil {
			err = errors.Join(err, prepare(cmd, args))
		}
		return err
	}
}

// start starts the time, if there is a limit. From its end on, the command can no longer write.
func (w *watch) start(cmd *cobra.Command, args []string) error {
	if !cmd.Flags().Changed("timeout") {
		return nil
	}
	if w.limit <= 0 {
		return fmt.Errorf("--timeout %s: must be more than 0, such as 10m", w.limit)
	}
	for _, path := range args {
		w.reads(shown(path))
	}
	stdout, stderr := &gate{w: cmd.OutOrStdout()}, &gate{w: cmd.ErrOrStderr()}
	cmd.Root().SetOut(stdout)
	cmd.Root().SetErr(stderr)
	after := w.after
	if after == nil {
		after = func(d time.Duration, f func()) { time.AfterFunc(d, f) }
	}
	after(w.limit, func() {
		w.over <- w.err() // before the output ends: see execute
		stdout.close()
		stderr.close()
	})
	return nil
}

// reads records what the command is going to read.
func (w *watch) reads(names ...string) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	w.names = append(w.names, names...)
}

// readsOnly is reads after the names of the command line have been replaced by these files.
func (w *watch) readsOnly(names ...string) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	w.names = slices.Clone(names)
}

// hasRead records what the command has read.
func (w *watch) hasRead(name string) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	if w.read == nil {
		w.read = map[string]bool{}
	}
	w.read[name] = true
}

// err returns the error about the end of the time.
func (w *watch) err() error {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	what := "what was read is not checked to the end"
	unread := slices.DeleteFunc(slices.Clone(w.names), func(name string) bool { return w.read[name] })
	if n := len(unread); n > 0 {
		what = fielderrors.Count(n, "path") + " not read to the end: " + firstOf(unread)
	}
	return fmt.Errorf("--timeout %s: the time is over, %s: raise it, or name fewer paths", w.limit, what)
}

// execute runs the command until its time is over. A command that does not end then is left alone: the process ends.
func (in *input) execute(ctx context.Context, root *cobra.Command) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	in.watch.over = make(chan error, 1)
	done := make(chan error, 1)
	go func() { done <- root.ExecuteContext(ctx) }()
	var late error
	select {
	case err := <-done:
		// A command that ends at the same moment may not have written everything.
		select {
		case late = <-in.watch.over:
			return late
		default:
			return err
		}
	case late = <-in.watch.over:
		cancel()
	}
	select {
	case <-done: //nolint:errcheck // the time is over, whatever it is
	case <-time.After(toEnd):
	}
	return late
}

// toEnd is how long the programs that a command has started may take to end when its time is over.
const toEnd = 2 * time.Second

// gate passes a text on until it is closed.
type gate struct {
	mutex  sync.Mutex
	w      io.Writer
	closed bool
}

func (g *gate) Write(p []byte) (int, error) {
	g.mutex.Lock()
	defer g.mutex.Unlock()
	if g.closed {
		return len(p), nil
	}
	return g.w.Write(p)
}

func (g *gate) close() {
	g.mutex.Lock()
	defer g.mutex.Unlock()
	g.closed = true
}

// behind returns the writer behind a gate.
func behind(w io.Writer) io.Writer {
	if g, ok := w.(*gate); ok {
		return g.w
	}
	return w
}
