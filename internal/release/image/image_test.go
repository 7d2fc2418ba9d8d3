package image

import (
	"archive/tar"
	"bytes"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/validate"
)

// made returns a release with two programs.
func made(t *testing.T) Release {
	t.Helper()
	r := Release{Version: "0.1.0", Revision: "0123abc", Created: time.Date(2026, 11, 27, 2, 0, 0, 0, time.UTC)}
	for _, architecture := range []string{"arm64", "amd64"} {
		path := filepath.Join(t.TempDir(), "mixedkube")
		if err := os.WriteFile(path, []byte("for "+architecture), 0o600); err != nil {
			t.Fatal(err)
		}
		r.Programs = append(r.Programs, Program{OS: "linux", Architecture: architecture, Path: path})
	}
	return r
}

// read reads the image in a directory, as a registry would.
func read(t *testing.T, dir string) v1.ImageIndex {
	t.Helper()
	outer, err := layout.ImageIndexFromPath(dir)
	if err != nil {
		t.Fatal(err)
	}
	list, err := outer.IndexManifest()
	if err != nil {
		t.Fatal(err)
	}
	if len(list.Manifests) != 1 {
		t.Fatalf("%d images are in the directory, want 1", len(list.Manifests))
	}
	if name := list.Manifests[0].Annotations["org.opencontainers.image.ref.name"]; name != "0.1.0" {
		t.Errorf("the image is called %q, want 0.1.0", name)
	}
	index, err := outer.ImageIndex(list.Manifests[0].Digest)
	if err != nil {
		t.Fatal(err)
	}
	// Each digest and size is correct.
	if err := validate.Index(index); err != nil {
		t.Error(err)
	}
	return index
}

// entries returns the files of an image with their modes, layer by layer.
func entries(t *testing.T, one v1.Image) (list []string, contents map[string][]byte) {
	t.Helper()
	layers, err := one.Layers()
	if err != nil {
		t.Fatal(err)
	}
	contents = map[string][]byte{}
	for i, layer := range layers {
		text, err := layer.Uncompressed()
		if err != nil {
			t.Fatal(err)
		}
		for files := tar.NewReader(text); ; {
			h, err := files.Next()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			if h.Uid != 0 || h.Gid != 0 || !h.ModTime.Equal(time.Date(2026, 11, 27, 2, 0, 0, 0, time.UTC)) {
				t.Errorf("%s belongs to %d:%d and is of %s", h.Name, h.Uid, h.Gid, h.ModTime)
			}
			list = append(list, fmt.Sprintf("%d %o %s", i, h.Mode, h.Name))
			if contents[h.Name], err = io.ReadAll(files); err != nil {
				t.Fatal(err)
			}
		}
	}
	return list, contents
}

func TestImageIsReadable(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "image")
	digest, err := Write(dir, made(t))
	if err != nil {
		t.Fatal(err)
	}
	index := read(t, dir)
	if got, err := index.Digest(); err != nil || got.String() != digest {
		t.Errorf("the digest is %s, %v, want %s", got, err, digest)
	}
	list, err := index.IndexManifest()
	if err != nil {
		t.Fatal(err)
	}
	var platforms []string
	for _, m := range list.Manifests {
		platforms = append(platforms, m.Platform.String())
		one, err := index.Image(m.Digest)
		if err != nil {
			t.Fatal(err)
		}
		config, err := one.ConfigFile()
		if err != nil {
			t.Fatal(err)
		}
		if got := config.Platform().String(); got != m.Platform.String() {
			t.Errorf("the image of %s is for %s", m.Platform, got)
		}
		want := v1.Config{
			Entrypoint: []string{"/usr/bin/mixedkube"}, User: "65532:65532", WorkingDir: "/work",
			Env: []string{"PATH=/usr/bin"}, Labels: list.Annotations,
		}
		if diff := cmp.Diff(want, config.Config); diff != "" {
			t.Errorf("%s: configuration (-want +got):\n%s", m.Platform, diff)
		}
		files, contents := entries(t, one)
		wantFiles := []string{
			"0 755 etc/", "0 755 etc/ssl/", "0 755 etc/ssl/certs/", "0 644 etc/ssl/certs/ca-certificates.crt",
			"0 777 work/", "1 755 usr/", "1 755 usr/bin/", "1 755 usr/bin/mixedkube",
		}
		if diff := cmp.Diff(wantFiles, files); diff != "" {
			t.Errorf("%s: files (-want +got):\n%s", m.Platform, diff)
		}
		if got := string(contents["usr/bin/mixedkube"]); got != "for "+m.Platform.Architecture {
			t.Errorf("%s: the program is %q", m.Platform, got)
		}
		trusts(t, contents["etc/ssl/certs/ca-certificates.crt"])
	}
	if diff := cmp.Diff([]string{"linux/amd64", "linux/arm64"}, platforms); diff != "" {
		t.Errorf("platforms (-want +got):\n%s", diff)
	}
	for key, want := range map[string]string{
		"version": "0.1.0", "revision": "0123abc", "created": "2026-11-27T02:00:00Z",
	} {
		if got := list.Annotations["org.opencontainers.image."+key]; got != want {
			t.Errorf("%s is %q, want %q", key, got, want)
		}
	}
}

// trusts reads certificates as Go's own programs do. Mozilla trusts more than a hundred authorities.
func trusts(t *testing.T, text []byte) {
	t.Helper()
	n := 0
	for block, rest := pem.Decode(text); block != nil; block, rest = pem.Decode(rest) {
		if one, err := x509.ParseCertificate(block.Bytes); err != nil || !one.IsCA {
			t.Errorf("certificate %d: %v", n, err)
		}
		n++
	}
	if n < 100 {
		t.Errorf("%d authorities are trusted, want 100 and more", n)
	}
}

// Other programs first look for the index.json of a layout and its marker.
func TestTheDirectoryIsALayout(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "image")
	stale := filepath.Join(dir, "stale")
	if err := os.MkdirAll(stale, 0o755); err != nil {
		t.Fatal(err)
	}
	if _, err := Write(dir, made(t)); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(stale); !os.IsNotExist(err) {
		t.Errorf("the old content is still there: %v", err)
	}
	marker, err := os.ReadFile(filepath.Join(dir, "oci-layout"))
	if err != nil {
		t.Fatal(err)
	}
	var version struct {
		ImageLayoutVersion string `json:"imageLayoutVersion"`
	}
	if err := json.Unmarshal(marker, &version); err != nil || version.ImageLayoutVersion != "1.0.0" {
		t.Errorf("oci-layout has %s, %v", marker, err)
	}
	index, err := os.ReadFile(filepath.Join(dir, "index.json"))
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(index, []byte("application/vnd.oci.image.index.v1+json")) {
		t.Errorf("index.json names no image of the Open Container Initiative:\n%s", index)
	}
}

func TestImagesAreReproducible(t *testing.T) {
	t.Parallel()
	r := made(t)
	first, err := Write(filepath.Join(t.TempDir(), "image"), r)
	if err != nil {
		t.Fatal(err)
	}
	r.Programs[0], r.Programs[1] = r.Programs[1], r.Programs[0]
	second, err := Write(filepath.Join(t.TempDir(), "image"), r)
	if err != nil {
		t.Fatal(err)
	}
	if first != second {
		t.Errorf("the digests are %s and %s", first, second)
	}
	r.Version = "0.1.1"
	third, err := Write(filepath.Join(t.TempDir(), "image"), r)
	if err != nil {
		t.Fatal(err)
	}
	if third == first {
		t.Error("another version has the same digest: does it say its version?")
	}
}

func TestInvalidImagesAreRefused(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		programs []Program
		want     string
	}{
		"nothing": {nil, "building the image of mixedkube 0.1.0: no program for linux: build it first"},
		"windows": {
			[]Program{{OS: "windows", Architecture: "amd64", Path: "mixedkube.exe"}},
			"mixedkube.exe: windows/amd64: an image without files of its system runs on linux only",
		},
		"no file": {
			[]Program{{OS: "linux", Architecture: "amd64", Path: "nowhere/mixedkube"}}, "open nowhere/mixedkube:",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join(t.TempDir(), "image")
			_, err := Write(dir, Release{Version: "0.1.0", Programs: tt.programs})
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("the error is %v, want %s", err, tt.want)
			}
			if _, err := os.Stat(dir); !os.IsNotExist(err) {
				t.Errorf("there is a directory nevertheless: %v", err)
			}
		})
	}
}
