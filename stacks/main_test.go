package main

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"gopkg.in/yaml.v3"

	"github.com/mixedkube/mixedkube/components/aks/akstest"
	"github.com/mixedkube/mixedkube/components/guard"
	"github.com/mixedkube/mixedkube/components/mocktest"
	"github.com/mixedkube/mixedkube/internal/golden"
)

const (
	deploymentType = "kubernetes:apps/v1:Deployment"
	serviceType    = "kubernetes:core/v1:Service"
	componentType  = "mixedkube:workload:Deployment"
	setType        = "mixedkube:runtimeclass:Set"
	classType      = "kubernetes:node.k8s.io/v1:RuntimeClass"
)

// configuration is that of a stack as Pulumi hands it to the program.
func configuration(t *testing.T, name string) map[string]string {
	t.Helper()
	text, err := os.ReadFile("Pulumi." + name + ".yaml")
	if err != nil {
		t.Fatal(err)
	}
	var stack struct{ Config map[string]any }
	if err := yaml.Unmarshal(text, &stack); err != nil {
		t.Fatal(err)
	}
	config := map[string]string{}
	for key, value := range stack.Config {
		object, err := json.Marshal(value)
		if err != nil {
			t.Fatal(err)
		}
		config[key] = string(object)
	}
	return config
}

// deployGiven runs the program of a stack whose cluster is given; later options win.
func deployGiven(t *testing.T, options ...mocktest.Option) *mocktest.Graph {
	t.Helper()
	return deployStack(t, "lab-given", options...)
}

func deployStack(t *testing.T, stack string, options ...mocktest.Option) *mocktest.Graph {
	t.Helper()
	given := []mocktest.Option{mocktest.Project("mixedkube", stack), mocktest.Config(configuration(t, stack))}
	return mocktest.MustRun(t, guard.Program(deploy), append(given, options...)...)
}

// deployInAzure is deployStack for a stack that makes its cluster there.
func deployInAzure(t *testing.T, stack string, options ...mocktest.Option) *mocktest.Graph {
	t.Helper()
	given := []mocktest.Option{
		mocktest.Config(map[string]string{"mixedkube:windowsPassword": "Correct-Horse-Battery-9"}),
		akstest.Azure(),
	}
	return deployStack(t, stack, append(given, options...)...)
}

func TestTheGraphsOfTheStacksAreTheGoldenOnes(t *testing.T) {
	t.Parallel()
	for name, deploy := range map[string]func(*testing.T, string, ...mocktest.Option) *mocktest.Graph{"lab-given": deployStack, "aks": deployInAzure} {
		for mode, options := range map[string][]mocktest.Option{"update": nil, "preview": {mocktest.Preview()}} {
			t.Run(name+" in "+mode, func(t *testing.T) {
				t.Parallel()
				got := deploy(t, name, options...).String()
				golden.Equal(t, "testdata/"+name+"."+mode+".golden", got)
			})
		}
	}
}

// What is deployed goes into the cluster that the stack makes, all of it.
func TestStacksInAzureDeployIntoTheirOwnCluster(t *testing.T) {
	t.Parallel()
	for _, stack := range []string{"aks", "lab"} {
		t.Run(stack, func(t *testing.T) {
			t.Parallel()
			graph := deployInAzure(t, stack, mocktest.Preview())
			provider, err := graph.Get("pulumi:providers:kubernetes", stack+"-kubernetes")
			if err != nil {
				t.Fatal(err)
			}
			deployed := 0
			for _, r := range graph.Resources() {
				if !strings.HasPrefix(r.Type, "kubernetes:") {
					continue
				}
				deployed++
				if r.Provider != provider.URN {
					t.Errorf("%s has the provider %q", r, r.Provider)
				}
			}
			// Two platforms, with a class each, and a Deployment and a Service for each workload.
			if want := 2*(1+2*2) + 1; deployed != want {
				t.Errorf("%d Kubernetes resources, want %d", deployed, want)
			}
		})
	}
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
			// The first one is no child of a component.
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
				"win-webserver-2019", "iis-2019", "win-webserver-2022", "iis-2022", "win-webserver-2025", "iis-2025", "linux-web",
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
		{"win-webserver", []string{"win-webserver-2019-deployment", "win-webserver-2022-deployment", "win-webserver-2025-deployment"}},
		{"iis", []string{"iis-2019-deployment", "iis-2022-deployment", "iis-2025-deployment"}},
		{"linux-web", []string{"linux-web"}},
	}
	for _, tt := range tests {
		t.Run(tt.workload, func(t *testing.T) {
			t.Parallel()
			graph := deployGiven(t, mocktest.Config(map[string]string{"mixedkube:workloads": fmt.Sprintf("[%q]", tt.workload)}))
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

func TestABadConfigurationIsRefusedBeforeAnythingIsRegistered(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		config map[string]string
		want   string
	}{
		{
			"nothing configured", nil,
			"stack configuration:\n" +
				"  mixedkube:cluster: Required value: say which pools the cluster has\n" +
				"  mixedkube:workloads: Required value: list what to deploy, or write [] for nothing",
		},
		{
			"a text in the place of a list",
			map[string]string{"mixedkube:cluster": `{"pools": [{"name": "sys", "platform": "linux"}]}`, "mixedkube:workloads": "iis"},
			`stack configuration: mixedkube:workloads: Invalid value: "iis": must be a list`,
		},
		{
			"a workload and a platform that do not exist",
			map[string]string{
				"mixedkube:cluster":   `{"pools": [{"name": "sys", "platform": "linux"}, {"name": "win", "platform": "windows-2016"}]}`,
				"mixedkube:workloads": `["iss"]`,
			},
			"stack configuration:\n" +
				"  mixedkube:cluster.pools[1].platform: Invalid value: \"windows-2016\": Windows Server 2016 is not supported as a node any more: a pool runs linux, windows-2019, windows-2022 or windows-2025\n" +
				"  mixedkube:workloads[0]: Invalid value: \"iss\": unknown workload: did you mean \"iis\"? (there are win-webserver, iis, secret, config-map, host-path, empty-dirs, persistent-volume-claim, named-pipe, grace-period, autoscaling, run-as-user, daemon-set, cron-job, log-monitor, gmsa, host-process, windows-exporter, connectivity, adopt-helm-chart, linux-web)",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			graph, err := mocktest.Run(guard.Program(deploy), mocktest.Project("mixedkube", "mine"), mocktest.Config(tt.config), mocktest.Preview())
			if err == nil {
				t.Fatalf("no error, want:\n%s", tt.want)
			}
			if diff := cmp.Diff(tt.want, err.Error()); diff != "" {
				t.Errorf("the error (-want +got):\n%s", diff)
			}
			if registered := graph.Resources(); len(registered) != 0 {
				t.Errorf("registered %v, want nothing", registered)
			}
		})
	}
}

func TestMisspelledKeysAreSeen(t *testing.T) {
	t.Parallel()
	known := []string{
		"mixedkube:cluster", "mixedkube:aks", "mixedkube:kubeadm", "mixedkube:clusterSecret", "mixedkube:windowsPassword", "mixedkube:workloads",
		"mixedkube:connectivity",
	}
	for _, tt := range []struct {
		name, environment string
		want              []string
	}{
		{"without Pulumi there are the known keys", "", known},
		{
			"keys of this project are added, others are not",
			`{"mixedkube:cluster": "{}", "mixedkube:worklods": "[]", "kubernetes:context": "mine"}`,
			append(slices.Clone(known), "mixedkube:worklods"),
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tt.want, configKeys(tt.environment)); diff != "" {
				t.Errorf("keys (-want +got):\n%s", diff)
			}
		})
	}
}
