package disk_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/mixedkube/mixedkube/internal/system/disk"
)

// Links stay in the directory that the user has named.
func Example() {
	dir, err := os.MkdirTemp("", "disk")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer func() { _ = os.RemoveAll(dir) }()
	deploy := filepath.Join(dir, "deploy")
	if err := disk.Replace(filepath.Join(deploy, "web.yaml"), []byte("kind: Pod\n"), 0o644); err != nil {
		fmt.Println(err)
	}
	if err := os.Symlink(filepath.Join(dir, "key"), filepath.Join(deploy, "key.yaml")); err != nil {
		fmt.Println(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "key"), []byte("secret"), 0o600); err != nil {
		fmt.Println(err)
	}
	var access disk.Access
	if err := access.Name(deploy); err != nil {
		fmt.Println(err)
	}
	for _, name := range []string{"web.yaml", "key.yaml"} {
		file, err := access.Open(filepath.Join(deploy, name))
		if err != nil {
			_, reason, _ := strings.Cut(err.Error(), "and ")
			fmt.Println(name, reason)
			continue
		}
		fmt.Println(name, "is open:", file.Close() == nil)
	}
	// Output:
	// web.yaml is open: true
	// key.yaml is not followed: name that file itself
}
