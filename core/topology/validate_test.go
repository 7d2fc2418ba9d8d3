package topology_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
)

// Texts of Kubernetes, which the errors quote.
var (
	dnsLabel   = validation.IsDNS1123Label("_")[0]
	keyName    = validation.IsQualifiedName("_")[0]
	labelValue = validation.IsValidLabelValue("_")[0]
)

const runs = "a pool runs linux, windows-2019, windows-2022 or windows-2025"

func TestValidate(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		in   topology.Topology
		want []string
	}{
		{"a good topology", mixed(nil), nil},
		{
			"a good topology with everything given",
			mixed(func(t *topology.Topology) {
				t.KubernetesVersion = "v1.36.3"
				t.Pools[0].KubernetesVersion = "1.35.2"
				t.Pools[1] = topology.Pool{
					Name: strings.Repeat("a", 63), Platform: platform.WindowsServer2019, Mode: topology.User,
					Count:       topology.MaxCount,
					Autoscaling: topology.Autoscaling{Min: 1, Max: topology.MaxCount},
					Size:        "anything", OSDiskSizeGB: 128, OSDiskType: topology.EphemeralDisk,
					Zones: []string{"1", "2"},
					Spot:  true, SpotMaxPrice: 0.25, FIPS: true, DisableOutboundNAT: true, MaxPods: 30,
					Upgrade: topology.Upgrade{
						MaxSurge: "33%", MaxUnavailable: "1", DrainTimeoutMinutes: 30,
						NodeSoakMinutes: 5,
					},
					KubernetesVersion: "1.33",
					Labels:            map[string]string{"shop.example/team": "a_b.C", "plain": ""},
					Taints: []corev1.Taint{
						{Key: "os", Value: "windows", Effect: "NoSchedule"},
						{Key: "os", Value: "windows", Effect: "NoExecute"},
					},
				}
			}),
			nil,
		},
		{"no pools", topology.Topology{}, []string{"topology.pools: Required value: at least one Linux pool: cluster " +
			"add-ons such as CoreDNS run on Linux only"}},
		{
			"no Linux pool",
			mixed(func(t *topology.Topology) { t.Pools = t.Pools[1:] }),
			[]string{"topology.pools: Required value: at least one Linux pool: cluster add-ons such as CoreDNS run " +
				"on Linux only"},
		},
		{
			"a misspelled platform may be the Linux pool, and is reported alone",
			mixed(func(t *topology.Topology) { t.Pools[0].Platform = "linx" }),
			[]string{`topology.pools[0].platform: Invalid value: "linx": unknown platform: did you mean "linux"? ` +
				runs},
		},
		{
			"duplicate names",
			mixed(func(t *topology.Topology) {
				t.Pools = append(t.Pools, t.Pools[1], t.Pools[0], t.Pools[1])
			}),
			[]string{
				`topology.pools[2].name: Duplicate value: "win22": topology.pools[1] has this name already: give ` +
					`each pool a name of its own`,
				`topology.pools[3].name: Duplicate value: "linux": topology.pools[0] has this name already: give ` +
					`each pool a name of its own`,
				`topology.pools[4].name: Duplicate value: "win22": topology.pools[1] has this name already: give ` +
					`each pool a name of its own`,
			},
		},
		{
			"names that are missing are not duplicates",
			mixed(func(t *topology.Topology) { t.Pools[0].Name, t.Pools[1].Name = "", "" }),
			[]string{
				"topology.pools[0].name: Required value: name the pool, for example win22",
				"topology.pools[1].name: Required value: name the pool, for example win22",
			},
		},
		{
			"a malformed name",
			windows(func(p *topology.Pool) { p.Name = "Win_22" }),
			[]string{`topology.pools[1].name: Invalid value: "Win_22": ` + dnsLabel},
		},
		{
			"a name that is too long",
			windows(func(p *topology.Pool) { p.Name = strings.Repeat("a", 64) }),
			[]string{`topology.pools[1].name: Invalid value: "` + strings.Repeat("a", 64) +
				`": must be no more than 63 characters`},
		},
		{
			"a name with a dot",
			windows(func(p *topology.Pool) { p.Name = "win.22" }),
			[]string{`topology.pools[1].name: Invalid value: "win.22": must not contain dots`},
		},
		{
			"a Windows pool for the system's pods",
			windows(func(p *topology.Pool) { p.Mode = topology.System }),
			[]string{`topology.pools[1].mode: Invalid value: "System": a Windows pool cannot host the cluster's ` +
				`system pods: use User, and a Linux pool for System`},
		},
		{
			"a mode in the wrong case",
			windows(func(p *topology.Pool) { p.Mode = "user" }),
			[]string{`topology.pools[1].mode: Invalid value: "user": did you mean "User"? ` +
				`valid modes are User, System`},
		},
		{
			"a mode that is near nothing",
			windows(func(p *topology.Pool) { p.Mode = "spot" }),
			[]string{`topology.pools[1].mode: Invalid value: "spot": valid modes are User, System`},
		},
		{
			"as many nodes as possible are fine, one more is not",
			mixed(func(t *topology.Topology) { t.Pools[0].Count, t.Pools[1].Count = 5000, 5001 }),
			[]string{"topology.pools[1].count: Invalid value: 5001: more nodes than Kubernetes supports in a " +
				"cluster: use at most 5000"},
		},
		{
			"no nodes are fine, fewer are not",
			mixed(func(t *topology.Topology) { t.Pools[0].Empty, t.Pools[1].Count = true, -2 }),
			[]string{"topology.pools[1].count: Invalid value: -2: must not be negative: set empty for a pool that " +
				"has no nodes for now"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			wantErrors(t, tt.in.Validate(field.NewPath("topology")), tt.want...)
			// Defaults that are already set make no difference.
			wantErrors(t, tt.in.WithDefaults().Validate(field.NewPath("topology")), tt.want...)
		})
	}
}

func TestValidatePlatform(t *testing.T) {
	t.Parallel()
	const (
		path    = "pools[1].platform: "
		retired = " is no longer supported as a node: " + runs
		parsed  = "use platform.Parse for this spelling, or write "
	)
	tests := []struct {
		name     string
		platform platform.Platform
		want     string // without the path; "" if the value is valid
	}{
		{"Linux is good", platform.Linux, ""},
		{"Windows Server 2019 is good", platform.WindowsServer2019, ""},
		{"Windows Server 2022 is good", platform.WindowsServer2022, ""},
		{"Windows Server 2025 is good", platform.WindowsServer2025, ""},
		{"none is missing", "", "Required value: " + runs},
		{
			"Windows Server 2016 has no nodes", "windows-2016",
			`Invalid value: "windows-2016": Windows Server 2016` + retired,
		},
		{
			"version 1709 has no nodes", "windows-1709",
			`Invalid value: "windows-1709": Windows Server, version 1709` + retired,
		},
		{
			"version 1803 has no nodes", "windows-1803",
			`Invalid value: "windows-1803": Windows Server, version 1803` + retired,
		},
		{
			"version 1903 has no nodes", "windows-1903",
			`Invalid value: "windows-1903": Windows Server, version 1903` + retired,
		},
		{
			"version 1909 has no nodes", "windows-1909",
			`Invalid value: "windows-1909": Windows Server, version 1909` + retired,
		},
		{
			"version 2004 has no nodes", "windows-2004",
			`Invalid value: "windows-2004": Windows Server, version 2004` + retired,
		},
		{
			"version 20H2 has no nodes", "windows-20h2",
			`Invalid value: "windows-20h2": Windows Server, version 20H2` + retired,
		},
		{
			"version 23H2 has no nodes", "windows-23h2",
			`Invalid value: "windows-23h2": Windows Server, version 23H2` + retired,
		},
		{
			"another spelling of one that has none is that release too", "ltsc2016",
			`Invalid value: "ltsc2016": Windows Server 2016` + retired,
		},
		{
			"what is near a platform may be that", "windows-2021",
			`Invalid value: "windows-2021": unknown platform: did you mean "windows-2022"? ` + runs,
		},
		{
			"a platform that would be refused as well is not suggested", "windows-2017",
			`Invalid value: "windows-2017": unknown platform: ` + runs,
		},
		{
			"a spelling that platform.Parse understands is still not the constant", "ltsc2022",
			`Invalid value: "ltsc2022": ` + parsed + `"windows-2022"`,
		},
		{"nor is one that differs in case", "Linux", `Invalid value: "Linux": ` + parsed + `"linux"`},
		{"Windows alone is not a release", "windows", `Invalid value: "windows": unknown platform: ` + runs},
		{"what is near nothing has no suggestion", "freebsd", `Invalid value: "freebsd": unknown platform: ` + runs},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var want []string
			if tt.want != "" {
				want = []string{path + tt.want}
			}
			wantErrors(t, topology.ValidatePlatform(tt.platform, field.NewPath("pools").Index(1).Child("platform")),
				want...)
			wantErrors(t, windows(func(p *topology.Pool) { p.Platform = tt.platform }).Validate(nil), want...)
		})
	}
}

func TestValidateSize(t *testing.T) {
	t.Parallel()
	const arm = ": an Arm64 size (the letter p), and Windows Server nodes are amd64 only: use a size without p, for " +
		"example Standard_D4s_v5"
	tests := []struct {
		name     string
		platform platform.Platform
		size     string
		want     []string
	}{
		{"an amd64 size is fine for Windows", platform.WindowsServer2022, "Standard_D4s_v5", nil},
		{"so is a size that is not known", platform.WindowsServer2022, "", nil},
		{"and one of another cloud", platform.WindowsServer2022, "p5.48xlarge", nil},
		{"an Arm64 size is fine for Linux", platform.Linux, "Standard_D4ps_v5", nil},
		{
			"an Arm64 size is not valid for Windows Server 2019", platform.WindowsServer2019, "Standard_D4ps_v5",
			[]string{`pools[1].size: Invalid value: "Standard_D4ps_v5"` + arm},
		},
		{
			"nor for 2022", platform.WindowsServer2022, "Standard_B2pts_v2",
			[]string{`pools[1].size: Invalid value: "Standard_B2pts_v2"` + arm},
		},
		{
			"nor for 2025", platform.WindowsServer2025, "Standard_E32pds_v5",
			[]string{`pools[1].size: Invalid value: "Standard_E32pds_v5"` + arm},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			wantErrors(t, windows(func(p *topology.Pool) { p.Platform, p.Size = tt.platform, tt.size }).Validate(nil),
				tt.want...)
		})
	}
}

func TestValidateVersions(t *testing.T) {
	t.Parallel()
	const (
		controlPlane = "kubernetesVersion: "
		node         = "pools[1].kubernetesVersion: "
		malformed    = "not a Kubernetes version: write 1.36 or 1.36.3"
	)
	tests := []struct {
		name               string
		controlPlane, node string
		want               []string
	}{
		{"nothing is known", "", "", nil},
		{"only the node's version is known", "", "1.36", nil},
		{"the same", "1.36", "1.36", nil},
		{"the same, written differently", "v1.36", "1.36.0", nil},
		{"patch releases do not matter", "1.36.1", "1.36.9", nil},
		{"three minor versions older", "1.36", "1.33", nil},
		{"four minor versions older", "1.36", "1.32.7", []string{node + `Invalid value: "1.32.7": 4 minor versions ` +
			`older than the control plane (1.36), and at most 3 are supported: use 1.33 or newer`}},
		{"kubelet 1.25 was the first that may be three versions older", "1.28", "1.25", nil},
		{"kubelet 1.24 was not", "1.27", "1.24", []string{node + `Invalid value: "1.24": 3 minor versions older than ` +
			`the control plane (1.27), and at most 2 are supported: use 1.25 or newer`}},
		{"kubelet 1.24 may be two versions older", "1.26", "1.24", nil},
		{"kubelet 1.23 may not be three versions older", "1.26", "1.23", []string{node + `Invalid value: "1.23": 3 ` +
			`minor versions older than the control plane (1.26), and at most 2 are supported: use 1.24 or newer`}},
		{"newer than the control plane", "1.36.3", "1.37", []string{node + `Invalid value: "1.37": newer than the ` +
			`control plane (1.36), which a kubelet must not be: upgrade the control plane first, or use 1.36`}},
		{"another major version is newer too", "1.36", "2.0", []string{node + `Invalid value: "2.0": newer than the ` +
			`control plane (1.36), which a kubelet must not be: upgrade the control plane first, or use 1.36`}},
		{"the policy for an older major version is unknown", "2.0", "1.40", nil},
		{"versions are compared as numbers", "1.100", "1.99", nil},
		{
			"a malformed control plane is reported once, not at each pool", "latest", "",
			[]string{controlPlane + `Invalid value: "latest": ` + malformed},
		},
		{
			"a malformed control plane is not compared with", "1.x", "1.20",
			[]string{controlPlane + `Invalid value: "1.x": ` + malformed},
		},
		{"a malformed node", "1.36", "1", []string{node + `Invalid value: "1": ` + malformed}},
		{
			"a distribution's suffix", "1.36", "v1.36.3+k3s1",
			[]string{node + `Invalid value: "v1.36.3+k3s1": ` + malformed},
		},
		{"a number that is too long", "1.36", "1.3600", []string{node + `Invalid value: "1.3600": ` + malformed}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			in := mixed(func(t *topology.Topology) {
				t.KubernetesVersion, t.Pools[1].KubernetesVersion = tt.controlPlane, tt.node
			})
			wantErrors(t, in.Validate(nil), tt.want...)
		})
	}
}

func TestValidateLabels(t *testing.T) {
	t.Parallel()
	const (
		own       = "Forbidden: every kubelet sets this label itself: remove it"
		size      = "Forbidden: the pool's size sets this label: remove it, and set the size"
		namespace = "Forbidden: a kubelet must not set labels in this namespace: use a domain of your own, " +
			"node.kubernetes.io/ or kubelet.kubernetes.io/"
	)
	tests := []struct {
		key, value string
		want       string // without the path; "" if the label is valid
	}{
		{"team", "shop", ""},
		{"shop.example/team", "", ""},
		{"node.kubernetes.io/pool", "a", ""},
		{"kubelet.kubernetes.io/pool", "a", ""},
		{"shop.node.kubernetes.io/pool", "a", ""},
		{"notkubernetes.io/pool", "a", ""},
		// Without a slash there is no namespace.
		{"kubernetes.io", "a", ""},
		{"shop.k8s.io", "a", ""},
		// Zone and region are allowed on the kubelet; without a cloud provider they must be set there.
		{"topology.kubernetes.io/zone", "westeurope-1", ""},
		{"topology.kubernetes.io/region", "westeurope", ""},
		{"failure-domain.beta.kubernetes.io/zone", "westeurope-1", ""},
		{"failure-domain.beta.kubernetes.io/region", "westeurope", ""},
		{"kubernetes.io/os", "windows", own},
		{"kubernetes.io/arch", "amd64", own},
		{"kubernetes.io/hostname", "a", own},
		{"beta.kubernetes.io/os", "windows", own},
		{"beta.kubernetes.io/arch", "amd64", own},
		{"node.kubernetes.io/windows-build", "10.0.20348", own},
		{"node.kubernetes.io/instance-type", "Standard_D4s_v5", size},
		{"beta.kubernetes.io/instance-type", "Standard_D4s_v5", size},
		{"kubernetes.io/role", "worker", namespace},
		{"node-role.kubernetes.io/worker", "", namespace},
		{"node-restriction.kubernetes.io/team", "shop", namespace},
		{"k8s.io/team", "shop", namespace},
		{"shop.k8s.io/team", "shop", namespace},
		{"a b", "c", `Invalid value: "a b": not a label key: ` + keyName},
		{"a/b/c", "d", `Invalid value: "a/b/c": not a label key: ` + validation.IsQualifiedName("a/b/c")[0]},
		{"team", "a b", `Invalid value: "a b": ` + labelValue},
		{
			"team", strings.Repeat("a", 64),
			`Invalid value: "` + strings.Repeat("a", 64) + `": must be no more than 63 bytes`,
		},
	}
	for _, tt := range tests {
		t.Run("label "+tt.key+"="+tt.value, func(t *testing.T) {
			t.Parallel()
			var want []string
			if tt.want != "" {
				want = []string{"pools[1].labels[" + tt.key + "]: " + tt.want}
			}
			in := windows(func(p *topology.Pool) { p.Labels = map[string]string{tt.key: tt.value} })
			wantErrors(t, in.Validate(nil), want...)
		})
	}
}

func TestValidateTaints(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		taints []corev1.Taint
		want   []string
	}{
		{"none", []corev1.Taint{}, nil},
		{
			"a key with two effects",
			[]corev1.Taint{{Key: "a", Effect: "NoSchedule"}, {Key: "a", Effect: "PreferNoSchedule"}},
			nil,
		},
		{
			"a bad key",
			[]corev1.Taint{{Key: "a b", Effect: "NoSchedule"}},
			[]string{`pools[1].taints[0].key: Invalid value: "a b": ` + keyName},
		},
		{"no key", []corev1.Taint{{Effect: "NoSchedule"}}, []string{
			`pools[1].taints[0].key: Invalid value: "": name part must be non-empty`,
			`pools[1].taints[0].key: Invalid value: "": ` + keyName,
		}},
		{
			"a bad value",
			[]corev1.Taint{{Key: "a", Value: "b c", Effect: "NoSchedule"}},
			[]string{`pools[1].taints[0].value: Invalid value: "b c": ` + labelValue},
		},
		{"a bad effect", []corev1.Taint{{Key: "a", Effect: "NoSchedul"}}, []string{`pools[1].taints[0].effect: ` +
			`Invalid value: "NoSchedul": did you mean "NoSchedule"? valid effects are NoSchedule, PreferNoSchedule, ` +
			`NoExecute`}},
		{"no effect", []corev1.Taint{{Key: "a"}}, []string{`pools[1].taints[0].effect: Invalid value: "": valid ` +
			`effects are NoSchedule, PreferNoSchedule, NoExecute`}},
		{
			"key and effect twice, whatever the values are",
			[]corev1.Taint{
				{Key: "a", Effect: "NoExecute"},
				{Key: "a", Value: "b", Effect: "NoSchedule"},
				{Key: "a", Value: "c", Effect: "NoSchedule"},
			},
			[]string{`pools[1].taints[2]: Duplicate value: "a=c:NoSchedule": pools[1].taints[1] has this key and ` +
				`effect already: a node can have each pair once, remove one of the two`},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			in := windows(func(p *topology.Pool) { p.Taints = tt.taints })
			wantErrors(t, in.Validate(nil), tt.want...)
		})
	}
}

func TestValidateDoesNotChangeTheTopology(t *testing.T) {
	t.Parallel()
	in := mixed(nil)
	in.Validate(nil)
	if diff := cmp.Diff(mixed(nil), in); diff != "" {
		t.Errorf("Validate changed its topology (-before +after):\n%s", diff)
	}
}

func TestValidateReportsEverythingAtOnce(t *testing.T) {
	t.Parallel()
	in := topology.Topology{
		KubernetesVersion: "1.36",
		Pools: []topology.Pool{
			{
				Platform: platform.WindowsServer2016, Mode: topology.System, Count: -9, Size: "Standard_D4ps_v5",
				Spot: true, KubernetesVersion: "1.37",
			},
			{
				Name: "win.22", Platform: platform.WindowsServer2022, Mode: "system", Count: 100000,
				KubernetesVersion: "1.20",
				Labels:            map[string]string{"kubernetes.io/os": "linux", "a b": "c d", "x.k8s.io/y": ""},
				Taints: []corev1.Taint{
					{Key: "os", Value: "a b", Effect: "Never"}, {Key: "os", Effect: "Never"},
				},
			},
			{
				Name: "win.22", Platform: platform.WindowsServer2025, KubernetesVersion: "new",
				Count: 9, Autoscaling: topology.Autoscaling{Min: -1}, OSDiskSizeGB: -1, OSDiskType: "managed",
				Zones:        []string{"", "1", "1"},
				SpotMaxPrice: -2, MaxPods: -1,
				Upgrade: topology.Upgrade{
					MaxSurge: "0", MaxUnavailable: "0%", DrainTimeoutMinutes: -1,
					NodeSoakMinutes: -1,
				},
			},
		},
	}
	const (
		effects = "valid effects are NoSchedule, PreferNoSchedule, NoExecute"
		pools   = "topology.pools"
	)
	wantErrors(t, in.Validate(field.NewPath("topology")),
		pools+": Required value: at least one Linux pool: cluster add-ons such as CoreDNS run on Linux only",
		pools+"[0].name: Required value: name the pool, for example win22",
		pools+`[0].platform: Invalid value: "windows-2016": Windows Server 2016 is no longer supported as a node: `+
			runs,
		pools+`[0].mode: Invalid value: "System": a Windows pool cannot host the cluster's system pods: use User, `+
			`and a Linux pool for System`,
		pools+`[0].count: Invalid value: -9: must not be negative: set empty for a pool that has no nodes for now`,
		pools+`[0].size: Invalid value: "Standard_D4ps_v5": an Arm64 size (the letter p), and Windows Server nodes `+
			`are amd64 only: use a size without p, for example Standard_D4s_v5`,
		pools+`[0].spot: Invalid value: true: the cluster's system pods need nodes that the cloud does not reclaim: `+
			`remove it, or use the mode User`,
		pools+`[0].kubernetesVersion: Invalid value: "1.37": newer than the control plane (1.36), which a kubelet `+
			`must not be: upgrade the control plane first, or use 1.36`,
		pools+`[1].name: Invalid value: "win.22": must not contain dots`,
		pools+`[1].mode: Invalid value: "system": did you mean "System"? valid modes are User, System`,
		pools+`[1].count: Invalid value: 100000: more nodes than Kubernetes supports in a cluster: use at most 5000`,
		pools+`[1].kubernetesVersion: Invalid value: "1.20": 16 minor versions older than the control plane (1.36), `+
			`and at most 3 are supported: use 1.33 or newer`,
		pools+`[1].labels[a b]: Invalid value: "a b": not a label key: `+keyName,
		pools+`[1].labels[a b]: Invalid value: "c d": `+labelValue,
		pools+`[1].labels[kubernetes.io/os]: Forbidden: every kubelet sets this label itself: remove it`,
		pools+`[1].labels[x.k8s.io/y]: Forbidden: a kubelet must not set labels in this namespace: use a domain of `+
			`your own, node.kubernetes.io/ or kubelet.kubernetes.io/`,
		pools+`[1].taints[0].value: Invalid value: "a b": `+labelValue,
		pools+`[1].taints[0].effect: Invalid value: "Never": `+effects,
		pools+`[1].taints[1].effect: Invalid value: "Never": `+effects,
		pools+`[1].taints[1]: Duplicate value: "os:Never": topology.pools[1].taints[0] has this key and effect `+
			`already: a node can have each pair once, remove one of the two`,
		pools+`[2].name: Invalid value: "win.22": must not contain dots`,
		pools+`[2].autoscaling.min: Invalid value: -1: must not be negative: use 0 for a pool that may have none`,
		pools+`[2].autoscaling.max: Invalid value: 0: must be at least 1, and not less than min: use 1 or more`,
		pools+`[2].osDiskSizeGB: Invalid value: -1: must not be negative: use 0 for the default`,
		pools+`[2].osDiskType: Invalid value: "managed": did you mean "Managed"? valid types are Managed, Ephemeral`,
		pools+`[2].zones[0]: Required value: name the zone, or remove it from the list`,
		pools+`[2].zones[2]: Duplicate value: "1": topology.pools[2].zones[1] is this zone already: `+
			`list each zone once`,
		pools+`[2].spotMaxPrice: Invalid value: -2: must be US dollars per hour, and not negative: use 0 for any `+
			`price up to that of a regular machine`,
		pools+`[2].spotMaxPrice: Invalid value: -2: only spot nodes have a maximum price: remove it, or set spot`,
		pools+`[2].maxPods: Invalid value: -1: must not be negative: use 0 for the default`,
		pools+`[2].upgrade.maxUnavailable: Invalid value: "0%": maxSurge is also 0, so no node can be replaced: set `+
			`one of the two to at least 1`,
		pools+`[2].upgrade.drainTimeoutMinutes: Invalid value: -1: must not be negative: use 0 for the default`,
		pools+`[2].upgrade.nodeSoakMinutes: Invalid value: -1: must not be negative: use 0 for the default`,
		pools+`[2].kubernetesVersion: Invalid value: "new": not a Kubernetes version: write 1.36 or 1.36.3`,
		pools+`[2].name: Duplicate value: "win.22": topology.pools[1] has this name already: give each pool a name `+
			`of its own`,
	)
}
