package bootstrap

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/machines/bootstrap/network"
)

func patchOf(tb testing.TB, m machine) kubeletConfiguration {
	tb.Helper()
	var config kubeletConfiguration
	decode(tb, kubeletPatch(m), map[string]any{kubeletKind: &config})
	return config
}

func TestPatchOfWindows(t *testing.T) {
	t.Parallel()
	for _, version := range testVersions {
		for _, node := range []string{"win2019-1", "win2022-1", "win2025-1"} {
			m := testMachine(t, testCluster(network.FlannelVXLAN, version), node)
			config := patchOf(t, m)
			if q := config.CgroupsPerQOS; q == nil || *q {
				t.Errorf("%s %s: cgroupsPerQOS is %v", version, node, q)
			}
			if text := kubeletPatch(m); !strings.Contains(text, "enforceNodeAllocatable: []\n") ||
				!strings.Contains(text, `resolvConf: ""`) {
				t.Errorf("%s %s: what must be empty is absent:\n%s", version, node, text)
			}
			// 64 GiB, and a twentieth of it.
			if diff := cmp.Diff(map[string]string{"cpu": "250m", "memory": "3276Mi"},
				config.SystemReserved); diff != "" {
				t.Errorf("%s %s: %s", version, node, diff)
			}
			want := map[string]string{
				"memory.available": "500Mi", "nodefs.available": "10%",
				"imagefs.available": "15%",
			}
			if diff := cmp.Diff(want, config.EvictionHard); diff != "" {
				t.Errorf("%s %s: %s", version, node, diff)
			}
			for _, field := range []string{"singleProcessOOMKill", "userNamespaces", "cgroupDriver"} {
				if strings.Contains(kubeletPatch(m), field) {
					t.Errorf("%s %s: has %s, which is for Linux", version, node, field)
				}
			}
		}
	}
}

func TestKubeletsAreProtected(t *testing.T) {
	t.Parallel()
	type protection struct {
		Seccomp, Kernel, Serving bool
		TLS                      string
	}
	own := KubeletOptions{
		ServerTLSBootstrap: true, TLSMinVersion: "VersionTLS13", DisableSeccompDefault: true,
		ProtectKernelDefaults: true,
	}
	for name, tt := range map[string]struct {
		node    string
		options KubeletOptions
		want    protection
	}{
		"Linux":                {"linux-1", KubeletOptions{}, protection{Seccomp: true}},
		"the control plane":    {"cp-2", KubeletOptions{}, protection{Seccomp: true}},
		"Windows has no such":  {"win2022-1", KubeletOptions{}, protection{}},
		"Linux, as it is told": {"linux-1", own, protection{Kernel: true, Serving: true, TLS: "VersionTLS13"}},
		"Windows, as it is told": {
			"win2022-1", KubeletOptions{ServerTLSBootstrap: true}, protection{Serving: true},
		},
	} {
		c := testCluster(network.FlannelVXLAN, "1.36")
		c.Kubelet = map[string]KubeletOptions{testMachine(t, c, tt.node).pool.Name: tt.options}
		got := patchOf(t, testMachine(t, c, tt.node))
		if diff := cmp.Diff(tt.want, protection{
			got.SeccompDefault, got.ProtectKernelDefaults, got.ServerTLSBootstrap, got.TLSMinVersion,
		}); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// A kubelet that protects the kernel's settings does not start where one of these differs
// (setupKernelTunables in pkg/kubelet/cm/container_manager_linux.go).
func TestKernelSettingsMatchTheKubelet(t *testing.T) {
	t.Parallel()
	got := map[string]string{}
	for line := range strings.Lines(linuxText("sysctl.conf")) {
		if name, value, ok := strings.Cut(strings.TrimSpace(line), " = "); ok && !strings.HasPrefix(name, "#") {
			got[name] = value
		}
	}
	for name, want := range map[string]string{
		"vm.overcommit_memory": "1", "vm.panic_on_oom": "0", "kernel.panic": "10", "kernel.panic_on_oops": "1",
		"kernel.keys.root_maxkeys": "1000000", "kernel.keys.root_maxbytes": "25000000",
	} {
		if got[name] != want {
			t.Errorf("%s is %q, want %q", name, got[name], want)
		}
	}
}

func TestMemoryForWindows(t *testing.T) {
	t.Parallel()
	for size, want := range map[string]string{
		"": "2Gi", "own-machine": "2Gi", "Standard_D2s_v5": "2Gi", "Standard_D8s_v5": "2Gi",
		"Standard_D16s_v5": "3276Mi", "Standard_E20s_v5": "8Gi",
	} {
		got := KubeletOptions{}.systemReserved(topology.Pool{
			Platform: platform.WindowsServer2022,
			Size:     size,
		})["memory"]
		if got != want {
			t.Errorf("of %q Windows gets %s, want %s", size, got, want)
		}
	}
}

// What is given replaces a default, and leaves the others.
func TestOwnKubeletOptions(t *testing.T) {
	t.Parallel()
	c := testCluster(network.FlannelVXLAN, "1.36")
	c.Kubelet = map[string]KubeletOptions{"linux": {
		SystemReserved:          map[string]string{"memory": "1Gi", "pid": "100"},
		KubeReserved:            map[string]string{"cpu": "0"},
		EvictionHard:            map[string]string{"memory.available": "5%", "pid.available": "10%"},
		EvictionSoft:            map[string]string{"memory.available": "1Gi"},
		EvictionSoftGracePeriod: map[string]string{"memory.available": "1m30s"},
	}}
	config := patchOf(t, testMachine(t, c, "linux-1"))
	for _, tt := range []struct{ want, got map[string]string }{
		{map[string]string{"cpu": "100m", "memory": "1Gi", "pid": "100"}, config.SystemReserved},
		{map[string]string{"cpu": "0", "memory": "256Mi"}, config.KubeReserved},
		{map[string]string{
			"memory.available": "5%", "pid.available": "10%", "nodefs.available": "10%", "nodefs.inodesFree": "5%",
			"imagefs.available": "15%", "imagefs.inodesFree": "5%",
		}, config.EvictionHard},
		{map[string]string{"memory.available": "1Gi"}, config.EvictionSoft},
		{map[string]string{"memory.available": "1m30s"}, config.EvictionSoftGracePeriod},
	} {
		if diff := cmp.Diff(tt.want, tt.got); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
}

func TestMaxPods(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		kind       network.Kind
		node       string
		mask, pods int
		want       int
	}{
		{network.FlannelVXLAN, "linux-1", 24, 0, 0},
		{network.FlannelVXLAN, "linux-1", 24, 200, 200},
		{network.FlannelVXLAN, "linux-1", 24, 300, 253},
		{network.FlannelVXLAN, "linux-1", 26, 0, 61},
		{network.FlannelVXLAN, "win2022-1", 26, 0, 60},
		{network.HostGateway, "linux-1", 26, 0, 61},
		{network.HostGateway, "win2022-1", 26, 0, 60},
		{network.CalicoVXLAN, "linux-1", 26, 0, 0},
		{network.CalicoVXLAN, "linux-1", 26, 250, 250},
		{network.CalicoVXLAN, "win2022-1", 26, 0, 60},
	} {
		c := testCluster(tt.kind, "1.36")
		c.Network.NodeMaskSize = tt.mask
		for i := range c.Topology.Pools {
			c.Topology.Pools[i].MaxPods = tt.pods
		}
		if got := patchOf(t, testMachine(t, c, tt.node)).MaxPods; got != tt.want {
			t.Errorf("%s, %s, a range of /%d and %d pods wanted: %d, want %d", tt.kind, tt.node, tt.mask, tt.pods, got,
				tt.want)
		}
	}
}

func TestWrongKubeletOptions(t *testing.T) {
	t.Parallel()
	one := func(key, value string) map[string]string { return map[string]string{key: value} }
	windows := topology.Pool{Platform: platform.WindowsServer2022, KubernetesVersion: "1.36", Size: "Standard_D2s_v5"}
	linux := topology.Pool{Platform: platform.Linux, KubernetesVersion: "1.36", Size: "Standard_D2s_v5"}
	for _, tt := range []struct {
		pool    topology.Pool
		options KubeletOptions
		want    []string
	}{
		{windows, KubeletOptions{}, nil},
		{linux, KubeletOptions{}, nil},
		{
			windows, KubeletOptions{
				SystemReserved: one("memory", "2048Mi"),
				EvictionHard:   one("memory.available", "0%"), PriorityClass: "NORMAL_PRIORITY_CLASS",
			}, nil,
		},
		{windows, KubeletOptions{SystemReserved: one("memory", "1Gi")}, []string{
			`k.systemReserved[memory]: Invalid value: "1Gi": Windows needs 2Gi for itself, and kills nothing when ` +
				`memory runs out: reserve at least 2Gi`,
		}},
		{linux, KubeletOptions{SystemReserved: one("memory", "1Gi")}, nil},
		{windows, KubeletOptions{KubeReserved: map[string]string{"memroy": "1Gi", "pid": "10"}}, []string{
			`k.kubeReserved: Invalid value: "memroy": unknown resource: did you mean "memory"? (use cpu, ` +
				`memory or ephemeral-storage)`,
			`k.kubeReserved: Invalid value: "pid": unknown resource (use cpu, memory or ephemeral-storage)`,
		}},
		{linux, KubeletOptions{SystemReserved: map[string]string{"cpu": "much", "memory": "-1Gi"}}, []string{
			`k.systemReserved[cpu]: Invalid value: "much": must be a quantity that is not negative, 500m or 2Gi for ` +
				`example`,
			`k.systemReserved[memory]: Invalid value: "-1Gi": must be a quantity that is not negative, 500m or 2Gi ` +
				`for example`,
		}},
		{
			windows,
			KubeletOptions{EvictionHard: map[string]string{"memory.availble": "1Gi", "nodefs.inodesFree": "5%"}},
			[]string{
				`k.evictionHard: Invalid value: "memory.availble": unknown signal on windows: did you mean ` +
					`"memory.available"? (use memory.available, nodefs.available or imagefs.available)`,
				`k.evictionHard: Invalid value: "nodefs.inodesFree": unknown signal on windows (use ` +
					`memory.available, nodefs.available or imagefs.available)`,
			},
		},
		{linux, KubeletOptions{EvictionHard: map[string]string{
			"memory.available": "100%", "nodefs.available": "0",
			"imagefs.available": "-1%",
		}}, []string{
			`k.evictionHard[imagefs.available]: Invalid value: "-1%": must be a share from 0% (never) to less than ` +
				`100%, or a quantity above 0: 10% or 500Mi for example`,
			`k.evictionHard[memory.available]: Invalid value: "100%": must be a share from 0% (never) to less than ` +
				`100%, or a quantity above 0: 10% or 500Mi for example`,
			`k.evictionHard[nodefs.available]: Invalid value: "0": must be a share from 0% (never) to less than ` +
				`100%, or a quantity above 0: 10% or 500Mi for example`,
		}},
		{
			windows, KubeletOptions{
				EvictionSoft:            one("memory.available", "1Gi"),
				EvictionSoftGracePeriod: one("memory.available", "0s"),
			}, nil,
		},
		{
			windows,
			KubeletOptions{
				EvictionSoft: map[string]string{
					"memory.available": "1Gi", "nodefs.available": "much",
					"pid.available": "5%",
				},
				EvictionSoftGracePeriod: map[string]string{
					"nodefs.available": "-1s", "imagefs.available": "1m",
					"pid.available": "soon",
				},
			},
			[]string{
				`k.evictionSoft[nodefs.available]: Invalid value: "much": must be a share from 0% (never) to less ` +
					`than 100%, or a quantity above 0: 10% or 500Mi for example`,
				`k.evictionSoft: Invalid value: "pid.available": unknown signal on windows (use ` +
					`memory.available, nodefs.available or imagefs.available)`,
				`k.evictionSoftGracePeriod[memory.available]: Required value: set how long the signal must last, ` +
					`1m30s for example`,
				`k.evictionSoftGracePeriod: Invalid value: "imagefs.available": evictionSoft does not have this ` +
					`signal: add it there, or remove it here`,
				`k.evictionSoftGracePeriod[nodefs.available]: Invalid value: "-1s": must be a duration that is not ` +
					`negative, 1m30s for example`,
				`k.evictionSoftGracePeriod[pid.available]: Invalid value: "soon": must be a duration that is not ` +
					`negative, 1m30s for example`,
			},
		},
		{windows, KubeletOptions{PriorityClass: "ABOVE_NORMAL"}, []string{
			`k.priorityClass: Invalid value: "ABOVE_NORMAL": unknown priority class (use IDLE_PRIORITY_CLASS, ` +
				`BELOW_NORMAL_PRIORITY_CLASS, NORMAL_PRIORITY_CLASS, ABOVE_NORMAL_PRIORITY_CLASS, ` +
				`HIGH_PRIORITY_CLASS or REALTIME_PRIORITY_CLASS)`,
		}},
		{linux, KubeletOptions{
			ServerTLSBootstrap: true, TLSMinVersion: "VersionTLS13", DisableSeccompDefault: true,
			ProtectKernelDefaults: true,
		}, nil},
		{windows, KubeletOptions{ServerTLSBootstrap: true, TLSMinVersion: "VersionTLS12"}, nil},
		{linux, KubeletOptions{TLSMinVersion: "VersionTLS11"}, []string{
			`k.tlsMinVersion: Invalid value: "VersionTLS11": unknown version of TLS: did you mean "VersionTLS12"? ` +
				`(use VersionTLS12 or VersionTLS13)`,
		}},
		{windows, KubeletOptions{DisableSeccompDefault: true, ProtectKernelDefaults: true}, []string{
			`k.disableSeccompDefault: Forbidden: has no equivalent on Windows: remove it`,
			`k.protectKernelDefaults: Forbidden: has no equivalent on Windows: remove it`,
		}},
		{linux, KubeletOptions{PriorityClass: "HIGH_PRIORITY_CLASS"}, []string{
			`k.priorityClass: Forbidden: only processes on Windows have one: remove it`,
		}},
		{windows, KubeletOptions{SystemReserved: map[string]string{"memory": "7500Mi", "cpu": "2"}}, []string{
			`k: Invalid value: "2100m": leaves no cpu for pods: with the defaults, this is reserved of the 2 of a ` +
				`Standard_D2s_v5: reserve less, or use a larger size`,
			`k: Invalid value: "8512Mi": leaves no memory for pods: with the defaults, this is reserved of the 8Gi ` +
				`of a Standard_D2s_v5: reserve less, or use a larger size`,
		}},
	} {
		var got []string
		for _, err := range tt.options.validate(field.NewPath("k"), tt.pool) {
			got = append(got, err.Error())
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%+v (-want +got):\n%s", tt.options, diff)
		}
	}
}

// No pool may have a kubelet so old that it does not evict on Windows for want of memory.
func TestNoKubeletIsTooOldToEvict(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ version, want string }{
		{"1.31", ""},
		{"1.30", "cluster.topology.pools[2].kubernetesVersion"},
	} {
		c := testCluster(network.UpstreamL3, oldestKubeadm.String())
		c.Topology.Pools[2].KubernetesVersion = tt.version
		c.Releases.Kubernetes[2].Version = tt.version + ".9"
		_, err := c.Plan()
		if got, _, _ := strings.Cut(message(err), ": "); got != tt.want {
			t.Errorf("%s: %v", tt.version, err)
		}
	}
}
