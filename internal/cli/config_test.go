package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/internal/testkit/golden"
)

// dirWith returns a directory with files.
func dirWith(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

const (
	// brokenPod breaks MK111, and fits Windows nodes that have no taint.
	brokenPod = `apiVersion: v1
kind: Pod
metadata: {name: p, namespace: legacy}
spec:
  os: {name: windows}
  nodeSelector: {kubernetes.io/os: windows}
  hostPID: true
  containers: [{name: a, image: registry.example.com/a, resources: {limits: {memory: 1Gi}}}]
`
	onlyLinux = `kubernetesVersion: "1.36"
pools: [{name: linux, platform: linux}]
`
	withWindows = `kubernetesVersion: "1.36"
pools: [{name: linux, platform: linux}, {name: win22, platform: windows-2022, untainted: true}]
`
)

// findingsOf returns the lines of check without the file, and the part of the summary after its counts.
func findingsOf(t *testing.T, args ...string) (lines, with string, code exitError) {
	t.Helper()
	code, stdout, stderr := start(t, "", append([]string{"check"}, args...)...)
	var found []string
	for line := range strings.Lines(stdout) {
		at := strings.LastIndex(line, "(MK")
		severity := strings.SplitN(line, ": ", 4)[2]
		found = append(found, severity+" "+strings.TrimSpace(line[at:])+"\n")
	}
	_, with, _ = strings.Cut(stderr, ", with ")
	return strings.Join(found, ""), strings.TrimSpace(with), code
}

// These tests cannot run in parallel: they change the working directory.
func TestCheckKeepsItsConfiguration(t *testing.T) {
	for name, tt := range map[string]struct {
		config string
		args   []string
		want   string
		code   exitError
	}{
		"nothing":    {"{}", nil, "error (MK111)\n", failed},
		"a topology": {"topology: ../clusters/linux.yaml", nil, "error (MK303)\nerror (MK111)\n", failed},
		"a topology in it": {
			"topology: {kubernetesVersion: '1.36', pools: [{name: linux, platform: linux}]}", nil,
			"error (MK303)\nerror (MK111)\n", failed,
		},
		"a topology of the flag": {
			"topology: ../clusters/linux.yaml",
			[]string{"--topology", "../clusters/windows.yaml"},
			"error (MK111)\n", failed,
		},
		"a plan": {
			"topology: ../clusters/windows.yaml\nto: ../clusters/linux.yaml", nil, "error (MK111)\nerror " +
				"(MK319)\n", failed,
		},
		"a plan in it, which strands nothing": {
			"topology: ../clusters/windows.yaml\nto: {pools: [{name: a, platform: linux}, {name: b, platform: " +
				"windows-2025, untainted: true}]}", nil, "error (MK111)\n", failed,
		},
		"a plan of the flag": {
			"topology: ../clusters/windows.yaml\nto: ../clusters/windows.yaml",
			[]string{"--to", "../clusters/linux.yaml"},
			"error (MK111)\nerror (MK319)\n", failed,
		},
		"a rule is ignored":       {"ignore: [{rules: [MK111]}]", nil, "error (suppressed) (MK111)\n", passed},
		"a namespace is ignored":  {"ignore: [{namespaces: [leg*]}]", nil, "error (suppressed) (MK111)\n", passed},
		"another one":             {"ignore: [{namespaces: [shop]}]", nil, "error (MK111)\n", failed},
		"a severity":              {"severities: {MK111: warning}", nil, "warning (MK111)\n", passed},
		"a severity and strict":   {"severities: {MK111: warning}", []string{"--strict"}, "error (MK111)\n", failed},
		"an info":                 {"severities: {MK111: info}", []string{"--strict"}, "info (MK111)\n", passed},
		"a file that is left out": {"exclude: [/apps/pods/]", nil, "", unusable},
		"a file that is brought back": {
			"exclude: [p.yaml]", []string{"--exclude", "!p.yaml"}, "error (MK111)\n", failed,
		},
		"a file that is named": {"exclude: [p.yaml]", []string{"pods/p.yaml"}, "error (MK111)\n", failed},
		"none":                 {"severities: {MK111: info}", []string{"--config", "off"}, "error (MK111)\n", failed},
		"another file": {
			"severities: {MK111: info}", []string{"--config", "../clusters/config.yaml"}, "warning (MK111)\n", passed,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Chdir(filepath.Join(dirWith(t, map[string]string{
				".git": "", ".mixedkube.yaml": strings.ReplaceAll(tt.config, "../clusters", "clusters"),
				"apps/pods/p.yaml":      brokenPod,
				"clusters/linux.yaml":   onlyLinux,
				"clusters/windows.yaml": withWindows,
				"clusters/config.yaml":  "severities: {MK111: warning}",
			}), "apps"))
			args := tt.args
			if len(args) == 0 || args[len(args)-1] != "pods/p.yaml" {
				args = append(args, ".")
			}
			lines, with, code := findingsOf(t, args...)
			if lines != tt.want || code != tt.code {
				t.Errorf("exit %d, want %d (-want +got):\n%s", code, tt.code, cmp.Diff(tt.want, lines))
			}
			wantWith := "../.mixedkube.yaml"
			switch {
			case strings.Contains(strings.Join(args, " "), "--config off"):
				wantWith = ""
			case strings.Contains(strings.Join(args, " "), "--config"):
				wantWith = "../clusters/config.yaml"
			}
			if with != wantWith {
				t.Errorf("the summary names %q, want %q", with, wantWith)
			}
		})
	}
}

func TestSearchForTheConfiguration(t *testing.T) {
	config := func(severity string) string { return "severities: {MK111: " + severity + "}" }
	for name, tt := range map[string]struct {
		files map[string]string
		want  string
	}{
		"here":      {map[string]string{"a/b/.mixedkube.yaml": config("info")}, "info"},
		"above":     {map[string]string{"a/.mixedkube.yaml": config("info")}, "info"},
		"far above": {map[string]string{".mixedkube.yaml": config("info")}, "info"},
		"the nearest": {
			map[string]string{"a/b/.mixedkube.yaml": config("info"), ".mixedkube.yaml": config("error")}, "info",
		},
		"in the repository": {map[string]string{"a/.git/HEAD": "", "a/.mixedkube.yaml": config("info")}, "info"},
		"outside of it":     {map[string]string{"a/.git/HEAD": "", ".mixedkube.yaml": config("info")}, "error"},
		"outside of a worktree": {
			map[string]string{"a/b/.git": "gitdir: x", ".mixedkube.yaml": config("info")}, "error",
		},
		"outside, from its root": {
			map[string]string{"a/b/.git/HEAD": "", "a/.mixedkube.yaml": config("info")}, "error",
		},
	} {
		t.Run(name, func(t *testing.T) {
			tt.files["a/b/p.yaml"] = brokenPod
			t.Chdir(filepath.Join(dirWith(t, tt.files), "a", "b"))
			if lines, _, _ := findingsOf(t, "p.yaml"); lines != tt.want+" (MK111)\n" {
				t.Errorf("%q, want %s", lines, tt.want)
			}
		})
	}
}

func TestErrorsOfAConfiguration(t *testing.T) {
	t.Chdir(dirWith(t, map[string]string{".mixedkube.yaml": `topology: {pools: [{name: a, platfrm: linux}]}
ignore:
  - rules: [MK112, MK640]
  - reason: none
severities:
  MK111: off
  MK1111: error
exclude:
  - "[a"
  - 3
ignored: []
`}))
	want := `.mixedkube.yaml:1: topology.pools[0].platform: Required value: a pool runs linux, windows-2019, ` +
		`windows-2022 or windows-2025
.mixedkube.yaml:1: topology.pools[0].platfrm: Invalid value: "platfrm": unknown key: did you mean "platform"? (`
	for _, args := range [][]string{{"check", "."}, {"adopt", "."}, {"images", "lock", "."}} {
		code, stdout, stderr := start(t, "", args...)
		if code != unusable || stdout != "" || !strings.Contains(stderr, want) {
			t.Errorf("%v: exit %d, %s%s", args, code, stdout, stderr)
		}
		for _, line := range []string{
			`.mixedkube.yaml:3: ignore[0].rules[1]: Invalid value: "MK640": the component relies on this rule: ` +
				`remove it`,
			`.mixedkube.yaml:4: ignore[1]: Required value: set rules, namespaces or resources: all findings ` +
				`would be ignored`,
			`.mixedkube.yaml:6: severities[MK111]: Invalid value: false: must be a string: write it in quotes`,
			`.mixedkube.yaml:10: exclude[1]: Invalid value: 3: must be a string: write it in quotes`,
			`.mixedkube.yaml:9: exclude[0]: Invalid value: "[a": is not a valid .gitignore pattern`,
			`.mixedkube.yaml:11: ignored: Invalid value: "ignored": unknown key: did you mean "ignore"? (use ` +
				`topology, to, ignore, severities, environments or exclude)`,
		} {
			if !strings.Contains(stderr, line+"\n") {
				t.Errorf("%v does not say\n%s\nbut\n%s", args, line, stderr)
			}
		}
	}
}

func TestInvalidConfigurations(t *testing.T) {
	for name, tt := range map[string]struct{ args, config, want string }{
		"missing": {"none.yaml", "{}", "none.yaml: no such file or directory\n"},
		"stdin":   {"-", "{}", "--config -: name a file: its paths are relative to its directory\n"},
		"a list":  {".mixedkube.yaml", "[]", ".mixedkube.yaml:1: Invalid value: \"a list\": must be an object\n"},
		"topology": {
			".mixedkube.yaml", "topology: [a]", ".mixedkube.yaml:1: topology: Invalid value: [\"a\"]: must be the " +
				"path of a file, or a topology: an object with pools\n",
		},
		"an address": {
			".mixedkube.yaml", "topology: https://example.com/t.yaml", ".mixedkube.yaml:1: topology: Invalid value: " +
				`"https://example.com/t.yaml": must be the path of a file: addresses are not read` + "\n",
		},
		"a plan": {
			".mixedkube.yaml", "to: [a]", ".mixedkube.yaml:1: to: Invalid value: [\"a\"]: must be the path of a " +
				"file, or " +
				"a topology: an object with pools\n",
		},
		"a plan without a topology": {
			".mixedkube.yaml", "to: {pools: [{name: linux, platform: linux}]}", "--topology: Required value: a " +
				"planned " +
				"topology is compared with the current one: give the pools that the cluster has\n",
		},
		"no file": {".mixedkube.yaml", "topology: none.yaml", "none.yaml: no such file or directory\n"},
		"2,001 patterns in one ignore": {
			".mixedkube.yaml", "ignore: [{namespaces: [" + strings.Repeat("a, ", 2001) + "]}]",
			".mixedkube.yaml:1: ignore: Too many: 2001: must have at most 2000 items\n",
		},
		"2,001 ignores": {
			".mixedkube.yaml", "ignore: [" + strings.Repeat("{rules: [MK111]}, ", 2001) + "]",
			".mixedkube.yaml:1: ignore: Too many: 2001: must have at most 2000 items\n",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Chdir(dirWith(t, map[string]string{".mixedkube.yaml": tt.config, "p.yaml": brokenPod}))
			code, _, stderr := start(t, "", "check", "--config", tt.args, "p.yaml")
			if code != unusable || stderr != tt.want {
				t.Errorf("exit %d, got %q, want %q", code, stderr, tt.want)
			}
		})
	}
}

// Adopt needs a topology, from either place, and ignored findings do not fail it.
func TestAdoptKeepsItsConfiguration(t *testing.T) {
	t.Chdir(dirWith(t, map[string]string{
		".mixedkube.yaml": "topology: cluster.yaml\nignore: [{rules: [MK111], reason: later}]\nexclude: [old/]\n",
		"cluster.yaml":    withWindows, "deploy/p.yaml": brokenPod, "deploy/old/p.yaml": brokenPod,
	}))
	code, _, stderr := start(t, "", "adopt", "deploy")
	const want = "deploy/p.yaml:7: Pod/legacy/p: error (suppressed): spec.hostPID: … (MK111)\n"
	if code != passed || !golden.Contains(stderr, want) || strings.Contains(stderr, "old/p.yaml") ||
		!strings.HasSuffix(stderr, ", with .mixedkube.yaml\n") {
		t.Errorf("exit %d: %s", code, stderr)
	}
	code, _, stderr = start(t, "", "adopt", "--config", "off", "--topology", "cluster.yaml", "deploy/p.yaml")
	if code != failed || !golden.Contains(stderr, strings.Replace(want, " (suppressed)", "", 1)) {
		t.Errorf("exit %d: %s", code, stderr)
	}
	code, _, stderr = start(t, "", "adopt", "--config", "off", "deploy/p.yaml")
	if code != unusable || stderr != "--topology: name the file with the pools of the cluster, or set it in "+
		".mixedkube.yaml\n" {
		t.Errorf("exit %d: %s", code, stderr)
	}
}

// A state or nodes are a topology for check as well.
func TestATopologyOfTheFlagIsAnySource(t *testing.T) {
	t.Chdir(dirWith(t, map[string]string{"p.yaml": brokenPod, "nodes.json": `{"apiVersion": "v1", "kind": "Node",
		"metadata": {"name": "a", "labels": {"kubernetes.io/os": "linux"}},
		"status": {"nodeInfo": {"kubeletVersion": "v1.36.3"}}}`}))
	code, stdout, stderr := start(t, "", "check", "--topology", "nodes.json", "p.yaml")
	if code != failed || !strings.Contains(stdout, "(MK303)") ||
		!strings.Contains(stderr, "note: nodes.json: missingFeatures: nodes do not ") {
		t.Errorf("exit %d: %s%s", code, stdout, stderr)
	}
}

// The configuration on the page is valid.
func TestThePageShowsAConfiguration(t *testing.T) {
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	const begin = "```yaml\n# yaml-language-server: " +
		"$schema=https://raw.githubusercontent.com/mixedkube/mixedkube/main/docs/schemas/config.json\n"
	_, shown, found := strings.Cut(string(text), begin)
	shown, _, _ = strings.Cut(shown, "```\n")
	if !found {
		t.Fatalf("%s shows none", page)
	}
	t.Chdir(dirWith(t, map[string]string{
		".mixedkube.yaml": shown, "clusters/production.yaml": withWindows, "p.yaml": brokenPod,
		"samples/p.yaml": "a: [",
	}))
	code, stdout, stderr := start(t, "", "check", ".")
	if code != failed || !strings.HasSuffix(stderr, ", with .mixedkube.yaml\n") {
		t.Errorf("exit %d: %s%s", code, stdout, stderr)
	}
}
