package tools

import (
	"bytes"
	"context"
	_ "embed" // for compileFlags
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// goCommand runs go in one module folder.
type goCommand struct {
	path    string
	dir     string
	environ []string

	// line is called with each line of standard error, if it is set. It reports whether
	// the line was one that it knows: no error needs to show it.
	line func(string) bool
	// ended is called with what the command took, if it is set.
	ended func(*os.ProcessState)
}

// run gives what go printed to its standard output. It fails with a *goError,
// or with the context's error where that is done.
func (g goCommand) run(ctx context.Context, args ...string) (string, error) {
	var out bytes.Buffer
	errs := lines{take: g.line}
	cmd := command(ctx, g.path, args...)
	// Go names its files by $PWD; an overlay must name them the same.
	cmd.Dir, cmd.Env = g.dir, slices.Concat(g.environ, []string{"PWD=" + g.dir})
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	if g.ended != nil {
		g.ended(cmd.ProcessState)
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
	if i := slices.Index(args, "-o"); i >= 0 {
		args = slices.Concat(args[:1], args[i+2:])
	}
	return "go " + strings.Join(args, " ")
}

// lines hands on what is written to it, line by line, and keeps what is not taken.
type lines struct {
	take func(string) bool
	part []byte
	kept strings.Builder
}

func (l *lines) Write(p []byte) (int, error) {
	l.part = append(l.part, p...)
	for {
		line, rest, found := bytes.Cut(l.part, []byte("\n"))
		if !found {
			return len(p), nil
		}
		if l.take == nil || !l.take(string(line)) {
			l.kept.Write(append(line, '\n'))
		}
		l.part = rest
	}
}

// String is what was not taken.
func (l *lines) String() string { return l.kept.String() + string(l.part) }

// folder is where the files are, which go fetches with their module.
func (g goCommand) folder(ctx context.Context, e embed) (string, error) {
	if _, err := g.run(ctx, "mod", "download", e.module); err != nil {
		return "", err
	}
	module, err := g.run(ctx, "list", "-m", "-f", "{{.Dir}}", e.module)
	return filepath.Join(module, filepath.FromSlash(e.folder)), err
}

// copyTo copies the files into a folder, as programs.
func (g goCommand) copyTo(ctx context.Context, e embed, target string) error {
	if e.module == "" {
		return nil
	}
	folder, err := g.folder(ctx, e)
	if err != nil {
		return err
	}
	for _, name := range e.files {
		content, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(target, name), content, 0o755); err != nil {
			return err
		}
	}
	return nil
}

// overlay writes a file that makes go see files of a module in the folder of the
// command, and gives its path.
func (g goCommand) overlay(ctx context.Context, e embed) (string, error) {
	folder, err := g.folder(ctx, e)
	if err != nil {
		return "", err
	}
	replace := map[string]string{}
	for _, name := range e.files {
		replace[filepath.Join(g.dir, name)] = filepath.Join(folder, name)
	}
	content, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	file, err := os.CreateTemp("", "mixedkube-overlay-*.json")
	if err != nil {
		return "", err
	}
	_, err = file.Write(content)
	return file.Name(), errors.Join(err, file.Close())
}

// compileFlags are the flags that all go commands of this checkout compile with: one
// that compiled with others would compile everything again. They leave out what only a
// debugger needs; and inlining in the SDKs of Pulumi, which takes half of the time
// there and gains nothing.
//
//go:embed goflags
var compileFlags string

func ownFlags() string { return strings.ReplaceAll(strings.TrimSpace(compileFlags), "\n", " ") }

// forBuilds gives the command the environment of a build, see [buildEnviron].
func (g goCommand) forBuilds(ctx context.Context, gowork string, target platform) (goCommand, error) {
	goflags, err := g.run(ctx, "env", "GOFLAGS")
	g.environ = buildEnviron(g.environ, goflags, gowork, target)
	return g, err
}

// modFlag matches the flags that make go read another go.mod, or refuse ours.
var modFlag = regexp.MustCompile(`(^|\s)['"]?--?mod(file)?=[^\s'"]*['"]?`)

// buildEnviron is the environment of a build: for a platform, whatever the
// user cross-compiles for, without cgo, and with the modules that gowork says.
// goflags is what `go env GOFLAGS` says, for it may stand in a file as well as in
// the environment.
func buildEnviron(environ []string, goflags, gowork string, target platform) []string {
	goflags = strings.TrimSpace(modFlag.ReplaceAllString(goflags, ""))
	own := ownFlags()
	// What the Makefile has added is there already.
	goflags = strings.TrimSpace(strings.Replace(goflags, own, "", 1))
	if getenv(environ, "GOGC") == "" {
		// The compilers collect their garbage less often, see the package's documentation.
		environ = append(slices.Clip(environ), "GOGC=400")
	}
	return slices.Concat(environ, []string{
		// Not the state of the checkout in git: a binary is the same out of each.
		"GOFLAGS=" + strings.Join(strings.Fields(own+" "+goflags+" -buildvcs=false"), " "),
		gowork, "CGO_ENABLED=0",
		"GOOS=" + target.os, "GOARCH=" + target.arch,
	})
}
