package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/internal/core/fielderrors/escape"
	"github.com/mixedkube/mixedkube/internal/testkit/golden"
)

// command is what strangers write as names.
const command = "##vso[task.setvariable variable=PATH]/tmp"

// strangers writes files whose names and contents are commands for agents of CI services, and changes into their
// directory.
func strangers(t *testing.T) {
	t.Helper()
	t.Chdir(t.TempDir())
	write := func(name, text string) {
		if err := os.WriteFile(filepath.FromSlash(name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("::stop-commands::x.yaml", `apiVersion: v1
kind: Pod
metadata: {name: "`+command+`", labels: {"##[group]": a}}
spec:
  os: {name: windows}
  hostPID: true # ##[error]
  nodeSelector: {"##[endgroup]": "::a::"}
  containers: [{name: "##[debug]", image: "##vso[a.b]c"}]
`)
	write("##[error]y.yaml", "a: [")
	write("z.yaml", `kubernetesVersion: "1.36"
pools:
- {name: lin, platform: linux, count: 1, zones: ["`+command+`"]}
- {name: win, platform: windows-2022, count: 1}
`)
}

// Agents of CI services read both streams of each command.
func TestNoOutputCommandsAnAgent(t *testing.T) { //nolint:paralleltest // it changes the working directory
	strangers(t)
	for _, args := range [][]string{
		{"check", "."},
		{"check", "--format", "json", "."},
		{"check", "--format", "sarif", "."},
		{"check", "--format", "junit", "."},
		{"check", "--format", "gitlab", "."},
		{"check", "--topology", "z.yaml", "./::stop-commands::x.yaml"},
		{"check", "--config", command, "."},
		{"check", "::error::a"},
		{"check", "--" + command},
		{"adopt", "--topology", "z.yaml", "-w", "."},
		{"adopt", "--platform", command, "."},
		{"map", "--topology", "z.yaml", "-o", "-", "::stop-commands::x.yaml"},
		{"map", "--topology", "z.yaml", "-o", "##[group].svg", "::stop-commands::x.yaml"},
		{"map", "--topology", "z.yaml", "::stop-commands::x.yaml", "##[error]y.yaml"},
		{"topology", "z.yaml"},
		{"topology", "--format", "json", "z.yaml"},
		{"topology", "::stop-commands::x.yaml"},
		{"explain", command},
		{"images", "lock", "--file", "##[error]y.yaml", "."},
		{"images", "show", "##[error]"},
		{"join", "::stop-commands::x.yaml"},
		{"policy", "new", command},
		{"version", "--format", "::error::a"},
		{"help", command},
		{"::error::a"},
	} {
		_, stdout, stderr := start(t, "", args...)
		for stream, text := range map[string]string{"stdout": stdout, "stderr": stderr} {
			if escape.HasCommands(text) || strings.Contains(text, "##vso[") || strings.Contains(text, "##[") {
				t.Errorf("%q: an agent finds a command in %s:\n%s", args, stream, text)
			}
		}
		if stdout+stderr == "" {
			t.Errorf("%q prints nothing", args)
		}
	}
}

func TestNamesOfStrangersAreShown(t *testing.T) { //nolint:paralleltest // it changes the working directory
	strangers(t)
	code, stdout, stderr := start(t, "", "check", "::stop-commands::x.yaml")
	const at = `\x3a:stop-commands::x.yaml:6: Pod/#\x23vso[task.setvariable variable=PATH]/tmp: `
	want := at + "error: spec.hostPID: … (MK111)\n"
	if i := strings.Index(stdout, at+"error: spec.hostPID"); i >= 0 {
		stdout = stdout[i:]
		stdout = stdout[:strings.Index(stdout, "\n")+1]
	}
	if diff := cmp.Diff(want, stdout, golden.AnySentence); diff != "" || code != failed {
		t.Errorf("code %d, %s (-want +got):\n%s", code, stderr, diff)
	}
	// A topology has the same values.
	_, stdout, _ = start(t, "", "topology", "z.yaml")
	if want := `- "\x23\x23vso[task.setvariable variable=PATH]/tmp"`; !strings.Contains(stdout, want) {
		t.Errorf("%s is not in %s", want, stdout)
	}
	_, again, stderr := start(t, stdout, "topology", "--format", "json", "-")
	_, direct, _ := start(t, "", "topology", "--format", "json", "z.yaml")
	if diff := cmp.Diff(direct, again); diff != "" || !strings.Contains(direct, `#\u0023vso[`) {
		t.Errorf("%s (-from the file +from its topology):\n%s", stderr, diff)
	}
}
