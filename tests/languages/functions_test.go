package languages

import (
	"encoding/json"
	"maps"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/lab"
	"github.com/mixedkube/mixedkube/internal/lab/deploy"
	"github.com/mixedkube/mixedkube/machines/bootstrap/network"
	"github.com/mixedkube/mixedkube/tests/internal/labtest"
	"github.com/mixedkube/mixedkube/tests/internal/sample"
)

// TestFunctions calls functions of the package in each language, and compares their results with those of the
// functions in Go. Without -all, it runs the program in one
// language.
func TestFunctions(t *testing.T) {
	t.Parallel()
	l := labtest.Empty(t, lab.Options{Stack: "lab-given"})
	for _, language := range sample.Of(t, languages, 1) {
		t.Run(language, func(t *testing.T) { testFunctions(t, l, language) })
	}
}

func testFunctions(t *testing.T, l labtest.Lab, language string) {
	t.Helper()
	dir := labtest.WithPins(t, filepath.Join("programs", "functions", language), language)
	stack, err := l.Project(t.Context(), dir, "functions-"+language, "")
	labtest.Available(t, "the program in "+language, err)
	output := &strings.Builder{}
	stack.Out = output
	if err := stack.Up(t.Context(), "--skip-preview"); err != nil {
		t.Fatalf("%v\n%s", err, output)
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
	maps.Copy(want, networks(t))
	if diff := cmp.Diff(inJSON(t, want), inJSON(t, outputs(t, stack))); diff != "" {
		t.Errorf("results (-Go +%s):\n%s", language, diff)
	}

	output.Reset()
	if err := stack.Preview(t.Context(), "--config", "functions:platform=windos-2022"); err == nil {
		t.Error("a preview with a wrong argument succeeds")
	}
	labtest.Contains(t, strings.Join(strings.Fields(output.String()), " "),
		`mixedkube:topology:tolerations: platform: Invalid value: "windos-2022": unknown platform: `+
			`did you mean "windows-2022"?`)
}

// networks returns the results of the functions for networks in Go.
func networks(t *testing.T) map[string]any {
	t.Helper()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	const endpoint = "api.example.com:6443"
	ofKind := func(kind network.Kind) network.Network {
		return network.Network{Kind: kind, NodeCIDR: netip.MustParsePrefix("10.240.0.0/24")}
	}
	calico, antrea := ofKind(network.CalicoVXLAN).WithDefaults(), ofKind(network.Antrea)
	objects, err := calico.CalicoObjects(endpoint)
	must(err)
	values, err := calico.CalicoValues(endpoint)
	must(err)
	config, err := antrea.WithDefaults().AntreaConfig(endpoint)
	must(err)
	const manifests = "kind: ConfigMap\nmetadata: {name: antrea-windows-config}\n" +
		"data: {antrea-agent.conf: \"antreaProxy: {enable: true}\"}\n"
	text, err := antrea.WithDefaults().AntreaManifests(manifests, endpoint)
	must(err)
	antrea.BlockedEgress = []network.Destination{
		{CIDR: netip.MustParsePrefix("203.0.113.0/24"), TCPPorts: []int{80}},
	}
	return map[string]any{
		"calico": objects, "chart": values, "manifests": text,
		"antrea":   map[string]any{"linux": config.Linux, "windows": config.Windows},
		"policies": antrea.WithDefaults().EgressPolicies(),
	}
}

// outputs returns the outputs of a stack.
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

// inJSON converts a value to JSON and back.
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
