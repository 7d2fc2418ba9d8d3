package image

import (
	"archive/tar"
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// TestTheArchiveIsTheImage unpacks the archive, and reads the image in it as a registry would.
func TestTheArchiveIsTheImage(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "image")
	r := made(t)
	digest, err := Write(dir, r)
	if err != nil {
		t.Fatal(err)
	}
	var text, again bytes.Buffer
	for _, out := range []*bytes.Buffer{&text, &again} {
		if err := Archive(out, dir, r.Created); err != nil {
			t.Fatal(err)
		}
		// The archive does not depend on when the files were written.
		if err := os.Chtimes(filepath.Join(dir, "index.json"), time.Time{}, time.Unix(1, 0)); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(text.Bytes(), again.Bytes()) {
		t.Error("two archives of one image differ")
	}
	unpacked := t.TempDir()
	var directories []string
	for archive := tar.NewReader(&text); ; {
		h, err := archive.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if !h.ModTime.Equal(r.Created) {
			t.Errorf("%s is of %s, want %s", h.Name, h.ModTime, r.Created)
		}
		path := filepath.Join(unpacked, filepath.FromSlash(h.Name))
		if h.Typeflag == tar.TypeDir {
			directories = append(directories, h.Name)
			err = os.Mkdir(path, 0o700)
		} else {
			var content []byte
			if content, err = io.ReadAll(archive); err == nil {
				err = os.WriteFile(path, content, 0o600)
			}
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	slices.Sort(directories)
	if diff := cmp.Diff([]string{"blobs/", "blobs/sha256/"}, directories); diff != "" {
		t.Errorf("directories (-want +got):\n%s", diff)
	}
	got, err := read(t, unpacked).Digest()
	if err != nil || got.String() != digest {
		t.Errorf("the digest is %s, %v, want %s", got, err, digest)
	}
}

func TestArchiveOfNoImage(t *testing.T) {
	t.Parallel()
	err := Archive(io.Discard, "testdata/none", time.Time{})
	const want = "archiving the image in testdata/none: stat .: no such file or directory"
	if err == nil || err.Error() != want {
		t.Errorf("the error is %v, want %s", err, want)
	}
}
