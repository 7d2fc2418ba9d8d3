package stackprogram

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/guard"
	"github.com/mixedkube/mixedkube/components/mocktest"
	"github.com/mixedkube/mixedkube/components/topology"
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

// givenStack is a stack whose cluster is given, with a pool of each platform.
const givenStack = "../../stacks/Pulumi.lab-given.yaml"

// deployGiven runs a program of a stack whose cluster is given; later options win.
func deployGiven(t *testing.T, options ...mocktest.Option) *mocktest.Graph {
	t.Helper()
	given := []mocktest.Option{
		mocktest.Project("mixedkube", "lab-given"),
		mocktest.Config(stacktest.Configuration(t, givenStack)),
	}
	return mocktest.MustRun(t, guard.Program(New(stackconfig.Main, inGiven)), append(given, options...)...)
}

// inGiven is the cluster that is given.
func inGiven(_ *pulumi.Context, c stackconfig.Config) (Cluster, error) {
	return Cluster{Topology: c.Topology}, nil
}

func TestEachWorkloadIsDeployedOnceForEachWindowsPlatform(t *testing.T) {
	t.Parallel()
	want := map[string][]string{
		setType:   {"windows"},
		classType: {"windows-windows-2019", "windows-windows-2022", "windows-windows-2025"},
		componentType: {
			"iis-2019", "iis-2022", "iis-2025", "win-webserver-2019", "win-webserver-2022", "win-webserver-2025",
		},
		deploymentType: {
			// The first one is not a child of a component.
			"linux-web",
			"iis-2019-deployment", "iis-2022-deployment", "iis-2025-deployment",
			"win-webserver-2019-deployment", "win-webserver-2022-deployment", "win-webserver-2025-deployment",
		},
		serviceType: {
			"iis-2019", "iis-2022", "iis-2025", "win-webserver-2019", "win-webserver-2022", "win-webserver-2025",
		},
	}
	for name, options := range map[string][]mocktest.Option{"in an update": nil, "in a preview": {mocktest.Preview()}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			graph := deployGiven(t, options...)
			got := map[string][]string{}
			for _, r := range graph.Resources() {
				got[r.Type] = append(got[r.Type], r.Name)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("resources (-want +got):\n%s", diff)
			}
			exports := map[string]any{"workloads": []any{
				"win-webserver-2019", "iis-2019", "win-webserver-2022", "iis-2022", "win-webserver-2025", "iis-2025",
				"linux-web",
			}}
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

func TestTheWebServerRunsItsScriptBehindANodePort(t *testing.T) {
	t.Parallel()
	graph := deployGiven(t)
	for _, release := range []string{"2019", "2022", "2025"} {
		t.Run(release, func(t *testing.T) {
			t.Parallel()
			name := "win-webserver-" + release
			service := map[string]any{
				"type":     "NodePort",
				"ports":    []any{map[string]any{"port": 80, "targetPort": 80}},
				"selector": map[string]any{"app": name},
			}
			if diff := cmp.Diff(service, spec(t, graph, serviceType, name)); diff != "" {
				t.Errorf("the Service (-want +got):\n%s", diff)
			}
			deployment := spec(t, graph, deploymentType, name+"-deployment")
			if got := deployment["replicas"]; got != 2 {
				t.Errorf("%v replicas, want 2", got)
			}
			container := podSpec(deployment)["containers"].([]any)[0].(map[string]any)
			command := container["command"].([]any)
			written := command[len(command)-1].(string)
			// Kubernetes turns each $$ into $, and leaves nothing else to expand.
			if strings.Contains(strings.ReplaceAll(written, "$$", ""), "$") {
				t.Errorf("a single $ is left in the command:\n%s", written)
			}
			command[len(command)-1] = strings.ReplaceAll(written, "$$", "$")
			script, err := os.ReadFile("win_webserver.ps1")
			if err != nil {
				t.Fatal(err)
			}
			pods := map[string]any{
				"containers": []any{map[string]any{
					"name":      "windowswebserver",
					"image":     "mcr.microsoft.com/windows/servercore:ltsc" + release,
					"command":   []any{"powershell.exe", "-command", string(script)},
					"resources": map[string]any{"limits": map[string]any{"memory": "300Mi"}},
				}},
				"os":               map[string]any{"name": "windows"},
				"runtimeClassName": "windows-" + release,
			}
			if diff := cmp.Diff(pods, podSpec(deployment)); diff != "" {
				t.Errorf("the pods, their command expanded (-want +got):\n%s", diff)
			}
		})
	}
}

// Nothing would give a LoadBalancer Service an address there, and Pulumi would wait for it.
func TestIISHasANodePortWhereTheClusterLacksLoadBalancers(t *testing.T) {
	t.Parallel()
	graph := mocktest.MustRun(t,
		guard.Program(New(stackconfig.Main, func(_ *pulumi.Context, c stackconfig.Config) (Cluster, error) {
			c.Topology.Lacks = []topology.Feature{topology.LoadBalancers}
			return Cluster{Topology: c.Topology}, nil
		})), mocktest.Project("mixedkube", "lab-given"), mocktest.Config(stacktest.Configuration(t, givenStack)))
	for _, service := range graph.ByType(serviceType) {
		want := any("NodePort")
		if service.Name == "linux-web" {
			want = nil
		}
		if got := spec(t, graph, serviceType, service.Name)["type"]; got != want {
			t.Errorf("the Service %s has the type %v, want %v", service.Name, got, want)
		}
	}
}

func TestIISHasLimitsAndALoadBalancer(t *testing.T) {
	t.Parallel()
	graph := deployGiven(t)
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
				"replicas": 1,
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

func TestTheLinuxDeploymentKnowsNothingOfPlatforms(t *testing.T) {
	t.Parallel()
	want := map[string]any{"containers": []any{map[string]any{"name": "web", "image": "nginx:1.28-alpine"}}}
	if diff := cmp.Diff(want, podSpec(spec(t, deployGiven(t), deploymentType, "linux-web"))); diff != "" {
		t.Errorf("the pods (-want +got):\n%s", diff)
	}
}

func TestWindowsWorkloadsWaitForTheirRuntimeClass(t *testing.T) {
	t.Parallel()
	graph := deployGiven(t)
	components := graph.ByType(componentType)
	if len(components) != 6 {
		t.Fatalf("there are %d workloads for Windows, want 6", len(components))
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
	graph := deployGiven(t, mocktest.Config(map[string]string{"mixedkube:workloads": "[]"}))
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

func TestOnlyTheWantedWorkloadsAreDeployed(t *testing.T) {
	t.Parallel()
	tests := []struct {
		workload string
		want     []string
	}{
		{
			"win-webserver", []string{
				"win-webserver-2019-deployment", "win-webserver-2022-deployment",
				"win-webserver-2025-deployment",
			},
		},
		{"iis", []string{"iis-2019-deployment", "iis-2022-deployment", "iis-2025-deployment"}},
		{"linux-web", []string{"linux-web"}},
	}
	for _, tt := range tests {
		t.Run(tt.workload, func(t *testing.T) {
			t.Parallel()
			graph := deployGiven(t,
				mocktest.Config(map[string]string{"mixedkube:workloads": fmt.Sprintf("[%q]", tt.workload)}))
			var got []string
			for _, r := range graph.ByType(deploymentType) {
				got = append(got, r.Name)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("Deployments (-want +got):\n%s", diff)
			}
		})
	}
}
