package tools

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"syscall"
	"time"
)

// homeVariable names the user's home directory.
const homeVariable = "HOME"

// flushMode opens a file to write it to the disk. The mode is for reading, because a program that is
// open for writing, even in a child process that is just starting, cannot be run.
const flushMode = os.O_RDONLY

// command prepares a program that is killed, with everything that it has started, when ctx
// is done. In its own process group it does not receive a Ctrl-C of the terminal:
// the caller decides when it ends.
func command(ctx context.Context, path string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, path, args...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error {
		err := syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
		if errors.Is(err, syscall.ESRCH) {
			return os.ErrProcessDone
		}
		return err
	}
	cmd.WaitDelay = 5 * time.Second
	return cmd
}

func isExecutable(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0
}
