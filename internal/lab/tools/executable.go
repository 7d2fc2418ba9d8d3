package tools

import (
	"context"
	"fmt"
	"strings"
	"sync"
)

// executables are the programs that this process has built, by directory.
var executables sync.Map

// built is a program that this process has built. The lock is held during the build.
type built struct {
	sync.Mutex
	path string
}

// Executable builds the program in a directory, and returns its path. Later calls in this process
// return the same path, even if the checkout has changed. Go stores the result in its own cache,
// and builds it again if it is out of date.
func (c *Cache) Executable(ctx context.Context, dir string) (string, error) {
	compiler := lookPath(c.environ, "go")
	if compiler == "" {
		return "", fmt.Errorf("build %s: go is not on PATH: install Go", dir)
	}
	known, _ := executables.LoadOrStore(dir, &built{})
	program := known.(*built)
	program.Lock()
	defer program.Unlock()
	if program.path != "" {
		return program.path, nil
	}
	cmd, err := goCommand{path: compiler, dir: dir, environ: c.environ}.forBuilds(ctx, "GOWORK=off", host())
	if err != nil {
		return "", err
	}
	// For a new program, Go prints the path where it was linked. After the command has ended,
	// the program is no longer there, but in the cache.
	for range 2 {
		path, err := cmd.run(ctx, "run", "-exec", "echo", ".")
		if err != nil {
			return "", fmt.Errorf("build %s: %w", dir, err)
		}
		path = strings.TrimSpace(path)
		if isExecutable(path) {
			program.path = path
			return path, nil
		}
	}
	return "", fmt.Errorf("build %s: go does not keep it in its cache, the directory of `go env GOCACHE`", dir)
}
