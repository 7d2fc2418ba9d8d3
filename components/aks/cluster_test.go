package aks_test

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"testing"

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

const subnets = "/subscriptions/s/resourceGroups/net/providers/Microsoft.Network/virtualNetworks/vnet/subnets/"

// The IDs of subnets.
const (
	nodesID = subnets + "nodes"
	podsID  = subnets + "pods"
	ownID   = subnets + "own"
)

// full returns arguments that set every kind of field.
func full() *aks.ClusterArgs {
	return &aks.ClusterArgs{
		ResourceGroupName: pulumi.String("shop-group"),
		ClusterName:       "shop_prod",
		Location:          pulumi.String("westeurope"),
		KubernetesVersion: "1.35",
		Pools: []topology.Pool{
			{
				Name: "win22", Platform: platform.WindowsServer2022, Size: "Standard_D8s_v5", KubernetesVersion: "1.34",
				Autoscaling: topology.Autoscaling{Min: 0, Max: 10}, DisableOutboundNAT: true,
				OSDiskSizeGB: 256, OSDiskType: topology.ManagedDisk, MaxPods: 60,
				Upgrade: topology.Upgrade{
					MaxSurge: "33%", MaxUnavailable: "0", DrainTimeoutMinutes: 20,
					NodeSoakMinutes: 5, UndrainableNodes: topology.Cordon,
				},
			},
			{
				Name: "sys", Platform: platform.Linux, Mode: topology.System, Size: "Standard_D4s_v5",
				Autoscaling: topology.Autoscaling{Min: 3, Max: 5}, Zones: []string{"1", "2", "3"},
				Taints: []corev1.Taint{{
					Key: "CriticalAddonsOnly", Value: "true",
					Effect: corev1.TaintEffectNoSchedule,
				}},
			},
			{Name: "sys2", Platform: platform.Linux, Mode: topology.System, Size: "Standard_D4s_v5"},
			{
				Name: "batch", Platform: platform.Linux, Size: "Standard_D16s_v5", Empty: true,
				Spot: true, SpotMaxPrice: 0.25, Labels: map[string]string{"team": "shop"},
				Taints: []corev1.Taint{{Key: "batch", Effect: corev1.TaintEffectNoExecute}},
			},
			{Name: "win25", Platform: platform.WindowsServer2025, Size: "Standard_D8s_v6", FIPS: true},
		},
		PoolOptions: map[string]aks.PoolOptions{
			"batch": {
				NodeSubnetID: pulumi.String(subnets + "batch"),
				Options:      &containerservice.AgentPoolArgs{OsSKU: pulumi.String("AzureLinux")},
			},
			"sys": {Options: &containerservice.AgentPoolArgs{EnableEncryptionAtHost: pulumi.Bool(true)}},
		},
		Network: aks.Network{
			Mode: aks.PodSubnet, Policy: aks.Calico, OutboundType: aks.UserAssignedNATGateway,
			NodeSubnetID: pulumi.String(subnets + "nodes"), PodSubnetID: pulumi.String(subnets + "pods"),
		},
		WindowsAdmin: aks.WindowsAdmin{
			Username: "operator", Password: pulumi.ToSecret(password).(pulumi.StringOutput),
			LicenseType: aks.WindowsServerLicense,
			GMSA:        aks.GMSA{Enabled: true, DNSServer: "10.0.0.4", RootDomainName: "contoso.com"},
		},
		Identity:  aks.Identity{UserAssignedID: pulumi.String(idOf("ManagedIdentity/userAssignedIdentities/shop"))},
		APIServer: aks.APIServer{Private: true, PrivateDNSZone: pulumi.String("none"), DisableLocalAccounts: true},
		Tags:      pulumi.StringMap{"team": pulumi.String("shop")},
		AzureCLI:  true,
		Options: &containerservice.ManagedClusterArgs{
			AadProfile:        containerservice.ManagedClusterAADProfileArgs{Managed: pulumi.Bool(true)},
			DnsPrefix:         pulumi.String("shop-dns"),
			NodeResourceGroup: pulumi.String("shop-nodes"),
			NetworkProfile: containerservice.ContainerServiceNetworkProfileArgs{
				ServiceCidr: pulumi.String("172.16.0.0/16"), DnsServiceIP: pulumi.String("172.16.0.10"),
			},
			ApiServerAccessProfile: containerservice.ManagedClusterAPIServerAccessProfileArgs{
				DisableRunCommand: pulumi.Bool(true),
			},
		},
	}
}

func TestTheWholeGraph(t *testing.T) {
	t.Parallel()
	for name, args := range map[string]*aks.ClusterArgs{"small": small(nil), "full": full()} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			golden.UpdateAndPreview(t, "testdata/"+name,
				mocktest.MustRun(t, newCluster(args), akstest.Azure()).String(),
				mocktest.MustRun(t, newCluster(args), akstest.Azure(), mocktest.Preview()).String())
		})
	}
}

// The component has the outputs of the cluster, and the kubeconfig is a secret.
func TestOutputs(t *testing.T) {
	t.Parallel()
	graph := mocktest.MustRun(t, func(ctx *pulumi.Context) error {
		c, err := aks.NewCluster(ctx, "shop", small(nil))
		if err != nil {
			return err
		}
		ctx.Export("id", c.ID)
		ctx.Export("group", c.ResourceGroupName)
		ctx.Export("name", c.ClusterName)
		ctx.Export("nodes", c.NodeResourceGroup)
		ctx.Export("issuer", c.OIDCIssuerURL)
		ctx.Export("kubeconfig", c.Kubeconfig)
		ctx.Export("is it", c.Kubeconfig.ApplyT(func(s string) bool { return s == akstest.Kubeconfig }))
		return nil
	}, akstest.Azure())
	equal(t, "exports", map[string]any{
		"id": "shop-cluster-id", "group": "shop-rg1a2b3c4d", "name": "shop", "nodes": "MC_shop",
		"issuer": "https://oidc.example.com/shop", "kubeconfig": mocktest.SecretValue, "is it": mocktest.SecretValue,
	}, mocktest.Plain(graph.Exports()))
	equal(t, "the provider's kubeconfig", []string{"kubeconfig"},
		graph.MustGet(t, "pulumi:providers:kubernetes", "shop-kubernetes").Secrets())
	if len(graph.Calls()) != 2 {
		t.Errorf("%d calls, want one for the cluster and one for its kubeconfig", len(graph.Calls()))
	}
	for _, call := range graph.Calls() {
		equal(t, call.Token, map[string]any{"resourceGroupName": "shop-rg1a2b3c4d", "resourceName": "shop"},
			mocktest.Plain(call.Args))
	}
}

// Workloads of a program are placed by the labels and taints that AKS gives the nodes.
func TestTheTopologyHasTheLabelsAndTaintsOfTheNodes(t *testing.T) {
	t.Parallel()
	var got topology.Topology
	mocktest.MustRun(t, func(ctx *pulumi.Context) error {
		c, err := aks.NewCluster(ctx, "shop", small(func(args *aks.ClusterArgs) {
			args.Pools = append(args.Pools,
				topology.Pool{Name: "spot", Platform: platform.Linux, Size: "Standard_D4s_v5", Spot: true})
			args.PoolOptions = map[string]aks.PoolOptions{
				"spot": {Options: &containerservice.AgentPoolArgs{OsSKU: pulumi.String("AzureLinux")}},
			}
		}))
		got = c.Topology
		return err
	}, akstest.Azure())
	if errs := got.Validate(nil); len(errs) > 0 {
		t.Error(errs)
	}
	equal(t, "version", "1.35", got.KubernetesVersion)
	equal(t, "cloud", topology.AKS, got.Cloud)
	labels := func(mode, name, osSKU, effective string, more map[string]string) map[string]string {
		all := map[string]string{
			"agentpool": name, "kubernetes.azure.com/agentpool": name,
			"kubernetes.azure.com/mode": mode, "kubernetes.azure.com/role": "agent",
			"kubernetes.azure.com/nodepool-type": "VirtualMachineScaleSets",
			"kubernetes.azure.com/os-sku":        osSKU, "kubernetes.azure.com/os-sku-requested": osSKU,
			"kubernetes.azure.com/os-sku-effective": effective,
			"kubernetes.azure.com/sku-cpu":          "4", "kubernetes.azure.com/sku-memory": "16384",
		}
		maps.Copy(all, more)
		return all
	}
	equal(t, "labels", []map[string]string{
		labels("system", "sysvhv", "Ubuntu", "Ubuntu2404", nil),
		labels("user", "win22d", "Windows2022", "Windows2022", nil),
		labels("user", "spot807", "AzureLinux", "AzureLinux3", map[string]string{
			"kubernetes.azure.com/scalesetpriority": "spot", "kubernetes.azure.com/priority": "spot",
		}),
	}, []map[string]string{got.Pools[0].Labels, got.Pools[1].Labels, got.Pools[2].Labels})
	equal(t, "taints", [][]string{
		nil,
		{"os=windows:NoSchedule"},
		{"kubernetes.azure.com/scalesetpriority=spot:NoSchedule"},
	},
		[][]string{taints(got.Pools[0]), taints(got.Pools[1]), taints(got.Pools[2])})
}

func taints(p topology.Pool) []string {
	var texts []string
	for _, taint := range p.Taints {
		texts = append(texts, topology.FormatTaint(taint))
	}
	return texts
}

// Neither the graph nor the log shows a secret, whatever the settings of the cluster were at first, and whatever has
// changed since.
func TestSecretsAreNeverShown(t *testing.T) {
	t.Parallel()
	const old = "An-Older-Password-1"
	remembered := madeWith(t, old, "")
	for _, args := range []*aks.ClusterArgs{small(nil), full(), small(func(a *aks.ClusterArgs) { a.AzureCLI = true })} {
		for _, option := range [][]mocktest.Option{nil, {mocktest.Preview()}} {
			graph := mocktest.MustRun(t, newCluster(args), append(option, azure(remembered))...)
			equal(t, "secrets in clear text", []string(nil),
				mentions(graph.String(), password, old, akstest.Kubeconfig))
			secrets := graph.MustGet(t, clusterType, "shop-cluster").Secrets()
			if !slices.Contains(secrets, "windowsProfile.adminPassword") {
				t.Error("the password of the cluster is not a secret")
			}
			if args.AzureCLI {
				equal(t, "secrets of the command", []string{"stdin"},
					graph.MustGet(t, commandType, "shop-windows-admin-update").Secrets())
			}
		}
	}
}

// The stash never has a password, and its digest distinguishes one password from another.
func TestStateDoesNotContainThePassword(t *testing.T) {
	t.Parallel()
	run := func(change func(*aks.ClusterArgs)) map[string]any {
		return stashed(t, mocktest.MustRun(t, newCluster(small(change)), akstest.Azure()))
	}
	first := run(nil)
	equal(t, "passwords in the stash", []string(nil), mentions(fmt.Sprint(first), password))
	equal(t, "a second run", first, run(nil))
	if digest := first["adminPasswordDigest"]; !digestForm.MatchString(fmt.Sprint(digest)) {
		t.Errorf("the digest is %v, want 256 bits in hexadecimal", digest)
	}
	for what, change := range map[string]func(*aks.ClusterArgs){
		"another password": func(a *aks.ClusterArgs) { a.WindowsAdmin.Password = pulumi.String(password + "!") },
		"another cluster":  func(a *aks.ClusterArgs) { a.ClusterName = "other" },
	} {
		if run(change)["adminPasswordDigest"] == first["adminPasswordDigest"] {
			t.Errorf("%s has the same digest", what)
		}
	}
}

var digestForm = regexp.MustCompile(`^[0-9a-f]{64}$`)
