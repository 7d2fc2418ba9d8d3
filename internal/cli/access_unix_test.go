//go:build unix

package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/internal/testkit/golden"
)

// linked creates a link below a directory.
func linked(t *testing.T, dir, name, target string) {
	t.Helper()
	if err := os.Symlink(target, filepath.Join(dir, name)); err != nil {
		t.Skipf("needs symbolic links: use a file system that has them: %v", err)
	}
}

// A repository of somebody else cannot have a file of this machine read, and none of its content is shown.
func TestLinksOutOfARepositoryAreNotRead(t *testing.T) {
	const secret = "hunter2: [\n"
	machines, err := os.ReadFile(filepath.Join("testdata", "join", "machines.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	home := dirWith(t, map[string]string{"secret": secret})
	out := filepath.ToSlash(filepath.Join(home, "secret"))
	const advice = ", and is not followed: name that file itself, or allow its directory with --allow-links"
	for name, args := range map[string]string{
		"deploy/a.yaml": "check deploy", ".mixedkubeignore": "check .",
		"cluster.yaml": "check --topology cluster.yaml deploy",
		"images.yaml":  "check --images images.yaml deploy", "mixedkube.images.yaml": "check deploy",
		"known.yaml": "check --baseline known.yaml deploy", ".mixedkube.yaml": "check deploy",
		"config.yaml": "check --config config.yaml deploy", "named.yaml": "check named.yaml",
		"live.yaml": "topology live.yaml", "map.yaml": "map --topology map.yaml deploy",
		"adopt.yaml":    "adopt --topology adopt.yaml deploy",
		"machines.yaml": "join machines.yaml", "token": "join --token-file token nodes.yaml",
		"values.yaml": "check --values values.yaml chart", "pack.yaml": "policy new --topology pack.yaml pack",
		"chart/stolen": "check chart", "chart/templates/stolen.tpl": "adopt -o - --topology good.yaml chart",
	} {
		t.Run(name, func(t *testing.T) {
			dir := dirWith(t, map[string]string{
				".git/HEAD": "", "deploy/good.yaml": pod,
				"chart/Chart.yaml": "name: chart", "chart/templates/a.yaml": pod,
				"good.yaml": onlyLinux, "nodes.yaml": string(machines),
			})
			linked(t, dir, name, filepath.Join(home, "secret"))
			t.Chdir(dir)
			code, stdout, stderr := start(t, "", strings.Fields(args)...)
			within := filepath.ToSlash(dir)
			if strings.HasPrefix(name, "chart/") {
				within += "/chart" // helm follows links inside of a repository, too
			}
			want := name + ": a link leads out of " + within + ", to " + out + advice
			if code != unusable || !strings.Contains(stderr, want) {
				t.Errorf("%s: exit %d, errors %q, want %q", args, code, stderr, want)
			}
			if all := stdout + stderr; strings.Contains(all, "hunter2") {
				t.Errorf("%s: shows the content: %s", args, all)
			}
		})
	}
}

func TestAllowedLinksAreRead(t *testing.T) {
	shared := dirWith(t, map[string]string{"pod.yaml": pod})
	dir := dirWith(t, map[string]string{".git/HEAD": ""})
	linked(t, dir, "a.yaml", filepath.Join(shared, "pod.yaml"))
	t.Chdir(dir)
	const want = "a.yaml:7: " + podFinding
	code, stdout, stderr := start(t, "", "check", "--allow-links", shared, ".")
	if code != failed || !cmp.Equal(want, stdout, golden.AnySentence) {
		t.Errorf("exit %d, output %q, errors %q, want %q", code, stdout, stderr, want)
	}
	code, _, stderr = start(t, "", "check", "--allow-links", "none", ".")
	if code != unusable || stderr != "--allow-links: none: no such file or directory\n" {
		t.Errorf("exit %d, errors %q", code, stderr)
	}
}

// The author of a repository knows the names of the files that a command writes.
func TestNoCommandWritesThroughALink(t *testing.T) {
	for name, args := range map[string]string{
		"report.xml": "check --report junit=report.xml deploy", "out.sarif": "check --report sarif=out.sarif deploy",
		"findings.txt":          "check --report text=findings.txt deploy",
		"known.yaml":            "check --baseline known.yaml --write-baseline deploy",
		"map.html":              "map --topology good.yaml deploy",
		"picture.svg":           "map -o picture.svg --topology good.yaml deploy",
		"rendered":              "adopt --topology windows.yaml -o rendered deploy",
		"pack":                  "policy new --topology good.yaml pack",
		"mixedkube.images.yaml": "images lock deploy",
		"nodes":                 "join --token-file token --hashes hashes machines.yaml",
	} {
		t.Run(name, func(t *testing.T) {
			home := dirWith(t, map[string]string{"mine": "mine", "good.yaml": "mine"})
			before := files(t, home)
			dir := dirWith(t, map[string]string{
				"deploy/good.yaml": strings.ReplaceAll(brokenPod, "  hostPID: true\n", ""), "good.yaml": onlyLinux,
				"windows.yaml": withWindows, "token": token,
			})
			for _, from := range []string{"machines.yaml"} {
				text, err := os.ReadFile(filepath.Join("testdata", "join", from))
				if err == nil {
					err = os.WriteFile(filepath.Join(dir, from), text, 0o600)
				}
				if err != nil {
					t.Fatal(err)
				}
			}
			if err := os.WriteFile(filepath.Join(dir, "hashes"), []byte(unknownHashes()), 0o600); err != nil {
				t.Fatal(err)
			}
			target := filepath.Join(home, "mine")
			if filepath.Ext(name) == "" {
				target = home
			}
			if name == "mixedkube.images.yaml" {
				target = filepath.Join(home, "new") // it reads the file first
			}
			linked(t, dir, name, target)
			t.Chdir(dir)
			code, stdout, stderr := start(t, "", strings.Fields(args)...)
			if code != unusable || !strings.Contains(stderr, "is a link, and nothing is written through a link") {
				t.Errorf("%s: exit %d, output %q, errors %q", args, code, stdout, stderr)
			}
			if diff := cmp.Diff(before, files(t, home)); diff != "" {
				t.Errorf("%s (-before +after):\n%s", args, diff)
			}
		})
	}
}

// A configuration that was found names files of its repository only. A configuration that the user names is trusted.
func TestAFoundConfigurationStaysInItsRepository(t *testing.T) {
	home := dirWith(t, map[string]string{"cluster.yaml": "cloud: hunter2\n"})
	outside := filepath.ToSlash(filepath.Join(home, "cluster.yaml"))
	dir := dirWith(t, map[string]string{
		"repo/.git/HEAD": "", "repo/sub/.mixedkube.yaml": "topology: " + outside, "repo/sub/deploy/a.yaml": brokenPod,
		"repo/clusters/linux.yaml": onlyLinux, "repo/inside/.mixedkube.yaml": "topology: ../clusters/linux.yaml",
		"repo/inside/a.yaml":        brokenPod,
		"repo/plan/.mixedkube.yaml": "topology: ../clusters/linux.yaml\nto: " + outside, "repo/plan/a.yaml": brokenPod,
	})
	t.Chdir(filepath.Join(dir, "repo", "plan"))
	wantPlan := outside + ": is outside of " + filepath.ToSlash(dir) + "/repo, and is not read: name that file " +
		"itself, or allow its directory with --allow-links, or name the topology with --to\n"
	if code, _, stderr := start(t, "", "check", "a.yaml"); code != unusable || stderr != wantPlan {
		t.Errorf("the plan: exit %d, errors %q, want %q", code, stderr, wantPlan)
	}
	t.Chdir(filepath.Join(dir, "repo", "sub"))
	want := outside + ": is outside of " + filepath.ToSlash(dir) + "/repo, and is not read: name that file itself, " +
		"or allow its directory with --allow-links, or name the topology with --topology\n"
	if code, _, stderr := start(t, "", "check", "deploy"); code != unusable || stderr != want {
		t.Errorf("exit %d, errors %q, want %q", code, stderr, want)
	}
	for _, args := range []string{"--config .mixedkube.yaml", "--allow-links " + home} {
		_, _, stderr := start(t, "", append([]string{"check", "deploy"}, strings.Fields(args)...)...)
		if !strings.Contains(stderr, "cloud") {
			t.Errorf("%s: the topology is not read: %s", args, stderr)
		}
	}
	t.Chdir(filepath.Join(dir, "repo", "inside"))
	if lines, with, code := findingsOf(t, "a.yaml"); code != failed || !strings.Contains(lines, "MK111") ||
		with != ".mixedkube.yaml" {
		t.Errorf("exit %d, with %q, %s", code, with, lines)
	}
}

// A user who can write to a directory above the working directory does not decide what a check finds.
func TestTheConfigurationOfANeighborIsNotRead(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("needs root: run the tests as root")
	}
	dir := dirWith(t, map[string]string{
		".mixedkube.yaml": "ignore: [{rules: [MK111]}]\n", "work/pod.yaml": brokenPod, "checkout/pod.yaml": brokenPod,
	})
	for _, name := range []string{".mixedkube.yaml", "checkout"} {
		if err := os.Chown(filepath.Join(dir, name), 65534, 65534); err != nil {
			t.Fatal(err)
		}
	}
	const note = "note: ../.mixedkube.yaml: belongs to the user 65534, and is not read: name it with --config to " +
		"read it\n"
	t.Chdir(filepath.Join(dir, "work"))
	code, _, stderr := start(t, "", "check", "pod.yaml")
	if code != failed || !strings.HasPrefix(stderr, note) {
		t.Errorf("exit %d, errors %q, want %q", code, stderr, note)
	}
	var elements []map[string]any
	_, stdout, _ := start(t, "", "check", "--format", "json", "pod.yaml")
	if err := json.Unmarshal([]byte(stdout), &elements); err != nil || len(elements) < 2 {
		t.Fatalf("%v in %s", err, stdout)
	}
	want := map[string]any{
		"file": "../.mixedkube.yaml", "line": 0.0, "kind": "", "namespace": "", "name": "", "rule": "",
		"severity": "info", "path": "", "value": nil, "message": "belongs to the user 65534, and is not read",
		"fix": "name it with --config to read " +
			"it", "suppressed": false, "suppressedBy": "", "reason": "", "environments": []any{},
		"resource": "", "cluster": "", "also": []any{},
	}
	if diff := cmp.Diff(want, elements[0]); diff != "" {
		t.Errorf("the note (-want +got):\n%s", diff)
	}
	if elements[1]["rule"] != "MK111" || elements[1]["suppressed"] != false {
		t.Errorf("the finding is %v", elements[1])
	}
	if code, _, stderr := start(t, "", "check", "--config", "../.mixedkube.yaml", "pod.yaml"); code != passed {
		t.Errorf("with --config: exit %d, %s", code, stderr)
	}
	// The owner of the named directory decides about it anyway.
	t.Chdir(filepath.Join(dir, "work"))
	if code, _, stderr := start(t, "", "check", "../checkout"); code != passed {
		t.Errorf("of the owner: exit %d, %s", code, stderr)
	}
}

// Another user hides manifests with patterns, and says what images are, if the command trusts each file that it finds.
func TestFilesOfANeighborThatAreFoundAreNotRead(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("needs root: run the tests as root")
	}
	const patterns, locked = ".mixedkubeignore", "mixedkube.images.yaml"
	dir := dirWith(t, map[string]string{
		"deploy/pod.yaml": brokenPod, "deploy/" + patterns: "*\n!other.yaml\n",
		"deploy/other.yaml": strings.ReplaceAll(brokenPod, "  hostPID: true\n", ""),
		locked:              "version: 1\nimages: {}\n",
	})
	t.Chdir(dir)
	read := func() (exit exitError, stderr string) {
		exit, _, stderr = start(t, "", "check", "deploy")
		return exit, stderr
	}
	if code, stderr := read(); code != passed {
		t.Fatalf("own files: exit %d, %s", code, stderr)
	}
	for _, name := range []string{"deploy/" + patterns, locked} {
		if err := os.Chown(name, 65534, 65534); err != nil {
			t.Fatal(err)
		}
	}
	notes := []string{
		"note: mixedkube.images.yaml: belongs to the user 65534, and is not read: name it with --images to read it\n",
		"note: deploy/.mixedkubeignore: belongs to the user 65534, and is not read: pass its patterns with --exclude " +
			"to use them\n",
	}
	code, stderr := read()
	if code != failed || !strings.Contains(stderr, notes[0]) || !strings.Contains(stderr, notes[1]) {
		t.Errorf("exit %d, errors %q, want %q", code, stderr, notes)
	}
	var elements []map[string]any
	_, stdout, _ := start(t, "", "check", "--format", "json", "deploy")
	if err := json.Unmarshal([]byte(stdout), &elements); err != nil || len(elements) < 2 ||
		elements[0]["file"] != locked || elements[1]["file"] != "deploy/"+patterns {
		t.Errorf("%v in %s", err, stdout)
	}
	const refusal = "mixedkube.images.yaml: belongs to the user 65534: name it with --file to update it\n"
	if code, _, stderr := start(t, "", "images", "lock", "deploy"); code != unusable || stderr != refusal {
		t.Errorf("images lock: exit %d, errors %q, want %q", code, stderr, refusal)
	}
	// The owner of the named directory decides about it.
	if err := os.Chown("deploy", 65534, 65534); err != nil {
		t.Fatal(err)
	}
	if code, stderr := read(); code != passed || strings.Contains(stderr, "is not read") {
		t.Errorf("of the owner: exit %d, %s", code, stderr)
	}
}

// The owner of a directory can replace what is in it, also a directory that is private.
func TestJoinWritesIntoNoDirectoryOfAnotherUser(t *testing.T) {
	t.Parallel()
	if os.Getuid() != 0 {
		t.Skip("needs root: run the tests as root")
	}
	out, flags := joinFlags(t)
	if err := os.MkdirAll(out, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Chown(out, 65534, 65534); err != nil {
		t.Fatal(err)
	}
	code, _, stderr := start(t, "", append([]string{"join"}, flags...)...)
	want := "error: " + filepath.ToSlash(out) + ": belongs to the user 65534: name a directory of your own with --out\n"
	if code != unusable || stderr != want {
		t.Errorf("exit %d, errors %q, want %q", code, stderr, want)
	}
	if written := files(t, out); len(written) > 0 {
		t.Errorf("wrote %v", written)
	}
}

// The file is not a description of a cluster, and may be the one with the token.
func TestJoinShowsNothingOfAWrongFile(t *testing.T) {
	t.Parallel()
	_, flags := joinFlags(t)
	flags[0] = saved(t, token)
	code, stdout, stderr := start(t, "", append([]string{"join"}, flags...)...)
	if code != failed || strings.Contains(stdout+stderr, token) || !strings.Contains(stderr, "must be an object") {
		t.Errorf("exit %d: %s%s", code, stdout, stderr)
	}
}

func TestSecretsOfJoinArePrivate(t *testing.T) {
	t.Parallel()
	out, flags := joinFlags(t)
	node := filepath.Join(out, "control-1")
	if err := os.MkdirAll(node, 0o755); err != nil {
		t.Fatal(err)
	}
	code, _, stderr := start(t, "", append([]string{"join"}, flags...)...)
	want := "control-1: has secrets, and other users have access to it (mode 0755): run chmod 700, or name another one"
	if code != unusable || !strings.Contains(stderr, want) {
		t.Errorf("exit %d, errors %q, want %q", code, stderr, want)
	}
	if written := files(t, out); len(written) > 0 {
		t.Errorf("wrote %v", written)
	}
	if err := os.Chmod(node, 0o700); err != nil {
		t.Fatal(err)
	}
	runJoin(t, passed, flags...)
	for _, flag := range []string{"--token-file", "--encryption-key-file"} {
		readable := saved(t, token)
		if err := os.Chmod(readable, 0o640); err != nil {
			t.Fatal(err)
		}
		code, _, stderr := start(t, "", append(append([]string{"join"}, flags...), flag, readable)...)
		want := "error: " + filepath.ToSlash(readable) + ": has secrets, and other users have access to it " +
			"(mode 0640): run chmod 600, or name another one\n"
		if code != unusable || stderr != want {
			t.Errorf("%s: exit %d, errors %q, want %q", flag, code, stderr, want)
		}
	}
}
