package hostile

import (
	"archive/tar"
	"compress/gzip"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func layArchive(t *testing.T, m machine, c content, r *rand.Rand) run {
	t.Helper()
	m.chart(t, c, r)
	m.pack(t, "shop", "shop.tgz", c.entries)
	must(t, os.RemoveAll(m.at("shop")))
	command := reading(r, "shop.tgz")
	command.heavy = c.heavy
	return command
}

// pack packs a directory of the checkout, with further entries.
func (m machine) pack(t *testing.T, dir, archive string, entries []tar.Header) {
	t.Helper()
	must(t, os.MkdirAll(filepath.Dir(m.at(archive)), 0o700))
	file, err := os.Create(m.at(archive))
	must(t, err)
	packed := gzip.NewWriter(file)
	w := tar.NewWriter(packed)
	for _, path := range m.below(t, dir) {
		text, err := os.ReadFile(path)
		must(t, err)
		name, err := filepath.Rel(filepath.Dir(m.at(dir)), path)
		must(t, err)
		must(t, w.WriteHeader(&tar.Header{Name: name, Mode: 0o600, Size: int64(len(text)), Typeflag: tar.TypeReg}))
		_, err = w.Write(text)
		must(t, err)
	}
	for _, entry := range entries {
		entry.Mode, entry.Name = 0o600, strings.ReplaceAll(entry.Name, "BASE", m.base)
		if entry.Typeflag == tar.TypeReg {
			entry.Size = int64(len(okay))
		}
		must(t, w.WriteHeader(&entry))
		_, err := io.WriteString(w, okay[:entry.Size])
		must(t, err)
	}
	must(t, w.Close())
	must(t, packed.Close())
	must(t, file.Close())
}
