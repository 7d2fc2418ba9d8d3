package aks_test

import (
	"strings"
	"testing"

	"github.com/pulumi/pulumi-azure-native-sdk/containerservice/v3"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	corev1 "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/components/aks"
	"github.com/mixedkube/mixedkube/components/aks/akstest"
	"github.com/mixedkube/mixedkube/components/mocktest"
	"github.com/mixedkube/mixedkube/components/platform"
	"github.com/mixedkube/mixedkube/components/topology"
	"github.com/mixedkube/mixedkube/internal/golden"
)

// All that is wrong comes at once, in order, and nothing is registered.
func TestAThoroughlyWrongCluster(t *testing.T) {
	t.Parallel()
	args := &aks.ClusterArgs{
		ClusterName:       "-shop",
		KubernetesVersion: "1.33",
		Pools: []topology.Pool{
			{
				Name: "System_Pool", Platform: platform.Linux, Mode: topology.System, Size: "Standard_B4ms", MaxPods: 20,
				Taints:  []corev1.Taint{{Key: "dedicated", Value: "system", Effect: corev1.TaintEffectNoSchedule}},
				Upgrade: topology.Upgrade{MaxSurge: "1", MaxUnavailable: "1"},
			},
			{Name: "windows", Platform: platform.WindowsServer2022, Size: "Standard_D4ps_v5", Mode: topology.System, Count: 1200},
			{Name: "win19", Platform: platform.WindowsServer2019, Size: "Standard_D4s_v5"},
			{Name: "win25", Platform: platform.WindowsServer2025, Size: "Standard_B1ms", DisableOutboundNAT: true},
			{
				Name: "spot", Platform: platform.Linux, Size: "Standard_D4s_v5", Spot: true, SpotMaxPrice: 0.1234567,
				Labels:      map[string]string{"kubernetes.azure.com/team": "shop"},
				Autoscaling: topology.Autoscaling{Min: 5, Max: 2},
			},
		},
		PoolOptions: map[string]aks.PoolOptions{
			"win91": {},
			"win25": {Options: &containerservice.AgentPoolArgs{
				LinuxOSConfig: containerservice.LinuxOSConfigArgs{},
				KubeletConfig: containerservice.KubeletConfigArgs{CpuManagerPolicy: pulumi.String("static")},
				Count:         pulumi.Int(3),
			}},
		},
		Network: aks.Network{Mode: aks.PodSubnet, Policy: "cilium"},
		WindowsAdmin: aks.WindowsAdmin{
			Username: "Administrator", Password: pulumi.ToSecret("iloveyou!").(pulumi.StringOutput), LicenseType: "Windows_Sever",
			GMSA: aks.GMSA{DNSServer: "10.0.0.4"},
		},
		APIServer: aks.APIServer{AuthorizedIPRanges: []string{"10.0.0.0/33"}, Private: true, DisableLocalAccounts: true},
		Options: &containerservice.ManagedClusterArgs{
			NetworkProfile: containerservice.ContainerServiceNetworkProfileArgs{
				NetworkPlugin: pulumi.String("kubenet"), NetworkPluginMode: pulumi.String("overlay"), NetworkPolicy: pulumi.String("azure"),
				OutboundType: pulumi.String("none").ToStringOutput(),
			},
			NodeProvisioningProfile: containerservice.ManagedClusterNodeProvisioningProfileArgs{Mode: pulumi.String("Auto")},
			WindowsProfile:          containerservice.ManagedClusterWindowsProfileArgs{AdminUsername: pulumi.String("me")},
		},
		Ignore: []string{"MK000", "MK753"},
	}
	for _, option := range [][]mocktest.Option{nil, {mocktest.Preview()}} {
		graph, err := mocktest.Run(newCluster(args), append(option, akstest.Azure())...)
		golden.Equal(t, "testdata/wrong.golden", err.Error()+"\n")
		equal(t, "registered", 0, len(graph.Resources()))
		equal(t, "secrets in clear text", []string(nil), mentions(err.Error()+graph.String(), "iloveyou!"))
	}
}

// What stops nothing is in the log, and a rule that is ignored stops nothing.
func TestWarningsAndIgnoredRules(t *testing.T) {
	t.Parallel()
	graph := mocktest.MustRun(t, newCluster(small(func(a *aks.ClusterArgs) {
		a.KubernetesVersion = "1.99"
		a.Pools[1].Platform, a.Pools[1].FIPS = platform.WindowsServer2025, true
		a.Pools[1].Name = "window"
		a.Pools[1].Size = "Standard_B1ls"
		a.PoolOptions = map[string]aks.PoolOptions{"window": {Options: &containerservice.AgentPoolArgs{OsSKU: pulumi.String("Windows2028")}}}
		a.Network.Policy, a.Network.OutboundType = "azure", "managedNATGatewayV2"
		a.Options = &containerservice.ManagedClusterArgs{
			NodeProvisioningProfile: containerservice.ManagedClusterNodeProvisioningProfileArgs{Mode: pulumi.String("Auto")},
		}
		a.Ignore = []string{"MK792"}
	})), akstest.Azure())
	golden.Equal(t, "testdata/warnings.golden", strings.Join(messages(graph), "\n")+"\n")
}

// A password that was not known in the constructor fails the cluster that it is
// given to.
func TestAPasswordThatBecomesKnownLater(t *testing.T) {
	t.Parallel()
	later := func(password string) pulumi.RunFunc {
		return func(ctx *pulumi.Context) error {
			out, resolve, _ := ctx.NewOutput()
			_, err := aks.NewCluster(ctx, "shop", small(func(a *aks.ClusterArgs) {
				a.WindowsAdmin.Password = out.ApplyT(func(v any) string { return v.(string) }).(pulumi.StringOutput)
			}))
			resolve(password)
			return err
		}
	}
	if _, err := mocktest.Run(later(password), akstest.Azure()); err != nil {
		t.Error(err)
	}
	graph, err := mocktest.Run(later("iloveyou!"), akstest.Azure())
	if err == nil {
		t.Fatal("a refused password passes")
	}
	// Which of its users fails first is up to the engine.
	if want := "windowsAdmin.password: [secret]: it must have 14 to 123 characters: use another (MK754)"; !strings.HasSuffix(err.Error(), want) {
		t.Errorf("the error is %q, want %q at its end", err, want)
	}
	equal(t, "clusters", []string(nil), names(graph, clusterType))
	equal(t, "secrets in clear text", []string(nil), mentions(err.Error(), "iloveyou!"))
}
