package release_test

import (
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/mixedkube/mixedkube/internal/release"
)

// GoReleaser lists what it has built, and the image contains the programs for Linux.
func ExampleRead() {
	dir, err := os.MkdirTemp("", "release")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer func() { _ = os.RemoveAll(dir) }()
	for name, text := range map[string]string{
		"metadata.json": `{"version": "0.1.0", "commit": "none"}`,
		"artifacts.json": `[
			{"type": "Binary", "goos": "linux", "goarch": "amd64", "path": "linux/mixedkube", "extra": {"ID": "mixedkube"}},
			{"type": "Binary", "goos": "windows", "goarch": "amd64", "path": "windows/mixedkube.exe", "extra": {"ID": "mixedkube"}}]`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			fmt.Println(err)
			return
		}
	}
	built, err := release.Read("dist", dir, time.Time{})
	fmt.Println(built.Version, built.Programs, err)
	// Output:
	// 0.1.0 [{linux amd64 dist/linux/mixedkube}] <nil>
}
