package tools

import (
	"archive/tar"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// unpack writes the requested tools of an archive into dir, each into a directory
// of its name. The whole content of the archive must be as recorded. It fails
// with an unusableError, with the context's cause, or if dir cannot be
// written.
func (a archive) unpack(ctx context.Context, packed io.Reader, requested map[string]bool, dir string) error {
	content, err := gzip.NewReader(packed)
	if err != nil {
		return unusable("%w", err)
	}
	left := map[string]bool{}
	for _, m := range a.Members {
		left[m.Tool] = true
	}
	for entries := tar.NewReader(content); ; {
		header, err := entries.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return unusable("%w", err)
		}
		m, ok := a.named(header.Name)
		switch {
		case !ok:
			return unusable("%q in it is not recorded", header.Name)
		case header.Typeflag != tar.TypeReg:
			return unusable("%s in it is not a regular file", m.Tool)
		case !left[m.Tool]:
			return unusable("%s is in it twice", m.Tool)
		case header.Size != m.Size:
			return unusable("%s in it has %d bytes, %d are recorded", m.Tool, header.Size, m.Size)
		}
		delete(left, m.Tool)
		source := while(ctx, reader(func(p []byte) (int, error) {
			n, err := entries.Read(p)
			if err != nil && !errors.Is(err, io.EOF) {
				err = unusable("%w", err)
			}
			return n, err
		}))
		if requested[m.Tool] {
			err = m.write(source, filepath.Join(dir, m.Tool))
		} else {
			err = m.check(source, io.Discard)
		}
		if err != nil {
			return err
		}
	}
	var missing []string
	for _, m := range a.Members {
		if left[m.Tool] {
			missing = append(missing, m.Tool)
		}
	}
	if missing != nil {
		return unusable("it lacks %s", strings.Join(missing, ", "))
	}
	return nil
}

// write writes the member's binary into a new directory.
func (m member) write(source io.Reader, dir string) error {
	if err := os.Mkdir(dir, 0o755); err != nil {
		return err
	}
	file, err := os.OpenFile(filepath.Join(dir, m.Tool), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o755)
	if err != nil {
		return err
	}
	return errors.Join(m.check(source, file), file.Close())
}

// check copies the member's binary, and fails if it differs from the record.
func (m member) check(source io.Reader, out io.Writer) error {
	hash := sha256.New()
	if _, err := io.Copy(io.MultiWriter(out, hash), source); err != nil {
		return err
	}
	if sum := hex.EncodeToString(hash.Sum(nil)); sum != m.SHA256 {
		return unusable("the SHA-256 of %s in it is %s, %s is recorded", m.Tool, sum, m.SHA256)
	}
	return nil
}
