package image_test

import (
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/mixedkube/mixedkube/internal/release/image"
)

// Two images with the same files are the same.
func ExampleWrite() {
	dir, err := os.MkdirTemp("", "release")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer func() { _ = os.RemoveAll(dir) }()
	program := filepath.Join(dir, "mixedkube")
	if err := os.WriteFile(program, []byte("the program"), 0o700); err != nil {
		fmt.Println(err)
		return
	}
	release := image.Release{
		Version: "0.1.0", Revision: "none", Created: time.Date(2026, time.January, 15, 0, 0, 0, 0, time.UTC),
		Programs: []image.Program{{OS: "linux", Architecture: "amd64", Path: program}},
	}
	one, err := image.Write(filepath.Join(dir, "one"), release)
	if err != nil {
		fmt.Println(err)
		return
	}
	other, err := image.Write(filepath.Join(dir, "other"), release)
	fmt.Println(one == other, err)
	// Output:
	// true <nil>
}
