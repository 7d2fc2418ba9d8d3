package aks_test

import (
	"os"
	"regexp"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/pulumi/pulumi-azure-native-sdk/containerservice/v3"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	corev1 "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/components/aks"
	"github.com/mixedkube/mixedkube/components/aks/akstest"
	"github.com/mixedkube/mixedkube/components/mocktest"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/testkit/golden"
)

// wrong returns arguments that violate many rules.
func wrong(password pulumi.StringInput) *aks.ClusterArgs {
	return &aks.ClusterArgs{
		ClusterName:       "-shop",
		KubernetesVersion: "1.33",
		Pools: []topology.Pool{
			{
				Name: "System_Pool", Platform: platform.Linux, Mode: topology.System, Size: "Standard_B4ms",
				MaxPods: 20,
				Taints:  []corev1.Taint{{Key: "dedicated", Value: "system", Effect: corev1.TaintEffectNoSchedule}},
				Upgrade: topology.Upgrade{MaxSurge: "1", MaxUnavailable: "1"},
			},
			{
				Name: "windows", Platform: platform.WindowsServer2022, Size: "Standard_D4ps_v5", Mode: topology.System,
				Count: 1200,
			},
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
			Username: "Administrator", Password: password, LicenseType: "Windows_Sever",
			GMSA: aks.GMSA{DNSServer: "10.0.0.4"},
		},
		APIServer: aks.APIServer{
			AuthorizedIPRanges: pulumi.ToStringArray([]string{"10.0.0.0/33"}), Private: true,
			DisableLocalAccounts: true,
		},
		Options: &containerservice.ManagedClusterArgs{
			NetworkProfile: containerservice.ContainerServiceNetworkProfileArgs{
				NetworkPlugin: pulumi.String("kubenet"), NetworkPluginMode: pulumi.String("overlay"),
				NetworkPolicy: pulumi.String("azure"),
				OutboundType:  pulumi.String("none").ToStringOutput(),
			},
			NodeProvisioningProfile: containerservice.ManagedClusterNodeProvisioningProfileArgs{
				Mode: pulumi.String("Auto"),
			},
			WindowsProfile: containerservice.ManagedClusterWindowsProfileArgs{
				AdminUsername: pulumi.String("me"),
			},
		},
		Ignore: []string{"MK000", "MK753"},
	}
}

// All errors are reported at once, in order, and nothing is registered.
func TestAllErrorsOfAnInvalidCluster(t *testing.T) {
	t.Parallel()
	for _, option := range [][]mocktest.Option{nil, {mocktest.Preview()}} {
		graph, err := mocktest.Run(newCluster(wrong(pulumi.String(refused))), append(option, akstest.Azure())...)
		golden.Equal(t, "testdata/wrong.golden", brief(err.Error())+"\n")
		equal(t, "registered", 0, len(graph.Resources()))
		equal(t, "secrets in clear text", []string(nil), mentions(err.Error()+graph.String(), refused))
	}
}

// The findings never depend on whether an output is known in time, however busy the machine is.
func TestFindingsDoNotDependOnTime(t *testing.T) { //nolint:paralleltest // it takes all processors
	all, err := os.ReadFile("testdata/wrong.golden")
	if err != nil {
		t.Fatal(err)
	}
	want := regexp.MustCompile(`(?m)^  windowsAdmin\.password: .*\n`).ReplaceAllString(string(all), "")
	if strings.Count(string(all), "\n")-strings.Count(want, "\n") != 3 {
		t.Fatalf("no findings about the password in:\n%s", all)
	}
	var done atomic.Bool
	defer done.Store(true)
	for range runtime.GOMAXPROCS(0) {
		go func() {
			for !done.Load() {
				runtime.Gosched() // and again: all processors are busy
			}
		}()
	}
	for name, password := range map[string]func(*pulumi.Context) pulumi.StringInput{
		"a secret that is known": func(*pulumi.Context) pulumi.StringInput {
			return pulumi.ToSecret(refused).(pulumi.StringOutput)
		},
		"an output that is known later": func(ctx *pulumi.Context) pulumi.StringInput {
			out, resolve, _ := ctx.NewOutput()
			go resolve(refused)
			return out.ApplyT(func(v any) string { return v.(string) }).(pulumi.StringOutput)
		},
	} {
		for range 25 {
			_, err := mocktest.Run(func(ctx *pulumi.Context) error {
				_, err := aks.NewCluster(ctx, "shop", wrong(password(ctx)))
				return err
			}, akstest.Azure())
			if diff := cmp.Diff(want, brief(err.Error())+"\n"); diff != "" {
				t.Fatalf("the findings of a cluster with %s (-want +got):\n%s", name, diff)
			}
		}
	}
}

// Findings that do not stop the program are in the log, and a rule that is ignored does not stop it.
func TestWarningsAndIgnoredRules(t *testing.T) {
	t.Parallel()
	graph := mocktest.MustRun(t, newCluster(small(func(a *aks.ClusterArgs) {
		a.KubernetesVersion = "1.99"
		a.Pools[1].Platform, a.Pools[1].FIPS = platform.WindowsServer2025, true
		a.Pools[1].Name = "window"
		a.Pools[1].Size = "Standard_B1ls"
		a.PoolOptions = map[string]aks.PoolOptions{
			"window": {Options: &containerservice.AgentPoolArgs{OsSKU: pulumi.String("Windows2028")}},
		}
		a.Network.Policy, a.Network.OutboundType = "azure", "managedNATGatewayV2"
		a.Options = &containerservice.ManagedClusterArgs{
			NodeProvisioningProfile: containerservice.ManagedClusterNodeProvisioningProfileArgs{
				Mode: pulumi.String("Auto"),
			},
		}
		a.Ignore = []string{"MK792"}
	})), akstest.Azure())
	golden.Equal(t, "testdata/warnings.golden", brief(messages(graph)...)+"\n")
}

// An invalid password that is an output fails its cluster: with all findings about it, except those of ignored rules,
// and in a preview if it is known there.
func TestAPasswordThatIsAnOutput(t *testing.T) {
	t.Parallel()
	program := func(password string) pulumi.RunFunc {
		return func(ctx *pulumi.Context) error {
			out, resolve, _ := ctx.NewOutput()
			_, err := aks.NewCluster(ctx, "shop", small(func(a *aks.ClusterArgs) {
				a.WindowsAdmin.Password = out.ApplyT(func(v any) string { return v.(string) }).(pulumi.StringOutput)
				a.Ignore = []string{"MK756"}
			}))
			resolve(password)
			return err
		}
	}
	for _, option := range [][]mocktest.Option{nil, {mocktest.Preview()}} {
		if _, err := mocktest.Run(program(password), append(option, akstest.Azure())...); err != nil {
			t.Error(err)
		}
		graph, err := mocktest.Run(program(refused), append(option, akstest.Azure())...)
		if err == nil {
			t.Fatal("a refused password passes")
		}
		// Which of its users fails first is up to the engine.
		want := `mixedkube:aks:Cluster "shop":
  windowsAdmin.password: … (MK754)
  windowsAdmin.password: … (MK755)`
		if !strings.HasSuffix(brief(err.Error()), ": "+want) {
			t.Errorf("the error is %q, want %q at its end", err, want)
		}
		equal(t, "clusters", []string(nil), names(graph, clusterType))
		equal(t, "secrets in clear text", []string(nil), mentions(err.Error(), refused))
	}
}

// The name of a group that is an output is checked when it is known, together with the other plain arguments.
func TestTheGroupOfTheNodesFailsTheCluster(t *testing.T) {
	t.Parallel()
	program := func(length int, change func(*aks.ClusterArgs)) pulumi.RunFunc {
		return newCluster(small(func(a *aks.ClusterArgs) {
			group := pulumi.ToOutput(pulumi.String(strings.Repeat("g", length)))
			a.ResourceGroupName = group.ApplyT(func(name string) string { return name }).(pulumi.StringOutput)
			a.Location = pulumi.String("westeurope")
			if change != nil {
				change(a)
			}
		}))
	}
	const longest = 61
	for _, option := range [][]mocktest.Option{nil, {mocktest.Preview()}} {
		option = append(option, akstest.Azure())
		mocktest.MustRun(t, program(longest, nil), option...)
		mocktest.MustRun(t, program(longest+1, func(a *aks.ClusterArgs) { a.Ignore = []string{"MK719"} }), option...)
		graph, err := mocktest.Run(program(longest+1, nil), option...)
		want := "options.nodeResourceGroup: … (MK719)"
		if err == nil || !strings.Contains(brief(err.Error()), want) {
			t.Errorf("the error is %v, want %s", err, want)
		}
		equal(t, "clusters", []string(nil), names(graph, clusterType))
		_, err = mocktest.Run(program(4, func(a *aks.ClusterArgs) {
			a.Options = &containerservice.ManagedClusterArgs{NodeResourceGroup: pulumi.String("GGGG")}
		}), option...)
		want = "options.nodeResourceGroup: … (MK720)"
		if err == nil || !strings.Contains(brief(err.Error()), want) {
			t.Errorf("the error is %v, want %s", err, want)
		}
	}
}
