package tools

import (
	"bytes"
	"context"
	"regexp"
	"slices"
	"strings"
	"time"
)

// goCommand runs go in one module folder.
type goCommand struct {
	path    string
	dir     string
	environ []string

	// heartbeat calls beat again and again while a command runs.
	heartbeat time.Duration
	beat      func()
}

// run gives what go printed to its standard output. It fails with a *goError,
// or with the context's error where that is done.
func (g goCommand) run(ctx context.Context, args ...string) (string, error) {
	var out, errs bytes.Buffer
	cmd := command(ctx, g.path, args...)
	// Go names its files by $PWD; an overlay must name them the same.
	cmd.Dir, cmd.Env = g.dir, slices.Concat(g.environ, []string{"PWD=" + g.dir})
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Start()
	if err == nil {
		err = g.wait(cmd.Wait)
	}
	if cause := context.Cause(ctx); cause != nil {
		return "", cause
	}
	if err != nil {
		return "", &goError{command: shown(args), dir: g.dir, output: errs.String() + out.String(), err: err}
	}
	return strings.TrimSpace(out.String()), nil
}

// shown is a command as a message names it: the flags of a build fill lines, and
// the cause is never among them.
func shown(args []string) string {
	if args[0] == "build" {
		args = []string{"build", args[len(args)-1]}
	}
	return "go " + strings.Join(args, " ")
}

func (g goCommand) wait(wait func() error) error {
	done := make(chan error, 1)
	go func() { done <- wait() }()
	ticker := time.NewTicker(g.heartbeat)
	defer ticker.Stop()
	for {
		select {
		case err := <-done:
			return err
		case <-ticker.C:
			g.beat()
		}
	}
}

// modFlag matches the flags that make go read another go.mod, or refuse ours.
var modFlag = regexp.MustCompile(`(^|\s)['"]?--?mod(file)?=[^\s'"]*['"]?`)

// buildEnviron is the environment of a build: for a platform, whatever the
// user cross-compiles for, without cgo, and in the tool's module alone. goflags
// is what `go env GOFLAGS` says, for it may stand in a file as well as in the
// environment; scratch is where go keeps what it has half done.
func buildEnviron(environ []string, goflags, scratch string, target platform) []string {
	goflags = strings.TrimSpace(modFlag.ReplaceAllString(goflags, ""))
	return slices.Concat(environ, []string{
		// Not the state of the checkout in git: a binary is the same out of each.
		"GOFLAGS=" + strings.TrimSpace(goflags+" -buildvcs=false"),
		"GOWORK=off", "CGO_ENABLED=0",
		"GOOS=" + target.os, "GOARCH=" + target.arch,
		"GOTMPDIR=" + scratch,
	})
}
