//go:build unix

package cli

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
		t.Skipf("needs named pipes: use a file system that has them: %v", err)
	}
	const (
		irregular = ": not a regular file: remove it from the directory, or name the file itself\n"
		silent    = ": a pipe that nothing writes to: name a regular file instead\n"
		topology  = "testdata/topology.yaml"
		nothing   = "adopted: 0 objects with pods in 0 files, 0 to change: 0 completed, 0 had all\n"
	)
	for _, tt := range []struct {
		args []string
		code exitError
		want string
	}{
		{[]string{"check", dir}, unusable, pipe + irregular + "checked: 0 objects in 0 files\n"},
		{[]string{"check", pipe}, unusable, pipe + silent + "checked: 0 objects in 1 file\n"},
		{[]string{"check", "--topology", pipe, "testdata"}, unusable, pipe + silent},
		{[]string{"adopt", "--topology", topology, dir}, unusable, pipe + irregular + nothing},
		{[]string{"adopt", "--topology", topology, pipe}, unusable, pipe + silent +
			strings.Replace(nothing, "0 files", "1 file", 1)},
		{[]string{"adopt", "--topology", pipe, "testdata"}, unusable, pipe + silent},
		{[]string{"join", pipe}, unusable, "error: " + pipe + silent},
		{
			[]string{"join", "--token-file", pipe, "testdata/join/machines.yaml"}, unusable, "error: " + pipe + silent,
		},
	} {
		code, stdout, stderr := start(t, "", tt.args...)
		if code != tt.code || stdout != "" || stderr != tt.want {
			t.Errorf("%v: exit %d, output %q, errors %q, want %q", tt.args, code, stdout, stderr, tt.want)
		}
	}
}
