package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mixedkube/mixedkube/internal/lab/deploy"
	"github.com/mixedkube/mixedkube/internal/testkit/golden"
)

// TestTheTopologyOfAnotherStack previews a program with the topology that another stack in the same backend exports:
// the findings and the nodes of pods must depend on the pools of the other stack.
func TestTheTopologyOfAnotherStack(t *testing.T) {
	t.Parallel()
	l := emptyLab(t, "lab-given")
	const project = "components/stackoutput/testdata/split"
	file := filepath.Join(t.TempDir(), "Pulumi.infrastructure.yaml")
	infrastructure := l.project(t, project, "infrastructure", file)
	pools := func(pools ...string) {
		t.Helper()
		text := "config:\n  split:cluster:\n    kubernetesVersion: \"1.36\"\n    pools:\n      - " +
			strings.Join(pools, "\n      - ") + "\n"
		check(t, os.WriteFile(file, []byte(text), 0o600))
	}
	linux := "{name: linux, platform: linux}"
	pools(linux)
	check(t, infrastructure.Preview(t.Context()))
	apps := siblingStack(t, infrastructure, "apps")
	preview := func() (shown string, err error) {
		l.Out.Take()
		err = apps.Preview(t.Context())
		return l.Out.Take(), err
	}

	shown, err := preview()
	if err == nil {
		t.Error("a preview passes without the output")
	}
	contains(t, shown, `stack reference "organization/split/infrastructure": topology: Required value: there is no `+
		`such output: export it there with ctx.Export("topology", stackoutput.Topology(cluster.Topology)), and run `+
		"`pulumi up`")

	pools(linux, "{name: win25, platform: windows-2025, reserved: {cpu: 180m}}")
	check(t, infrastructure.Up(t.Context(), "--skip-preview"))
	contains(t, l.Out.Take(), "topology", `"win25"`, "reserved", `"180m"`)
	if shown, err = preview(); err == nil {
		t.Error("a preview passes with an image that no pool of the other stack runs")
	}
	contains(t, shown, "iis → nowhere")
	if want := "spec.template.spec.containers[0].image: … (MK305)"; !golden.Contains(shown, want) {
		t.Errorf("%s is not in:\n%s", want, shown)
	}

	pools(linux, "{name: web22, platform: ltsc2022, count: 3}")
	check(t, infrastructure.Up(t.Context(), "--skip-preview"))
	shown, err = preview()
	check(t, err)
	contains(t, shown, "iis → web22 (3 nodes)")
}

// siblingStack returns another stack of a project, in the backend of the first stack.
func siblingStack(t *testing.T, first *deploy.Stack, name string) *deploy.Stack {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), first.Tools["pulumi"], "stack", "init", name, "--cwd",
		filepath.Join(first.Dir, "init"))
	cmd.Env = first.Environ()
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	second := *first
	second.Name, second.Config = name, ""
	return &second
}
