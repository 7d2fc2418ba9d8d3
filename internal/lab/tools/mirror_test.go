package tools

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

// mirror is a server of archives for a bench.
type mirror struct {
	bench
	url string

	mu       sync.Mutex
	requests []string
}

// newMirror answers the requests of the bench with answer. The go of the bench builds hello, so
// that Ensure succeeds even if the archive is not used.
func newMirror(t *testing.T, answer http.HandlerFunc) *mirror {
	t.Helper()
	r := &mirror{bench: newBench(t)}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
		r.mu.Lock()
		r.requests = append(r.requests, request.Method+" "+request.URL.Path)
		r.mu.Unlock()
		answer(w, request)
	}))
	t.Cleanup(server.Close)
	r.at(server.URL)
	r.fakeGo(buildsHello)
	return r
}

func (r *mirror) at(url string) {
	r.url = url
	r.environ = append(r.environ, urlVariable+"="+url)
}

// requestLog returns the requests, one per line.
func (r *mirror) requestLog() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return strings.Join(r.requests, "\n")
}

// printed returns the output of the bench, without the server's address.
func (r *mirror) printed() string { return r.plain(r.bench.printed()) }

func (r *mirror) plain(text string) string {
	return strings.NewReplacer(r.url, "URL", strings.TrimPrefix(r.url, "http://"), "HOST").Replace(text)
}

// entry is a file in an archive.
type entry struct {
	name, content string
	kind          byte
}

// packed returns an archive of entries.
func packed(t *testing.T, entries ...entry) []byte {
	t.Helper()
	var out bytes.Buffer
	compressed := gzip.NewWriter(&out)
	w := tar.NewWriter(compressed)
	for _, e := range entries {
		header := tar.Header{Name: e.name, Typeflag: e.kind, Mode: 0o755}
		switch e.kind {
		case 0:
			header.Typeflag, header.Size = tar.TypeReg, int64(len(e.content))
		case tar.TypeSymlink:
			header.Linkname, e.content = e.content, ""
		}
		if err := w.WriteHeader(&header); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(e.content)); err != nil {
			t.Fatal(err)
		}
	}
	for _, closer := range []interface{ Close() error }{w, compressed} {
		if err := closer.Close(); err != nil {
			t.Fatal(err)
		}
	}
	return out.Bytes()
}

func sum(content string) string {
	hash := sha256.Sum256([]byte(content))
	return hex.EncodeToString(hash[:])
}

// member returns the record of a fake tool whose binary is content.
func (r *mirror) member(name, content string) member {
	r.t.Helper()
	i := slices.IndexFunc(r.table, func(t tool) bool { return t.name == name })
	at, err := r.locateOne(r.t.Context(), r.table[i])
	if err != nil {
		r.t.Fatal(err)
	}
	return member{Tool: name, Version: "v1.2.3", Key: at.key, SHA256: sum(content), Size: int64(len(content))}
}

// record records an archive for this machine in the checkout.
func (r *mirror) record(content []byte, members ...member) {
	r.t.Helper()
	r.recordAll(archive{
		Release: "tools-1", Platform: host().String(),
		SHA256: sum(string(content)), Size: int64(len(content)), Members: members,
	})
}

func (r *mirror) recordAll(archives ...archive) {
	r.t.Helper()
	content, err := json.Marshal(archives)
	if err != nil {
		r.t.Fatal(err)
	}
	write(r.t, filepath.Join(r.Root, "internal", "lab", "tools", "archives.json"), string(content))
}

// cached lists the files of the cache, one per line, with their content if that
// is a single line.
func (b bench) cached() string {
	b.t.Helper()
	var files strings.Builder
	err := filepath.WalkDir(b.Dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := os.ReadFile(path)
		info, infoErr := entry.Info()
		if err != nil || infoErr != nil {
			return err
		}
		files.WriteString(b.mask(path))
		if info.Mode()&0o111 != 0 {
			files.WriteString(" (executable)")
		}
		if line := string(content); strings.Count(line, "\n") == 1 {
			files.WriteString(": " + strings.TrimSpace(line))
		}
		files.WriteString("\n")
		return nil
	})
	if err != nil {
		b.t.Fatal(err)
	}
	return hashes.ReplaceAllString(files.String(), "-KEY/")
}

const (
	// fetchedHello is a binary that no build creates.
	fetchedHello = "#!/bin/sh\necho hello version v1.2.3 of the archive\n"
	locked       = "DIR/.fetch.lock\nDIR/hello/.lock\n"
)

// inCache returns the list of a cache with hello in it.
func inCache(content string) string {
	return locked + "DIR/hello/v1.2.3-KEY/hello (executable)\nDIR/hello/v1.2.3-KEY/hello.sha256: " + sum(content) +
		"  hello\n"
}
