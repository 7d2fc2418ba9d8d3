package hostprocess_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	k8score "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/mixedkube/mixedkube/components/hostprocess"
	"github.com/mixedkube/mixedkube/components/mocktest"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/preflight"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/testkit/golden"
)

const containerdLog = `{"plugin": "filelog", "logPath": "C:\\containerd\\containerd.log", "lookback": "5m", ` +
	`"source": "containerd"}`

func newWindowsExporter(args *hostprocess.WindowsExporterArgs, opts ...pulumi.ResourceOption) pulumi.RunFunc {
	return func(ctx *pulumi.Context) error {
		_, err := hostprocess.NewWindowsExporter(ctx, "metrics", args, opts...)
		return err
	}
}

func newCSIProxy(args *hostprocess.CSIProxyArgs, opts ...pulumi.ResourceOption) pulumi.RunFunc {
	return func(ctx *pulumi.Context) error {
		_, err := hostprocess.NewCSIProxy(ctx, "storage", args, opts...)
		return err
	}
}

func newNodeProblemDetector(args *hostprocess.NodeProblemDetectorArgs, opts ...pulumi.ResourceOption) pulumi.RunFunc {
	return func(ctx *pulumi.Context) error {
		_, err := hostprocess.NewNodeProblemDetector(ctx, "problems", args, opts...)
		return err
	}
}

// addOns are programs with one each.
func addOns(opts ...pulumi.ResourceOption) map[string]pulumi.RunFunc {
	return map[string]pulumi.RunFunc{
		"windows-exporter": newWindowsExporter(nil, opts...),
		"windows-exporter-monitored": newWindowsExporter(&hostprocess.WindowsExporterArgs{
			Namespace: pulumi.String("monitoring"), Topology: mixed(),
			Platforms:  []platform.Platform{platform.WindowsServer2022},
			Containerd: hostprocess.Containerd16, Image: "m/exporter:1", FirewallImage: "m/hpc:1",
			Collectors: []string{"cpu_info", "iis"}, ServiceMonitor: true,
			ServiceMonitorLabels: map[string]string{"release": "monitoring"},
		}, opts...),
		"csi-proxy": newCSIProxy(nil, opts...),
		"node-problem-detector": newNodeProblemDetector(
			&hostprocess.NodeProblemDetectorArgs{Endpoint: pulumi.String(endpoint)},
			opts...),
		"node-problem-detector-of-the-nodes": newNodeProblemDetector(&hostprocess.NodeProblemDetectorArgs{
			Endpoint: pulumi.String(endpoint), Program: `C:\k\node-problem-detector.exe`,
			LogMonitors: map[string]string{"kubelet.json": containerdLog, "containerd.json": containerdLog},
		}, opts...),
	}
}

func mixed() topology.Topology {
	return topology.Topology{KubernetesVersion: "1.36", Pools: []topology.Pool{
		{Name: "sys", Platform: platform.Linux, Mode: topology.System, Count: 1, Size: "Standard_D4s_v5"},
		{Name: "win19", Platform: platform.WindowsServer2019, Count: 1, Size: "Standard_D4s_v5"},
		{Name: "win22", Platform: platform.WindowsServer2022, Count: 1, Size: "Standard_D4s_v5"},
		{Name: "win25", Platform: platform.WindowsServer2025, Count: 1, Size: "Standard_D4s_v5"},
	}}
}

func TestTheWholeGraphOfAddOns(t *testing.T) {
	t.Parallel()
	for name, program := range addOns() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			golden.UpdateAndPreview(t, "testdata/"+name, mocktest.MustRun(t, program).String(),
				mocktest.MustRun(t, program, mocktest.Preview()).String())
		})
	}
}

func TestPreflightFindsNothingInAddOns(t *testing.T) {
	t.Parallel()
	for name, program := range addOns() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			checked := 0
			for _, r := range mocktest.MustRun(t, program).Resources() {
				if !r.Custom || strings.HasPrefix(r.Type, "pulumi:") {
					continue
				}
				checked++
				for _, options := range []preflight.Options{{}, {Topology: mixed()}} {
					for _, f := range preflight.Check(r.Plain(), options) {
						t.Errorf("%s: %s: %s", r.Name, f.Severity, f)
					}
				}
			}
			if checked == 0 {
				t.Error("there is nothing")
			}
		})
	}
}

// With several platforms of different taints, the pods must land on the nodes of each.
func TestAddOnsLandOnAllWindowsNodes(t *testing.T) {
	t.Parallel()
	cluster := mixed()
	cluster.Pools[2].Taints, cluster.Pools[2].Untainted = nil, true
	cluster.Pools[3].Taints = []k8score.Taint{{
		Key: "example.com/release", Value: "2025",
		Effect: k8score.TaintEffectNoExecute,
	}}
	graph := mocktest.MustRun(t, newCSIProxy(&hostprocess.CSIProxyArgs{Topology: cluster}))
	for _, pool := range []string{"win19", "win22", "win25"} {
		only := cluster
		only.Pools = slices.DeleteFunc(slices.Clone(cluster.Pools),
			func(p topology.Pool) bool { return p.Name != pool && p.Name != "sys" })
		for _, f := range preflight.Check(graph.MustGet(t, daemonSetType, "storage-daemonset").Plain(),
			preflight.Options{Topology: only}) {
			t.Errorf("%s: %s", pool, f)
		}
	}
}

// A taint that only one pool of a platform has sets it apart, but not for add-ons.
func TestAddOnsTolerateTheTaintsOfEachPool(t *testing.T) {
	t.Parallel()
	graph := mocktest.MustRun(t,
		newCSIProxy(&hostprocess.CSIProxyArgs{
			Topology: twoPoolsOf2022(topology.Pool{}, topology.Pool{Untainted: true}),
		}))
	got := podsOf(graph.MustGet(t, daemonSetType, "storage-daemonset"))["tolerations"]
	if diff := cmp.Diff([]any{toleration("os", "windows")}, got); diff != "" {
		t.Errorf("the tolerations (-want +got):\n%s", diff)
	}
}

func TestWrongArgumentsOfAddOns(t *testing.T) {
	t.Parallel()
	const notSource = "is neither an address nor a range of addresses: write 10.0.0.0/16 for example, LocalSubnet or " +
		"Any"
	const notCollector = "is not the name of a collector: write one in lower case, cpu_info for example, or [defaults]"
	tests := []struct {
		name    string
		program pulumi.RunFunc
		want    []string
	}{
		{
			"the exporter", newWindowsExporter(&hostprocess.WindowsExporterArgs{
				Namespace: pulumi.String("Monitoring"), Platforms: []platform.Platform{platform.Linux},
				Containerd: "1.5",
				Image:      "a b", FirewallImage: " c",
				Collectors: []string{
					"cpu", "defaults", "IIS", "a,b", "containr", "[defaults]", "something_new",
				},
				ServiceMonitorLabels: map[string]string{"release": "monitoring"},
				AllowedSources: []string{
					"10.0.0.0/16", "10.0.0.1/16", "0.0.0.0/0", "LocalSubnet", "any", "10.0.0.4", "fe80::1%'; exit",
					"10.0.0.0/16, Any", "", "::/0", "fd00::/64",
				},
			}), []string{
				`mixedkube:hostprocess:WindowsExporter "metrics":`,
				`allowedSources[1]: Invalid value: "10.0.0.1/16": has host bits set: write 10.0.0.0/16`,
				`allowedSources[2]: Invalid value: "0.0.0.0/0": allows everyone: write Any`,
				`allowedSources[4]: Invalid value: "any": ` + notSource,
				`allowedSources[6]: Invalid value: "fe80::1%'; exit": ` + notSource,
				`allowedSources[7]: Invalid value: "10.0.0.0/16, Any": ` + notSource,
				`allowedSources[8]: Invalid value: "": ` + notSource,
				`allowedSources[9]: Invalid value: "::/0": allows everyone: write Any`,
				`collectors[1]: Invalid value: "defaults": is not a collector: write [defaults]`,
				`collectors[2]: Invalid value: "IIS": ` + notCollector,
				`collectors[3]: Invalid value: "a,b": ` + notCollector,
				`collectors[4]: Invalid value: "containr": is not a known collector: did you mean "container"?`,
				`containerd: Invalid value: "1.5": must be 1.6, or 1.7 for containerd 1.7 and newer`,
				`firewallImage: Invalid value: " c": ` + whitespace,
				`image: Invalid value: "a b": ` + whitespace,
				`namespace: Invalid value: "Monitoring": ` + label + `: give the name of a namespace`,
				`platforms[0]: Invalid value: "linux": host process is for Windows nodes: use a release of Windows ` +
					`Server`,
				"serviceMonitorLabels: Forbidden: have no effect without a ServiceMonitor: set serviceMonitor, or " +
					"remove them",
			},
		},
		{
			"labels of the exporter's ServiceMonitor", newWindowsExporter(&hostprocess.WindowsExporterArgs{
				ServiceMonitor:       true,
				ServiceMonitorLabels: map[string]string{"a b": "x", "app.kubernetes.io/name": "y", "release": "x y"},
			}), []string{
				`mixedkube:hostprocess:WindowsExporter "metrics":`,
				`serviceMonitorLabels[a b]: Invalid value: "a b": ` +
					strings.Join(validation.IsQualifiedName("a b"), "") + ": use such a key",
				"serviceMonitorLabels[app.kubernetes.io/name]: Forbidden: is always windows-exporter: remove it",
				`serviceMonitorLabels[release]: Invalid value: "x y": ` +
					strings.Join(validation.IsValidLabelValue("x y"), "") + ": use such a value",
			},
		},
		{"CSI proxy", newCSIProxy(&hostprocess.CSIProxyArgs{Image: "a b"}), []string{
			`mixedkube:hostprocess:CSIProxy "storage":`,
			`image: Invalid value: "a b": ` + whitespace,
			`spec.template.spec.containers[0].image: "a b": ` + notReference,
		}},
		{"the detector, without anything", newNodeProblemDetector(nil), []string{
			`mixedkube:hostprocess:NodeProblemDetector "problems": ` + noEndpoint,
		}},
		{
			"the detector, without logs",
			newNodeProblemDetector(&hostprocess.NodeProblemDetectorArgs{
				Endpoint:    pulumi.String(endpoint),
				LogMonitors: map[string]string{},
			}),
			[]string{`mixedkube:hostprocess:NodeProblemDetector "problems": logMonitors: Required value: list at ` +
				`least one log: without it, the detector does nothing`},
		},
		{
			"the detector on Windows Server 2019", newNodeProblemDetector(&hostprocess.NodeProblemDetectorArgs{
				Endpoint: pulumi.String(endpoint), Platforms: []platform.Platform{
					platform.WindowsServer2022,
					platform.WindowsServer2019,
				},
			}), []string{`mixedkube:hostprocess:NodeProblemDetector "problems": platforms[1]: Invalid value: ` +
				`"windows-2019": there is no image for it: give the program that its nodes have, or leave it out`},
		},
		{
			"the detector on nothing newer", newNodeProblemDetector(&hostprocess.NodeProblemDetectorArgs{
				Endpoint: pulumi.String(endpoint),
				Topology: topology.Topology{KubernetesVersion: "1.36", Pools: mixed().Pools[:2]},
			}), []string{`mixedkube:hostprocess:NodeProblemDetector "problems": platforms: Required value: the ` +
				`topology has no pool of Windows Server 2022 or newer, and there is no image for older releases: ` +
				`give the program that the nodes have`},
		},
		{
			"the detector", newNodeProblemDetector(&hostprocess.NodeProblemDetectorArgs{
				Endpoint: pulumi.String("api"), Program: `k\npd.exe`, Image: " a", LogMonitors: map[string]string{
					"a.json": `{"plugin": "kmsg", "logPath": "/dev/kmsg"}`, "b.json": "{",
					"c.txt": `{"plugin": "filelog"}`,
				},
			}), []string{
				`mixedkube:hostprocess:NodeProblemDetector "problems":`,
				`endpoint: Invalid value: "api": ` + notEndpoint,
				`image: Invalid value: " a": ` + whitespace,
				`logMonitors[a.json].plugin: Invalid value: "kmsg": does not exist on Windows: use filelog`,
				`logMonitors[b.json]: Invalid value: "{": is not the JSON of a log monitor: unexpected end of JSON ` +
					`input`,
				`logMonitors[c.txt]: Invalid value: "c.txt": must be the name of a file that ends with .json, ` +
					`containerd.json for example`,
				`logMonitors[c.txt].logPath: Required value: the log on the node`,
				`program: Invalid value: "k\\npd.exe": must be the full path of a program on the nodes: write ` +
					`C:\k\node-problem-detector.exe for example`,
				`spec.template.spec.containers[0].image: " a": ` + notReference,
			},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			graph, err := mocktest.Run(tt.program, mocktest.Preview())
			golden.Refused(t, graph.Resources(), err, strings.Join(tt.want, "\n  "))
		})
	}
}

// The port is open for the configured sources, or for private addresses, and an existing rule
// is changed.
func TestContainerdOnTheNodesOfAKS(t *testing.T) {
	t.Parallel()
	// aks returns a topology with Windows pools.
	aks := func(version string, releases ...platform.Platform) topology.Topology {
		pools := []topology.Pool{{Name: "linux", Platform: platform.Linux, Mode: topology.System}}
		for _, p := range releases {
			pools = append(pools, topology.Pool{Name: strings.ReplaceAll(string(p), "windows-20", "win"), Platform: p})
		}
		return topology.Topology{Cloud: topology.AKS, KubernetesVersion: version, Pools: pools}
	}
	const win22, win25 = platform.WindowsServer2022, platform.WindowsServer2025
	const (
		exporter = `mixedkube:hostprocess:WindowsExporter "metrics": `
		detector = `mixedkube:hostprocess:NodeProblemDetector "problems": `
		noImage  = `topology.pools[1].platform: Invalid value: "windows-2025": its nodes have containerd 2.0: it ` +
			`does not run the image, which is for Windows Server 2022: leave it out of platforms, or give the ` +
			`program that its nodes have`
	)
	otherCloud := aks("1.32", win22)
	otherCloud.Cloud = ""
	for _, tt := range []struct {
		name       string
		topology   topology.Topology
		platforms  []platform.Platform
		containerd hostprocess.Containerd
		program    string
		want       [2]string // of the exporter and of the detector
	}{
		{name: "sources that differ", topology: aks("1.32", win22)},
		{name: "2.0", topology: aks("1.36", win22)},
		{name: "another cloud", topology: otherCloud},
		{name: "no version", topology: aks("", win22)},
		{name: "Windows Server 2025", topology: aks("1.36", win25), want: [2]string{"", detector + noImage}},
		{name: "Windows Server 2025, no version", topology: aks("", win25), want: [2]string{"", detector + noImage}},
		{name: "with a program of the nodes", topology: aks("1.36", win25), program: `C:\k\npd.exe`},
		{
			name: "on other platforms", topology: aks("1.36", win25, win22), platforms: []platform.Platform{win22},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			for i, program := range []pulumi.RunFunc{
				newWindowsExporter(&hostprocess.WindowsExporterArgs{
					Topology: tt.topology, Platforms: tt.platforms, Containerd: tt.containerd,
				}),
				newNodeProblemDetector(&hostprocess.NodeProblemDetectorArgs{
					Topology: tt.topology, Platforms: tt.platforms, Program: tt.program,
					Endpoint: pulumi.String(endpoint),
				}),
			} {
				graph, err := mocktest.Run(program, mocktest.Preview())
				if tt.want[i] != "" {
					golden.Refused(t, graph.Resources(), err, tt.want[i])
				} else if err != nil {
					t.Error(err)
				}
			}
		})
	}
}

func TestTheFirewallOfTheExporter(t *testing.T) {
	t.Parallel()
	const rule = "$ErrorActionPreference = 'Stop'; $sources = @(SOURCES); if (Get-NetFirewallRule -Name " +
		"windows-exporter -ErrorAction SilentlyContinue) { Set-NetFirewallRule -Name windows-exporter -RemoteAddress " +
		"$sources } else { New-NetFirewallRule -Name windows-exporter -DisplayName windows-exporter -Direction " +
		"Inbound -Profile Any -Action Allow -Protocol TCP -LocalPort 9182 -RemoteAddress $sources | Out-Null }"
	for _, tt := range []struct {
		sources []string
		want    string
	}{
		{nil, "'10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10', 'fc00::/7', 'LocalSubnet'"},
		{[]string{"10.240.0.0/24", "10.244.0.0/16"}, "'10.240.0.0/24', '10.244.0.0/16'"},
		{[]string{"Any"}, "'Any'"},
	} {
		graph := mocktest.MustRun(t, newWindowsExporter(&hostprocess.WindowsExporterArgs{AllowedSources: tt.sources}))
		pods := podsOf(graph.MustGet(t, daemonSetType, "metrics-daemonset"))
		command := pods["initContainers"].([]any)[0].(map[string]any)["command"].([]any)
		if got, want := command[len(command)-1], strings.Replace(rule, "SOURCES", tt.want, 1); got != want {
			t.Errorf("for %q the command is\n%s\nwant\n%s", tt.sources, got, want)
		}
	}
}

func TestAnotherConfigurationRollsTheExporterOut(t *testing.T) {
	t.Parallel()
	volume := func(collectors ...string) any {
		graph := mocktest.MustRun(t, newWindowsExporter(&hostprocess.WindowsExporterArgs{Collectors: collectors}))
		name := graph.MustGet(t, configMapType, "metrics-config").Plain()["metadata"].(map[string]any)["name"]
		set := graph.MustGet(t, daemonSetType, "metrics-daemonset")
		volumes := podsOf(set)["volumes"].([]any)
		if got := volumes[0].(map[string]any)["configMap"].(map[string]any)["name"]; got != name {
			t.Errorf("the pods have the ConfigMap %v, not %v", got, name)
		}
		if !slices.Contains(set.Dependencies, graph.MustGet(t, configMapType, "metrics-config").URN) {
			t.Error("the DaemonSet does not depend on its ConfigMap")
		}
		return name
	}
	if first, second := volume("cpu"), volume("memory"); first == second {
		t.Errorf("both have the ConfigMap %v", first)
	}
}

func TestTheOptionsReachTheChildrenOfAddOns(t *testing.T) {
	t.Parallel()
	const providerURN = "urn:pulumi:stack::project::pulumi:providers:kubernetes::cluster"
	for _, name := range []string{"windows-exporter-monitored", "csi-proxy", "node-problem-detector"} {
		graph := mocktest.MustRun(t, func(ctx *pulumi.Context) error {
			provider, err := kubernetes.NewProvider(ctx, "cluster", nil)
			if err != nil {
				return err
			}
			return addOns(pulumi.Provider(provider))[name](ctx)
		}, mocktest.Preview())
		for _, r := range graph.Resources() {
			if r.Custom && r.Name != "cluster" && r.Provider != providerURN {
				t.Errorf("%s: %s has the provider %q", name, r.Name, r.Provider)
			}
		}
	}
}

func podsOf(set mocktest.Resource) map[string]any {
	return set.Plain()["spec"].(map[string]any)["template"].(map[string]any)["spec"].(map[string]any)
}
