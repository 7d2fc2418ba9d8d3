package cli

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/mixedkube/mixedkube/internal/testkit/golden"
)

// late is standard input with which the time is over once somebody reads it. It is never answered if forever is set.
type late struct {
	over    func()
	forever bool
}

func (l *late) Read([]byte) (int, error) {
	l.over()
	if l.forever {
		select {}
	}
	return 0, io.EOF
}

// until runs a command whose time is over while it reads standard input.
func until(t *testing.T, forever bool, args ...string) (output string, err error) {
	t.Helper()
	stdin := &late{forever: forever}
	in := &input{stdin: stdin}
	in.watch.after = func(limit time.Duration, over func()) {
		if limit != 10*time.Minute {
			t.Errorf("the limit is %s", limit)
		}
		stdin.over = over
	}
	var out, errOut bytes.Buffer
	root := newRoot(in)
	root.SetArgs(append(args, "--timeout", "10m"))
	root.SetOut(&out)
	root.SetErr(&errOut)
	err = in.execute(t.Context(), root)
	return out.String() + errOut.String(), err
}

// The command names what it has not read, and writes nothing afterwards.
func TestTheTimeOfACommandIsLimited(t *testing.T) {
	t.Parallel()
	dir := dirWith(t, map[string]string{"a.yaml": pod})
	many := make([]string, 12)
	for i := range many {
		many[i] = fmt.Sprintf("f%d", i)
	}
	const stdin = "--timeout 10m0s: the time is over, 1 path not read to the end: stdin: raise it, or name fewer paths"
	for name, tt := range map[string]struct {
		args    []string
		forever bool
		want    string
	}{
		"check":          {[]string{"check", "-"}, false, stdin},
		"a stuck reader": {[]string{"check", "--topology", "testdata/topology.yaml", "-"}, true, stdin},
		"a topology": {
			append([]string{"check", "--topology", "-"}, many...), false,
			"--timeout 10m0s: the time is over, 13 paths not read to the end: f0, f1, f2, f3, f4, f5, f6, f7, f8, f9 " +
				"and 3 more: raise it, or name fewer paths",
		},
		"adopt":    {[]string{"adopt", "--topology", "testdata/topology.yaml", "-"}, false, stdin},
		"topology": {[]string{"topology", "-"}, false, stdin},
		"map": {
			[]string{"map", "--topology", "testdata/topology.yaml", "-o", filepath.Join(dir, "map.html"), "-"},
			false,
			stdin,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			output, err := until(t, tt.forever, tt.args...)
			if err == nil || err.Error() != tt.want || output != "" {
				t.Errorf("got  %v\nwant %s\noutput %q", err, tt.want, output)
			}
		})
	}
}

func TestTheTimeMustBePositive(t *testing.T) {
	t.Parallel()
	for value, want := range map[string]string{
		"0":   "--timeout 0s: must be more than 0, such as 10m\n",
		"-1m": "--timeout -1m0s: must be more than 0, such as 10m\n",
	} {
		if code, _, stderr := start(t, pod, "check", "--timeout="+value, "-"); code != unusable || stderr != want {
			t.Errorf("exit %d, errors %q, want %q", code, stderr, want)
		}
	}
	code, stdout, _ := start(t, pod, "check", "--timeout=1h", "-")
	if code != failed || !golden.Contains(stdout, podFinding) {
		t.Errorf("with time left: exit %d, %s", code, stdout)
	}
}

// The program ends although a pipe stays open.
func TestTheProgramEndsWithItsTime(t *testing.T) {
	t.Parallel()
	reader, writer, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = writer.Close() }()
	var out, errOut bytes.Buffer
	code := Run(t.Context(), []string{"check", "--timeout", "1ms", "-"}, reader, &out, &errOut)
	const want = "--timeout 1ms: the time is over, "
	if code != int(unusable) || !strings.HasPrefix(errOut.String(), want) {
		t.Errorf("exit %d, errors %q, want %q", code, errOut.String(), want)
	}
}
