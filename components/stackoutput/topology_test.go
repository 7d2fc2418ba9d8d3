package stackoutput_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	corev1 "k8s.io/api/core/v1"
	quantity "k8s.io/apimachinery/pkg/api/resource"

	"github.com/mixedkube/mixedkube/components/mocktest"
	"github.com/mixedkube/mixedkube/components/stackoutput"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
)

// cluster sets every field that a pool can have.
func cluster() topology.Topology {
	return topology.Topology{
		KubernetesVersion: "1.36",
		Pools: []topology.Pool{
			{Name: "sys", Platform: platform.Linux, Mode: topology.System, Count: 3},
			{
				Name: "win22", Platform: platform.WindowsServer2022, Size: "Standard_D4s_v5", Zones: []string{"1", "2"},
				Autoscaling: topology.Autoscaling{Max: 5}, Empty: true, Spot: true, SpotMaxPrice: 0.25,
				Labels: map[string]string{"team": "shop"}, Upgrade: topology.Upgrade{MaxSurge: "33%"},
				Taints: []corev1.Taint{topology.WindowsTaint(), {Key: "gpu", Effect: corev1.TaintEffectNoExecute}},
				Reserved: corev1.ResourceList{
					corev1.ResourceCPU: quantity.MustParse("180m"), corev1.ResourceMemory: quantity.MustParse("2Gi"),
				},
			},
			{Name: "win25", Platform: platform.WindowsServer2025, Untainted: true},
		},
		MissingFeatures: []topology.Feature{topology.GMSAWebhook},
	}
}

// exported returns what a stack exports, as the engine stores it.
func exported(t *testing.T, what pulumi.Input) resource.PropertyValue {
	t.Helper()
	graph := mocktest.MustRun(t, func(ctx *pulumi.Context) error {
		ctx.Export("topology", what)
		return nil
	}, mocktest.Preview())
	return graph.Exports()["topology"]
}

// read returns what a program reads from a reference to a stack with some outputs.
func read(t *testing.T, outputs resource.PropertyMap, preview bool) (read topology.Topology, err error) {
	t.Helper()
	options := []mocktest.Option{mocktest.Outputs(func(mocktest.Resource) resource.PropertyMap {
		return resource.PropertyMap{
			"name": resource.NewProperty("organization/infrastructure/prod"), "outputs": resource.NewProperty(outputs),
		}
	})}
	if preview {
		options = append(options, mocktest.Preview())
	}
	_, failed := mocktest.Run(func(ctx *pulumi.Context) error {
		infrastructure, err := pulumi.NewStackReference(ctx, "organization/infrastructure/prod", nil)
		if err != nil {
			return err
		}
		read, err = stackoutput.ReadTopology(infrastructure, "topology")
		return err
	}, options...)
	return read, failed
}

func TestTheTopologyOfAnotherStack(t *testing.T) {
	t.Parallel()
	document := exported(t, stackoutput.Topology(cluster()))
	if document.ContainsSecrets() || document.ContainsUnknowns() {
		t.Errorf("the output is %v", document)
	}
	text, err := json.Marshal(document.Mappable())
	if err != nil {
		t.Fatal(err)
	}
	for name, output := range map[string]resource.PropertyValue{
		"an object": document, "a text": resource.NewProperty(string(text)),
	} {
		for _, preview := range []bool{true, false} {
			got, err := read(t, resource.PropertyMap{"topology": output}, preview)
			if err != nil {
				t.Fatalf("%s (preview: %t): %v", name, preview, err)
			}
			if diff := cmp.Diff(cluster(), got); diff != "" {
				t.Errorf("%s (preview: %t): read again (-exported +read):\n%s", name, preview, diff)
			}
		}
	}
}

func TestOutputsThatAreNotATopology(t *testing.T) {
	t.Parallel()
	const of = `stack reference "organization/infrastructure/prod": topology`
	pool := func(name, platform string) resource.PropertyValue {
		return resource.NewProperty(resource.NewPropertyMapFromMap(map[string]any{
			"pools": []any{map[string]any{"name": name, "platform": platform}},
		}))
	}
	for name, tt := range map[string]struct {
		outputs resource.PropertyMap
		want    string
	}{
		"nothing": {
			resource.PropertyMap{}, ": Required value: there is no such output: export it there with " +
				`ctx.Export("topology", stackoutput.Topology(cluster.Topology)), and run ` + "`pulumi up`",
		},
		"a secret": {
			resource.PropertyMap{"topology": resource.MakeSecret(pool("sys", "linux"))},
			": Forbidden: is a secret, and previews show what follows from a topology: export it as a plain value",
		},
		"a wrong one": {
			resource.PropertyMap{"topology": pool("sys", "lynx")},
			`.pools[0].platform: Invalid value: "lynx": unknown platform: a pool runs linux, ` +
				"windows-2019, windows-2022 or windows-2025",
		},
		"something else": {
			resource.PropertyMap{"topology": resource.NewProperty(3.0)},
			": Invalid value: 3: must be an object",
		},
		"a text with two documents": {
			resource.PropertyMap{"topology": resource.NewProperty("a: b\n---\na: b\n")},
			": Invalid value: has 2 documents: export one topology",
		},
		"a text that is not YAML": {
			resource.PropertyMap{"topology": resource.NewProperty("pools: [\n")}, ": Invalid value: topology:",
		},
	} {
		for _, preview := range []bool{true, false} {
			_, err := read(t, tt.outputs, preview)
			if err == nil || !strings.HasPrefix(err.Error(), of+tt.want) {
				t.Errorf("%s (preview: %t): %v\nwant %s", name, preview, err, of+tt.want)
			}
		}
	}
}
