package sources

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"time"

	"github.com/mixedkube/mixedkube/internal/core/fielderrors"
)

// Program is a program on PATH that a command runs.
type Program struct {
	// Name is the name of the program, "helm" for example.
	Name string
	// Timeout is how long it may take. The default is [DefaultTimeout].
	Timeout time.Duration
	// Memory is how many bytes of memory it may have, where the system can limit them. Without it, they are not limited.
	Memory uint64
	// Stdin is the program's standard input. The default is empty.
	Stdin io.Reader
}

const (
	// DefaultTimeout is how long a program may take: more than a chart with dozens of subcharts takes, or the list of a
	// cluster's nodes.
	DefaultTimeout = 2 * time.Minute
	// MaxOutput is how many bytes a program may write, and a file in JSON may have: a thousand times a usual chart, and
	// the nodes of the largest cluster.
	MaxOutput = 256 << 20
	// MaxMessages is how many lines of standard error are shown.
	MaxMessages = 20
)

var (
	// ErrNotOnPath means that the program does not exist.
	ErrNotOnPath = errors.New("is not on PATH")
	// ErrTooMuch means that a program writes more than [MaxOutput].
	ErrTooMuch = fmt.Errorf("writes more than %d MB", MaxOutput>>20)
)

// Run runs the program, and returns its output and the lines of its standard error. The error is [ErrNotOnPath],
// [ErrTooMuch], [ErrMemory], the cause of the context's end, or the program's own, which the lines explain.
func (p Program) Run(ctx context.Context, args ...string) (output []byte, messages []string, err error) {
	at, err := exec.LookPath(p.Name)
	if err != nil {
		return nil, nil, ErrNotOnPath
	}
	limit := p.Timeout
	if limit == 0 {
		limit = DefaultTimeout
	}
	ctx, cancel := context.WithTimeoutCause(ctx, limit, fmt.Errorf("has not ended in %s", limit))
	defer cancel()
	cmd := exec.CommandContext(ctx, at, args...) //nolint:gosec // callers choose the program, and build its arguments
	// Its own child processes may keep the pipes open.
	cmd.WaitDelay = time.Second
	stdout, stderr := limited{cancel: cancel, left: MaxOutput}, limited{left: 1 << 20}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = p.Stdin, &stdout, &stderr
	err = p.run(cmd)
	messages = lines(stderr.text.String())
	switch {
	case p.Memory > 0 && outOfMemory(messages):
		return nil, nil, ErrMemory
	case stdout.full:
		return nil, nil, ErrTooMuch
	case context.Cause(ctx) != nil:
		return nil, nil, context.Cause(ctx)
	default:
		return stdout.text.Bytes(), messages, err
	}
}

func (p Program) run(cmd *exec.Cmd) error {
	if err := cmd.Start(); err != nil {
		return err
	}
	if p.Memory > 0 {
		_ = limitMemory(cmd.Process, p.Memory) // some sandboxes forbid it, and the process may have ended
	}
	return cmd.Wait()
}

// failure returns why a program has failed, in its own words: a line for each line of its standard error.
func failure(command string, messages []string, err error) error {
	if len(messages) == 0 {
		return fmt.Errorf("%s: %w", command, err)
	}
	errs := make([]error, len(messages))
	for i, line := range messages {
		errs[i] = fmt.Errorf("%s: %s", command, strings.TrimPrefix(line, "error: "))
	}
	return errors.Join(errs...)
}

// lines returns the first lines of a text that are not empty.
func lines(text string) []string {
	var all []string
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			all = append(all, line)
		}
	}
	if more := len(all) - MaxMessages; more > 0 {
		all = append(all[:MaxMessages:MaxMessages], fmt.Sprintf("… %s more", fielderrors.Count(more, "line")))
	}
	return all
}

// limited is a buffer with a maximum size. If a program writes more, limited ends it if it can.
type limited struct {
	text   bytes.Buffer
	left   int
	full   bool
	cancel func()
}

func (l *limited) Write(p []byte) (int, error) {
	taken := p[:min(len(p), l.left)]
	l.left -= len(taken)
	l.text.Write(taken)
	if len(taken) < len(p) {
		l.full = true
		if l.cancel != nil {
			l.cancel()
		}
	}
	return len(p), nil
}
