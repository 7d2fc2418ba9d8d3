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

	"github.com/mixedkube/mixedkube/internal/system/executable"
)

// goCommand runs go in one module directory.
type goCommand struct {
	path    string
	dir     string
	environ []string

	// line is called with each line of standard error, if it is set. It reports whether
	// it recognizes the line, so that errors do not show it.
	line func(string) bool
	// ended is called with the state of the ended process, if it is set.
	ended func(*os.ProcessState)
}

// run returns what go printed to its standard output. It fails with a *goError,
// or with the context's error if that is done.
func (g goCommand) run(ctx context.Context, args ...string) (string, error) {
	var out bytes.Buffer
	errs := lines{take: g.line}
	cmd := command(ctx, g.path, args...)
	// Go names its files by $PWD; an overlay must use the same names.
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

// shown returns a command as messages show it, without the flags of a build: they fill lines, and
// are never the cause.
func shown(args []string) string {
	if i := slices.Index(args, "-o"); i >= 0 {
		args = slices.Concat(args[:1], args[i+2:])
	}
	return "go " + strings.Join(args, " ")
}

// lines passes what is written to it to take, line by line, and stores the lines that take does not recognize.
type lines struct {
	take  func(string) bool
	part  []byte
	other strings.Builder
}

func (l *lines) Write(p []byte) (int, error) {
	l.part = append(l.part, p...)
	for {
		line, rest, found := bytes.Cut(l.part, []byte("\n"))
		if !found {
			return len(p), nil
		}
		if l.take == nil || !l.take(string(line)) {
			l.other.Write(append(line, '\n'))
		}
		l.part = rest
	}
}

// String returns the lines that take did not recognize.
func (l *lines) String() string { return l.other.String() + string(l.part) }

// embedDir returns the directory of the files, which go fetches with their module.
func (g goCommand) embedDir(ctx context.Context, e embed) (string, error) {
	if _, err := g.run(ctx, "mod", "download", e.module); err != nil {
		return "", err
	}
	module, err := g.run(ctx, "list", "-m", "-f", "{{.Dir}}", e.module)
	return filepath.Join(module, filepath.FromSlash(e.dir)), err
}

// copyTo copies the files into a directory, as programs.
func (g goCommand) copyTo(ctx context.Context, e embed, target string) error {
	if e.module == "" {
		return nil
	}
	dir, err := g.embedDir(ctx, e)
	if err != nil {
		return err
	}
	for _, name := range e.files {
		content, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			return err
		}
		if err := executable.Write(filepath.Join(target, name), content, 0o755); err != nil {
			return err
		}
	}
	return nil
}

// overlay writes a file that makes go see files of a module in the directory of the
// command, and returns its path.
func (g goCommand) overlay(ctx context.Context, e embed) (string, error) {
	dir, err := g.embedDir(ctx, e)
	if err != nil {
		return "", err
	}
	replace := map[string]string{}
	for _, name := range e.files {
		replace[filepath.Join(g.dir, name)] = filepath.Join(dir, name)
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

// compileFlags are the flags that all go commands of this checkout compile with: a
// command with other flags would compile everything again. They leave out what only a
// debugger needs, and inlining in the SDKs of Pulumi, which takes half of the compile time
// there without a benefit.
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

// modFlag matches the flags that make go read another go.mod, or refuse this one.
var modFlag = regexp.MustCompile(`(^|\s)['"]?--?mod(file)?=[^\s'"]*['"]?`)

// buildEnviron returns the environment of a build: for a platform, even if the
// user cross-compiles for another one, without cgo, and with the modules of gowork.
// The parameter goflags is the output of `go env GOFLAGS`, because the flags may come from a file
// instead of the environment.
func buildEnviron(environ []string, goflags, gowork string, target platform) []string {
	goflags = strings.TrimSpace(modFlag.ReplaceAllString(goflags, ""))
	own := ownFlags()
	// The Makefile may already have added these flags.
	goflags = strings.TrimSpace(strings.Replace(goflags, own, "", 1))
	if getenv(environ, "GOGC") == "" {
		// The compilers collect their garbage less often, see the documentation of this package.
		environ = append(slices.Clip(environ), "GOGC=400")
	}
	return slices.Concat(environ, []string{
		// Without the state of the checkout in git, every checkout builds the same binary.
		"GOFLAGS=" + strings.Join(strings.Fields(own+" "+goflags+" -buildvcs=false"), " "),
		gowork, "CGO_ENABLED=0",
		"GOOS=" + target.os, "GOARCH=" + target.arch,
	})
}
