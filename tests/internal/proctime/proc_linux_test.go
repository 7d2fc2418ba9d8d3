package proctime

import (
	"bufio"
	"os"
	"os/exec"
	"testing"
	"time"
)

func TestParse(t *testing.T) {
	t.Parallel()
	const line = "412 (a (b) c) S 7 412 412 0 -1 4194560 1 2 3 4 150 50 1200 300 20 0 8 0 9913 1 2 3 4 5 6 7 8"
	want := stat{key{412, 9913}, 7, "a (b) c", 2 * time.Second, 15 * time.Second}
	if got, ok := parse(line); !ok || got != want {
		t.Errorf("got %+v, %t, want %+v", got, ok, want)
	}
	for _, wrong := range []string{
		"", "412 (a", "412 (a) S 7 412", "x (a) S 7 412 412 0 -1 1 1 2 3 4 1 1 1 1 2 0 8 0 9 1",
	} {
		if got, ok := parse(wrong); ok {
			t.Errorf("%q is parsed as %+v", wrong, got)
		}
	}
}

// TestMeter measures a shell that works, and its child: the kernel counts both.
func TestMeter(t *testing.T) {
	t.Parallel()
	m := Start(os.Getpid(), func(Process) bool { return false }, func(p Process, _ Owner) Owner {
		return Owner{"", p.Name}
	})
	cmd := exec.CommandContext(t.Context(), "sh", "-c", `i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done
sh -c 'i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done'; echo done; read -r end`)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(out).ReadString('\n'); err != nil {
		t.Fatalf("the shell prints %q: %v", line, err)
	}
	got := m.Stop()[Owner{"", "sh"}].Time
	if err := in.Close(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait() // it reads no line
	want := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	// Times in /proc are in ticks, and the end of the shell takes time, too.
	if want < 10*tick || got > want+6*tick || got < want-6*tick {
		t.Errorf("the shells took %s, measured %s", want, got)
	}
}
