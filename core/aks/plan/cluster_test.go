package plan_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/core/aks/plan"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/aks/examples"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// Package topology reports what is wrong with any cluster, so this package does not report it again.
func TestErrorsOfTopologyAreNotRepeated(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(c *plan.Cluster){
		"no name":              windows(func(p *topology.Pool) { p.Name = "" }),
		"a name with capitals": windows(func(p *topology.Pool) { p.Name = "Windows-2022" }),
		"a very long name":     windows(func(p *topology.Pool) { p.Name = strings.Repeat("a", 64) }),
		"a name twice":         windows(func(p *topology.Pool) { p.Name = "sys" }),
		"no platform":          windows(func(p *topology.Pool) { p.Platform = "" }),
		"an unknown platform": both(windows(func(p *topology.Pool) { p.Platform = "windows-2016" }),
			poolOptions("win22", obj{"osSKU": "Windows2022"})),
		"a Windows system pool": windows(func(p *topology.Pool) {
			p.Mode, p.MaxPods, p.Size = topology.System, 20,
				"Standard_B4ms"
		}),
		"a misspelled mode":       system(func(p *topology.Pool) { p.Mode = "system" }),
		"an Arm64 size":           windows(func(p *topology.Pool) { p.Size = "Standard_D4ps_v6" }),
		"a bad version":           func(c *plan.Cluster) { c.Topology.KubernetesVersion = "1" },
		"a bad version of a pool": windows(func(p *topology.Pool) { p.KubernetesVersion = "new" }),
		"a bad taint": system(func(p *topology.Pool) {
			p.Taints = []corev1.Taint{{
				Key:    "a b",
				Effect: "Never",
			}}
		}),
		"a label of Kubernetes": windows(func(p *topology.Pool) {
			p.Labels = map[string]string{"kubernetes.io/os": "windows", "kubernetes.io/x": ""}
		}),
		"a negative count":          windows(func(p *topology.Pool) { p.Count = -2 }),
		"an enormous count":         windows(func(p *topology.Pool) { p.Count = topology.MaxCount + 1 }),
		"a negative number of pods": windows(func(p *topology.Pool) { p.MaxPods = -1 }),
		"a bad range": windows(func(p *topology.Pool) {
			p.Autoscaling = topology.Autoscaling{
				Min: -1,
				Max: topology.MaxCount + 1,
			}
		}),
		"a bad share": system(func(p *topology.Pool) {
			p.Upgrade = topology.Upgrade{
				MaxSurge:       "-1",
				MaxUnavailable: "101%",
			}
		}),
		"no share": windows(func(p *topology.Pool) {
			p.Upgrade = topology.Upgrade{
				MaxSurge:       "0",
				MaxUnavailable: "0%",
			}
		}),
		"no share of a system pool": system(func(p *topology.Pool) {
			p.Upgrade = topology.Upgrade{
				MaxSurge:       "0",
				MaxUnavailable: "0%",
			}
		}),
		"a negative price": windows(func(p *topology.Pool) {
			p.Spot, p.SpotMaxPrice, p.Autoscaling = true, -0.0000001, topology.Autoscaling{Min: 1, Max: 3}
		}),
		"a spot system pool":           system(func(p *topology.Pool) { p.Spot = true }),
		"outbound NAT of a Linux pool": system(func(p *topology.Pool) { p.DisableOutboundNAT = true }),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := good(change)
			if errs := c.Topology.Validate(field.NewPath("topology")); len(errs) == 0 {
				t.Error("topology does not report anything")
			}
			wantFindings(t, plan.CheckCluster(c))
		})
	}
}

// Azure, not the library, refuses values that the library does not know.
func TestNewerValuesAreWarnings(t *testing.T) {
	t.Parallel()
	c := good(func(c *plan.Cluster) {
		platforms(platform.WindowsServer2025, "1.45")(c)
		c.Topology.Pools[0].Size, c.Topology.Pools[1].Size = "Standard_Z9000x_v42", "Standard_Q2"
		c.Network.Policy, c.Network.OutboundType = "antrea", "satellite"
		c.WindowsAdmin.LicenseType = "Academic"
		poolOptions("win22", obj{"osSKU": "WindowsNext", "newField": true})(c)
		options(obj{
			"newProfile":     obj{"enabled": true},
			"networkProfile": obj{"networkPlugin": "new", "networkDataplane": "new"},
		})(c)
	})
	findings := plan.CheckCluster(c)
	if len(findings) != 5 {
		t.Errorf("%d findings, want 5", len(findings))
	}
	for _, f := range findings {
		if f.Blocks() {
			t.Errorf("the finding stops the program: %s", f)
		}
	}
}

// Values that are unknown or secret are not checked, at any path.
func TestUnknownAndSecretOptionsAreLeftOut(t *testing.T) {
	t.Parallel()
	for _, mark := range []any{
		tree.Unknown{},
		tree.Secret{Value: tree.Unknown{}},
		tree.Secret{Value: "kubenet"},
		tree.Secret{Value: true},
	} {
		c := good(options(obj{
			"networkProfile":          obj{"networkPlugin": mark, "networkDataplane": mark},
			"nodeProvisioningProfile": mark, "bootstrapProfile": obj{"artifactSource": mark},
			"apiServerAccessProfile": mark,
			"securityProfile":        obj{"imageCleaner": obj{"enabled": mark}, "customCATrustCertificates": mark},
			"serviceMeshProfile":     obj{"mode": mark},
		}))
		c.PoolOptions["win22"] = plan.PoolOptions{Options: obj{
			"osSKU": mark, "securityProfile": mark, "artifactStreamingProfile": obj{"enabled": mark},
			"workloadRuntime": mark, "kubeletConfig": mark,
			"windowsProfile": mark,
		}}
		wantFindings(t, plan.CheckCluster(c))
	}
}

func TestTheZeroClusterIsChecked(t *testing.T) {
	t.Parallel()
	wantFindings(t, plan.CheckCluster(plan.Cluster{}),
		"error: kubernetesVersion (MK710)",
		"error: pools (MK704)",
		"error: windowsAdmin.password (MK753)",
	)
}

// The options of two pools with the same name, which topology refuses, are checked once.
func TestOptionsOfANameThatTwoPoolsHave(t *testing.T) {
	t.Parallel()
	c := good(poolOptions("win22", obj{"linuxOSConfig": obj{}}))
	c.Topology.Pools = append(c.Topology.Pools, c.Topology.Pools[1])
	c.PoolOptions["win22"] = plan.PoolOptions{PodSubnetID: plan.Later, Options: c.PoolOptions["win22"].Options}
	wantFindings(t, plan.CheckCluster(c),
		"error: poolOptions[win22].options.linuxOSConfig (MK744)",
		"error: poolOptions[win22].podSubnetID (MK727)",
	)
}

func TestChecksDoNotChangeTheCluster(t *testing.T) {
	t.Parallel()
	for _, e := range examples.Clusters() {
		c, before := good(e.Bad), good(e.Bad)
		plan.CheckCluster(c)
		// Secrets format as a mark, so reflection compares them.
		if !reflect.DeepEqual(c, before) {
			t.Errorf("%s: changed:\n%s", e.Name, cmp.Diff(before, c))
		}
	}
}

func TestMissingFeatures(t *testing.T) {
	t.Parallel()
	noPolicies := []topology.Feature{topology.WindowsNetworkPolicies}
	for policy, want := range map[plan.NetworkPolicy][]topology.Feature{
		"": noPolicies, plan.NoPolicy: noPolicies, plan.CiliumPolicy: noPolicies,
		plan.CalicoPolicy: nil, plan.AzurePolicy: nil,
	} {
		if diff := cmp.Diff(want, plan.MissingFeatures(true, policy)); diff != "" {
			t.Errorf("policy %q with gMSA (-want +got):\n%s", policy, diff)
		}
		want = append([]topology.Feature{topology.GMSAWebhook}, want...)
		if diff := cmp.Diff(want, plan.MissingFeatures(false, policy)); diff != "" {
			t.Errorf("policy %q without gMSA (-want +got):\n%s", policy, diff)
		}
	}
}
