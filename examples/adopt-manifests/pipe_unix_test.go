//go:build unix

package main

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func TestAPipeIsNotWaitedFor(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	pipe := filepath.Join(dir, "pipe.yaml")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Skip(err)
	}
	for _, tt := range []struct {
		args []string
		want string
	}{
		{[]string{dir}, ": not a regular file: remove it from the folder, or name the file itself\n"},
		{[]string{pipe}, ": a pipe that nothing writes to: name a regular file instead\n"},
		{[]string{"-topology", pipe, "testdata"}, ": a pipe that nothing writes to: name a regular file instead\n"},
	} {
		code, stdout, stderr := start(t, append([]string{"-topology", "testdata/topology.yaml"}, tt.args...)...)
		if code != unusable || stdout != "" || !strings.HasPrefix(stderr, filepath.ToSlash(pipe)+tt.want) {
			t.Errorf("%v: exit %d, output %q, errors %q, want %q", tt.args, code, stdout, stderr, tt.want)
		}
	}
}
