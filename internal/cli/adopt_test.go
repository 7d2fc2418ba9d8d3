package cli

import (
	"encoding/binary"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/internal/core/manifests"
)

// runAdopt runs the command.
func runAdopt(t *testing.T, args ...string) (code exitError, stdout, stderr string) {
	t.Helper()
	return start(t, "", append([]string{"adopt"}, args...)...)
}

func TestGoldenFilesOfAdopt(t *testing.T) {
	t.Parallel()
	web := files(t, "testdata/adopt/deploy")["web.yaml"]
	topology := []string{"--topology", "testdata/topology.yaml"}
	for name, args := range map[string][]string{
		"difference": append(topology, "testdata/adopt/deploy"),
		"assumed": append(topology, "--assume-linux", "--runtime-classes", "testdata/adopt/deploy",
			"testdata/adopt/deploy/web.yaml"),
		"answered": append(topology, "--platform", "shop/Deployment/shop=ltsc2022",
			"--platform=Deployment/web=linux", "testdata/adopt/deploy/*.yaml", "testdata/adopt/deploy/sub"),
		"answers.wrong": append(topology, "--platform", "Deployment/shpo=linux", "--platform=Service/web=linux",
			"testdata/adopt/deploy"),
		"unreadable": append(topology, "testdata/adopt/tab.yaml", "testdata/adopt/none",
			"testdata/adopt/*.none"),
		"platform": append(topology, "--platform", "Deployment/web=windows-2202",
			"testdata/adopt/deploy"),
		"platform.none":          append(topology, "--platform", "Deployment/web", "testdata/adopt/deploy"),
		"wrong":                  {"-w", "-o", "x"},
		"topology.none":          {"--topology", "testdata/adopt/none.yaml", "testdata/adopt/deploy"},
		"other":                  append(topology, "testdata/adopt/other"),
		"many":                   append(topology, "testdata/adopt/many"),
		"host-process":           {"--topology", "testdata/topology-releases.yaml", "testdata/adopt/host-process"},
		"host-process.untainted": {"--topology", "testdata/topology-untainted.yaml", "testdata/adopt/host-process"},
		"control":                append(topology, "testdata/adopt/control"),
		"names":                  append(topology, "--assume-linux", "testdata/adopt/names"),
		"questions":              append(topology, "--assume-linux", "testdata/adopt/questions"),
		"flag":                   {"--verbose"},
		"alike":                  append(topology, "testdata/adopt/alike"),
		"skips":                  append(topology, "testdata/check/skips"),
		"repository":             append(topology, "--assume-linux", "testdata/check/repository"),
		"kustomize":              {"--topology", "testdata/topology.yaml", "testdata/adopt/kustomize"},
		"kustomize.patches":      append(topology, "--write-patches", "testdata/adopt/kustomize"),
		"kustomize.overlay":      {"--topology", "testdata/topology.yaml", "testdata/adopt/kustomize/prod"},
		"skips.excluded":         append(topology, "--exclude", "templates/", "testdata/check/skips"),
		"duplicates":             append(topology, "testdata/check/duplicates.yaml"),
		"matching":               {"--topology", "testdata/topology-newer.yaml", "testdata/check/matching.yaml"},
		"matching.relaxed": {
			"--topology", "testdata/topology-newer.yaml", "--matching", "relaxed", "testdata/check/matching.yaml",
		},
		"matching.wrong": {
			"--topology", "testdata/topology-relaxed.yaml", "--matching=strict", "testdata/adopt/deploy",
		},
		"help":          {"-h"},
		"stdin":         append(topology, "--assume-linux", "-", "testdata/adopt/deploy/sub"),
		"stdin.written": append(topology, "-w", "-"),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			equalFindings(t, "testdata/adopt/golden/"+name+".golden", web, append([]string{"adopt"}, args...)...)
		})
	}
}

// files returns the texts of all files in a directory by their names.
func files(tb testing.TB, dir string) map[string]string {
	tb.Helper()
	found := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, entry os.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		text, err := os.ReadFile(path)
		name, _ := filepath.Rel(dir, path)
		found[filepath.ToSlash(name)] = string(text)
		return err
	})
	if err != nil {
		tb.Fatal(err)
	}
	return found
}

// adopted returns the expected content of the directory deploy.
func adopted(t *testing.T) map[string]string {
	t.Helper()
	want := files(t, "testdata/adopt/deploy")
	want["web.yaml"] = strings.Replace(want["web.yaml"], "    spec:\n",
		"    spec:\n      nodeSelector:\n        kubernetes.io/os: linux\n      os:\n        name: linux\n", 1)
	want["sub/legacy.yaml"] = strings.Replace(want["sub/legacy.yaml"], "    spec:\n", `    spec:
      nodeSelector:
        kubernetes.io/arch: amd64
        kubernetes.io/os: windows
        node.kubernetes.io/windows-build: 10.0.20348
      os:
        name: windows
      tolerations:
        - effect: NoSchedule
          key: os
          operator: Equal
          value: windows
`, 1)
	want["sub/legacy.yaml"] = strings.Replace(want["sub/legacy.yaml"], "metadata:\n", `metadata:
  annotations:
    mixedkube.dev/placed: "release=windows-2022 `+
		`nodeSelector=kubernetes.io/arch,kubernetes.io/os,node.kubernetes.io/windows-build `+
		`tolerations=os=windows:NoSchedule os=windows"
`, 1)
	want["sub/legacy.yaml"] = strings.Replace(want["sub/legacy.yaml"],
		"    spec:\n      containers:\n        - name: shop",
		"    spec:\n      nodeSelector:\n        kubernetes.io/os: linux\n      os:\n        name: linux\n      "+
			"containers:\n        - name: shop", 1)
	return want
}

func TestAdoptWritesAnotherDirectory(t *testing.T) {
	t.Parallel()
	source := t.TempDir()
	if err := os.CopyFS(source, os.DirFS("testdata/adopt/deploy")); err != nil {
		t.Fatal(err)
	}
	// values.yaml needs no change, but may hold passwords.
	modes := map[string]os.FileMode{"sub/legacy.yaml": 0o600, "values.yaml": 0o400, "web.yaml": 0o640}
	for name, mode := range modes {
		if err := os.Chmod(filepath.Join(source, name), mode); err != nil {
			t.Fatal(err)
		}
	}
	dir := filepath.Join(t.TempDir(), "new", "directory")
	code, stdout, stderr := runAdopt(t, "--topology", "testdata/topology.yaml", "--assume-linux", "-o", dir, source)
	if code != passed || stdout != "" {
		t.Errorf("exit %d, output %q, errors %q", code, stdout, stderr)
	}
	if diff := cmp.Diff(adopted(t), files(t, dir)); diff != "" {
		t.Errorf("the directory (-want +got):\n%s", diff)
	}
	for name, mode := range modes {
		if info, err := os.Stat(filepath.Join(dir, name)); err != nil || info.Mode().Perm() != mode &&
			runtime.GOOS != "windows" {
			t.Errorf("%s: the permissions are %v, want %v, %v", name, info.Mode(), mode, err)
		}
	}
	if info, err := os.Stat(filepath.Join(dir, "sub")); err != nil || info.Mode().Perm()&0o700 != 0o700 {
		t.Errorf("the directory sub is %v, %v", info.Mode(), err)
	}
}

// Windows PowerShell writes UTF-16.
func TestTheDifferenceOfUTF16IsReadable(t *testing.T) {
	t.Parallel()
	web := strings.ReplaceAll(files(t, "testdata/adopt/deploy")["web.yaml"], "\n", "\r\n")
	text := []byte{0xFF, 0xFE}
	for _, unit := range utf16.Encode([]rune(web)) {
		text = binary.LittleEndian.AppendUint16(text, unit)
	}
	file := filepath.Join(t.TempDir(), "web.yaml")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	code, stdout, _ := runAdopt(t, "--topology", "testdata/topology.yaml", "--assume-linux", file)
	added := manifests.Change{
		At:   strings.Index(web, "      containers:"),
		Text: "      nodeSelector:\r\n        kubernetes.io/os: linux\r\n      os:\r\n        name: linux\r\n",
	}
	want, err := unified(filepath.ToSlash(file), web, []manifests.Change{added})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, stdout); diff != "" || code != passed {
		t.Errorf("exit %d, the difference (-want +got):\n%s", code, diff)
	}
}

func TestFilesAreWrittenInPlace(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("testdata/adopt/deploy")); err != nil {
		t.Fatal(err)
	}
	legacy, values := filepath.Join(dir, "sub", "legacy.yaml"), filepath.Join(dir, "values.yaml")
	if err := os.Chmod(legacy, 0o600); err != nil {
		t.Fatal(err)
	}
	before, err := os.Stat(values)
	if err != nil {
		t.Fatal(err)
	}
	args := []string{
		"--topology", "testdata/topology.yaml", "--assume-linux", "-w", filepath.Join(dir, "web.yaml"), legacy,
	}
	if code, stdout, stderr := runAdopt(t, args...); code != passed || stdout != "" {
		t.Errorf("exit %d, output %q, errors %q", code, stdout, stderr)
	}
	if diff := cmp.Diff(adopted(t), files(t, dir)); diff != "" {
		t.Errorf("the directory (-want +got):\n%s", diff)
	}
	if info, err := os.Stat(legacy); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the file is %v, %v", info.Mode(), err)
	}
	if after, err := os.Stat(values); err != nil || !os.SameFile(before, after) {
		t.Errorf("a file that needs nothing was written again: %v", err)
	}
	code, _, stderr := runAdopt(t, args...)
	if want := "adopted: 3 objects with pods in 2 files, 0 to change: 0 completed, 3 had all\n"; code != passed ||
		stderr != want {
		t.Errorf("again: exit %d, errors %q, want %q", code, stderr, want)
	}
}

// An object that the API server refuses counts, even if it has no pods, or none that adopt completes.
func TestAdoptCountsObjectsWithErrors(t *testing.T) {
	t.Parallel()
	const service = "{apiVersion: v1, kind: Service, metadata: {name: shop}, spec: {prots: [{port: 80}]}}"
	const question = "{apiVersion: v1, kind: Pod, metadata: {name: a}, " +
		"spec: {containers: [{name: a, image: a, tyt: true}]}}"
	const wrong = "{apiVersion: v1, kind: Pod, metadata: {name: b}, " +
		"spec: {os: {name: linux}, containers: [{name: a, image: a, tyt: true}]}}"
	file := filepath.Join(t.TempDir(), "a.yaml")
	if err := os.WriteFile(file, []byte(service+"\n---\n"+question+"\n---\n"+wrong+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	code, _, stderr := runAdopt(t, "--topology", "testdata/topology.yaml", file)
	const want = "adopted: 2 objects with pods in 1 file, 1 to change: 0 completed, 0 had all, 1 wrong, " +
		"1 not known (1 with errors); 1 more object with errors\n"
	if code != failed || !strings.HasSuffix(stderr, want) {
		t.Errorf("exit %d: %s", code, stderr)
	}
}

// A directory may have links that lead out of it: nothing is written there, nor anywhere else.
func TestLinksOutOfADirectoryAreRefused(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		// link is a link in the output directory, and target is its destination.
		link, target string
		out          bool
		want         string
	}{
		"in place": {
			"sub/outside.yaml", "OUTSIDE/legacy.yaml", false,
			"DIR/sub/outside.yaml: a link leads out of DIR, to OUTSIDE/legacy.yaml, and is not followed: name that " +
				"file itself, or allow its directory with --allow-links\n",
		},
		"in place, to a file of the directory": {"sub/inside.yaml", "legacy.yaml", false, ""},
		"in place, to a file that is left out": {
			"sub/inside.yaml", "../.hidden/legacy.yaml", false,
			"DIR/sub/inside.yaml: is a link, and nothing is written through a link: name the file that it leads " +
				"to, or remove it\n",
		},
		"a file in the other directory": {
			"web.yaml", "OUTSIDE/legacy.yaml", true,
			"DIR/web.yaml: is a link, and nothing is written through a link: name the file that it leads to, or " +
				"remove it\n",
		},
		"a directory in the other directory": {
			"sub", "OUTSIDE", true,
			"DIR/sub/legacy.yaml: DIR/sub is a link, and nothing is written through a link: remove it, or name " +
				"another path\n",
		},
		"a link to nothing in the other directory": {
			"web.yaml", "OUTSIDE/none/none.yaml", true,
			"DIR/web.yaml: is a link, and nothing is written through a link: name the file that it leads to, or " +
				"remove it\n",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir, outside := t.TempDir(), t.TempDir()
			if !tt.out {
				hidden := os.CopyFS(filepath.Join(dir, ".hidden"), os.DirFS("testdata/adopt/deploy/sub"))
				if err := errors.Join(hidden, os.CopyFS(dir, os.DirFS("testdata/adopt/deploy"))); err != nil {
					t.Fatal(err)
				}
			}
			if err := os.CopyFS(outside, os.DirFS("testdata/adopt/deploy/sub")); err != nil {
				t.Fatal(err)
			}
			target := strings.Replace(tt.target, "OUTSIDE", outside, 1)
			if err := os.Symlink(target, filepath.Join(dir, tt.link)); err != nil {
				t.Skipf("needs symbolic links: run it on Linux or macOS: %v", err)
			}
			args := []string{"--topology", "testdata/topology.yaml", "--assume-linux"}
			if tt.out {
				args = append(args, "-o", dir, "testdata/adopt/deploy")
			} else {
				args = append(args, "-w", dir)
			}
			before := files(t, outside)
			code, _, stderr := runAdopt(t, args...)
			if diff := cmp.Diff(before, files(t, outside)); diff != "" {
				t.Errorf("outside of the directory (-before +after):\n%s", diff)
			}
			if tt.want == "" {
				if code != passed {
					t.Errorf("exit %d, errors %q", code, stderr)
				}
				return
			}
			stderr = strings.NewReplacer(
				filepath.ToSlash(dir), "DIR", filepath.ToSlash(outside), "OUTSIDE").Replace(stderr)
			if code != unusable || !strings.HasPrefix(stderr, tt.want) {
				t.Errorf("exit %d, errors %q, want %q", code, stderr, tt.want)
			}
		})
	}
}

// The file of a link that is named is written only if the directory of the file is allowed, and never through the link.
func TestANamedLinkIsNotWritten(t *testing.T) {
	t.Parallel()
	dir, outside := t.TempDir(), t.TempDir()
	if err := os.CopyFS(outside, os.DirFS("testdata/adopt/deploy")); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(dir, "link.yaml")
	if err := os.Symlink(filepath.Join(outside, "web.yaml"), link); err != nil {
		t.Skipf("needs symbolic links: run it on Linux or macOS: %v", err)
	}
	before := files(t, outside)
	for _, tt := range []struct{ args, want string }{
		{"-w", "DIR/link.yaml: a link leads out of DIR, to OUTSIDE/web.yaml, and is not followed: name that file " +
			"itself, or allow its directory with --allow-links\n"},
		{"-w --allow-links " + outside, "DIR/link.yaml: is a link, and nothing is written through a link: name the " +
			"file that it leads to, or remove it\n"},
	} {
		args := append(strings.Fields("--topology testdata/topology.yaml --assume-linux "+tt.args), link)
		code, _, stderr := runAdopt(t, args...)
		stderr = strings.NewReplacer(filepath.ToSlash(dir), "DIR", filepath.ToSlash(outside), "OUTSIDE").Replace(stderr)
		if code != unusable || !strings.HasPrefix(stderr, tt.want) {
			t.Errorf("exit %d, errors %q, want %q", code, stderr, tt.want)
		}
		if diff := cmp.Diff(before, files(t, outside)); diff != "" {
			t.Errorf("%s: (-before +after):\n%s", tt.args, diff)
		}
	}
}

// One file that cannot be read, or not be completed in place, does not stop the others.
func TestOtherFilesAreWrittenIfAFileIsInvalid(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, from := range []string{"testdata/adopt/deploy", "testdata/adopt/unreadable"} {
		if err := os.CopyFS(dir, os.DirFS(from)); err != nil {
			t.Fatal(err)
		}
	}
	code, _, stderr := runAdopt(t, "--topology", "testdata/topology.yaml", "--assume-linux", "-w", dir)
	stderr = strings.ReplaceAll(stderr, filepath.ToSlash(dir), "DIR")
	const want = `DIR/alias.yaml:10: *linux stands for a value that is written elsewhere: write the value itself ` +
		`here, so that it can be completed
DIR/tab.yaml:2: a tab in the indentation: YAML takes spaces only, write spaces in its place
left alone: 1 Helm values file: used to render a chart: name the chart, and the file with --values
left alone: 1 template of another program: render first, and check the result: DIR/template.yaml
adopted: `
	if code != unusable || !strings.HasPrefix(stderr, want) || strings.Contains(stderr, "alias.yaml:1:") {
		t.Errorf("exit %d, errors (-want +got):\n%s", code, cmp.Diff(want, stderr))
	}
	expected := adopted(t)
	maps.Copy(expected, files(t, "testdata/adopt/unreadable"))
	if diff := cmp.Diff(expected, files(t, dir)); diff != "" {
		t.Errorf("the directory (-want +got):\n%s", diff)
	}
	// A directory gets only the converted files, and those that are left alone.
	out := t.TempDir()
	code, _, _ = runAdopt(t, "--topology", "testdata/topology.yaml", "-o", out, "testdata/adopt/unreadable")
	if code != unusable {
		t.Errorf("exit %d", code)
	}
	left := map[string]string{"template.yaml": expected["template.yaml"]}
	if diff := cmp.Diff(left, files(t, out)); diff != "" {
		t.Errorf("written (-want +got):\n%s", diff)
	}
}

func TestTwoFilesForOnePlace(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("testdata/adopt/deploy")); err != nil {
		t.Fatal(err)
	}
	code, _, stderr := runAdopt(t, "--topology", "testdata/topology.yaml", "-o", filepath.Join(dir, "out"),
		"testdata/adopt/deploy/web.yaml", filepath.Join(dir, "web.yaml"), "https://shop.invalid.example/web.yaml")
	if want := filepath.ToSlash(filepath.Join(dir, "web.yaml")) +
		": testdata/adopt/deploy/web.yaml would be written to the same place\n"; code != unusable ||
		!strings.HasPrefix(stderr, want) {
		t.Errorf("exit %d, errors %q, want %q", code, stderr, want)
	}
}

func TestWriteErrorsAreReported(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	code, _, stderr := runAdopt(t, "--topology", "testdata/topology.yaml", "-o", filepath.Join(file, "below"),
		"testdata/adopt/deploy/web.yaml")
	if want := filepath.ToSlash(filepath.Join(file, "below", "web.yaml")) + ": not a directory\n"; code != unusable ||
		!strings.HasPrefix(stderr, want) {
		t.Errorf("exit %d, errors %q, want %q", code, stderr, want)
	}
}

// A file's name can neither start a new line nor move the cursor.
func TestAFileNameIsInOneLine(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	web := files(t, "testdata/adopt/deploy")["web.yaml"]
	if err := os.WriteFile(filepath.Join(dir, "a\n\x1b[2K.yaml"), []byte(web), 0o600); err != nil {
		t.Skipf("needs control characters in names of files: run it on Linux or macOS: %v", err)
	}
	topology := []string{"--topology", "testdata/topology.yaml"}
	shown := filepath.ToSlash(dir) + `/a\n\x1b[2K.yaml`
	_, _, stderr := runAdopt(t, append(topology, dir)...)
	if want := shown + ":10: Deployment/web: question: "; !strings.HasPrefix(stderr, want) ||
		strings.Count(stderr, "\n") != 2 {
		t.Errorf("the question is %q, want %q", stderr, want)
	}
	_, stdout, _ := runAdopt(t, append(topology, "--assume-linux", dir)...)
	if want := "--- " + shown + "\n+++ " + shown + "\n@@ "; !strings.HasPrefix(stdout, want) {
		t.Errorf("the difference is %q, want %q", stdout, want)
	}
	code, _, stderr := runAdopt(t, append(topology, filepath.Join(dir, "\x07"))...)
	if want := filepath.ToSlash(dir) + "/\\a: no such file or directory\n"; !strings.HasPrefix(stderr, want) ||
		code != unusable {
		t.Errorf("exit %d, errors %q, want %q", code, stderr, want)
	}
}
