// Package executable writes programs that the same process starts.
package executable

import (
	"io/fs"
	"os"
	"syscall"
)

// Write writes a program. After os.WriteFile, it might not start ("text file busy"): a process that another goroutine
// starts in the meantime has the open file for a moment (https://go.dev/issue/22315).
func Write(path string, content []byte, mode fs.FileMode) error {
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	return os.WriteFile(path, content, mode) //nolint:forbidigo // only tests and the lab write programs
}
