package stackprogram

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/guard"
	"github.com/mixedkube/mixedkube/components/mocktest"
	"github.com/mixedkube/mixedkube/core/topology"
	_ "github.com/mixedkube/mixedkube/internal/system/clock/clocktest"
	"github.com/mixedkube/mixedkube/stacks/stackconfig"
	"github.com/mixedkube/mixedkube/stacks/stacktest"
)

const (
	deploymentType = "kubernetes:apps/v1:Deployment"
	serviceType    = "kubernetes:core/v1:Service"
	componentType  = "mixedkube:workload:Deployment"
	setType        = "mixedkube:runtimeclass:Set"
	classType      = "kubernetes:node.k8s.io/v1:RuntimeClass"
)

// existingStack is a stack with an existing cluster that has a pool of each platform.
const existingStack = "../../stacks/Pulumi.lab-given.yaml"

// deployExisting runs a program of a stack with an existing cluster; later options win.
func deployExisting(t *testing.T, options ...mocktest.Option) *mocktest.Graph {
	t.Helper()
	defaults := []mocktest.Option{
		mocktest.Project("mixedkube", "lab-given"),
		mocktest.Config(stacktest.Configuration(t, existingStack)),
	}
	return mocktest.MustRun(t, guard.Program(New(stackconfig.Main, inExisting)), append(defaults, options...)...)
}

// inExisting returns the existing cluster.
func inExisting(_ *pulumi.Context, c stackconfig.Config) (Cluster, error) {
	return Cluster{Topology: c.Topology}, nil
}

func TestIISIsDeployedOnceForEachWindowsPlatform(t *testing.T) {
	t.Parallel()
	want := map[string][]string{
		setType:       {"windows"},
		classType:     {"windows-windows-2019", "windows-windows-2022", "windows-windows-2025"},
		componentType: {"iis-2019", "iis-2022", "iis-2025"},
		deploymentType: {
			// The first one is not a child of a component.
			"linux-web",
			"iis-2019-deployment", "iis-2022-deployment", "iis-2025-deployment",
		},
		serviceType: {"iis-2019", "iis-2022", "iis-2025"},
	}
	for name, options := range map[string][]mocktest.Option{"in an update": nil, "in a preview": {mocktest.Preview()}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			graph := deployExisting(t, options...)
			got := map[string][]string{}
			for _, r := range graph.Resources() {
				got[r.Type] = append(got[r.Type], r.Name)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("resources (-want +got):\n%s", diff)
			}
			exports := map[string]any{"workloads": []any{"iis-2019", "iis-2022", "iis-2025", "linux-web"}}
			if diff := cmp.Diff(exports, mocktest.Plain(graph.Exports())); diff != "" {
				t.Errorf("exports (-want +got):\n%s", diff)
			}
		})
	}
}

func spec(t *testing.T, graph *mocktest.Graph, typ, name string) map[string]any {
	t.Helper()
	r, err := graph.Get(typ, name)
	if err != nil {
		t.Fatal(err)
	}
	return r.Plain()["spec"].(map[string]any)
}

func podSpec(deployment map[string]any) map[string]any {
	return deployment["template"].(map[string]any)["spec"].(map[string]any)
}

// A LoadBalancer Service would not get an address there, and Pulumi would wait for it.
func TestIISHasANodePortWithoutLoadBalancers(t *testing.T) {
	t.Parallel()
	graph := mocktest.MustRun(t,
		guard.Program(New(stackconfig.Main, func(_ *pulumi.Context, c stackconfig.Config) (Cluster, error) {
			c.Topology.MissingFeatures = []topology.Feature{topology.LoadBalancers}
			return Cluster{Topology: c.Topology}, nil
		})), mocktest.Project("mixedkube", "lab-given"), mocktest.Config(stacktest.Configuration(t, existingStack)))
	services := graph.ByType(serviceType)
	if len(services) != 3 {
		t.Errorf("there are %d Services, want 3", len(services))
	}
	for _, service := range services {
		if got := spec(t, graph, serviceType, service.Name)["type"]; got != "NodePort" {
			t.Errorf("the Service %s has the type %v, want NodePort", service.Name, got)
		}
	}
}

func TestIISHasLimitsAndALoadBalancer(t *testing.T) {
	t.Parallel()
	graph := deployExisting(t)
	for _, release := range []string{"2019", "2022", "2025"} {
		t.Run(release, func(t *testing.T) {
			t.Parallel()
			name := "iis-" + release
			service := map[string]any{
				"type":     "LoadBalancer",
				"ports":    []any{map[string]any{"protocol": "TCP", "port": 80}},
				"selector": map[string]any{"app": name},
			}
			if diff := cmp.Diff(service, spec(t, graph, serviceType, name)); diff != "" {
				t.Errorf("the Service (-want +got):\n%s", diff)
			}
			labels := map[string]any{"app": name}
			deployment := map[string]any{
				"replicas": 2,
				"selector": map[string]any{"matchLabels": labels},
				"template": map[string]any{
					"metadata": map[string]any{"labels": labels},
					"spec": map[string]any{
						"containers": []any{map[string]any{
							"name":  "iis",
							"image": "mcr.microsoft.com/windows/servercore/iis:windowsservercore-ltsc" + release,
							"resources": map[string]any{
								"limits":   map[string]any{"cpu": "1", "memory": "800Mi"},
								"requests": map[string]any{"cpu": "0.1", "memory": "300Mi"},
							},
							"ports": []any{map[string]any{"containerPort": 80}},
						}},
						"os":               map[string]any{"name": "windows"},
						"runtimeClassName": "windows-" + release,
					},
				},
			}
			if diff := cmp.Diff(deployment, spec(t, graph, deploymentType, name+"-deployment")); diff != "" {
				t.Errorf("the Deployment (-want +got):\n%s", diff)
			}
		})
	}
}

func TestTheLinuxDeploymentDoesNotNameAPlatform(t *testing.T) {
	t.Parallel()
	want := map[string]any{"containers": []any{map[string]any{"name": "web", "image": "nginx:1.28-alpine"}}}
	if diff := cmp.Diff(want, podSpec(spec(t, deployExisting(t), deploymentType, "linux-web"))); diff != "" {
		t.Errorf("the pods (-want +got):\n%s", diff)
	}
}

func TestWindowsWorkloadsWaitForTheirRuntimeClass(t *testing.T) {
	t.Parallel()
	graph := deployExisting(t)
	components := graph.ByType(componentType)
	if len(components) != 3 {
		t.Fatalf("there are %d workloads for Windows, want 3", len(components))
	}
	for _, component := range components {
		release := component.Name[strings.LastIndex(component.Name, "-")+1:]
		class, err := graph.Get(classType, "windows-windows-"+release)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff([]resource.URN{class.URN}, component.Dependencies); diff != "" {
			t.Errorf("%s waits for (-want +got):\n%s", component, diff)
		}
	}
}

func TestAStackWithoutWorkloadsHasRuntimeClassesOnly(t *testing.T) {
	t.Parallel()
	graph := deployExisting(t, mocktest.Config(map[string]string{"mixedkube:workloads": "[]"}))
	var got []string
	for _, r := range graph.Resources() {
		got = append(got, r.String())
	}
	want := []string{
		classType + ` "windows-windows-2019"`,
		classType + ` "windows-windows-2022"`,
		classType + ` "windows-windows-2025"`,
		setType + ` "windows"`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("resources (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(map[string]any{"workloads": []any{}}, mocktest.Plain(graph.Exports())); diff != "" {
		t.Errorf("exports (-want +got):\n%s", diff)
	}
}

// Only the workloads that the configuration lists are deployed.
func TestTheListedWorkloadsAreDeployed(t *testing.T) {
	t.Parallel()
	want := map[stackconfig.Workload]map[string]any{
		stackconfig.IIS:          {"workloads": []any{"iis-2019", "iis-2022", "iis-2025"}},
		stackconfig.LinuxWeb:     {"workloads": []any{"linux-web"}},
		stackconfig.Connectivity: {"workloads": []any{"connectivity"}},
	}
	for _, w := range stackconfig.Workloads() {
		t.Run(string(w), func(t *testing.T) {
			t.Parallel()
			got := mocktest.Plain(deployOne(t, w).Exports())
			delete(got, "connectivity") // its table
			if diff := cmp.Diff(want[w], got); diff != "" {
				t.Errorf("exports (-want +got):\n%s", diff)
			}
		})
	}
}

func deployOne(t *testing.T, w stackconfig.Workload, options ...mocktest.Option) *mocktest.Graph {
	t.Helper()
	one := mocktest.Config(map[string]string{"mixedkube:workloads": fmt.Sprintf("[%q]", w)})
	return deployExisting(t, append([]mocktest.Option{one}, options...)...)
}

// The configuration selects the checks of the network.
func TestConfigurationSelectsTheChecksOfTheNetwork(t *testing.T) {
	t.Parallel()
	deployed := func(checks string) (jobs []string, table string) {
		graph := deployOne(t, stackconfig.Connectivity,
			mocktest.Config(map[string]string{"mixedkube:connectivity": checks}))
		for _, r := range graph.Resources() {
			if r.Type == "kubernetes:batch/v1:Job" {
				jobs = append(jobs, fmt.Sprint(r.Plain()))
			}
		}
		return jobs, mocktest.Plain(graph.Exports())["connectivity"].(string)
	}
	first, table := deployed(`{"run": "first", "skip": ["6-inbound", "7-outbound"]}`)
	for _, line := range []string{"6-inbound            skipped", "7-outbound           skipped"} {
		if !strings.Contains(table, line) {
			t.Errorf("%q is missing in:\n%s", line, table)
		}
	}
	if found := strings.Join(first, ""); !strings.Contains(found, "5-service-discovery") ||
		strings.Contains(found, "7-outbound") {
		t.Error("the Jobs have other checks")
	}
	second, _ := deployed(`{"run": "second", "skip": ["6-inbound", "7-outbound"]}`)
	if len(first) == 0 || len(first) != len(second) {
		t.Fatalf("%d Jobs, and %d in another run", len(first), len(second))
	}
	for i, job := range first {
		if job == second[i] || strings.ReplaceAll(job, "first", "second") != second[i] {
			t.Errorf("a Job is %s, and in another run %s", job, second[i])
		}
	}
	mirror, _ := deployed(`{"outboundURL": "http://mirror.example.com/"}`)
	if !strings.Contains(strings.Join(mirror, ""), "http://mirror.example.com/") {
		t.Error("no Job requests the address of the configuration")
	}
}
