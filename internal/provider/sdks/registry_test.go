package sdks

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// registry serves packages to npm and pip: every package in every locked version, and newer ones. All of them have
// content that writes the file ran, except setuptools in the version goodVersion.
type registry struct {
	*httptest.Server
	ran string
	// tarball is the content of each package of npm, and integrity its hash.
	tarball   []byte
	integrity string
	// locked are the locked versions of each package of npm.
	locked map[string][]string
	// wheels are the files of setuptools by their names.
	wheels map[string][]byte
}

const (
	goodVersion   = "99.0.0"
	newestVersion = "100.0.0"
)

// goodBackend builds a wheel without setuptools.
const goodBackend = `import os, zipfile
def build_wheel(directory, config_settings=None, metadata_directory=None):
    name = "mixedkube-1.2.3-py3-none-any.whl"
    with zipfile.ZipFile(os.path.join(directory, name), "w") as wheel:
        wheel.writestr("mixedkube-1.2.3.dist-info/METADATA", "Metadata-Version: 2.1\nName: mixedkube\nVersion: 1.2.3\n")
        wheel.writestr("mixedkube-1.2.3.dist-info/WHEEL", "Wheel-Version: 1.0\nTag: py3-none-any\n")
        wheel.writestr("mixedkube-1.2.3.dist-info/RECORD", "")
    return name
`

// serveRegistry starts a registry. npm and pip use no other one, and none of their caches.
func serveRegistry(t *testing.T) *registry {
	t.Helper()
	dir := t.TempDir()
	r := &registry{ran: filepath.Join(dir, "ran"), locked: map[string][]string{}, wheels: map[string][]byte{}}
	r.tarball = tarball(t, map[string]string{
		"package/package.json": `{"name": "any", "version": "1.0.0"}`,
		"package/bin/tsc":      fmt.Sprintf("require('fs').writeFileSync(%q, '')\n", r.ran),
	})
	long := sha512.Sum512(r.tarball)
	r.integrity = "sha512-" + base64.StdEncoding.EncodeToString(long[:])
	r.addSetuptools(t, goodVersion, goodBackend)
	r.addSetuptools(t, newestVersion, fmt.Sprintf("open(%q, 'w')\n", r.ran))
	r.readLocks(t)
	r.Server = httptest.NewServer(http.HandlerFunc(r.serve))
	t.Cleanup(r.Close)
	for variable, value := range map[string]string{
		"npm_config_registry": r.URL, "npm_config_cache": filepath.Join(dir, "npm"),
		"PIP_CONFIG_FILE": os.DevNull, "PIP_INDEX_URL": r.URL + "/simple/", "PIP_EXTRA_INDEX_URL": "",
		"PIP_NO_CACHE_DIR": "1", "NO_PROXY": "127.0.0.1", "no_proxy": "127.0.0.1",
	} {
		t.Setenv(variable, value)
	}
	return r
}

func wheelName(version string) string { return "setuptools-" + version + "-py3-none-any.whl" }

// addSetuptools adds a version of setuptools with a backend for builds.
func (r *registry) addSetuptools(t *testing.T, version, backend string) {
	t.Helper()
	info := "setuptools-" + version + ".dist-info/"
	r.wheels[wheelName(version)] = wheel(t, map[string]string{
		"setuptools/__init__.py":   "",
		"setuptools/build_meta.py": backend,
		info + "METADATA":          "Metadata-Version: 2.1\nName: setuptools\nVersion: " + version + "\n",
		info + "WHEEL":             "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
		info + "RECORD":            "",
	})
}

// lockOf returns the line that locks a version of setuptools.
func (r *registry) lockOf(version string) string {
	return fmt.Sprintf("setuptools==%s --hash=sha256:%x\n", version, sha256.Sum256(r.wheels[wheelName(version)]))
}

func (r *registry) readLocks(t *testing.T) {
	t.Helper()
	content, err := locks.ReadFile("locks/nodejs/" + nodeLock)
	if err != nil {
		t.Fatal(err)
	}
	var lock nodePackages
	if err := json.Unmarshal(content, &lock); err != nil {
		t.Fatal(err)
	}
	delete(lock.Packages, "")
	for path, p := range lock.Packages {
		name := path[strings.LastIndex(path, "node_modules/")+len("node_modules/"):]
		r.locked[name] = append(r.locked[name], p.Version)
	}
	content, err = locks.ReadFile("locks/python/" + pythonLock)
	if err != nil {
		t.Fatal(err)
	}
	for _, found := range regexp.MustCompile(`(?m)^setuptools==(\S+)`).FindAllSubmatch(content, -1) {
		r.addSetuptools(t, string(found[1]), fmt.Sprintf("open(%q, 'w')\n", r.ran))
	}
}

func (r *registry) serve(w http.ResponseWriter, request *http.Request) {
	switch name := strings.TrimPrefix(request.URL.Path, "/"); {
	case name == "simple/setuptools/":
		w.Header().Set("Content-Type", "text/html")
		for file, content := range r.wheels {
			fmt.Fprintf(w, "<a href=\"/%s#sha256=%x\">%s</a>\n", file, sha256.Sum256(content), file)
		}
	case strings.HasSuffix(name, ".whl"):
		_, _ = w.Write(r.wheels[name])
	case strings.HasSuffix(name, ".tgz"):
		_, _ = w.Write(r.tarball)
	default:
		_ = json.NewEncoder(w).Encode(r.describe(name))
	}
}

// describe returns what the registry of npm knows of a package: the locked versions, and 1.0.0 and 1.1.0, which is a
// day old.
func (r *registry) describe(name string) map[string]any {
	versions, times := map[string]any{}, map[string]string{}
	for _, version := range append([]string{"1.0.0", "1.1.0"}, r.locked[name]...) {
		versions[version] = map[string]any{
			"name": name, "version": version,
			"dist": map[string]string{"tarball": r.URL + "/any.tgz", "integrity": r.integrity},
		}
		times[version] = "2020-01-01T00:00:00Z"
	}
	times["1.1.0"] = time.Now().Add(-24 * time.Hour).UTC().Format(time.RFC3339)
	return map[string]any{
		"name": name, "dist-tags": map[string]string{"latest": "1.1.0"}, "versions": versions, "time": times,
	}
}

func tarball(t *testing.T, files map[string]string) []byte {
	t.Helper()
	var text bytes.Buffer
	compressed := gzip.NewWriter(&text)
	archive := tar.NewWriter(compressed)
	for name, content := range files {
		if err := archive.WriteHeader(&tar.Header{Name: name, Mode: 0o755, Size: int64(len(content))}); err != nil {
			t.Fatal(err)
		}
		if _, err := archive.Write([]byte(content)); err != nil {
			t.Fatal(err)
		}
	}
	if err := archive.Close(); err != nil {
		t.Fatal(err)
	}
	if err := compressed.Close(); err != nil {
		t.Fatal(err)
	}
	return text.Bytes()
}

func wheel(t *testing.T, files map[string]string) []byte {
	t.Helper()
	var text bytes.Buffer
	archive := zip.NewWriter(&text)
	for name, content := range files {
		file, err := archive.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := file.Write([]byte(content)); err != nil {
			t.Fatal(err)
		}
	}
	if err := archive.Close(); err != nil {
		t.Fatal(err)
	}
	return text.Bytes()
}
