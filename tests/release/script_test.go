package release

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/internal/lab/tools"
	"github.com/mixedkube/mixedkube/internal/system/executable"
)

const root = "../.."

// pod is a manifest with one error, and podFinding its finding.
const (
	pod = "{apiVersion: v1, kind: Pod, metadata: {name: p}, spec: {os: {name: windows}, hostPID: true, " +
		"nodeSelector: {kubernetes.io/os: windows}, containers: [{name: a, image: shop.example/a}]}}\n"
	podFinding = ":1: Pod/p: error: spec.hostPID: Forbidden: cannot be set for a windows pod: remove it (MK111)\n"
	podSummary = "checked: 1 object in 1 file, 1 error\n"
)

// echo is a program that replaces mixedkube and prints its arguments.
const echo = "#!/bin/sh\nfor a in \"$@\"; do echo \"[$a]\"; done\n"

// releases serves releases as GitHub does, and records the requested paths.
type releases struct {
	address   string
	mu        sync.Mutex
	files     map[string][]byte
	requested []string
}

func serve(t *testing.T) *releases {
	t.Helper()
	r := &releases{files: map[string][]byte{}}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.requested = append(r.requested, request.URL.Path)
		content, ok := r.files[request.URL.Path]
		if !ok {
			http.NotFound(w, request)
			return
		}
		_, _ = w.Write(content)
	}))
	t.Cleanup(server.Close)
	r.address = server.URL
	return r
}

// publish adds a release for one platform, with its checksums. It returns the checksum of the archive.
func (r *releases) publish(t *testing.T, version, system, processor string, program []byte) string {
	t.Helper()
	name := archiveName(t, version, system, processor)
	archive := packed(t, map[string][]byte{"LICENSE": []byte("terms"), "mixedkube" + suffixOf(system): program})
	sum := sha256.Sum256(archive)
	list := path.Join("/v"+version, "checksums.txt")
	r.mu.Lock()
	defer r.mu.Unlock()
	r.files[path.Join("/v"+version, name)] = archive
	r.files[list] = fmt.Appendf(r.files[list], "%s  %s\n", hex.EncodeToString(sum[:]), name)
	return hex.EncodeToString(sum[:])
}

// take returns the paths that were requested since the last call.
func (r *releases) take() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	requested := r.requested
	r.requested = nil
	return requested
}

func packed(t *testing.T, files map[string][]byte) []byte {
	t.Helper()
	var text bytes.Buffer
	compressed, err := gzip.NewWriterLevel(&text, gzip.BestSpeed)
	if err != nil {
		t.Fatal(err)
	}
	archive := tar.NewWriter(compressed)
	for name, content := range files {
		header := &tar.Header{Name: name, Mode: 0o755, Size: int64(len(content)), Typeflag: tar.TypeReg}
		if err := archive.WriteHeader(header); err != nil {
			t.Fatal(err)
		}
		if _, err := archive.Write(content); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(archive.Close(), compressed.Close()); err != nil {
		t.Fatal(err)
	}
	return text.Bytes()
}

// built returns the program of the checkout.
func built(t *testing.T) []byte {
	t.Helper()
	checkout, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	cache, err := tools.FromRoot(checkout, t.Output())
	if err != nil {
		t.Fatal(err)
	}
	file, err := cache.Executable(t.Context(), checkout)
	if err != nil {
		t.Fatal(err)
	}
	content, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return content
}

// job runs a program as a pipeline does: in a directory of its own, and with only the PATH of this
// machine.
type job struct {
	dir, cache, path string
	variables        map[string]string
}

func newJob(t *testing.T) job {
	t.Helper()
	return job{
		dir: t.TempDir(), cache: filepath.Join(t.TempDir(), "cache"), path: os.Getenv("PATH"),
		variables: map[string]string{},
	}
}

// withPod puts the manifest into the directory.
func (j job) withPod(t *testing.T, name string) job {
	t.Helper()
	file := filepath.Join(j.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(pod), 0o600); err != nil {
		t.Fatal(err)
	}
	return j
}

func (j job) run(ctx context.Context, program string, args ...string) (code int, stdout, stderr string, err error) {
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Dir = j.dir
	cmd.Env = []string{"PATH=" + j.path, "HOME=" + j.dir, "MIXEDKUBE_CACHE=" + j.cache}
	for name, value := range j.variables {
		cmd.Env = append(cmd.Env, name+"="+value)
	}
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err = cmd.Run()
	if failed, ok := errors.AsType[*exec.ExitError](err); ok {
		return failed.ExitCode(), out.String(), errs.String(), nil
	}
	return 0, out.String(), errs.String(), err
}

// wrote returns a file that the job has written.
func (j job) wrote(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(j.dir, name))
	if err != nil {
		t.Error(err)
	}
	return string(text)
}

// script runs ci/check.sh.
func (j job) script(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	checkout, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	code, stdout, stderr, err = j.run(t.Context(), "/bin/sh",
		append([]string{filepath.Join(checkout, "ci", "check.sh")}, args...)...)
	if err != nil {
		t.Fatal(err)
	}
	return code, stdout, stderr
}

// only returns a directory for PATH with some programs of this machine, and with scripts.
func only(t *testing.T, names []string, scripts map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range names {
		file, err := exec.LookPath(name)
		if err != nil {
			t.Skipf("needs %s: install it with the packages of your system: %v", name, err)
		}
		if err := os.Symlink(file, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	for name, text := range scripts {
		if err := executable.Write(filepath.Join(dir, name), []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// needed are the programs that the script uses, except those for downloads and checksums.
var needed = []string{
	"sh", "uname", "mkdir", "mktemp", "rm", "mv", "cp", "ls", "id", "chmod", "cat", "grep", "tar", "gzip",
	"awk", "cut",
}

func TestTheScriptChecksWithoutGo(t *testing.T) {
	t.Parallel()
	server := serve(t)
	server.publish(t, prepared(t), hostSystem(t), runtime.GOARCH, built(t))
	j := newJob(t).withPod(t, "deploy/pod.yaml")
	j.path = only(t, slices.Concat(needed, []string{"curl", "sha256sum"}), nil)
	j.variables["MIXEDKUBE_RELEASES"] = server.address
	j.variables["MIXEDKUBE_PATHS"] = "deploy/"
	j.variables["MIXEDKUBE_REPORTS"] = "junit=junit.xml\ngitlab=quality.json"
	j.variables["MIXEDKUBE_TOPOLOGY"] = "cluster.yaml"
	const topology = "pools: [{name: win22, platform: windows-2022}, {name: sys, platform: linux}]\n"
	if err := os.WriteFile(filepath.Join(j.dir, "cluster.yaml"), []byte(topology), 0o600); err != nil {
		t.Fatal(err)
	}
	archive := path.Join("/v"+prepared(t), archiveName(t, prepared(t), hostSystem(t), runtime.GOARCH))

	code, stdout, stderr := j.script(t)
	progress := fmt.Sprintf("mixedkube %s for %s/%s: downloading it from %s/v%s\n", prepared(t), hostSystem(t),
		runtime.GOARCH, server.address, prepared(t))
	if code != 1 || !strings.HasSuffix(stdout, "deploy/pod.yaml"+podFinding) || !strings.HasPrefix(stderr, progress) {
		t.Errorf("exit %d, output %s%s", code, stdout, stderr)
	}
	list := path.Join("/v"+prepared(t), "checksums.txt")
	want := []string{list, archive}
	if diff := cmp.Diff(want, server.take()); diff != "" {
		t.Errorf("downloaded (-want +got):\n%s", diff)
	}
	for _, name := range []string{"junit.xml", "quality.json"} {
		if text := j.wrote(t, name); !strings.Contains(text, "MK111") {
			t.Errorf("%s is\n%s", name, text)
		}
	}

	// The next run has the archive in the cache, downloads only the list, and prints only its output.
	again, stdout2, stderr2 := j.script(t)
	if again != code || stdout2 != stdout || stderr2 != strings.TrimPrefix(stderr, progress) {
		t.Errorf("the second run: exit %d, output %s%s", again, stdout2, stderr2)
	}
	if diff := cmp.Diff([]string{list}, server.take()); diff != "" {
		t.Errorf("the second run downloaded (-want +got):\n%s", diff)
	}
}

func TestOnlyFilesOfTheReleaseAreRun(t *testing.T) {
	t.Parallel()
	server := serve(t)
	version := "1.2.3"
	sum := server.publish(t, version, hostSystem(t), runtime.GOARCH, []byte(echo))
	name := archiveName(t, version, hostSystem(t), runtime.GOARCH)
	run := func(t *testing.T, variables map[string]string) (job, int, string) {
		t.Helper()
		j := newJob(t)
		j.variables = map[string]string{"MIXEDKUBE_RELEASES": server.address, "MIXEDKUBE_VERSION": version}
		maps.Copy(j.variables, variables)
		code, stdout, stderr := j.script(t, "given")
		return j, code, stdout + stderr
	}
	other := strings.Repeat("0", len(sum))
	for what, tt := range map[string]struct {
		variables map[string]string
		want      string
	}{
		"another sum is configured": {
			map[string]string{"MIXEDKUBE_SHA256": other},
			"error: " + name + ": its SHA-256 is " + sum + ", not " + other + ": do not use it\n",
		},
		"no such release": {
			map[string]string{"MIXEDKUBE_VERSION": "9.9.9"},
			"it cannot be downloaded: is 9.9.9 a release of mixedkube?\n",
		},
		"not in the list": {
			map[string]string{"MIXEDKUBE_VERSION": "1.2.4"},
			"error: " + server.address + "/v1.2.4/checksums.txt: it has no line for " +
				archiveName(t, "1.2.4", hostSystem(t), runtime.GOARCH) + ": give MIXEDKUBE_SHA256\n",
		},
	} {
		if what == "not in the list" {
			server.publish(t, "1.2.4", hostSystem(t), runtime.GOARCH, []byte(echo))
			server.files["/v1.2.4/checksums.txt"] = []byte(sum + "  another.tar.gz\n")
		}
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			j, code, out := run(t, tt.variables)
			if code != 2 || !strings.HasSuffix(out, tt.want) {
				t.Errorf("exit %d, %s, want %s", code, out, tt.want)
			}
			left := ""
			_ = filepath.WalkDir(j.cache, func(file string, entry os.DirEntry, _ error) error {
				if entry != nil && !entry.IsDir() {
					left += file + "\n"
				}
				return nil
			})
			if left != "" {
				t.Errorf("the cache still has these files:\n%s", left)
			}
		})
	}
	t.Run("the right sum is configured", func(t *testing.T) {
		t.Parallel()
		_, code, out := run(t, map[string]string{"MIXEDKUBE_SHA256": sum, "MIXEDKUBE_VERSION": "v" + version})
		if code != 0 || !strings.HasPrefix(out, "[check]\n[--timeout]\n[10m]\n[given]\n") {
			t.Errorf("exit %d, %s", code, out)
		}
	})
}

// The script does not expand, run or split any part of an input.
func TestInputsArePassedUnchanged(t *testing.T) {
	t.Parallel()
	server := serve(t)
	server.publish(t, "1.2.3", hostSystem(t), runtime.GOARCH, []byte(echo))
	j := newJob(t).withPod(t, "a b/x.yaml").withPod(t, "matched.yaml")
	j.variables = map[string]string{
		"MIXEDKUBE_RELEASES": server.address, "MIXEDKUBE_VERSION": "1.2.3",
		"MIXEDKUBE_TOPOLOGY": "my cluster.yaml", "MIXEDKUBE_REPORTS": "junit=a b.xml\n\nsarif=c.sarif\n",
		"MIXEDKUBE_ARGS":    "--exclude\n*.yaml\n--strict",
		"MIXEDKUBE_TIMEOUT": "90s",
		"MIXEDKUBE_PATHS":   "a b/\n--report=text=x\n$(touch owned)\n`touch owned`\n*; touch owned",
	}
	code, stdout, stderr := j.script(t, "--k8s", "1.36", "c d")
	var want strings.Builder
	for _, arg := range []string{
		"check", "--timeout", "90s", "--report", "sarif=c.sarif", "--report", "junit=a b.xml",
		"--topology", "my cluster.yaml", "--k8s", "1.36", "c d", "--exclude", "*.yaml", "--strict", "--", "a b/",
		"--report=text=x",
		"$(touch owned)", "`touch owned`", "*; touch owned",
	} {
		fmt.Fprintf(&want, "[%s]\n", arg)
	}
	if diff := cmp.Diff(want.String(), stdout); diff != "" || code != 0 {
		t.Errorf("exit %d, %s (-want +got):\n%s", code, stderr, diff)
	}
	if _, err := os.Stat(filepath.Join(j.dir, "owned")); !os.IsNotExist(err) {
		t.Errorf("an input was run: %v", err)
	}
}

func TestScriptDetectsItsPlatform(t *testing.T) {
	t.Parallel()
	server := serve(t)
	for _, p := range platforms {
		server.publish(t, "1.2.3", p[0], p[1], fmt.Appendf(nil, "#!/bin/sh\necho %s/%s\n", p[0], p[1]))
	}
	basic := append([]string{"sh"}, needed[2:]...)
	curl, wget, sums, mac := []string{"curl", "sha256sum"}, []string{"wget", "sha256sum"}, []string{"sha256sum"},
		[]string{"curl", "shasum"}
	for name, tt := range map[string]struct {
		system, processor string
		programs          []string
		runs, fails       string
	}{
		"linux":           {"Linux", "x86_64", curl, "linux/amd64", ""},
		"linux on arm":    {"Linux", "aarch64", curl, "linux/arm64", ""},
		"wget":            {"Linux", "x86_64", wget, "linux/amd64", ""},
		"macOS":           {"Darwin", "arm64", mac, "darwin/arm64", ""},
		"macOS on Intel":  {"Darwin", "x86_64", mac, "darwin/amd64", ""},
		"Git for Windows": {"MINGW64_NT-10.0-20348", "x86_64", curl, "windows/amd64", ""},
		"MSYS":            {"MSYS_NT-10.0", "aarch64", curl, "windows/arm64", ""},
		"another system": {
			"SunOS", "x86_64", nil, "", "SunOS: there is no release for this system: use Linux, macOS or Windows",
		},
		"another processor": {
			"Linux", "riscv64", nil, "", "riscv64: there is no release for this processor: use amd64 or arm64",
		},
		"no downloader": {
			"Linux", "x86_64", sums, "", "neither curl nor wget is on PATH: install one of them",
		},
		"no sums": {
			"Linux", "x86_64", []string{"curl"}, "", "neither sha256sum nor shasum is on PATH: install one of them",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			j := newJob(t)
			uname := fmt.Sprintf("#!/bin/sh\n[ \"$1\" = -s ] && echo %s || echo %s\n", tt.system, tt.processor)
			j.path = only(t, slices.Concat(basic, tt.programs), map[string]string{"uname": uname})
			j.variables = map[string]string{"MIXEDKUBE_RELEASES": server.address, "MIXEDKUBE_VERSION": "1.2.3"}
			code, stdout, stderr := j.script(t)
			_, fails, _ := strings.Cut(stderr, "error: ")
			want := 0
			if tt.fails != "" {
				want = 2
			}
			runs, fails := strings.TrimSuffix(stdout, "\n"), strings.TrimSuffix(fails, "\n")
			if code != want || runs != tt.runs || fails != tt.fails {
				t.Errorf("exit %d, %s%s, want %s%s", code, stdout, stderr, tt.runs, tt.fails)
			}
		})
	}
}
