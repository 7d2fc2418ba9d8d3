package executable_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/mixedkube/mixedkube/internal/system/executable"
)

// Write a program, and start it.
func Example() {
	dir, err := os.MkdirTemp("", "example-*")
	if err != nil {
		panic(err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	hello := filepath.Join(dir, "hello")
	if err := executable.Write(hello, []byte("#!/bin/sh\necho hello\n"), 0o700); err != nil {
		panic(err)
	}
	out, err := exec.Command(hello).Output()
	fmt.Print(string(out), err)
	// Output:
	// hello
	// <nil>
}
