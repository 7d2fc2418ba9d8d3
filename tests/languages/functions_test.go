package languages

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/components/platform"
	"github.com/mixedkube/mixedkube/components/topology"
	"github.com/mixedkube/mixedkube/internal/lab/deploy"
	"github.com/mixedkube/mixedkube/tests/internal/labtest"
)

// TestFunctions calls functions of the package in each language, and compares what they return with what
// those of Go do. Without -all, the program is in YAML only.
func TestFunctions(t *testing.T) {
	t.Parallel()
	l := started(t)
	for language, file := range map[string]string{
		"yaml": "Pulumi.yaml", "typescript": "index.ts", "python": "__main__.py",
	} {
		if language != "yaml" && !*all {
			continue
		}
		t.Run(language, func(t *testing.T) { testFunctions(t, l, language, file) })
	}
}

func testFunctions(t *testing.T, l labtest.Lab, language, file string) {
	t.Helper()
	// The packages are those of the shop.
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(filepath.Join("testdata", "shop", language))); err != nil {
		t.Fatal(err)
	}
	program, err := os.ReadFile(filepath.Join("testdata", "functions", file))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, file), program, 0o600); err != nil {
		t.Fatal(err)
	}
	stack, err := l.Project(t.Context(), dir, "functions-"+language, "")
	available(t, "the program in "+language, err)
	said := &strings.Builder{}
	stack.Out = said
	if err := stack.Up(t.Context(), "--skip-preview"); err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	image := platform.FromImage("example.com/shop:1.0-ltsc2022")
	cluster, errs := topology.Decode(map[string]any{
		"kubernetesVersion": "1.36",
		"pools": []any{
			map[string]any{"name": "sys", "platform": "linux"},
			map[string]any{
				"name": "win22", "platform": "windows-2022", "taints": []any{"os=windows:NoSchedule", "gpu:NoExecute"},
			},
		},
	}, nil)
	if len(errs) > 0 {
		t.Fatal(errs.ToAggregate())
	}
	want := map[string]any{
		"image": map[string]any{
			"os": image.OS, "release": image.Release, "hostProcess": image.HostProcess, "byTag": image.ByTag,
		},
		"tolerations": cluster.WithDefaults().Tolerations(platform.WindowsServer2022),
	}
	if diff := cmp.Diff(inJSON(t, want), inJSON(t, outputs(t, stack))); diff != "" {
		t.Errorf("results (-Go +%s):\n%s", language, diff)
	}

	said.Reset()
	if err := stack.Preview(t.Context(), "--config", "shop:platform=windos-2022"); err == nil {
		t.Error("a wrong argument passes")
	}
	labtest.Contains(t, strings.Join(strings.Fields(said.String()), " "),
		`mixedkube:topology:tolerations: platform: Invalid value: "windos-2022": unknown platform: did you mean `+
			`"windows-2022"?`)
}

// outputs are those of a stack.
func outputs(t *testing.T, stack *deploy.Stack) map[string]any {
	t.Helper()
	file := filepath.Join(t.TempDir(), "state.json")
	if err := stack.Export(t.Context(), file); err != nil {
		t.Fatal(err)
	}
	content, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var state struct {
		Deployment struct {
			Resources []struct {
				Type    string
				Outputs map[string]any
			}
		}
	}
	if err := json.Unmarshal(content, &state); err != nil {
		t.Fatal(err)
	}
	for _, resource := range state.Deployment.Resources {
		if resource.Type == "pulumi:pulumi:Stack" {
			return resource.Outputs
		}
	}
	t.Fatal("the state has no stack")
	return nil
}

// inJSON is a value as JSON has it.
func inJSON(t *testing.T, v any) any {
	t.Helper()
	content, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	var read any
	if err := json.Unmarshal(content, &read); err != nil {
		t.Fatal(err)
	}
	return read
}
