//go:build unix

package tools

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"
)

// crossBuilds makes the fake go write the platform that it builds for.
const crossBuilds = `printf "%s for $GOOS/$GOARCH\n" "$(basename "$out")" > "$out"; chmod +x "$out"`

func (b bench) pack(platform string) (archive, []byte) {
	b.t.Helper()
	dir := filepath.Join(b.bin, "dist")
	err := b.Pack(b.t.Context(),
		Packing{Tools: []string{"bye", "hello"}, Platform: platform, Release: "tools-1", Dir: dir})
	if err != nil {
		b.t.Fatal(err)
	}
	return readPacked(b.t, dir, platform)
}

// readPacked returns the record and the archive in dir, which must contain nothing else.
func readPacked(t *testing.T, dir, platform string) (archive, []byte) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 2 {
		t.Fatalf("%s: %v, %v", dir, entries, err)
	}
	base := filepath.Join(dir, "mixedkube-tools-"+strings.ReplaceAll(platform, "/", "-"))
	content, err := os.ReadFile(base + ".tar.gz")
	if err != nil {
		t.Fatal(err)
	}
	record, err := os.ReadFile(base + ".json")
	if err != nil {
		t.Fatal(err)
	}
	var a archive
	if err := json.Unmarshal(record, &a); err != nil {
		t.Fatal(err)
	}
	checkRecord(t, a)
	return a, content
}

// checkRecord reports what is wrong with a record.
func checkRecord(t *testing.T, a archive) {
	t.Helper()
	if _, err := parsePlatform(a.Platform); err != nil {
		t.Error(err)
	}
	matches := func(what, value, pattern string) {
		t.Helper()
		if !regexp.MustCompile("^" + pattern + "$").MatchString(value) {
			t.Errorf("%s: %s %q does not match %s", a.Platform, what, value, pattern)
		}
	}
	matches("release", a.Release, "tools-[0-9]+")
	matches("sha256", a.SHA256, "[0-9a-f]{64}")
	names := map[string]bool{}
	for _, m := range a.Members {
		matches("version of "+m.Tool, m.Version, `v[0-9]+\.[0-9]+\.[0-9]+`)
		matches("key of "+m.Tool, m.Key, "[0-9a-f]{12}")
		matches("sha256 of "+m.Tool, m.SHA256, "[0-9a-f]{64}")
		if m.Size <= 0 || names[m.Tool] {
			t.Errorf("%s: %s has %d bytes, or is recorded twice", a.Platform, m.Tool, m.Size)
		}
		names[m.Tool] = true
	}
	if a.Size <= 0 || len(names) == 0 {
		t.Errorf("%s: %d bytes with %d tools", a.Platform, a.Size, len(names))
	}
}

func TestTheRecordsOfTheCheckoutAreWhole(t *testing.T) {
	t.Parallel()
	root, err := findRoot(".")
	if err != nil {
		t.Fatal(err)
	}
	all, err := readArchives(root)
	if err != nil {
		t.Fatal(err)
	}
	platforms := map[string]bool{}
	for _, a := range all {
		checkRecord(t, a)
		if platforms[a.Platform] {
			t.Errorf("%s is recorded twice", a.Platform)
		}
		platforms[a.Platform] = true
	}
}

func TestToolsArePackedForEveryPlatform(t *testing.T) {
	t.Parallel()
	for _, target := range archived() {
		t.Run(target.String(), func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			b.fakeGo(crossBuilds)
			// This version would fit the lab, but must not be in the release.
			b.script("hello", "echo hello version v1.2.9")
			record, content := b.pack(target.String())
			key := func(i int) string {
				key, err := b.table[i].recipeKey("v1.2.3", target, false, os.DirFS(b.Cache.dir()))
				if err != nil {
					t.Fatal(err)
				}
				return key
			}
			hello, bye := "hello for "+target.String()+"\n", "bye for "+target.String()+"\n"
			want := archive{
				Release: "tools-1", Platform: target.String(), SHA256: sum(string(content)), Size: int64(len(content)),
				Members: []member{
					{Tool: "hello", Version: "v1.2.3", Key: key(0), SHA256: sum(hello), Size: int64(len(hello))},
					{Tool: "bye", Version: "v1.2.3", Key: key(1), SHA256: sum(bye), Size: int64(len(bye))},
				},
			}
			if !reflect.DeepEqual(record, want) {
				t.Errorf("record:\n%+v\nwant:\n%+v", record, want)
			}
			equal(t, "content", listed(t, content),
				"hello 0755 0 0 1970-01-01T00:00:00Z "+hello+"bye 0755 0 0 1970-01-01T00:00:00Z "+bye)
			equal(t, "progress", b.printed(), fmt.Sprintf(
				`tools    2 of 2 to build, into DIR (MIXEDKUBE_TOOLS_URL is off): hello v1.2.3, bye v1.2.3
tools    hello v1.2.3: built in TIME
tools    bye v1.2.3: built in TIME
tools    packed 2 into BIN/dist/mixedkube-tools-%s-%s.tar.gz (%d bytes), SHA-256 %s
`, target.os, target.arch, len(content), sum(string(content))))
		})
	}
}

// listed lists the content of an archive.
func listed(t *testing.T, packed []byte) string {
	t.Helper()
	content, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	for entries := tar.NewReader(content); ; {
		header, err := entries.Next()
		if errors.Is(err, io.EOF) {
			return out.String()
		}
		if err != nil {
			t.Fatal(err)
		}
		binary, err := io.ReadAll(entries)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&out, "%s %04o %d %d %s %s", header.Name, header.Mode, header.Uid, header.Gid,
			header.ModTime.UTC().Format(time.RFC3339), binary)
	}
}

func TestArchivesAreReproducible(t *testing.T) {
	t.Parallel()
	var archives, records []string
	for range 2 {
		b := newBench(t)
		b.fakeGo(crossBuilds)
		record, content := b.pack("linux/arm64")
		archives, records = append(archives, string(content)), append(records, fmt.Sprintf("%+v", record))
	}
	if archives[0] != archives[1] {
		t.Error("the archives differ")
	}
	equal(t, "record", records[1], records[0])
}

// A packed archive can be fetched.
func TestAPackedArchiveIsFetched(t *testing.T) {
	t.Parallel()
	var content []byte
	r := newMirror(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(content) })
	r.fakeGo(crossBuilds)
	record, packed := r.pack(host().String())
	content = packed
	r.recordAll(record)
	// Nothing is fetched for packing.
	r.Dir = filepath.Join(t.TempDir(), "cache")
	if err := r.Pack(t.Context(),
		Packing{
			Tools: []string{"hello"}, Platform: host().String(), Release: "tools-2",
			Dir: t.TempDir(),
		}); err != nil {
		t.Fatal(err)
	}
	equal(t, "requests of packing", r.requestLog(), "")
	if printed := r.printed(); strings.Contains(printed, "fetch") {
		t.Errorf("packing fetches:\n%s", printed)
	}

	r.Dir = filepath.Join(t.TempDir(), "cache")
	r.out.Reset()
	if _, err := r.Ensure(t.Context(), "hello"); err != nil {
		t.Fatal(err)
	}
	equal(t, "progress", r.printed(),
		fetchingLine(content)+"tools    fetched in TIME\ntools    1 ready: 1 from the archive\n")
	binary := "hello for " + host().String() + "\n"
	equal(t, "cache", r.cached(),
		strings.Replace(inCache(binary), "(executable)", "(executable): "+strings.TrimSpace(binary), 1))
}

func TestPackErrors(t *testing.T) {
	t.Parallel()
	taken := filepath.Join(t.TempDir(), "file")
	write(t, taken, "")
	for _, test := range []struct {
		name    string
		packing Packing
		want    string
	}{
		{
			"an unknown platform",
			Packing{Tools: []string{"hello"}, Platform: "windows/amd64", Release: "tools-1", Dir: taken},
			`"windows/amd64" is not a platform of the archives: they are built for linux/amd64, linux/arm64, ` +
				`darwin/amd64, darwin/arm64`,
		},
		{
			"no release",
			Packing{Tools: []string{"hello"}, Platform: "linux/amd64", Dir: taken},
			"pack the tools: name the release that the archive will be attached to",
		},
		{
			"an unknown tool",
			Packing{Tools: []string{"helo"}, Platform: "linux/amd64", Release: "tools-1", Dir: taken},
			`unknown tool "helo": the tools are hello, bye, pulumi, pulumi-language-go, pulumi-resource-kubernetes`,
		},
		{
			"a file in place of the directory",
			Packing{Tools: []string{"hello"}, Platform: "linux/amd64", Release: "tools-1", Dir: taken},
			"mkdir " + taken + ": not a directory",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			b.fakeGo(crossBuilds)
			equal(t, "error", b.masked(b.Pack(t.Context(), test.packing)), test.want)
		})
	}
}

func TestFilesAreWrittenAtomically(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	err := whole(filepath.Join(dir, "archive"), func(file *os.File) error {
		_, err := pack(ctx, file, []location{{tool: tool{name: "hello"}, path: os.Args[0]}})
		return err
	})
	equal(t, "error", err.Error(), "context canceled")
	if left, err := os.ReadDir(dir); err != nil || len(left) != 0 {
		t.Errorf("left %v, %v", left, err)
	}
}
