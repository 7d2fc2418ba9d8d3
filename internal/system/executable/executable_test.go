package executable

import (
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"testing"
)

// TestProgramsStart starts programs as soon as they are written, several at once: with os.WriteFile, some are busy.
func TestProgramsStart(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	var all sync.WaitGroup
	for worker := range 8 {
		all.Go(func() {
			for i := range 60 {
				path := filepath.Join(dir, strconv.Itoa(worker)+"-"+strconv.Itoa(i))
				if err := Write(path, []byte("#!/bin/sh\nexit 0\n"), 0o700); err != nil {
					t.Error(err)
					return
				}
				if err := exec.CommandContext(t.Context(), path).Run(); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
}
