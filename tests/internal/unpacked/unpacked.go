// Package unpacked has the programs of Debian's packages for tests, on machines that lack them.
package unpacked

import (
	"context"
	"errors"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/mixedkube/mixedkube/internal/lab/debian"
	"github.com/mixedkube/mixedkube/internal/lab/tools"
)

// found has a function for each program, by name: looking for packages takes a second.
var found sync.Map

// Program returns the path of a program, which is on PATH or unpacked into the tool cache. It skips the test if the
// program is not available for the machine.
func Program(t *testing.T, p debian.Program) string {
	t.Helper()
	find, _ := found.LoadOrStore(p.Name, sync.OnceValues(func() (string, error) {
		cache, err := tools.New(os.Stdout)
		if err != nil {
			return "", err
		}
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
		defer cancel()
		return p.Ensure(ctx, cache.Dir, os.Stdout)
	}))
	path, err := find.(func() (string, error))()
	if unavailable, ok := errors.AsType[debian.UnavailableError](err); ok {
		t.Skipf("needs %v", unavailable)
	}
	if err != nil {
		t.Fatal(err)
	}
	return path
}
