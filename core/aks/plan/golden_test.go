package plan_test

import (
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/core/aks/plan"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
	"github.com/mixedkube/mixedkube/internal/testkit/golden"
)

// wrong returns a cluster in which almost everything is wrong.
func wrong() plan.Cluster {
	c := plan.Cluster{
		Topology: topology.Topology{
			KubernetesVersion: "1.38",
			Pools: []topology.Pool{
				{
					Name: "system-pool", Platform: platform.Linux, Mode: topology.System, Empty: true,
					Size: "Standard_B1ms", MaxPods: 20,
					Taints:  []corev1.Taint{{Key: "team", Value: "shop", Effect: "NoSchedule"}},
					Upgrade: topology.Upgrade{MaxSurge: "0", MaxUnavailable: "1"},
				},
				{
					Name: "windows2022", Platform: platform.WindowsServer2022, Count: 1000, Size: "Standard_D4s_v6",
					MaxPods: 300,
					Upgrade: topology.Upgrade{MaxSurge: "10%"},
					Labels:  map[string]string{"kubernetes.azure.com/team": "shop"}, DisableOutboundNAT: true,
				},
				{
					Name: "win19a", Platform: platform.WindowsServer2019, KubernetesVersion: "1.32", Spot: true,
					SpotMaxPrice: 0.0123456,
				},
				{
					Name: "win25", Platform: platform.WindowsServer2025, Size: "Standard_D4s_v5",
					Upgrade: topology.Upgrade{MaxSurge: "0"},
				},
			},
		}.WithDefaults(),
		Network: plan.Network{Mode: plan.Overlay, Policy: plan.AzurePolicy, PodSubnetID: plan.Later},
		WindowsAdmin: plan.WindowsAdmin{
			Username: "admin", Password: "Password!", LicenseType: "windows-server",
			GMSA: plan.GMSA{DNSServer: "10.0.0.4"},
		},
		APIServer: plan.APIServer{
			Private: true, AuthorizedIPRanges: []string{"10.0.0.300"},
			DisableLocalAccounts: true,
		},
		Options: obj{
			"location": tree.Unknown{}, "windowsProfile": obj{"adminPassword": tree.Secret{Value: "hush"}},
			"networkProfile": obj{
				"networkPlugin": "kubenet", "networkDataplane": "cilium",
				"networkPolicy": "calicoo",
			},
			"nodeProvisioningProfile": obj{"mode": "Auto"}, "bootstrapProfile": obj{"artifactSource": "Cache"},
			"securityProfile":    obj{"imageCleaner": obj{"enabled": true}, "customCATrustCertificates": []any{"LS0t"}},
			"serviceMeshProfile": obj{"mode": "Istio"}, "httpProxyConfig": obj{"httpProxy": "http://proxy"},
		},
		PoolOptions: map[string]plan.PoolOptions{
			"windows2022": {PodSubnetID: plan.Later, Options: obj{
				"osSKU": "Windows2019", "vmSize": "Standard_D8s_v5", "linuxOSConfig": obj{},
				"gpuInstanceProfile": "MIG1g", "messageOfTheDay": "aGVsbG8=",
				"securityProfile": obj{"enableVTPM": true}, "artifactStreamingProfile": obj{"enabled": true},
				"workloadRuntime": "WasmWasi",
				"kubeletConfig":   obj{"failSwapOn": false, "imageGcHighThreshold": int64(80)},
			}},
			"win25": {Options: obj{"osSKU": "WindowsAnnual"}},
			"win35": {},
		},
	}
	return c
}

func TestAllErrorsOfAnInvalidCluster(t *testing.T) {
	t.Parallel()
	golden.Equal(t, "testdata/wrong.txt", strings.Join(brief(plan.CheckCluster(wrong())), "\n")+"\n")
}
