package tools

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

// sumFile returns the path of the file with the SHA-256 of a cached binary: next to the binary, in the
// format of sha256sum.
func sumFile(binary string) string { return binary + ".sha256" }

// record writes the sum of a complete binary to the file next to it.
func record(binary string) error {
	sum, err := sumOf(binary)
	if err != nil {
		return err
	}
	line := fmt.Sprintf("%s  %s\n", sum, filepath.Base(binary))
	return os.WriteFile(sumFile(binary), []byte(line), 0o644)
}

// verified has the binaries that this process has verified, with their stamps at that time.
var verified sync.Map

// stamp changes if the file changes.
type stamp struct {
	size     int64
	modified time.Time
}

// verify reports whether a cached binary is the one whose sum was recorded. If not, it returns
// why the binary is not used, or "" if there is no binary.
func verify(binary string) (fits bool, passedOver string) {
	if !isExecutable(binary) {
		return false, ""
	}
	info, err := os.Stat(binary)
	if err != nil {
		return false, err.Error()
	}
	now := stamp{info.Size(), info.ModTime()}
	if before, ok := verified.Load(binary); ok && before == now {
		return true, ""
	}
	line, err := os.ReadFile(sumFile(binary))
	if err != nil {
		return false, "no SHA-256 was recorded for the cached one (older versions recorded none)"
	}
	sum, err := sumOf(binary)
	if err != nil {
		return false, err.Error()
	}
	if recorded, _, _ := strings.Cut(string(line), " "); recorded != sum {
		return false, fmt.Sprintf("the SHA-256 of the cached one is %s, %s was recorded", short(sum), short(recorded))
	}
	verified.Store(binary, now)
	return true, ""
}

func sumOf(path string) (string, error) {
	file, err := os.Open(path)
	if err != nil {
		return "", err
	}
	hash := sha256.New()
	_, err = io.Copy(hash, file)
	return hex.EncodeToString(hash.Sum(nil)), errors.Join(err, file.Close())
}

// short returns enough of a sum to distinguish it from another one in a line.
func short(sum string) string {
	if len(sum) > 12 {
		return sum[:12] + "…"
	}
	return fmt.Sprintf("%q", sum)
}

// place moves the directory result, with the tool's complete binary in it, to its place in
// the cache. It does so in one step, so that a cached binary is complete and has
// its sum next to it. The caller holds the tool's lock.
func (c *Cache) place(result string, at location) error {
	binary, final := filepath.Join(result, filepath.Base(at.path)), filepath.Dir(at.path)
	if err := errors.Join(record(binary), flush(binary), flush(sumFile(binary)), os.RemoveAll(final)); err != nil {
		return cacheError(c.Dir, err)
	}
	if err := os.Rename(result, final); err != nil {
		return cacheError(c.Dir, err)
	}
	return nil
}
