package tools

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"syscall"
	"testing"
)

func TestFixesForErrorsOfGo(t *testing.T) {
	t.Parallel()
	const (
		disk   = "the disk is full: "
		memory = "a compiler was killed, "
		proxy  = "check that the Go module proxy "
		newer  = "install that release of Go, "
		rights = "give Go directories that can be written: "
		tidy   = "run `go mod tidy` there"
		code   = "compare the files there with git"
	)
	for _, test := range []struct{ output, want string }{
		{"go: writing output: write $WORK/b001/exe/a.out: no space left on device", disk},
		{"cp: write error: No space left on device", disk},
		{"k8s.io/api/core/v1: /usr/lib/go/pkg/tool/linux_amd64/compile: signal: killed", memory},
		{`go: example.com/m@v1.0.0: Get "https://proxy.example/m/@v/v1.0.0.mod": dial tcp: lookup proxy.example: no such host`, proxy},
		{"go: example.com/m@v1.0.0: reading https://proxy.example/m/@v/v1.0.0.zip: 404 Not Found", proxy},
		{"go: go.mod requires go >= 1.26.0 (running go 1.25.1; GOTOOLCHAIN=local)", newer},
		{"go: creating work dir: mkdir /x/go-build: read-only file system", rights},
		{
			"main.go:4:2: missing go.sum entry for module providing package example.com/m; to add:\n\tgo get " +
				"example.com/x", tidy,
		},
		{"go: updates to go.mod needed; to update it:\n\tgo mod tidy", tidy},
		{"./main.go:4:2: undefined: x", code},
		{"", code},
	} {
		err := &goError{command: "go build .", dir: "/m", output: test.output, err: errors.New("exit status 1")}
		want := "`go build .` in /m: exit status 1: " + test.want
		if !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s\nwant %s…", err, want)
		}
	}
}

func TestTheLastLinesOfTheOutputAreShown(t *testing.T) {
	t.Parallel()
	var output strings.Builder
	for i := range 20 {
		fmt.Fprintf(&output, "line %d\n\ngo: downloading example.com/m v1.%d.0\n", i, i)
	}
	var want strings.Builder
	for i := 5; i < 20; i++ {
		fmt.Fprintf(&want, "\n\tline %d", i)
	}
	equal(t, "tail", tail(output.String()), want.String())
	equal(t, "tail of nothing", tail(""), "")
}

func TestErrorsOfTheCacheHaveInstructions(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		err  error
		want string
	}{
		{
			&fs.PathError{Op: "mkdir", Path: "/x/y/hello", Err: syscall.EROFS},
			"tool cache /x/y: read-only file system: " + moveCache(),
		},
		{
			fmt.Errorf("wrapped: %w", &fs.PathError{Op: "open", Path: "/x/y/.probe", Err: syscall.EACCES}),
			"tool cache /x/y: permission denied: " + moveCache(),
		},
		{
			&fs.PathError{Op: "write", Path: "/x/y/.probe", Err: syscall.ENOSPC},
			"tool cache /x/y: no space left on device: free some space there, or " + moveCache(),
		},
		{errors.New("strange"), "tool cache /x/y: strange: " + moveCache()},
	} {
		err := cacheError("/x/y", test.err)
		equal(t, "error", err.Error(), test.want)
		var errno syscall.Errno
		if errors.As(test.err, &errno) && !errors.Is(err, errno) {
			t.Errorf("%v does not wrap %v", err, errno)
		}
	}
}
