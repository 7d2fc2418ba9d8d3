package tools

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"regexp"
	"runtime"
	"strings"
	"syscall"
)

// moveCache returns how to get a cache that can be written, in the terms of
// os.UserCacheDir.
func moveCache() string {
	switch runtime.GOOS {
	case "darwin", "windows":
		return "make it a directory that can be written"
	default:
		return "set XDG_CACHE_HOME to a directory that can be written"
	}
}

// cacheError explains why the cache directory cannot be used.
func cacheError(dir string, err error) error {
	// Only the reason helps, not the path inside the cache.
	var inPath *fs.PathError
	var inLink *os.LinkError
	switch {
	case errors.As(err, &inPath):
		err = inPath.Err
	case errors.As(err, &inLink):
		err = inLink.Err
	}
	if errors.Is(err, syscall.ENOSPC) {
		return fmt.Errorf("tool cache %s: %w: free some space there, or %s", dir, err, moveCache())
	}
	return fmt.Errorf("tool cache %s: %w: %s", dir, err, moveCache())
}

// goError is a go command that failed.
type goError struct {
	command, dir string
	output       string
	err          error
}

func (e *goError) Error() string {
	return fmt.Sprintf("`%s` in %s: %v: %s%s", e.command, e.dir, e.err, e.fix(), tail(e.output))
}

func (e *goError) Unwrap() error { return e.err }

// causes are failures outside of the code, and what helps. The first cause that
// matches the output of the go command applies.
var causes = []struct {
	output *regexp.Regexp
	fix    string
}{
	{
		regexp.MustCompile(`(?i)no space left on device|not enough space on the disk`),
		"the disk is full: free some space, or move the directories of `go env GOCACHE GOMODCACHE` and the tool " +
			"cache to another disk",
	},
	{
		regexp.MustCompile(`signal: killed`),
		"a compiler was killed, as happens when memory runs out: free some, or compile one package at a time, in " +
			"less memory: GOFLAGS=-p=1 GOGC=100",
	},
	{
		regexp.MustCompile(
			`dial tcp|no such host|connection refused|i/o timeout|TLS handshake|proxyconnect|: reading https?://|: ` +
				`Get "https?://`,
		),
		"check that the Go module proxy of `go env GOPROXY` can be reached",
	},
	{
		regexp.MustCompile(`requires go >= `),
		"install that release of Go, or let Go fetch it: GOTOOLCHAIN=auto",
	},
	{
		regexp.MustCompile(`read-only file system|permission denied`),
		"give Go directories that can be written: `go env GOCACHE GOMODCACHE`",
	},
	{
		regexp.MustCompile(`updates to go\.mod needed|missing go\.sum entry|go mod tidy`),
		"run `go mod tidy` there",
	},
}

func (e *goError) fix() string {
	for _, cause := range causes {
		if cause.output.MatchString(e.output) {
			return cause.fix
		}
	}
	return "compare the files there with git"
}

// tail returns the last lines of the go command's output, indented and without
// downloads.
func tail(output string) string {
	const most = 15
	var lines []string
	for line := range strings.Lines(output) {
		line = strings.TrimRight(line, "\r\n")
		if line != "" && !strings.HasPrefix(line, "go: downloading ") {
			lines = append(lines, "\n\t"+line)
		}
	}
	return strings.Join(lines[max(0, len(lines)-most):], "")
}
