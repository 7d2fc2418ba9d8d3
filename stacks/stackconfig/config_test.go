package stackconfig_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gopkg.in/yaml.v3"
	corev1 "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/stacks/stackconfig"
)

// decoders are the decoders of every test: Pulumi passes JSON to the program, the lab reads YAML.
var decoders = map[string]func([]byte, any) error{"JSON": json.Unmarshal, "YAML": yaml.Unmarshal}

const complete = `{
  "mixedkube:cluster": {
    "kubernetesVersion": "1.36",
    "pools": [
      {"name": "sys", "platform": "linux", "mode": "System", "count": 3, "size": "Standard_D4s_v5"},
      {"name": "win22", "platform": "ltsc2022", "count": 2, "size": "Standard_D8s_v5", "kubernetesVersion": "1.35",
       "labels": {"team": "shop", "empty": ""}, "taints": ["os=windows:NoSchedule", "dedicated:NoExecute"]},
      {"name": "win19", "platform": "Windows Server 2019", "empty": true, "untainted": true},
      {"name": "win25", "platform": "windows-2025", "mode": null, "taints": null, "autoscaling": null, ` +
	`"spot": null, "upgrade": {"maxSurge": null}},
      {"name": "spot", "platform": "windows-2025", "empty": true, "autoscaling": {"min": 0, "max": 5},
       "osDiskSizeGB": 128, "osDiskType": "Ephemeral", "zones": ["1", "3"], "spot": true, "spotMaxPrice": 0.25,
       "fips": true, "disableOutboundNAT": true, "maxPods": 30,
       "upgrade": {"maxSurge": "33%", "maxUnavailable": 0, "drainTimeoutMinutes": 30, "nodeSoakMinutes": 5}},
      {"name": "scaled", "platform": "linux", "autoscaling": {"min": 2, "max": 2}, "zones": [], ` +
	`"spot": false, "spotMaxPrice": 0,
       "upgrade": {"maxSurge": 1, "maxUnavailable": "1"}}
    ],
    "missingFeatures": ["load-balancers", "gmsa-webhook"]
  },
  "mixedkube:workloads": ["iis", "connectivity"],
  "mixedkube:connectivity": {"run": "2", "skip": ["7-outbound"], "outboundURL": "http://mirror.example.com/", ` +
	`"remotePodsFromWindowsNodes": true}
}`

func TestDecodeACompleteConfiguration(t *testing.T) {
	t.Parallel()
	want := stackconfig.Config{
		Topology: topology.Topology{
			KubernetesVersion: "1.36",
			MissingFeatures:   []topology.Feature{topology.LoadBalancers, topology.GMSAWebhook},
			Pools: []topology.Pool{
				{
					Name: "sys", Platform: platform.Linux, Mode: topology.System, Count: 3,
					Size: "Standard_D4s_v5", KubernetesVersion: "1.36",
				},
				{
					Name: "win22", Platform: platform.WindowsServer2022, Mode: topology.User, Count: 2,
					Size: "Standard_D8s_v5", KubernetesVersion: "1.35",
					Labels: map[string]string{"team": "shop", "empty": ""},
					Taints: []corev1.Taint{
						{Key: "os", Value: "windows", Effect: "NoSchedule"},
						{Key: "dedicated", Effect: "NoExecute"},
					},
				},
				{
					Name: "win19", Platform: platform.WindowsServer2019, Mode: topology.User, Empty: true,
					KubernetesVersion: "1.36", Untainted: true,
				},
				{
					Name: "win25", Platform: platform.WindowsServer2025, Mode: topology.User, Count: 1,
					KubernetesVersion: "1.36",
					Taints:            []corev1.Taint{{Key: "os", Value: "windows", Effect: "NoSchedule"}},
				},
				{
					Name: "spot", Platform: platform.WindowsServer2025, Mode: topology.User, Empty: true,
					Autoscaling:  topology.Autoscaling{Max: 5},
					OSDiskSizeGB: 128, OSDiskType: topology.EphemeralDisk, Zones: []string{"1", "3"}, Spot: true,
					SpotMaxPrice: 0.25,
					FIPS:         true, DisableOutboundNAT: true, MaxPods: 30,
					Upgrade: topology.Upgrade{
						MaxSurge: "33%", MaxUnavailable: "0", DrainTimeoutMinutes: 30,
						NodeSoakMinutes: 5,
					},
					KubernetesVersion: "1.36",
					Taints:            []corev1.Taint{{Key: "os", Value: "windows", Effect: "NoSchedule"}},
				},
				{
					Name: "scaled", Platform: platform.Linux, Mode: topology.User, Count: 2,
					Autoscaling:       topology.Autoscaling{Min: 2, Max: 2},
					Upgrade:           topology.Upgrade{MaxSurge: "1", MaxUnavailable: "1"},
					KubernetesVersion: "1.36",
				},
			},
		},
		Workloads: []stackconfig.Workload{stackconfig.IIS, stackconfig.Connectivity},
		Checks: stackconfig.Checks{
			Run: "2", Skip: []string{"7-outbound"}, OutboundURL: "http://mirror.example.com/",
			RemotePodsFromWindowsNodes: true,
		},
	}
	for name, unmarshal := range decoders {
		t.Run("from "+name, func(t *testing.T) {
			t.Parallel()
			var values map[string]any
			if err := unmarshal([]byte(complete), &values); err != nil {
				t.Fatal(err)
			}
			got, err := stackconfig.Decode(values)
			if err != nil {
				t.Fatal(err)
			}
			got.Topology = got.Topology.WithDefaults().Topology
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("Decode (-want +got):\n%s", diff)
			}
		})
	}
}

// Mistakes in JSON and YAML have the same errors.
func TestDecodeErrors(t *testing.T) {
	t.Parallel()
	const (
		prefix   = "stack configuration: "
		poolKeys = "(use name, platform, mode, count, empty, autoscaling, size, osDiskSizeGB, osDiskType, " +
			"zones, spot, spotMaxPrice, " +
			"fips, disableOutboundNAT, maxPods, reserved, reported, upgrade, kubernetesVersion, labels, taints or " +
			"untainted)"
		upgradeKeys = "(use maxSurge, maxUnavailable, drainTimeoutMinutes or nodeSoakMinutes)"
		effects     = "valid effects are NoSchedule, PreferNoSchedule, NoExecute"
		platforms   = "a pool runs linux, windows-2019, windows-2022 or windows-2025"
		workloads   = "(use iis, linux-web or connectivity)"
		quotes      = "must be a string: write it in quotes"
	)
	// These functions add the part that a test is about to a valid configuration.
	cluster := func(s string) string { return `{"mixedkube:cluster": ` + s + `, "mixedkube:workloads": []}` }
	pool := func(s string) string {
		return cluster(`{"pools": [{"name": "linux", "platform": "linux"}, ` + s + `]}`)
	}
	poolWith := func(s string) string { return pool(`{"name": "win22", "platform": "windows-2022", ` + s + `}`) }
	listed := func(s string) string {
		return `{"mixedkube:cluster": {"pools": [{"name": "linux", "platform": "linux"}]}, "mixedkube:workloads": ` +
			s + `}`
	}
	tests := []struct{ name, in, want string }{
		{"nothing at all", `{}`, "stack configuration:\n" +
			"  mixedkube:cluster: Required value: list the pools of the cluster\n" +
			"  mixedkube:workloads: Required value: list what to deploy, or write [] for nothing"},
		{
			"no cluster", `{"mixedkube:cluster": null, "mixedkube:workloads": []}`,
			prefix + "mixedkube:cluster: Required value: list the pools of the cluster",
		},
		{
			"no workloads", `{"mixedkube:cluster": {"pools": [{"name": "linux", "platform": "linux"}]}}`,
			prefix + "mixedkube:workloads: Required value: list what to deploy, or write [] for nothing",
		},
		{
			"no pools", cluster(`{}`),
			prefix + "mixedkube:cluster.pools: Required value: at least one Linux pool: cluster add-ons such as " +
				"CoreDNS run on Linux only",
		},

		{
			"an unknown key at the top",
			`{"mixedkube:cluster": {"pools": [{"name": "linux", "platform": "linux"}]}, "mixedkube:workloads": [], ` +
				`"mixedkube:workload": 1}`,
			prefix + `mixedkube:workload: Invalid value: "mixedkube:workload": unknown key: did you mean ` +
				`"mixedkube:workloads"? (use mixedkube:cluster, mixedkube:aks, mixedkube:kubeadm, ` +
				`mixedkube:windowsPassword, mixedkube:workloads, mixedkube:installed or ` +
				`mixedkube:connectivity)`,
		},
		{
			"an unknown key of the cluster",
			cluster(`{"pools": [{"name": "linux", "platform": "linux"}], "kubernetesversion": "1.36"}`),
			prefix + `mixedkube:cluster.kubernetesversion: Invalid value: "kubernetesversion": unknown key: did you ` +
				`mean "kubernetesVersion"? (use kubernetesVersion, cloud, pools, missingFeatures, matching, partial ` +
				`or ` +
				`runtimeClasses)`,
		},
		{
			"an unknown key of a pool", poolWith(`"taint": []`),
			prefix + `mixedkube:cluster.pools[1].taint: Invalid value: "taint": unknown key: did you mean "taints"? ` +
				poolKeys,
		},
		{
			"an unknown key without a suggestion", poolWith(`"image": "ltsc2022"`),
			prefix + `mixedkube:cluster.pools[1].image: Invalid value: "image": unknown key ` + poolKeys,
		},
		{
			"an unknown key of autoscaling", poolWith(`"autoscaling": {"min": 1, "max": 3, "mix": 2}`),
			prefix + `mixedkube:cluster.pools[1].autoscaling.mix: Invalid value: "mix": unknown key: did you mean ` +
				`"min"? (use min or max)`,
		},
		{
			"an unknown key of upgrade", poolWith(`"upgrade": {"maxSurges": 1, "batch": 2}`), "stack configuration:\n" +
				`  mixedkube:cluster.pools[1].upgrade.batch: Invalid value: "batch": unknown key ` + upgradeKeys +
				"\n" +
				`  mixedkube:cluster.pools[1].upgrade.maxSurges: Invalid value: "maxSurges": unknown key: did you ` +
				`mean "maxSurge"? ` + upgradeKeys,
		},
		{
			"an unknown key without a value", poolWith(`"nam": null`),
			prefix + `mixedkube:cluster.pools[1].nam: Invalid value: "nam": unknown key: did you mean "name"? ` +
				poolKeys,
		},

		{
			"mistakes in the checks",
			`{"mixedkube:cluster": {"pools": [{"name": "linux", "platform": "linux"}]}, "mixedkube:workloads": [], ` +
				`"mixedkube:connectivity": {"run": 2, "skips": []}}`,
			"stack configuration:\n" +
				"  mixedkube:connectivity.run: Invalid value: 2: " + quotes + "\n" +
				`  mixedkube:connectivity.skips: Invalid value: "skips": unknown key: did you mean "skip"? (use run, ` +
				`skip, outboundURL or remotePodsFromWindowsNodes)`,
		},
		{
			"checks that are not an object",
			`{"mixedkube:cluster": {"pools": [{"name": "linux", "platform": "linux"}]}, "mixedkube:workloads": [], ` +
				`"mixedkube:connectivity": "again"}`,
			prefix + `mixedkube:connectivity: Invalid value: "again": must be an object`,
		},
		{
			"an unknown workload", listed(`["ISS"]`),
			prefix + `mixedkube:workloads[0]: Invalid value: "ISS": unknown workload: did you mean "iis"? ` + workloads,
		},
		{
			"an unknown workload without a suggestion", listed(`["linux-web", "postgres"]`),
			prefix + `mixedkube:workloads[1]: Invalid value: "postgres": unknown workload ` + workloads,
		},
		{
			"an empty workload", listed(`[""]`),
			prefix + `mixedkube:workloads[0]: Invalid value: "": unknown workload ` + workloads,
		},
		{
			"a Windows workload without a Windows pool", listed(`["linux-web", "iis"]`),
			prefix + `mixedkube:workloads[1]: Invalid value: "iis": runs on Windows, and the cluster has no Windows ` +
				`pool: add one, or remove the workload`,
		},
		{
			"a workload without a platform, and a Windows pool without taint",
			`{"mixedkube:cluster": {"pools": [{"name": "linux", "platform": "linux"}, {"name": "win", "platform": ` +
				`"windows-2022", "untainted": true}]}, "mixedkube:workloads": ["iis", "linux-web"]}`,
			prefix + `mixedkube:workloads[1]: Invalid value: "linux-web": says nothing about its platform, and the ` +
				`pool win has no taint to keep it off: give the pool os=windows:NoSchedule, or remove the workload`,
		},
		{
			"a workload twice", listed(`["linux-web", "linux-web"]`),
			prefix + `mixedkube:workloads[1]: Duplicate value: "linux-web": list each workload once`,
		},
		{
			"an unknown platform", pool(`{"name": "win22", "platform": "windows-2021"}`),
			prefix + `mixedkube:cluster.pools[1].platform: Invalid value: "windows-2021": unknown platform: did you ` +
				`mean "windows-2022"? ` + platforms,
		},
		{
			"a platform that is no longer supported as a node", pool(`{"name": "win16", "platform": "ltsc2016"}`),
			prefix + `mixedkube:cluster.pools[1].platform: Invalid value: "windows-2016": Windows Server 2016 is no ` +
				`longer supported as a node: ` + platforms,
		},
		{
			"the only Linux pool misspelled", cluster(`{"pools": [{"name": "linux", "platform": "linx"}]}`),
			prefix + `mixedkube:cluster.pools[0].platform: Invalid value: "linx": unknown platform: did you mean ` +
				`"linux"? ` + platforms,
		},
		{
			"no platform", pool(`{"name": "win22", "platform": ""}`),
			prefix + "mixedkube:cluster.pools[1].platform: Required value: " + platforms,
		},

		{
			"a cluster that is not an object", cluster(`[1]`),
			prefix + `mixedkube:cluster: Invalid value: "a list": must be an object`,
		},
		{
			"pools that are not a list", cluster(`{"pools": {"linux": {}}}`),
			prefix + `mixedkube:cluster.pools: Invalid value: "an object": must be a list`,
		},
		{
			"a pool that is not an object", pool(`"win22"`),
			prefix + `mixedkube:cluster.pools[1]: Invalid value: "win22": must be an object`,
		},
		{
			"a pool that is null", pool(`null`),
			prefix + `mixedkube:cluster.pools[1]: Invalid value: null: must be an object`,
		},
		{
			"a name that is not a string", pool(`{"name": 22, "platform": "windows-2022"}`),
			prefix + `mixedkube:cluster.pools[1].name: Invalid value: 22: ` + quotes,
		},
		{
			"a platform that is not a string", pool(`{"name": "win22", "platform": 2022}`),
			prefix + `mixedkube:cluster.pools[1].platform: Invalid value: 2022: ` + quotes,
		},
		{
			"a mode that is not a string", poolWith(`"mode": true`),
			prefix + `mixedkube:cluster.pools[1].mode: Invalid value: true: ` + quotes,
		},
		{
			"a size that is not a string", poolWith(`"size": {"cpu": 4}`),
			prefix + `mixedkube:cluster.pools[1].size: Invalid value: "an object": must be a string`,
		},
		{
			"a count that is not a number", poolWith(`"count": "3"`),
			prefix + `mixedkube:cluster.pools[1].count: Invalid value: "3": must be a whole number`,
		},
		{
			"a count that is a fraction", poolWith(`"count": 1.5`),
			prefix + `mixedkube:cluster.pools[1].count: Invalid value: 1.5: must be a whole number`,
		},
		{
			"a count that is a list", poolWith(`"count": [3]`),
			prefix + `mixedkube:cluster.pools[1].count: Invalid value: "a list": must be a whole number`,
		},
		{
			"a negative count", poolWith(`"count": -1`),
			prefix + `mixedkube:cluster.pools[1].count: Invalid value: -1: must not be negative: set empty for a ` +
				`pool that has no nodes for now`,
		},
		{
			"a count that is too large", poolWith(`"count": 3000000000`),
			prefix + `mixedkube:cluster.pools[1].count: Invalid value: 3000000000: more nodes than Kubernetes ` +
				`supports in a cluster: use at most 5000`,
		},
		{
			"autoscaling that is not an object", poolWith(`"autoscaling": true`),
			prefix + `mixedkube:cluster.pools[1].autoscaling: Invalid value: true: must be an object`,
		},
		{
			"empty autoscaling", poolWith(`"autoscaling": {}`),
			prefix + `mixedkube:cluster.pools[1].autoscaling.max: Required value: set the maximum number ` +
				`of nodes`,
		},
		{
			"autoscaling without a maximum", poolWith(`"autoscaling": {"min": 2}`),
			prefix + `mixedkube:cluster.pools[1].autoscaling.max: Required value: set the maximum number ` +
				`of nodes`,
		},
		{
			"autoscaling between values that are not numbers",
			poolWith(`"count": 7, "autoscaling": {"min": "1", "max": 1.5}`),
			"stack configuration:\n" +
				`  mixedkube:cluster.pools[1].autoscaling.max: Invalid value: 1.5: must be a whole number` + "\n" +
				`  mixedkube:cluster.pools[1].autoscaling.min: Invalid value: "1": must be a whole number`,
		},
		{
			"a largest number below the smallest", poolWith(`"autoscaling": {"min": 3, "max": 2}`),
			prefix + `mixedkube:cluster.pools[1].autoscaling.max: Invalid value: 2: must be at least 1, and not less ` +
				`than min: use 3 or more`,
		},
		{
			"a pool without nodes that autoscaling does not allow",
			poolWith(`"empty": true, "autoscaling": {"min": 2, "max": 5}`),
			prefix + `mixedkube:cluster.pools[1].count: Invalid value: 0: outside the range of autoscaling: use ` +
				`between 2 and 5, or leave it out`,
		},
		{
			"a count that is not a number is not compared with autoscaling",
			poolWith(`"count": "3", "autoscaling": {"min": 2, "max": 5}`),
			prefix + `mixedkube:cluster.pools[1].count: Invalid value: "3": must be a whole number`,
		},
		{
			"a size of the disk with a unit", poolWith(`"osDiskSizeGB": "128GB"`),
			prefix + `mixedkube:cluster.pools[1].osDiskSizeGB: Invalid value: "128GB": must be a whole number`,
		},
		{
			"a type of disk that is not a string", poolWith(`"osDiskType": 1`),
			prefix + `mixedkube:cluster.pools[1].osDiskType: Invalid value: 1: ` + quotes,
		},
		{
			"a type of disk in the wrong case", poolWith(`"osDiskType": "managed"`),
			prefix + `mixedkube:cluster.pools[1].osDiskType: Invalid value: "managed": did you mean "Managed"? valid ` +
				`types are Managed, Ephemeral`,
		},
		{
			"zones that are not a list", poolWith(`"zones": "1"`),
			prefix + `mixedkube:cluster.pools[1].zones: Invalid value: "1": must be a list`,
		},
		{
			"zones that are not strings do not move the paths of the others",
			poolWith(`"zones": [1, "2", true, "2", ""]`), "stack configuration:\n" +
				`  mixedkube:cluster.pools[1].zones[0]: Invalid value: 1: ` + quotes + "\n" +
				`  mixedkube:cluster.pools[1].zones[2]: Invalid value: true: ` + quotes + "\n" +
				`  mixedkube:cluster.pools[1].zones[3]: Duplicate value: "2": mixedkube:cluster.pools[1].zones[1] is ` +
				`this zone already: list each zone once` + "\n" +
				`  mixedkube:cluster.pools[1].zones[4]: Required value: name the zone, or remove it from the list`,
		},
		{
			"spot that is neither true nor false", poolWith(`"spot": "yes"`),
			prefix + `mixedkube:cluster.pools[1].spot: Invalid value: "yes": must be true or false`,
		},
		{
			"an invalid spot does not cause an error for its price", poolWith(`"spot": 1, "spotMaxPrice": 0.5`),
			prefix + `mixedkube:cluster.pools[1].spot: Invalid value: 1: must be true or false`,
		},
		{
			"an invalid spot does not cause an error for the mode",
			cluster(`{"pools": [{"name": "linux", "platform": "linux", "mode": "System", "spot": "yes"}]}`),
			prefix + `mixedkube:cluster.pools[0].spot: Invalid value: "yes": must be true or false`,
		},
		{
			"a price that is not a number", poolWith(`"spot": true, "spotMaxPrice": "0.5"`),
			prefix + `mixedkube:cluster.pools[1].spotMaxPrice: Invalid value: "0.5": must be a number`,
		},
		{
			"a price of -2", poolWith(`"spot": true, "spotMaxPrice": -2`),
			prefix + `mixedkube:cluster.pools[1].spotMaxPrice: Invalid value: -2: must be US dollars per hour, and ` +
				`not negative: use 0 for any price up to that of a regular machine`,
		},
		{
			"a price without spot", poolWith(`"spot": false, "spotMaxPrice": 2`),
			prefix + `mixedkube:cluster.pools[1].spotMaxPrice: Invalid value: 2: only spot nodes have a maximum ` +
				`price: remove it, or set spot`,
		},
		{
			"FIPS that is neither true nor false", poolWith(`"fips": {}`),
			prefix + `mixedkube:cluster.pools[1].fips: Invalid value: "an object": must be true or false`,
		},
		{
			"NAT that is neither on nor off", poolWith(`"disableOutboundNAT": "on"`),
			prefix + `mixedkube:cluster.pools[1].disableOutboundNAT: Invalid value: "on": must be true or false`,
		},
		{
			"NAT of a pool whose platform cannot be read",
			pool(`{"name": "win22", "platform": 2022, "disableOutboundNAT": true}`),
			prefix + `mixedkube:cluster.pools[1].platform: Invalid value: 2022: ` + quotes,
		},
		{
			"a number of pods that is not a number", poolWith(`"maxPods": "many"`),
			prefix + `mixedkube:cluster.pools[1].maxPods: Invalid value: "many": must be a whole number`,
		},
		{
			"upgrade that is not an object", poolWith(`"upgrade": "33%"`),
			prefix + `mixedkube:cluster.pools[1].upgrade: Invalid value: "33%": must be an object`,
		},
		{
			"a surge that is a fraction", poolWith(`"upgrade": {"maxSurge": 0.33, "maxUnavailable": ["1"]}`),
			"stack configuration:\n" +
				`  mixedkube:cluster.pools[1].upgrade.maxSurge: Invalid value: 0.33: must be a whole number or a ` +
				`percentage, 1 or "33%"` + "\n" +
				`  mixedkube:cluster.pools[1].upgrade.maxUnavailable: Invalid value: "a list": must be a whole ` +
				`number or a percentage, 1 or "33%"`,
		},
		{
			"a surge that is negative", poolWith(`"upgrade": {"maxSurge": -1}`),
			prefix + `mixedkube:cluster.pools[1].upgrade.maxSurge: Invalid value: "-1": neither a number of nodes ` +
				`nor a percentage up to 100%: write 1 or 33%`,
		},
		{
			"neither surge nor unavailable nodes", poolWith(`"upgrade": {"maxSurge": 0, "maxUnavailable": "0%"}`),
			prefix + `mixedkube:cluster.pools[1].upgrade.maxUnavailable: Invalid value: "0%": maxSurge is also 0, so ` +
				`no node can be replaced: set one of the two to at least 1`,
		},
		{
			"minutes with a unit", poolWith(`"upgrade": {"drainTimeoutMinutes": "30m", "nodeSoakMinutes": -1}`),
			"stack configuration:\n" +
				`  mixedkube:cluster.pools[1].upgrade.drainTimeoutMinutes: Invalid value: "30m": ` +
				`must be a whole number` + "\n" +
				`  mixedkube:cluster.pools[1].upgrade.nodeSoakMinutes: Invalid value: -1: must not be negative: use ` +
				`0 for the default`,
		},
		{
			"labels that are not an object", poolWith(`"labels": ["a=b"]`),
			prefix + `mixedkube:cluster.pools[1].labels: Invalid value: "a list": must be an object`,
		},
		{
			"a label that is a boolean", poolWith(`"labels": {"windows": true}`),
			prefix + `mixedkube:cluster.pools[1].labels[windows]: Invalid value: true: ` + quotes,
		},
		{
			"a label that is a large number", poolWith(`"labels": {"id": 10000000}`),
			prefix + `mixedkube:cluster.pools[1].labels[id]: Invalid value: 10000000: ` + quotes,
		},
		{
			"a label without a value", poolWith(`"labels": {"a": null}`),
			prefix + `mixedkube:cluster.pools[1].labels[a]: Invalid value: null: must be a string: write "" for an ` +
				`empty one`,
		},
		{
			"taints that are not a list", poolWith(`"taints": "os=windows:NoSchedule"`),
			prefix + `mixedkube:cluster.pools[1].taints: Invalid value: "os=windows:NoSchedule": must be a list`,
		},
		{
			"a taint that is not a string", poolWith(`"taints": [{"key": "os"}]`),
			prefix + `mixedkube:cluster.pools[1].taints[0]: Invalid value: "an object": must be a string, ` +
				`key=value:Effect: for example os=windows:NoSchedule`,
		},
		{
			"workloads that are not a list", listed(`"iis"`),
			prefix + `mixedkube:workloads: Invalid value: "iis": must be a list`,
		},
		{
			"a workload that is not a string", listed(`["linux-web", 7]`),
			prefix + `mixedkube:workloads[1]: Invalid value: 7: ` + quotes,
		},

		// 1.30 without quotes is 1.3: the message must not propose that.
		{
			"a version without quotes",
			cluster(`{"kubernetesVersion": 1.30, "pools": [{"name": "linux", "platform": "linux"}]}`),
			prefix + `mixedkube:cluster.kubernetesVersion: Invalid value: 1.3: ` + quotes +
				`, as a number loses its last zeros (1.30 is 1.3)`,
		},
		{
			"a pool's version without quotes", poolWith(`"kubernetesVersion": 1.36`),
			prefix + `mixedkube:cluster.pools[1].kubernetesVersion: Invalid value: 1.36: ` + quotes +
				`, as a number loses its last zeros (1.30 is 1.3)`,
		},
		{
			"an invalid version, once for the cluster and its pools",
			cluster(`{"kubernetesVersion": "latest", "pools": [{"name": "linux", "platform": "linux"}]}`),
			prefix + `mixedkube:cluster.kubernetesVersion: Invalid value: "latest": not a Kubernetes version: write ` +
				`1.36 or 1.36.3`,
		},

		{
			"a bad taint does not move the paths of the others",
			poolWith(`"taints": ["os=windows", "a=b:NoExecute", "a=c:NoExecute"]`), "stack configuration:\n" +
				`  mixedkube:cluster.pools[1].taints[0]: Invalid value: "os=windows": taint "os=windows" has no ` +
				`effect: ` +
				`write key=value:Effect, for example os=windows:NoSchedule` + "\n" +
				`  mixedkube:cluster.pools[1].taints[2]: Duplicate value: "a=c:NoExecute": ` +
				`mixedkube:cluster.pools[1].taints[1] has this key and effect already: a node can have each pair ` +
				`once, remove one of the two`,
		},
		{"invalid taints are not duplicates", poolWith(`"taints": ["a:no", "a:no"]`), "stack configuration:\n" +
			`  mixedkube:cluster.pools[1].taints[0]: Invalid value: "a:no": effect "no": ` + effects + "\n" +
			`  mixedkube:cluster.pools[1].taints[1]: Invalid value: "a:no": effect "no": ` + effects},
		{
			"an empty taint", poolWith(`"taints": [""]`),
			prefix + `mixedkube:cluster.pools[1].taints[0]: Invalid value: "": taint "" has no effect: write ` +
				`key=value:Effect, for example os=windows:NoSchedule`,
		},

		{"everything at once", `{
		  "mixedkube:clusters": {},
		  "mixedkube:cluster": {
		    "kubernetesVersion": 1.36,
		    "pool": [],
		    "pools": [
		      {"name": "Win", "platform": "windows-2016", "mode": "system", "count": "two", "disk": 1},
		      {"platform": "windows-2022", "kubernetesVersion": "x", ` +
			`"labels": {"kubernetes.io/os": "windows", "n": 1}, "taints": ["a:noexecute", 5]},
		      []
		    ]
		  },
		  "mixedkube:workloads": ["iss", "iis", "iis", {}]
		}`, "stack configuration:\n" +
			`  mixedkube:cluster.kubernetesVersion: Invalid value: 1.36: ` + quotes +
			`, as a number loses its last zeros (1.30 is 1.3)` + "\n" +
			`  mixedkube:cluster.pool: Invalid value: "pool": unknown key: did you mean "pools"? (use ` +
			`kubernetesVersion, cloud, pools, missingFeatures, matching, partial or runtimeClasses)` + "\n" +
			`  mixedkube:cluster.pools[0].count: Invalid value: "two": must be a whole number` + "\n" +
			`  mixedkube:cluster.pools[0].disk: Invalid value: "disk": unknown key ` + poolKeys + "\n" +
			`  mixedkube:cluster.pools[0].mode: Invalid value: "system": did you mean "System"? valid modes are ` +
			`User, System` + "\n" +
			`  mixedkube:cluster.pools[0].name: Invalid value: "Win": a lowercase RFC 1123 label must consist of ` +
			`lower case alphanumeric characters or '-', ` +
			`and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for ` +
			`validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')` + "\n" +
			`  mixedkube:cluster.pools[0].platform: Invalid value: "windows-2016": Windows Server 2016 is no longer ` +
			`supported as a node: ` + platforms + "\n" +
			`  mixedkube:cluster.pools[1].kubernetesVersion: Invalid value: "x": not a Kubernetes version: write ` +
			`1.36 or 1.36.3` + "\n" +
			`  mixedkube:cluster.pools[1].labels[kubernetes.io/os]: Forbidden: every kubelet sets this label itself: ` +
			`remove it` + "\n" +
			`  mixedkube:cluster.pools[1].labels[n]: Invalid value: 1: ` + quotes + "\n" +
			`  mixedkube:cluster.pools[1].name: Required value: name the pool, for example win22` + "\n" +
			`  mixedkube:cluster.pools[1].taints[0]: Invalid value: "a:noexecute": effect "noexecute": did you mean ` +
			`"NoExecute"? ` + effects + "\n" +
			`  mixedkube:cluster.pools[1].taints[1]: Invalid value: 5: ` + quotes + "\n" +
			`  mixedkube:cluster.pools[2]: Invalid value: "a list": must be an object` + "\n" +
			`  mixedkube:clusters: Invalid value: "mixedkube:clusters": unknown key: did you mean ` +
			`"mixedkube:cluster"? (use mixedkube:cluster, mixedkube:aks, mixedkube:kubeadm, ` +
			`mixedkube:windowsPassword, mixedkube:workloads, mixedkube:installed or ` +
			`mixedkube:connectivity)` + "\n" +
			`  mixedkube:workloads[0]: Invalid value: "iss": unknown workload: did you mean "iis"? ` + workloads +
			"\n" +
			`  mixedkube:workloads[2]: Duplicate value: "iis": list each workload once` + "\n" +
			`  mixedkube:workloads[3]: Invalid value: "an object": must be a string`},
	}
	for _, tt := range tests {
		for decoder, unmarshal := range decoders {
			t.Run(tt.name+", from "+decoder, func(t *testing.T) {
				t.Parallel()
				var values map[string]any
				if err := unmarshal([]byte(tt.in), &values); err != nil {
					t.Fatal(err)
				}
				wantError(t, values, tt.want)
			})
		}
	}
}

// YAML has values that JSON does not have.
func TestDecodeErrorsInYAML(t *testing.T) {
	t.Parallel()
	const prefix = "stack configuration: mixedkube:cluster.pools[0]."
	pool := func(s string) string {
		return "mixedkube:workloads: []\nmixedkube:cluster:\n  pools:\n  - name: linux\n    platform: linux\n    " + s +
			"\n"
	}
	tests := []struct{ name, in, want string }{
		{
			"a key that is a number", pool("22: win"),
			"stack configuration: mixedkube:cluster.pools[0][22]: Invalid value: 22: must be a string, like all " +
				"keys: write it in quotes",
		},
		{
			"a label's key that is a boolean", pool("labels: {true: a}"),
			prefix + "labels[true]: Invalid value: true: must be a string, like all keys: write it in quotes",
		},
		{
			"a date", pool("size: 2026-03-01"),
			prefix + `size: Invalid value: "2026-03-01T00:00:00Z": must be a string: write it in quotes`,
		},
		{"not a number", pool("count: .nan"), prefix + "count: Invalid value: NaN: must be a whole number"},
		{
			"a price that is NaN", pool("spot: true\n    spotMaxPrice: .nan"),
			prefix + "spotMaxPrice: Invalid value: NaN: must be US dollars per hour, and not negative: use 0 for any " +
				"price up to that of a regular machine",
		},
		{"the old spelling of true", pool("spot: yes"), prefix + `spot: Invalid value: "yes": must be true or false`},
		{"a number without end", pool("count: .inf"), prefix + "count: Invalid value: +Inf: must be a whole number"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var values map[string]any
			if err := yaml.Unmarshal([]byte(tt.in), &values); err != nil {
				t.Fatal(err)
			}
			wantError(t, values, tt.want)
		})
	}
}

// wantError compares the full text, and checks that the configuration is empty.
func wantError(t *testing.T, values map[string]any, want string) {
	t.Helper()
	got, err := stackconfig.Decode(values)
	if err == nil {
		t.Fatalf("no error, want %s", want)
	}
	if diff := cmp.Diff(want, err.Error()); diff != "" {
		t.Errorf("error (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(stackconfig.Config{}, got); diff != "" {
		t.Errorf("a configuration with the error (-want +got):\n%s", diff)
	}
}

func FuzzDecode(f *testing.F) {
	for _, seed := range []string{
		complete, `{}`, `null`, `{"mixedkube:cluster": {}, "mixedkube:workloads": []}`,
		`{"mixedkube:cluster": [], "mixedkube:workloads": {"a": 1}}`,
		`{"mixedkube:cluster": {"pools": [{"count": 1e300, "labels": {"a/b/c": 1}, "taints": ["", ":", 1]}, null]}, ` +
			`"mixedkube:workloads": ["iis", ""]}`,
		`{"mixedkube:cluster": {"pools": [{"count": 0, "autoscaling": {"min": 1}, "zones": ["", 1], "spot": 1, ` +
			`"spotMaxPrice": -1e300, "upgrade": {"maxSurge": 0, "maxUnavailable": "0%"}}]}}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, content []byte) {
		for name, unmarshal := range decoders {
			var values map[string]any
			if unmarshal(content, &values) != nil {
				continue
			}
			c, err := stackconfig.Decode(values)
			if err != nil {
				if diff := cmp.Diff(stackconfig.Config{}, c); diff != "" {
					t.Errorf("from %s: a configuration with the error %v:\n%s", name, err, diff)
				}
				continue
			}
			if errs := c.Topology.Validate(nil); len(errs) > 0 {
				t.Errorf("from %s: no error, but an invalid topology: %v", name, errs)
			}
			// Encoding and decoding does not change the topology.
			again, errs := topology.Decode(topology.Encode(c.Topology), nil)
			if diff := cmp.Diff(c.Topology, again); diff != "" || len(errs) > 0 {
				t.Errorf("from %s, encoded and decoded: %v\n%s", name, errs, diff)
			}
		}
	})
}
