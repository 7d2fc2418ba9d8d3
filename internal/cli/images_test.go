package cli

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/core/images"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/internal/system/userfiles"
)

// shelf is a registry with images of one manifest.
type shelf struct {
	*httptest.Server
	// host is its name in a reference.
	host string

	mu        sync.Mutex
	documents map[string]string // by path
	requested int
}

func newShelf(t *testing.T) *shelf {
	t.Helper()
	s := &shelf{documents: map[string]string{"/v2/": "{}"}}
	s.Server = httptest.NewServer(s)
	t.Cleanup(s.Close)
	s.host = strings.TrimPrefix(s.URL, "http://")
	return s
}

func (s *shelf) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requested++
	text, found := s.documents[r.URL.Path]
	if !found {
		w.WriteHeader(http.StatusNotFound)
		return
	}
	w.Header().Set("Content-Type", "application/vnd.oci.image.manifest.v1+json")
	w.Header().Set("Docker-Content-Digest", sum(text))
	w.Header().Set("Content-Length", strconv.Itoa(len(text)))
	_, _ = w.Write([]byte(text))
}

func sum(text string) string { return fmt.Sprintf("sha256:%x", sha256.Sum256([]byte(text))) }

// put puts an image on the shelf, and returns its reference.
func (s *shelf) put(name string, v platform.Variant) string {
	config := asJSON(map[string]any{
		"os": v.OS, "os.version": v.OSVersion, "architecture": v.Architecture,
		"config": map[string]any{"User": v.User, "Entrypoint": v.Entrypoint},
	})
	var layers []map[string]any
	for _, size := range v.Layers {
		layers = append(layers, map[string]any{"size": size, "digest": sum(name)})
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.documents["/v2/"+name+"/blobs/"+sum(config)] = config
	s.documents["/v2/"+name+"/manifests/1"] = fmt.Sprintf(
		`{"schemaVersion":2,"config":{"size":%d,"digest":%q},"layers":%s}`, len(config), sum(config), asJSON(layers))
	return s.host + "/" + name + ":1"
}

func asJSON(v any) string {
	text, _ := json.Marshal(v)
	return string(text)
}

// requests returns the number of requests since the last call.
func (s *shelf) requests() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := s.requested
	s.requested = 0
	return n
}

var (
	linuxImage   = platform.Variant{OS: platform.LinuxOS, Architecture: "amd64", Layers: []int64{1_500_000}}
	windowsImage = platform.Variant{
		OS: platform.WindowsOS, OSVersion: "10.0.20348.2700", Architecture: "amd64", User: "ContainerUser",
		Entrypoint: []string{`C:\web.exe`}, Layers: []int64{2_000_000, 40_000},
	}
)

// using returns a manifest of a pod with these images.
func using(references ...string) string {
	var containers []string
	for i, reference := range references {
		containers = append(containers, fmt.Sprintf("{name: c%d, image: %q}", i, reference))
	}
	return "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec:\n  containers: [" +
		strings.Join(containers, ", ") + "]\n"
}

// expect runs a command line, and compares its output; HOST and FILE stand for the shelf and the lock.
func (s *shelf) expect(t *testing.T, file, stdin, want string, args ...string) {
	t.Helper()
	code, stdout, stderr := start(t, stdin, args...)
	got := fmt.Sprintf("%s%sexit %d\n", stdout, stderr, code)
	got = strings.NewReplacer(s.host, "HOST", filepath.ToSlash(file), "FILE").Replace(got)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("mixedkube %s (-want +got):\n%s", strings.Join(args, " "), diff)
	}
}

func (s *shelf) locked(t *testing.T, file string) []string {
	t.Helper()
	lock, err := userfiles.Decode(file, images.Decode)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, reference := range lock.References() {
		line := strings.TrimPrefix(reference, s.host+"/")
		if facts := lock.Facts(reference); facts != nil {
			line += fmt.Sprintf(" %s %s", facts.Variants[0].OS, facts.Variants[0].OSVersion)
		}
		all = append(all, strings.TrimSpace(line))
	}
	return all
}

func TestImagesLock(t *testing.T) {
	t.Parallel()
	s := newShelf(t)
	web, proxy := s.put("web", windowsImage), s.put("proxy", linuxImage)
	file := filepath.Join(t.TempDir(), "lock.yaml")
	lock := func(stdin, want string, args ...string) {
		t.Helper()
		s.expect(t, file, stdin, want, append([]string{"images", "lock", "--file", file}, args...)...)
	}
	check := func(want ...string) {
		t.Helper()
		if diff := cmp.Diff(want, s.locked(t, file)); diff != "" {
			t.Errorf("the lock (-want +got):\n%s", diff)
		}
	}
	lock("", "FILE: no such file or directory: name the files or directories with the images to lock\nexit 2\n")

	lock(using(web, proxy, s.host+"/none:1", web), "note: HOST/none:1: not found: HOST answers 404 Not Found: "+
		"check the name and the tag\nFILE: 2 images, 2 added, 1 not looked up\nexit 1\n", "-")
	check("proxy:1 linux", "web:1 windows 10.0.20348.2700")
	s.requests()

	// A locked image stays, without a request; so does one that is in no input.
	newer := windowsImage
	newer.OSVersion = "10.0.20348.3000"
	s.put("web", newer)
	before, err := os.Stat(file)
	if err != nil {
		t.Fatal(err)
	}
	lock(using(web), "FILE: 2 images\nexit 0\n", "-")
	if n := s.requests(); n != 0 {
		t.Errorf("the registry got %d requests", n)
	}
	if after, _ := os.Stat(file); !os.SameFile(before, after) {
		t.Error("the file is written again, and is the same")
	}

	lock(using(web), "FILE: 2 images, 1 changed\nexit 0\n", "--update", "-")
	check("proxy:1 linux", "web:1 windows 10.0.20348.3000")

	// An image that no longer exists stays locked, and is named.
	s.mu.Lock()
	maps.DeleteFunc(s.documents, func(path, _ string) bool { return strings.HasPrefix(path, "/v2/proxy/") })
	s.mu.Unlock()
	lock("", "note: HOST/proxy:1: not found: HOST answers 404 Not Found: check the name and the tag\n"+
		"FILE: 2 images, 1 not looked up\nexit 1\n", "--update")
	check("proxy:1 linux", "web:1 windows 10.0.20348.3000")

	// A file that cannot be read may use any image.
	lock(using(web), "missing.yaml: no such file or directory\nFILE: 2 images\nexit 2\n",
		"--prune", "-", "missing.yaml")
	lock(using(web), "FILE: 1 image, 1 removed\nexit 0\n", "--prune", "-")
	check("web:1 windows 10.0.20348.3000")
}

// Without a path, the unknown images that the lock names are looked up.
func TestImagesLockWithoutPath(t *testing.T) {
	t.Parallel()
	s := newShelf(t)
	file := filepath.Join(t.TempDir(), "lock.yaml")
	lock := &images.Lock{}
	if err := lock.Set(s.put("web", windowsImage), nil); err != nil {
		t.Fatal(err)
	}
	if err := userfiles.Write(file, lock.Encode); err != nil {
		t.Fatal(err)
	}
	s.expect(t, file, "", "FILE: 1 image, 1 added\nexit 0\n", "images", "lock", "--file", file)
	if got, want := s.locked(t, file), []string{"web:1 windows 10.0.20348.2700"}; !slices.Equal(got, want) {
		t.Errorf("it has %q, want %q", got, want)
	}
}

func TestImagesLockRefuses(t *testing.T) {
	t.Parallel()
	s := newShelf(t)
	file := filepath.Join(t.TempDir(), "lock.yaml")
	for _, tt := range []struct {
		stdin, want string
		args        []string
	}{
		{"", "--prune: name the files or directories whose images to retain\n", []string{"lock", "--prune"}},
		{"", "--timeout 0s: must be more than 0\n", []string{"lock", "--timeout", "0s", "-"}},
		{
			"{apiVersion: v1, kind: Namespace}", "-: has no images: name other files or directories\n",
			[]string{"lock", "--file", file, "-"},
		},
		{"", "nothing to show: name images, nginx:1.27 for example\n", []string{"show"}},
		{"", "locks: unknown command: did you mean \"lock\"? (use lock or show)\n", []string{"locks"}},
	} {
		s.expect(t, file, tt.stdin, tt.want+"exit 2\n", append([]string{"images"}, tt.args...)...)
	}
	wrong := filepath.Join(t.TempDir(), "wrong.yaml")
	if err := os.WriteFile(wrong, []byte("version: 2\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	// The file may be something else: it is not overwritten.
	for _, args := range [][]string{
		{"images", "lock", "--file", wrong, "-"},
		{"images", "show", "--file", wrong, "a"},
		{"check", "--images", wrong, "-"},
	} {
		s.expect(t, wrong, using("a"),
			"FILE:1: version: Invalid value: 2: this version of mixedkube reads version 1\nexit 2\n", args...)
	}
}

func TestImagesShow(t *testing.T) {
	t.Parallel()
	s := newShelf(t)
	web := s.put("web", windowsImage)
	file := filepath.Join(t.TempDir(), "lock.yaml")
	s.expect(t, file, using(web), "FILE: 1 image, 1 added\nexit 0\n", "images", "lock", "--file", file, "-")
	digest := sum(s.documents["/v2/web/manifests/1"])
	hidden := s.put("hidden", platform.Variant{OS: "linux", Architecture: "amd64", User: "\x1b[2J"})
	platformLine := "  windows/amd64 10.0.20348.2700, 2.0 MB in 2 layers, user ContainerUser, " +
		"starts [\"C:\\\\web.exe\"]\n"
	s.expect(t, file, "", "HOST/web:1 (locked)\n  "+digest+"\n"+platformLine+"HOST/hidden:1 (from its registry)\n  "+
		sum(s.documents["/v2/hidden/manifests/1"])+"\n  linux/amd64, user \\x1b[2J\n"+
		"note: HOST/none:1: not found: HOST answers 404 Not Found: check the name and the tag\nexit 1\n",
		"images", "show", "--file", file, web, hidden, s.host+"/none:1")
	s.expect(t, file, "", "HOST/web:1 (from its registry)\n  "+digest+"\n"+platformLine+"exit 0\n",
		"images", "show", "--file", file, "--update", web)

	_, out, _ := start(t, "", "images", "show", "--json", web)
	var got []map[string]any
	if err := json.Unmarshal([]byte(out), &got); err != nil {
		t.Fatal(err)
	}
	want := []map[string]any{{
		"image": web, "locked": false, "digest": digest, "platforms": []any{map[string]any{
			"os": "windows", "osVersion": "10.0.20348.2700", "architecture": "amd64", "digest": digest,
			"user": "ContainerUser", "entrypoint": []any{`C:\web.exe`}, "command": []any{}, "layers": []any{2e6, 4e4},
		}},
	}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	_, out, _ = start(t, "", "images", "show", "--json", s.host+"/none:1")
	if out != "[]\n" {
		t.Errorf("JSON without an image is %q", out)
	}
}

// The commands that check images know the locked ones, and look others up if they may.
func TestCheckAndAdoptUseLockedImages(t *testing.T) {
	t.Parallel()
	s := newShelf(t)
	web := s.put("web", windowsImage)
	file := filepath.Join(t.TempDir(), "lock.yaml")
	none := filepath.Join(t.TempDir(), "none.yaml")
	unknown := using(web, s.host+"/none:1")
	noted := "HOST/none:1: not found: HOST answers 404 Not Found: check the name and the tag\n"
	checked := "checked: 1 object in 1 file"

	s.expect(t, file, unknown, checked+"\nexit 0\n", "check", "-")
	s.expect(t, none, unknown, "FILE: no such file or directory\nexit 2\n", "check", "--images", none, "-")
	s.expect(t, file, unknown, "HOST/none:1: is not locked: run mixedkube images lock PATH\n"+
		"HOST/web:1: is not locked: run mixedkube images lock PATH\n"+checked+"\nexit 2\n",
		"check", "--require-images", "-")
	if n := s.requests(); n != 0 {
		t.Errorf("the registry got %d requests without --look", n)
	}
	for _, tt := range []struct {
		args []string
		code exitError
		note string
	}{
		{[]string{"--look"}, passed, "note: " + noted},
		{[]string{"--look", "--require-images"}, unusable, noted},
	} {
		code, stdout, stderr := start(t, unknown, append(append([]string{"check"}, tt.args...), "-")...)
		stderr = strings.ReplaceAll(stderr, s.host, "HOST")
		if code != tt.code || !strings.HasPrefix(stderr, tt.note) || stdout == "" {
			t.Errorf("check %q: exit %d, it says\n%s%s", tt.args, code, stdout, stderr)
		}
	}
	if _, err := os.Stat(file); err == nil {
		t.Error("--look writes a lock file")
	}

	s.expect(t, file, using(web), "FILE: 1 image, 1 added\nexit 0\n", "images", "lock", "--file", file, "-")
	s.requests()
	_, stdout, stderr := start(t, unknown, "check", "--images", file, "-")
	if want := "note: 1 of 2 images are not locked, and judged only by their names: run mixedkube images lock " +
		"PATH\n" +
		checked; !strings.HasPrefix(stderr, want) || s.requests() != 0 {
		t.Errorf("with a lock check says\n%s%s", stdout, stderr)
	}
	adopt := []string{"adopt", "--topology", "testdata/topology.yaml", "--images", file, "--require-images", "-"}
	code, stdout, stderr := start(t, using(web), adopt...)
	if code != passed || !strings.Contains(stdout, "+    kubernetes.io/os: windows\n") || s.requests() != 0 {
		t.Errorf("adopt with a lock: exit %d, it says\n%s%s", code, stdout, stderr)
	}
	s.expect(t, file, unknown, "HOST/none:1: is not locked: run mixedkube images lock PATH\nexit 2\n", adopt...)
}

// Images whose registries cannot be reached can be locked on another machine: the command that locks does not suggest
// to lock.
func TestOfflineEachCommandSuggestsAlternatives(t *testing.T) {
	t.Parallel()
	s := newShelf(t)
	s.Close()
	web := s.host + "/web:1"
	file := filepath.Join(t.TempDir(), "lock.yaml")
	note := "note: HOST/web:1: offline: HOST cannot be reached: the connection is refused: " +
		"check the name and the network"
	s.expect(t, file, using(web), note+"\nFILE: 0 images, 1 not looked up\nexit 1\n",
		"images", "lock", "--file", file, "-")
	_, _, stderr := start(t, using(web), "check", "--look", "-")
	want := note + ", or on a machine that can reach it run mixedkube images lock PATH\n"
	if got := strings.ReplaceAll(stderr, s.host, "HOST"); !strings.HasPrefix(got, want) {
		t.Errorf("check says\n%swant\n%s", got, want)
	}
}

// The lock in the working directory is read even if no flag names it.
//

func TestTheLockOfTheWorkingDirectory(t *testing.T) {
	s := newShelf(t)
	web := s.put("web", windowsImage)
	t.Chdir(t.TempDir())
	s.expect(t, "\x00", using(web), "mixedkube.images.yaml: 1 image, 1 added\nexit 0\n", "images", "lock", "-")
	s.requests()
	code, stdout, stderr := start(t, using(web), "check", "--require-images", "-")
	if strings.Contains(stderr, "not locked") || s.requests() != 0 {
		t.Errorf("check: exit %d, it says\n%s%s", code, stdout, stderr)
	}
}
