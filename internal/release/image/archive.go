package image

import (
	"archive/tar"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"
)

// Archive writes the image in a directory as one file: the archive of a layout that tools read as oci-archive. created
// is the time of each file in it.
func Archive(w io.Writer, dir string, created time.Time) error {
	archive := tar.NewWriter(w)
	layout := os.DirFS(dir)
	err := fs.WalkDir(layout, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || name == "." {
			return err
		}
		header := &tar.Header{
			Typeflag: tar.TypeDir, Name: name + "/", Mode: 0o755, ModTime: created.UTC(), Format: tar.FormatPAX,
		}
		if entry.IsDir() {
			return archive.WriteHeader(header)
		}
		content, err := fs.ReadFile(layout, name)
		if err != nil {
			return err
		}
		header.Typeflag, header.Name, header.Mode, header.Size = tar.TypeReg, name, 0o644, int64(len(content))
		if err := archive.WriteHeader(header); err != nil {
			return err
		}
		_, err = archive.Write(content)
		return err
	})
	if err != nil {
		return fmt.Errorf("archiving the image in %s: %w", dir, err)
	}
	return archive.Close()
}
