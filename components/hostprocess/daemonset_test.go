package hostprocess_test

import (
	"maps"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	k8score "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/components/hostprocess"
	"github.com/mixedkube/mixedkube/components/mocktest"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/preflight"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/components/input"
	"github.com/mixedkube/mixedkube/internal/components/refusal"
	"github.com/mixedkube/mixedkube/internal/testkit/golden"
)

func newDaemonSet(args *hostprocess.DaemonSetArgs, opts ...pulumi.ResourceOption) pulumi.RunFunc {
	return func(ctx *pulumi.Context) error {
		_, err := hostprocess.NewDaemonSet(ctx, "agent", args, opts...)
		return err
	}
}

var agentContainers = corev1.ContainerArray{corev1.ContainerArgs{
	Name:  pulumi.String("agent"),
	Image: pulumi.String("m/agent:1"),
}}

func selectors(more map[string]any) map[string]any {
	all := map[string]any{"kubernetes.io/os": "windows", "kubernetes.io/arch": "amd64"}
	maps.Copy(all, more)
	return all
}

// with2025 is mixed, with another taint of the nodes of Windows Server 2025.
func with2025(taint k8score.Taint) topology.Topology {
	cluster := mixed()
	cluster.Pools[3].Taints = []k8score.Taint{taint}
	return cluster
}

// twoPoolsOf2022 returns a cluster with two pools of one platform, and with their taints.
func twoPoolsOf2022(a, b topology.Pool) topology.Topology {
	cluster := mixed()
	first, second := cluster.Pools[2], cluster.Pools[2]
	first.Name, first.Taints, first.Untainted = "a", a.Taints, a.Untainted
	second.Name, second.Taints, second.Untainted = "b", b.Taints, b.Untainted
	cluster.Pools = []topology.Pool{cluster.Pools[0], first, second}
	return cluster
}

func toleration(key, value string) map[string]any {
	return map[string]any{"key": key, "operator": "Equal", "value": value, "effect": "NoSchedule"}
}

func security(user string) map[string]any {
	return map[string]any{"windowsOptions": map[string]any{"hostProcess": true, "runAsUserName": user}}
}

func asUser(name string) corev1.PodSecurityContextArgs {
	return corev1.PodSecurityContextArgs{
		WindowsOptions: corev1.WindowsSecurityContextOptionsArgs{RunAsUserName: pulumi.String(name)},
	}
}

func containerAs(name, user string) corev1.ContainerArgs {
	return corev1.ContainerArgs{
		Name: pulumi.String(name), Image: pulumi.String("m/c:1"),
		SecurityContext: corev1.SecurityContextArgs{
			WindowsOptions: corev1.WindowsSecurityContextOptionsArgs{RunAsUserName: pulumi.String(user)},
		},
	}
}

// ofBuilds returns the affinity for the nodes with these builds.
func ofBuilds(builds ...any) map[string]any {
	required := map[string]any{"nodeSelectorTerms": []any{map[string]any{"matchExpressions": []any{map[string]any{
		"key": "node.kubernetes.io/windows-build", "operator": "In", "values": builds,
	}}}}}
	return map[string]any{"nodeAffinity": map[string]any{"requiredDuringSchedulingIgnoredDuringExecution": required}}
}

func TestTheWholeGraphOfADaemonSet(t *testing.T) {
	t.Parallel()
	program := newDaemonSet(&hostprocess.DaemonSetArgs{
		User:        hostprocess.System,
		Annotations: pulumi.StringMap{preflight.IgnoreAnnotation: pulumi.String("MK510")},
		Pods:        corev1.PodSpecArgs{Containers: agentContainers},
	})
	golden.UpdateAndPreview(t, "testdata/daemonset", mocktest.MustRun(t, program).String(),
		mocktest.MustRun(t, program, mocktest.Preview()).String())
}

func TestThePodsOfADaemonSet(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		args hostprocess.DaemonSetArgs
		want map[string]any
	}{
		{"all Windows nodes", hostprocess.DaemonSetArgs{User: hostprocess.System}, map[string]any{
			"securityContext": security(`NT AUTHORITY\SYSTEM`), "nodeSelector": selectors(nil),
			"tolerations": []any{toleration("os", "windows")},
		}},
		{
			"one platform, as a local group",
			hostprocess.DaemonSetArgs{User: "hpc-users", Platforms: []platform.Platform{platform.WindowsServer2022}},
			map[string]any{
				"securityContext": security("hpc-users"),
				"nodeSelector":    selectors(map[string]any{"node.kubernetes.io/windows-build": "10.0.20348"}),
				"tolerations":     []any{toleration("os", "windows")},
			},
		},
		{
			"two platforms of a topology",
			hostprocess.DaemonSetArgs{
				Topology:  mixed(),
				Platforms: []platform.Platform{platform.WindowsServer2022, platform.WindowsServer2025},
				User:      hostprocess.LocalService,
			},
			map[string]any{
				"securityContext": security(`NT AUTHORITY\Local service`), "nodeSelector": selectors(nil),
				"tolerations": []any{toleration("os", "windows")},
				"affinity":    ofBuilds("10.0.20348", "10.0.26100"),
			},
		},
		{
			"one of two platforms with different taints",
			hostprocess.DaemonSetArgs{User: hostprocess.System, Topology: with2025(k8score.Taint{
				Key: "other", Value: "x",
				Effect: k8score.TaintEffectNoSchedule,
			}), Platforms: []platform.Platform{platform.WindowsServer2025}},
			map[string]any{
				"securityContext": security(`NT AUTHORITY\SYSTEM`),
				"nodeSelector":    selectors(map[string]any{"node.kubernetes.io/windows-build": "10.0.26100"}),
				"tolerations":     []any{toleration("other", "x")},
			},
		},
		{
			"pools of one platform with different taints",
			hostprocess.DaemonSetArgs{User: hostprocess.System, Topology: twoPoolsOf2022(
				topology.Pool{},
				topology.Pool{Taints: []k8score.Taint{
					{Key: "drained", Effect: k8score.TaintEffectPreferNoSchedule},
					topology.WindowsTaint(),
					{Key: "team", Value: "shop", Effect: k8score.TaintEffectNoExecute},
				}},
			)},
			map[string]any{
				"securityContext": security(`NT AUTHORITY\SYSTEM`), "nodeSelector": selectors(nil),
				"tolerations": []any{
					toleration("os", "windows"),
					map[string]any{"key": "team", "operator": "Equal", "value": "shop", "effect": "NoExecute"},
				},
			},
		},
		{
			"a pool that repels next to another pool",
			hostprocess.DaemonSetArgs{User: hostprocess.System, Topology: twoPoolsOf2022(
				topology.Pool{Taints: []k8score.Taint{{
					Key: "team", Value: "shop",
					Effect: k8score.TaintEffectNoSchedule,
				}}},
				topology.Pool{Untainted: true},
			)},
			map[string]any{
				"securityContext": security(`NT AUTHORITY\SYSTEM`), "nodeSelector": selectors(nil),
				"tolerations": []any{toleration("team", "shop")},
			},
		},
		{
			"a user in another spelling, as the pods and a container say it",
			hostprocess.DaemonSetArgs{User: `nt authority\system`, Pods: corev1.PodSpecArgs{
				SecurityContext: asUser(`NT Authority\System`),
				InitContainers: corev1.ContainerArray{
					containerAs("c", "hpc-users"),
					containerAs("d", `nt authority\LOCAL SERVICE`),
				},
			}},
			map[string]any{
				"securityContext": security(`NT AUTHORITY\SYSTEM`), "nodeSelector": selectors(nil),
				"tolerations": []any{toleration("os", "windows")},
				"initContainers": []any{
					map[string]any{
						"name": "c", "image": "m/c:1",
						"securityContext": map[string]any{
							"windowsOptions": map[string]any{"runAsUserName": "hpc-users"},
						},
					},
					map[string]any{
						"name": "d", "image": "m/c:1",
						"securityContext": map[string]any{
							"windowsOptions": map[string]any{"runAsUserName": `NT AUTHORITY\Local service`},
						},
					},
				},
			},
		},
		{
			"a user that is an output, and no other",
			hostprocess.DaemonSetArgs{Pods: corev1.PodSpecArgs{SecurityContext: corev1.PodSecurityContextArgs{
				WindowsOptions: corev1.WindowsSecurityContextOptionsArgs{
					RunAsUserName: pulumi.String("hpc-users").ToStringOutput(),
				},
			}}},
			map[string]any{
				"securityContext": security("hpc-users"), "nodeSelector": selectors(nil),
				"tolerations": []any{toleration("os", "windows")},
			},
		},
		{
			"nil pointers count as left out",
			hostprocess.DaemonSetArgs{
				User:      hostprocess.System,
				Platforms: []platform.Platform{platform.WindowsServer2022, platform.WindowsServer2025},
				Pods: corev1.PodSpecArgs{
					SecurityContext: corev1.PodSecurityContextPtr(nil), Os: corev1.PodOSPtr(nil),
					Affinity:    corev1.AffinityPtr(nil),
					HostNetwork: (*pulumi.Bool)(nil), NodeSelector: (*pulumi.StringMap)(nil),
				},
			},
			map[string]any{
				"securityContext": security(`NT AUTHORITY\SYSTEM`), "nodeSelector": selectors(nil),
				"tolerations": []any{toleration("os", "windows")},
				"affinity":    ofBuilds("10.0.20348", "10.0.26100"),
			},
		},
		{
			"nil pointers inside count as left out",
			hostprocess.DaemonSetArgs{
				Platforms: []platform.Platform{platform.WindowsServer2022, platform.WindowsServer2025},
				User:      "hpc-users",
				Pods: corev1.PodSpecArgs{
					SecurityContext: corev1.PodSecurityContextArgs{
						WindowsOptions: corev1.WindowsSecurityContextOptionsPtr(nil),
					},
					Os:           corev1.PodOSArgs{},
					Affinity:     corev1.AffinityArgs{NodeAffinity: corev1.NodeAffinityPtr(nil)},
					NodeSelector: pulumi.StringMap{"kubernetes.io/os": nil, "disk": (*pulumi.String)(nil)},
				},
			},
			map[string]any{
				"securityContext": security("hpc-users"), "nodeSelector": selectors(nil),
				"tolerations": []any{toleration("os", "windows")},
				"affinity":    ofBuilds("10.0.20348", "10.0.26100"),
			},
		},
		{
			"existing fields are kept",
			hostprocess.DaemonSetArgs{Pods: corev1.PodSpecArgs{
				HostNetwork: pulumi.Bool(true), Os: corev1.PodOSArgs{Name: pulumi.String("windows")},
				SecurityContext: corev1.PodSecurityContextArgs{WindowsOptions: corev1.WindowsSecurityContextOptionsArgs{
					HostProcess: pulumi.Bool(true), RunAsUserName: pulumi.String(`NT AUTHORITY\NetworkService`),
				}},
				NodeSelector: pulumi.StringMap{
					"kubernetes.io/os": pulumi.String("windows"),
					"disk":             pulumi.String("ssd").ToStringOutput(),
				},
				Tolerations: corev1.TolerationArray{corev1.TolerationArgs{
					Key: pulumi.String("a"), Operator: pulumi.String("Equal"), Value: pulumi.String("b"),
					Effect: pulumi.String("NoSchedule"),
				}}.ToTolerationArrayOutput(),
			}},
			map[string]any{
				"securityContext": security(`NT AUTHORITY\NetworkService`),
				"nodeSelector":    selectors(map[string]any{"disk": "ssd"}),
				"tolerations":     []any{toleration("a", "b"), toleration("os", "windows")},
			},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			tt.args.Pods.Containers = agentContainers
			before := input.Tree(tt.args.Pods)
			graph := mocktest.MustRun(t, newDaemonSet(&tt.args))
			tt.want["os"] = map[string]any{"name": "windows"}
			tt.want["hostNetwork"] = true
			tt.want["containers"] = []any{map[string]any{"name": "agent", "image": "m/agent:1"}}
			set := graph.MustGet(t, daemonSetType, "agent-daemonset")
			if diff := cmp.Diff(tt.want, podsOf(set)); diff != "" {
				t.Errorf("the pods (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(before, input.Tree(tt.args.Pods)); diff != "" {
				t.Errorf("the caller's pods (-before +after):\n%s", diff)
			}
			for _, f := range preflight.Check(set.Plain(), preflight.Options{Topology: tt.args.Topology}) {
				t.Errorf("preflight: %s", f)
			}
		})
	}
}

const (
	inPods = "spec.template.spec."
	noUser = `user: Required value: set the Windows account that the containers run as, the least privileged one ` +
		`that works: NT AUTHORITY\Local service, NT AUTHORITY\SYSTEM where they change the node, or the name of a ` +
		`local group`
)

type wrongDaemonSet struct {
	name string
	args *hostprocess.DaemonSetArgs
	want []string
}

func refuseDaemonSets(t *testing.T, tests []wrongDaemonSet) {
	t.Helper()
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			graph, err := mocktest.Run(newDaemonSet(tt.args), mocktest.Preview())
			want := `mixedkube:hostprocess:DaemonSet "agent": ` + tt.want[0]
			if len(tt.want) > 1 {
				want = strings.Join(append([]string{`mixedkube:hostprocess:DaemonSet "agent":`}, tt.want...), "\n  ")
			}
			golden.Refused(t, graph.Resources(), err, want)
		})
	}
}

func TestWrongPodsOfDaemonSets(t *testing.T) {
	t.Parallel()
	var oneLinux topology.Topology
	oneLinux.Pools = []topology.Pool{{
		Name: "sys", Platform: platform.Linux, Mode: topology.System, Count: 1,
		Size: "Standard_D4s_v5",
	}}
	oneLinux.KubernetesVersion = "1.36"
	refuseDaemonSets(t, []wrongDaemonSet{
		{"nothing", nil, []string{inPods + "containers: … (MK170)", noUser}},
		{
			"everything that contradicts host process",
			&hostprocess.DaemonSetArgs{
				Name: "Agent", User: hostprocess.System, Platforms: []platform.Platform{platform.WindowsServer2022},
				Pods: corev1.PodSpecArgs{
					Containers: corev1.ContainerArray{corev1.ContainerArgs{
						Name: pulumi.String("a"),
						SecurityContext: corev1.SecurityContextArgs{
							WindowsOptions: corev1.WindowsSecurityContextOptionsArgs{HostProcess: pulumi.Bool(false)},
						},
					}},
					HostNetwork: pulumi.Bool(false), Os: corev1.PodOSArgs{Name: pulumi.String("linux")},
					NodeSelector: pulumi.StringMap{
						"kubernetes.io/os":                 pulumi.String("linux"),
						"node.kubernetes.io/windows-build": pulumi.String("10.0.17763").ToStringOutput(),
					},
					SecurityContext: corev1.PodSecurityContextArgs{
						WindowsOptions: corev1.WindowsSecurityContextOptionsArgs{
							HostProcess: pulumi.Bool(false), RunAsUserName: pulumi.String("hpc-users"),
						},
					},
				},
			},
			[]string{
				`name: Invalid value: "Agent": ` + label + `: use such a name`,
				inPods + "containers[0].securityContext.windowsOptions.hostProcess: … (MK160)",
				inPods + "hostNetwork: … (MK162)",
				inPods + "nodeSelector[kubernetes.io/os]: … (MK207)",
				inPods + `nodeSelector[node.kubernetes.io/windows-build]: Invalid value: "an output": is always ` +
					`10.0.20348 for host-process containers: remove it`,
				inPods + "os.name: … (MK207)",
				inPods + "securityContext.windowsOptions.hostProcess: Invalid value: false: is always true for " +
					"host-process containers: remove it",
				inPods + `securityContext.windowsOptions.runAsUserName: Invalid value: "hpc-users": is always ` +
					`NT AUTHORITY\SYSTEM for host-process containers: remove it`,
			},
		},
		{
			"another architecture and another release",
			&hostprocess.DaemonSetArgs{
				User: hostprocess.System, Platforms: []platform.Platform{platform.WindowsServer2022},
				Pods: corev1.PodSpecArgs{Containers: agentContainers, NodeSelector: pulumi.StringMap{
					"kubernetes.io/arch":               pulumi.String("arm64"),
					"node.kubernetes.io/windows-build": pulumi.String("10.0.17763"),
				}},
			},
			[]string{
				inPods + "nodeSelector[kubernetes.io/arch]: … (MK316)",
				inPods + "nodeSelector[node.kubernetes.io/windows-build]: … (MK208)",
			},
		},
		{
			"a build that no release has, for an unknown cluster",
			&hostprocess.DaemonSetArgs{
				User: hostprocess.System, Platforms: []platform.Platform{platform.WindowsServer2022},
				Pods: corev1.PodSpecArgs{Containers: agentContainers, NodeSelector: pulumi.StringMap{
					"node.kubernetes.io/windows-build": pulumi.String("10.0.1"),
				}},
			},
			[]string{inPods + `nodeSelector[node.kubernetes.io/windows-build]: Invalid value: "10.0.1": is ` +
				`always 10.0.20348 for host-process containers: remove it`},
		},
		{
			"Linux nodes, and no platforms",
			&hostprocess.DaemonSetArgs{
				User: hostprocess.System,
				Pods: corev1.PodSpecArgs{Containers: agentContainers, NodeSelector: pulumi.StringMap{
					"kubernetes.io/os": pulumi.String("linux"),
				}},
			},
			[]string{inPods + "nodeSelector[kubernetes.io/os]: … (MK207)"},
		},
		{
			"outputs in the wrong places",
			&hostprocess.DaemonSetArgs{
				User:      hostprocess.System,
				Platforms: []platform.Platform{platform.WindowsServer2022, platform.WindowsServer2025},
				Pods: corev1.PodSpecArgs{
					Containers: agentContainers, HostNetwork: pulumi.Bool(true).ToBoolOutput(),
					Os:              corev1.PodOSArgs{}.ToPodOSOutput(),
					NodeSelector:    pulumi.StringMap{}.ToStringMapOutput(),
					SecurityContext: corev1.PodSecurityContextArgs{}.ToPodSecurityContextOutput(),
					Affinity:        corev1.AffinityArgs{}.ToAffinityOutput(),
				},
			},
			[]string{
				inPods + `affinity.nodeAffinity: Forbidden: the component sets it to select the nodes of several ` +
					`platforms: use a nodeSelector for more, or leave platforms out`,
				inPods + `hostNetwork: Invalid value: "an output": is always true for host-process containers: ` +
					`remove it`,
				inPods + `nodeSelector: Invalid value: "an output": write it as pulumi.StringMap, with outputs in ` +
					`its fields, so that it can be completed for host process`,
				inPods + `os: Invalid value: "an output": is always windows for host-process containers: remove it`,
				inPods + `securityContext: Invalid value: "an output": write it as corev1.PodSecurityContextArgs, ` +
					`with outputs in its fields, so that it can be completed for host process`,
			},
		},
		{
			"platforms",
			&hostprocess.DaemonSetArgs{
				User:     hostprocess.System,
				Topology: oneLinux, Platforms: []platform.Platform{
					platform.WindowsServer2022,
					platform.WindowsServer2022, "windows", platform.WindowsServer2016,
				},
				Pods: corev1.PodSpecArgs{Containers: agentContainers},
			},
			[]string{
				`platforms[0]: Invalid value: "windows-2022": no pool of the topology runs it, only linux: add a ` +
					`pool, or use one of these`,
				`platforms[1]: Duplicate value: "windows-2022"`,
				`platforms[2]: Invalid value: "windows": unknown platform: a pool runs linux, windows-2019, ` +
					`windows-2022 or windows-2025`,
				`platforms[3]: Invalid value: "windows-2016": Windows Server 2016 is no longer supported as a node: ` +
					`a pool runs linux, windows-2019, windows-2022 or windows-2025`,
			},
		},
		{
			"what preflight knows",
			&hostprocess.DaemonSetArgs{
				User: "a@b",
				Pods: corev1.PodSpecArgs{Containers: agentContainers, HostPID: pulumi.Bool(true)},
			},
			[]string{inPods + "hostPID: … (MK111)", inPods + "securityContext.windowsOptions.runAsUserName: … (MK151)"},
		},
		{
			"an empty list of containers",
			&hostprocess.DaemonSetArgs{
				User: hostprocess.System,
				Pods: corev1.PodSpecArgs{Containers: corev1.ContainerArray{}},
			},
			[]string{inPods + "containers: … (MK170)"},
		},
		{
			"a nil list of containers",
			&hostprocess.DaemonSetArgs{
				User: hostprocess.System,
				Pods: corev1.PodSpecArgs{Containers: corev1.ContainerArray(nil)},
			},
			[]string{inPods + "containers: … (MK170)"},
		},
	})
}

func TestWrongUsersOfDaemonSets(t *testing.T) {
	t.Parallel()
	const (
		inGo       = " (hostprocess.System, hostprocess.LocalService or hostprocess.NetworkService in Go)"
		useAccount = `use NT AUTHORITY\SYSTEM, NT AUTHORITY\Local service or NT AUTHORITY\NetworkService, or the ` +
			`name of a local group`
	)
	refuseDaemonSets(t, []wrongDaemonSet{
		{
			"no user",
			&hostprocess.DaemonSetArgs{Pods: corev1.PodSpecArgs{Containers: agentContainers}},
			[]string{noUser},
		},
		{
			"a user of one container only",
			&hostprocess.DaemonSetArgs{Pods: corev1.PodSpecArgs{
				Containers: corev1.ContainerArray{containerAs("c", "hpc-users"), agentContainers[0]},
			}},
			[]string{noUser},
		},
		{
			"a user of containers",
			&hostprocess.DaemonSetArgs{
				User: "ContainerAdministrator",
				Pods: corev1.PodSpecArgs{Containers: agentContainers},
			},
			[]string{`user: Invalid value: "ContainerAdministrator": is a user of containers, and not of the node: ` +
				useAccount + inGo},
		},
		{
			"a user of a domain",
			&hostprocess.DaemonSetArgs{User: `SHOP\svc`, Pods: corev1.PodSpecArgs{Containers: agentContainers}},
			[]string{`user: Invalid value: "SHOP\\svc": is an account that needs a password to log on: ` + useAccount +
				inGo},
		},
		{
			"an account of services without its domain",
			&hostprocess.DaemonSetArgs{User: "LocalSystem", Pods: corev1.PodSpecArgs{Containers: agentContainers}},
			[]string{`user: Invalid value: "LocalSystem": is not the name of the account on the node: write ` +
				`NT AUTHORITY\SYSTEM` + inGo},
		},
		{
			"users of the pods and of their containers",
			&hostprocess.DaemonSetArgs{Pods: corev1.PodSpecArgs{
				SecurityContext: asUser("containeruser"),
				Containers:      corev1.ContainerArray{containerAs("c", "hpc-users"), containerAs("d", `SHOP\svc`)},
				InitContainers:  corev1.ContainerArray{containerAs("e", `NT AUTHORITY\IUSR`)},
			}},
			[]string{
				inPods + "containers[1].securityContext.windowsOptions.runAsUserName: … (MK532)",
				inPods + "initContainers[0].securityContext.windowsOptions.runAsUserName: … (MK532)",
				inPods + "securityContext.windowsOptions.runAsUserName: … (MK532)",
			},
		},
		{
			"a user, and another one that is an output",
			&hostprocess.DaemonSetArgs{User: "hpc-users", Pods: corev1.PodSpecArgs{
				Containers: agentContainers, SecurityContext: corev1.PodSecurityContextArgs{
					WindowsOptions: corev1.WindowsSecurityContextOptionsArgs{
						RunAsUserName: pulumi.String("hpc-users").ToStringOutput(),
					},
				},
			}},
			[]string{inPods + `securityContext.windowsOptions.runAsUserName: Invalid value: "an output": is ` +
				`always hpc-users for host-process containers: remove it`},
		},
	})
}

// enforcing is a guard that checks the resources of a program.
type enforcing struct{}

func (enforcing) Enforces() bool { return true }

func (enforcing) Logged([]preflight.Finding) {}

func (enforcing) Refuse(pulumi.Resource, error) {}

// Package guard says what preflight finds, for all resources of the program at once.
func TestGuardReportsTheFindingsOfPreflight(t *testing.T) {
	t.Parallel()
	graph := mocktest.MustRun(t, func(ctx *pulumi.Context) error {
		pods := corev1.PodSpecArgs{Containers: agentContainers, HostPID: pulumi.Bool(true)}
		enforced := refusal.WithGuard(ctx, enforcing{})
		return newDaemonSet(&hostprocess.DaemonSetArgs{User: hostprocess.System, Pods: pods})(enforced)
	})
	graph.MustGet(t, daemonSetType, "agent-daemonset")
}

func TestPathsByTheReleaseOfContainerd(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		containerd     hostprocess.Containerd
		mounted, inPod string
	}{
		{"", "/mounts/a/b.yml", `C:\mounts\a\b.yml`},
		{hostprocess.Containerd17, `D:\data`, `D:\data`},
		{hostprocess.Containerd17, `data`, `C:\data`},
		{hostprocess.Containerd16, "/mounts/a/b.yml", `$env:CONTAINER_SANDBOX_MOUNT_POINT\mounts\a\b.yml`},
		{hostprocess.Containerd16, `C:\data`, `$env:CONTAINER_SANDBOX_MOUNT_POINT\data`},
	} {
		if got := tt.containerd.Path(tt.mounted); got != tt.inPod {
			t.Errorf("%q %s: %s, want %s", tt.containerd, tt.mounted, got, tt.inPod)
		}
	}
}
