package stackconfig_test

import (
	"encoding/json"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gopkg.in/yaml.v3"
	corev1 "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/testkit/golden"
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
	inputs, err := filepath.Glob("testdata/errors/*.input.json")
	if err != nil || len(inputs) < 78 {
		t.Fatalf("%d inputs, %v, want 78 or more", len(inputs), err)
	}
	for _, input := range inputs {
		name := strings.TrimSuffix(filepath.ToSlash(input), ".input.json")
		text, err := os.ReadFile(input)
		if err != nil {
			t.Fatal(err)
		}
		for decoder, unmarshal := range decoders {
			t.Run(path.Base(name)+", from "+decoder, func(t *testing.T) {
				t.Parallel()
				var values map[string]any
				if err := unmarshal(text, &values); err != nil {
					t.Fatal(err)
				}
				golden.Equal(t, name+".golden", refused(t, values)+"\n")
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
	if diff := cmp.Diff(want, refused(t, values)); diff != "" {
		t.Errorf("error (-want +got):\n%s", diff)
	}
}

// refused returns the error of a configuration, which is empty then.
func refused(t *testing.T, values map[string]any) string {
	t.Helper()
	got, err := stackconfig.Decode(values)
	if err == nil {
		t.Fatal("no error")
	}
	if diff := cmp.Diff(stackconfig.Config{}, got); diff != "" {
		t.Errorf("a configuration with the error (-want +got):\n%s", diff)
	}
	return err.Error()
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
