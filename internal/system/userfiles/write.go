package userfiles

import (
	"path/filepath"

	"github.com/mixedkube/mixedkube/internal/system/disk"
)

// Write replaces a file at once with what a function encodes, or leaves it unchanged; see [disk.Replace]. The error
// names the file.
func Write(path string, encode func() ([]byte, error)) error {
	text, err := encode()
	if err != nil {
		return disk.Named(filepath.ToSlash(path), err)
	}
	return disk.Replace(path, text, 0o644)
}
