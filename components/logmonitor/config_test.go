package logmonitor_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/logmonitor"
	"github.com/mixedkube/mixedkube/components/mocktest"
	"github.com/mixedkube/mixedkube/internal/testkit/golden"
)

func TestTheWholeGraph(t *testing.T) {
	t.Parallel()
	program := deploy(&logmonitor.ConfigArgs{Namespace: pulumi.String("web"), Sources: logmonitor.IIS()}, pod())
	golden.UpdateAndPreview(t, "testdata/deployment", mocktest.MustRun(t, program).String(),
		mocktest.MustRun(t, program, mocktest.Preview()).String())
}

func TestWrongArguments(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		args *logmonitor.ConfigArgs
		want string
	}{
		{"nothing", nil, ": " + needsSource},
		{
			"everything at once",
			&logmonitor.ConfigArgs{
				Name: "Shop", LogFormat: "txt",
				Sources: []logmonitor.Source{file("logs"), channel("Warn")},
			},
			strings.Join([]string{
				":",
				`logFormat: Invalid value: "txt": unknown format (use json, xml or custom)`,
				`name: Invalid value: "Shop": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric ` +
					`characters, '-' or '.', and must start and end with an alphanumeric character (e.g. ` +
					`'example.com', regex used for validation is ` +
					`'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*'): use such a name`,
				`sources[0].directory: Invalid value: "logs": ` + absolute,
				`sources[1].channels[0].level: Invalid value: "Warn": unknown level (use Critical, Error, ` +
					`Warning, Information or Verbose)`,
			}, "\n  "),
		},
		{
			"a name without room for the hash",
			&logmonitor.ConfigArgs{Name: strings.Repeat("a", 243), Sources: logmonitor.IIS()},
			`: name: Invalid value: "` + strings.Repeat("a", 243) +
				`": has more than 242 characters, and a hash follows: use a shorter one`,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			graph, err := mocktest.Run(newConfig(tt.args), mocktest.Preview())
			golden.Refused(t, graph.Resources(), err, `mixedkube:logmonitor:Config "shop"`+tt.want)
		})
	}
}

// Another configuration is another ConfigMap, which the pods name: so they are rolled
// out. The Deployment depends on it: so Pulumi creates the new one before it changes the
// Deployment, and deletes the old one after that.
func TestAnotherConfigurationRollsThePodsOut(t *testing.T) {
	t.Parallel()
	names := map[string]string{}
	for _, tt := range []struct {
		name    string
		sources []logmonitor.Source
	}{
		{"first", logmonitor.IIS()},
		{"another level", logmonitor.ASPNET()},
		{"another source", append(logmonitor.IIS(), file(`C:\logs`))},
	} {
		graph := mocktest.MustRun(t, deploy(&logmonitor.ConfigArgs{Sources: tt.sources}, pod()))
		name := configName(t, graph)
		if other, ok := names[name]; ok {
			t.Errorf("%s has the ConfigMap of %s", tt.name, other)
		}
		names[name] = tt.name
		volume := podSpec(t, graph)["volumes"].([]any)[0].(map[string]any)["configMap"].(map[string]any)
		if volume["name"] != name {
			t.Errorf("%s: the pods have the ConfigMap %v, not %s", tt.name, volume["name"], name)
		}
		config := graph.MustGet(t, configMapType, "shop-config")
		if config.Plain()["immutable"] != true {
			t.Errorf("%s: the ConfigMap can be changed", tt.name)
		}
		if !slices.Contains(graph.MustGet(t, deploymentType, "shop-deployment").Dependencies, config.URN) {
			t.Errorf("%s: the Deployment does not depend on the ConfigMap", tt.name)
		}
	}
	// The same configuration is the same ConfigMap: nothing is rolled out.
	if name := configName(t, mocktest.MustRun(t, deploy(iisArgs(), pod()))); names[name] != "first" {
		t.Errorf("the same sources have another ConfigMap, %s", name)
	}
}

func TestTheNameAndTheNamespace(t *testing.T) {
	t.Parallel()
	graph := mocktest.MustRun(t,
		newConfig(&logmonitor.ConfigArgs{Name: "logs", Namespace: pulumi.String("web"), Sources: logmonitor.IIS()}))
	metadata := graph.MustGet(t, configMapType, "shop-config").Plain()["metadata"].(map[string]any)
	if name := metadata["name"].(string); !strings.HasPrefix(name, "logs-") || len(name) != len("logs-")+10 {
		t.Errorf("the name is %s", name)
	}
	if metadata["namespace"] != "web" {
		t.Errorf("the namespace is %v", metadata["namespace"])
	}
}

func TestInvalidNamespaceName(t *testing.T) {
	t.Parallel()
	config := func(namespace pulumi.StringPtrInput) pulumi.RunFunc {
		return newConfig(&logmonitor.ConfigArgs{Namespace: namespace, Sources: logmonitor.IIS()})
	}
	graph, err := mocktest.Run(config(pulumi.String("Web")))
	const want = `: namespace: Invalid value: "Web": `
	if err == nil || !strings.Contains(err.Error(), want) || len(graph.Resources()) > 0 {
		t.Fatalf("%v, %v, want an error and no resource", err, graph.Resources())
	}
	_, later := mocktest.Run(config(pulumi.String("Web").ToStringPtrOutput()))
	if later == nil || !strings.Contains(later.Error(), err.Error()) {
		t.Errorf("of an output: %v\nwant %v", later, err)
	}
}

func TestTheOptionsReachTheConfigMap(t *testing.T) {
	t.Parallel()
	graph := mocktest.MustRun(t, func(ctx *pulumi.Context) error {
		provider, err := kubernetes.NewProvider(ctx, "cluster", nil)
		if err != nil {
			return err
		}
		return newConfig(iisArgs(), pulumi.Provider(provider))(ctx)
	}, mocktest.Preview())
	const want = "urn:pulumi:stack::project::pulumi:providers:kubernetes::cluster"
	if got := graph.MustGet(t, configMapType, "shop-config").Provider; got != want {
		t.Errorf("the provider is %q", got)
	}
}
