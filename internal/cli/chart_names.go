package cli

import (
	"archive/tar"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"path/filepath"
	"strings"
	"unicode"

	"github.com/mixedkube/mixedkube/internal/cli/sources"
	"github.com/mixedkube/mixedkube/internal/system/disk"
)

// checkNames returns an error for each file of a chart, and of the archives in it, whose name has a line break or another
// control character. helm writes the names of templates into comments unchanged: the rest of such a name would be a
// part of the manifest that is checked, but not of the one that helm applies.
func checkNames(access *disk.Access, chart string) error {
	var errs []error
	unpacked := int64(sources.MaxOutput)
	check := func(name string) {
		if strings.ContainsFunc(name, breaksLines) {
			errs = append(errs, fmt.Errorf("%s: %q: the name has a control character or a line break, which helm "+
				"writes into the manifest: rename the file", shown(chart), name))
		}
	}
	archive := func(name string) error {
		file, err := access.Open(name)
		if err != nil {
			return disk.Named(shown(name), err)
		}
		defer func() { _ = file.Close() }()
		if !archived(file, "", &unpacked, check) {
			errs = append(errs, fmt.Errorf("%s: has more than %d MB when it is unpacked: unpack it, and name the "+
				"directory", shown(name), sources.MaxOutput>>20))
		}
		return nil
	}
	if !isDirectory(access, chart) {
		return errors.Join(append(errs, archive(chart))...)
	}
	err := access.WalkDir(chart, func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		below, err := filepath.Rel(chart, name)
		switch {
		case err != nil:
			return err
		case below != "." && disk.IsGit(name) && entry.IsDir():
			return fs.SkipDir // helm does not see it
		}
		check(filepath.ToSlash(below))
		if isArchive(name) && !entry.IsDir() {
			return archive(name)
		}
		return nil
	})
	return errors.Join(append(errs, err)...)
}

// breaksLines reports whether a character is a control character, or a line break of Unicode.
func breaksLines(c rune) bool { return unicode.IsControl(c) || c == '\u2028' || c == '\u2029' }

// isArchive reports whether helm reads a file as a packed chart.
func isArchive(name string) bool {
	return strings.HasSuffix(name, ".tgz") || strings.HasSuffix(name, ".tar.gz")
}

// archived calls check for the names in an archive and in the archives in it, as long as they have not more than left
// bytes together; otherwise it returns false. It ends at what is not an archive: helm refuses it, too.
func archived(packed io.Reader, within string, left *int64, check func(name string)) bool {
	unpacked, err := gzip.NewReader(packed)
	if err != nil {
		return true
	}
	counted := &counter{unpacked, left}
	files := tar.NewReader(counted)
	for {
		header, err := files.Next()
		if err != nil {
			return *left > 0
		}
		name := path.Join(within, header.Name)
		check(name)
		if isArchive(name) && header.Typeflag == tar.TypeReg && !archived(files, name, left, check) {
			return false
		}
	}
}

// counter ends a text when its readers have read the bytes that are left.
type counter struct {
	from io.Reader
	left *int64
}

func (c *counter) Read(into []byte) (int, error) {
	if *c.left <= 0 {
		return 0, io.ErrUnexpectedEOF
	}
	n, err := c.from.Read(into[:min(int64(len(into)), *c.left)])
	*c.left -= int64(n)
	return n, err
}
