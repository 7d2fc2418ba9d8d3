package tools

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"syscall"
	"time"
)

// homeVariable names the user's home folder.
const homeVariable = "HOME"

// flushMode opens a file to bring it to the disk. For reading: a program that is
// open for writing, if only in a child that is just being started, cannot be run.
const flushMode = os.O_RDONLY

// command prepares a program that is killed, with all that it started, when ctx
// is done. Its own process group also keeps a Ctrl-C of the terminal from it:
// the caller decides.
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
