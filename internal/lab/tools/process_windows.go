package tools

import (
	"context"
	"os"
	"os/exec"
	"time"
)

// homeVariable names the user's home folder.
const homeVariable = "USERPROFILE"

// flushMode opens a file to bring it to the disk, which takes the right to write.
const flushMode = os.O_RDWR

// command prepares a program that is killed when ctx is done. What it started
// itself goes on until it notices.
func command(ctx context.Context, path string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, path, args...)
	cmd.WaitDelay = 5 * time.Second
	return cmd
}

func executableName(name string) string { return name + ".exe" }

func isExecutable(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}
