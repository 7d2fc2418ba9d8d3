package connectivity_test

import (
	"strings"
	"testing"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/connectivity"
	"github.com/mixedkube/mixedkube/components/mocktest"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
	_ "github.com/mixedkube/mixedkube/internal/system/clock/clocktest"
)

const (
	podType     = "kubernetes:core/v1:Pod"
	serviceType = "kubernetes:core/v1:Service"
	jobType     = "kubernetes:batch/v1:Job"
)

// two has one Windows platform, and two Linux nodes.
var two = topology.Topology{Pools: []topology.Pool{
	{Name: "sys", Platform: platform.Linux, Count: 2},
	{Name: "win22", Platform: platform.WindowsServer2022},
}}

// four has all platforms.
var four = topology.Topology{KubernetesVersion: "1.36", Pools: []topology.Pool{
	{Name: "sys", Platform: platform.Linux, Mode: topology.System, Size: "Standard_D4s_v5"},
	{Name: "win19", Platform: platform.WindowsServer2019, Size: "Standard_D4s_v5"},
	{Name: "win22", Platform: platform.WindowsServer2022, Count: 2, Size: "Standard_D4s_v5"},
	{Name: "win25", Platform: platform.WindowsServer2025, Size: "Standard_D4s_v5"},
}}

// newSuite returns a program with a suite, which exports the results.
func newSuite(args *connectivity.SuiteArgs, opts ...pulumi.ResourceOption) pulumi.RunFunc {
	return func(ctx *pulumi.Context) error {
		s, err := connectivity.NewSuite(ctx, "net", args, opts...)
		if err != nil {
			return err
		}
		ctx.Export("matrix", s.Matrix)
		ctx.Export("table", s.Table)
		return nil
	}
}

// addresses returns the outputs of a cluster: the platforms are numbered.
func addresses(r mocktest.Resource) resource.PropertyMap {
	number := map[string]string{
		"net-linux": "1", "net-windows-2019": "2", "net-windows-2022": "3",
		"net-windows-2025": "4",
	}
	digit := number[strings.TrimSuffix(strings.TrimSuffix(r.Name, "-pod"), "-service")]
	var added map[string]any
	switch r.Type {
	case podType:
		added = map[string]any{"status": map[string]any{"podIP": "10.244." + digit + ".5", "hostIP": "10.0.0." + digit}}
	case serviceType:
		spec := r.Plain()["spec"].(map[string]any)
		spec["clusterIP"] = "10.96.0." + digit
		spec["ports"].([]any)[0].(map[string]any)["nodePort"] = "3000" + digit
		metadata := r.Plain()["metadata"].(map[string]any)
		if metadata["namespace"] == nil {
			metadata["namespace"] = "default"
		}
		added = map[string]any{"spec": spec, "metadata": metadata}
		number := resource.NewPropertyMapFromMap(added)
		number["spec"].ObjectValue()["ports"].ArrayValue()[0].ObjectValue()["nodePort"] = resource.NewProperty(30000 +
			float64(digit[0]-'0'))
		return number
	}
	return resource.NewPropertyMapFromMap(added)
}

func run(t *testing.T, program pulumi.RunFunc) *mocktest.Graph {
	t.Helper()
	return mocktest.MustRun(t, program, mocktest.Outputs(addresses))
}

// withoutScripts removes the text of the scripts from a graph: another test compares it with their files.
func withoutScripts(graph string) string {
	var lines []string
	inside := -1
	for line := range strings.SplitSeq(graph, "\n") {
		indent := len(line) - len(strings.TrimLeft(line, " "))
		if inside >= 0 && (line == "" || indent > inside) {
			continue
		}
		inside = -1
		if strings.HasSuffix(line, "- |") {
			inside = indent
			line = strings.TrimSuffix(line, "|") + "(script)"
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}
