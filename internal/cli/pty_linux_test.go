package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"
	"unsafe"
)

// onTerminal runs a function with a terminal of its own, and returns what the terminal shows, with \n at the ends of
// lines.
func onTerminal(t *testing.T, run func(terminal *os.File)) string {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("needs terminals: mount /dev/pts: %v", err)
	}
	defer func() { _ = master.Close() }()
	var number, unlocked uint32
	control(t, master, syscall.TIOCSPTLCK, unsafe.Pointer(&unlocked))
	control(t, master, syscall.TIOCGPTN, unsafe.Pointer(&number))
	terminal, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("needs terminals: mount /dev/pts: %v", err)
	}
	shown := make(chan string)
	go func() {
		var b strings.Builder
		buffer := make([]byte, 4096)
		for {
			n, err := master.Read(buffer)
			b.Write(buffer[:n])
			if err != nil { // EIO, once all descriptors of the terminal are closed
				shown <- b.String()
				return
			}
		}
	}()
	run(terminal)
	_ = terminal.Close()
	select {
	case text := <-shown:
		return strings.ReplaceAll(text, "\r\n", "\n")
	case <-time.After(time.Minute):
		t.Fatal("the terminal does not end")
		return ""
	}
}

func control(t *testing.T, file *os.File, request uintptr, argument unsafe.Pointer) {
	t.Helper()
	if _, _, errno := syscall.Syscall(syscall.SYS_IOCTL, file.Fd(), request, uintptr(argument)); errno != 0 {
		t.Skipf("needs terminals: mount /dev/pts: %v", errno)
	}
}

// Colors are for terminals, unless the user disables them.
func TestColorsOnATerminal(t *testing.T) {
	for name, tt := range map[string]struct {
		env     map[string]string
		colored bool
	}{
		"a terminal":     {map[string]string{"TERM": "xterm", "NO_COLOR": ""}, true},
		"NO_COLOR":       {map[string]string{"TERM": "xterm", "NO_COLOR": "1"}, false},
		"a dumb one":     {map[string]string{"TERM": "dumb", "NO_COLOR": ""}, false},
		"NO_COLOR=false": {map[string]string{"TERM": "xterm", "NO_COLOR": "false"}, false},
	} {
		t.Run(name, func(t *testing.T) {
			for key, value := range tt.env {
				t.Setenv(key, value)
			}
			for _, line := range []string{
				"check testdata/check/manifests", "explain MK118",
				"adopt --topology testdata/topology.yaml testdata/adopt/deploy",
			} {
				var plainOut, plainErr strings.Builder
				want := Run(t.Context(), strings.Fields(line), strings.NewReader(""), &plainOut, &plainErr)
				var code int
				stderr := ""
				stdout := onTerminal(t, func(out *os.File) {
					stderr = onTerminal(t, func(err *os.File) {
						code = Run(t.Context(), strings.Fields(line), strings.NewReader(""), out, err)
					})
				})
				if code != want {
					t.Errorf("%s: exit %d, want %d", line, code, want)
				}
				if strings.Contains(stdout+stderr, "\x1b[") != tt.colored {
					t.Errorf("%s: colored: %t, want %t:\n%q", line, !tt.colored, tt.colored, stdout)
				}
				if withoutColors(stdout) != plainOut.String() || withoutColors(stderr) != plainErr.String() {
					t.Errorf("%s: apart from the colors it is another text:\n%q\n%q", line, stdout, plainOut.String())
				}
			}
		})
	}
}

// withoutColors removes the colors of a text.
func withoutColors(text string) string {
	for _, sgr := range []string{"0", sgrBold, sgrFaint, sgrRed, sgrGreen, sgrYellow, sgrBlue} {
		text = strings.ReplaceAll(text, "\x1b["+sgr+"m", "")
	}
	return text
}

func TestProgressIsShownOnATerminalOnceItTakesLong(t *testing.T) {
	t.Parallel()
	shown := func(after, lasts time.Duration) string {
		return onTerminal(t, func(terminal *os.File) {
			p := &progress{w: terminal, after: after, text: "reading 3 files"}
			p.start()
			time.Sleep(lasts / 2)
			p.say("checking %s\x1b[2J", strings.Repeat("x", 100))
			time.Sleep(lasts)
			p.end()
			p.end()
		})
	}
	if got := shown(time.Minute, 50*time.Millisecond); got != "" {
		t.Errorf("something short shows %q", got)
	}
	got := shown(10*time.Millisecond, time.Second)
	for _, want := range []string{"\r\x1b[Kreading 3 files (0s)", "\r\x1b[Kchecking xxx"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not shown: %q", want, got)
		}
	}
	if !strings.HasSuffix(got, "\r\x1b[K") || strings.Contains(got, "\x1b[2J") || strings.Contains(got, "\n") {
		t.Errorf("the line is not taken away, or is another one: %q", got)
	}
	for part := range strings.SplitSeq(got, cleared) {
		if n := len([]rune(part)); n > mostProgress+len(" (99s)") {
			t.Errorf("a line has %d characters: %q", n, part)
		}
	}
}

// The rendering of the chart does not end: the command shows progress after two seconds, and removes it before it
// writes anything else.
func TestSlowCommandsShowProgress(t *testing.T) {
	t.Parallel()
	chart := newChart(t, map[string]string{"hangs": ""})
	run := func(stderr io.Writer) {
		ctx, cancel := context.WithTimeoutCause(t.Context(), 4*time.Second, errors.New("interrupted"))
		defer cancel()
		var stdout strings.Builder
		code := Run(ctx, []string{"check", chart}, strings.NewReader(""), &stdout, stderr)
		if exitError(code) != unusable || stdout.Len() > 0 {
			t.Errorf("exit %d: %s", code, stdout.String())
		}
	}
	want := chart + ": helm template: interrupted\nchecked: 0 objects in 0 files\n"
	shown := onTerminal(t, func(terminal *os.File) { run(terminal) })
	progress, rest, _ := strings.Cut(strings.TrimPrefix(shown, cleared), want)
	if !strings.HasPrefix(progress, short("reading "+chart)+" (2s)") || !strings.HasSuffix(progress, cleared) ||
		rest != "" {
		t.Errorf("the terminal shows %q", shown)
	}
	var pipe strings.Builder
	if run(&pipe); pipe.String() != want {
		t.Errorf("a pipe gets %q, want %q", pipe.String(), want)
	}
}

// A pipe gets no progress, however long the run takes.
func TestProgressIsQuietInPipes(t *testing.T) {
	t.Parallel()
	reader, writer, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = reader.Close() }()
	p := started(writer, "reading")
	p.say("checking")
	if p.stop != nil {
		t.Error("progress is shown to a pipe")
	}
	p.end()
	_ = writer.Close()
	var b strings.Builder
	if started(&b, "reading").end(); b.Len() > 0 {
		t.Errorf("%q", b.String())
	}
}
