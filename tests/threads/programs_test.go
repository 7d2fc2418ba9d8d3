package threads_test

import (
	"cmp"
	"regexp"
	"strings"
	"testing"

	"github.com/pulumi/pulumi-azure-native-sdk/containerservice/v3"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/aks"
	"github.com/mixedkube/mixedkube/components/aks/akstest"
	"github.com/mixedkube/mixedkube/components/gmsa"
	"github.com/mixedkube/mixedkube/components/kubeadm"
	"github.com/mixedkube/mixedkube/components/kubeadm/kubeadmtest"
	"github.com/mixedkube/mixedkube/components/logmonitor"
	"github.com/mixedkube/mixedkube/components/mocktest"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/machines/bootstrap"
	"github.com/mixedkube/mixedkube/machines/bootstrap/network"
)

const (
	linuxSize   = "Standard_D4s_v5"
	windowsSize = "Standard_D8s_v5"
	otherSize   = "Standard_D16s_v5"
	password    = "Correct-Horse-Battery-9"
)

// program is a program, and the Azure in which it runs.
type program struct {
	does pulumi.RunFunc
	in   mocktest.Option
}

// pair is a program with the cause of a thread, and one without it.
type pair struct{ wrong, right program }

// programs has the programs, by the names of the threads' directories.
var programs = map[string]pair{
	// The pool has another Windows release than the program declares.
	"AKS-1454": {newAKS(options(sku("Windows2019"))), newAKS(options(sku("Windows2022")))},
	"AKS-3129": {
		newAKS(func(a *aks.ClusterArgs) { a.Network.Policy = "azure" }),
		newAKS(func(a *aks.ClusterArgs) { a.Network.Policy = aks.Calico }),
	},
	"AKS-3913": {
		inAKS(func(a *aks.ClusterArgs) { a.WindowsAdmin.LicenseType = aks.WindowsServerLicense }),
		inAKS(nil),
	},
	"AKS-4168": {newAKS(version137), newAKS(version137, toWindows2025)},
	"AKS-5608": {newAKS(options(sku("WindowsAnnual"))), newAKS(options(sku("Windows2022")))},
	"AKS-5904": {inAKS(toWindows2025), inAKS(toWindows2025, allowOtherName)},
	"azure-1464": {
		newAKS(func(a *aks.ClusterArgs) { a.Pools[1].Size = "Standard_D4ads_v6" }),
		newAKS(func(a *aks.ClusterArgs) { a.Pools[1].Size = "Standard_D4ads_v5" }),
	},
	"azure-powershell-12372": {newAKS(func(a *aks.ClusterArgs) {
		a.Pools[1].Name = "frontend"
		a.WindowsAdmin.Password = pulumi.String("Short1!")
		kubenet := containerservice.ContainerServiceNetworkProfileArgs{NetworkPlugin: pulumi.String("kubenet")}
		a.Options = &containerservice.ManagedClusterArgs{NetworkProfile: kubenet}
	}), newAKS(nil)},
	"cluster-api-provider-azure-2614": {
		newKubeadm(nil),
		newKubeadm(func(a *kubeadm.ClusterArgs) {
			image := kubeadm.Image{
				Publisher: "MicrosoftWindowsServer", Offer: "WindowsServer",
				SKU: "2022-datacenter-core-smalldisk-g2", Version: "20348.1906.230803",
			}
			a.PoolOptions = map[string]kubeadm.PoolOptions{"win22": {Image: image}}
		}),
	},
	// The nodes are not members of the domain: their plug-in has to find a user's password.
	"AKS-3849": {newCredentialSpec("ObjectId=00000000-0000-0000-0000-000000000001"), newCredentialSpec(
		"ObjectId=00000000-0000-0000-0000-000000000001;SecretUri=https://shop.vault.azure.net/secrets/gmsa")},
	"karpenter-provider-azure-557": {newAKS(provisioning("Auto")), newAKS(provisioning("Manual"))},
	"rancher-28946": {
		newKubeadm(func(a *kubeadm.ClusterArgs) { a.Network.Kind = "canal" }),
		newKubeadm(func(a *kubeadm.ClusterArgs) { a.Network.Kind = network.CalicoVXLAN }),
	},
	"terraform-provider-azurerm-22265": {inAKS(larger), inAKS(larger, allowOtherName)},
	// LogMonitor silently skips such a directory, so that kubectl logs stays empty.
	"Windows-Containers-311": {newLogs("logs"), newLogs(`C:\inetpub\logs`)},
}

func options(change func(*containerservice.AgentPoolArgs)) func(*aks.ClusterArgs) {
	return func(a *aks.ClusterArgs) {
		args := &containerservice.AgentPoolArgs{}
		change(args)
		a.PoolOptions = map[string]aks.PoolOptions{"win22": {Options: args}}
	}
}

func sku(name string) func(*containerservice.AgentPoolArgs) {
	return func(a *containerservice.AgentPoolArgs) { a.OsSKU = pulumi.String(name) }
}

func version137(a *aks.ClusterArgs) { a.KubernetesVersion = "1.37" }

func toWindows2025(a *aks.ClusterArgs) {
	a.Pools[1].Platform, a.Pools[1].FIPS = platform.WindowsServer2025, true
}

func larger(a *aks.ClusterArgs) { a.Pools[1].Size = otherSize }

// allowOtherName lets the replacement of the Windows pool have another name.
func allowOtherName(a *aks.ClusterArgs) { delete(a.PoolOptions, "win22") }

func provisioning(mode string) func(*aks.ClusterArgs) {
	return func(a *aks.ClusterArgs) {
		profile := containerservice.ManagedClusterNodeProvisioningProfileArgs{Mode: pulumi.String(mode)}
		a.Options = &containerservice.ManagedClusterArgs{NodeProvisioningProfile: profile}
	}
}

// newAKS creates a cluster in an Azure without clusters.
func newAKS(changes ...func(*aks.ClusterArgs)) program {
	return program{func(ctx *pulumi.Context) error {
		args := &aks.ClusterArgs{
			ResourceGroupName: pulumi.String("shop-group"),
			KubernetesVersion: "1.35",
			Pools: []topology.Pool{
				{Name: "sys", Platform: platform.Linux, Mode: topology.System, Count: 3, Size: linuxSize},
				{Name: "win22", Platform: platform.WindowsServer2022, Count: 2, Size: windowsSize},
			},
			WindowsAdmin: aks.WindowsAdmin{Password: pulumi.String(password)},
		}
		for _, change := range changes {
			if change != nil {
				change(args)
			}
		}
		_, err := aks.NewCluster(ctx, "shop", args)
		return err
	}, akstest.Azure()}
}

// inAKS adopts a cluster that was created without this library, and changes it.
func inAKS(changes ...func(*aks.ClusterArgs)) program {
	const id = "/subscriptions/s/resourcegroups/g/providers/Microsoft.ContainerService/managedClusters/shop"
	pool := func(name, mode, os, sku, size string) map[string]any {
		return map[string]any{
			"name": name, "mode": mode, "osType": os, "osSKU": sku, "count": 2, "vmSize": size,
			"currentOrchestratorVersion": "1.35.4",
		}
	}
	return program{func(ctx *pulumi.Context) error {
		args := &aks.ClusterArgs{
			ResourceGroupName: pulumi.String("shop-group"),
			KubernetesVersion: "1.35",
			Pools: []topology.Pool{
				{Name: "sys", Platform: platform.Linux, Mode: topology.System, Size: linuxSize},
				{Name: "win22", Platform: platform.WindowsServer2022, Count: 2, Size: windowsSize},
			},
			PoolOptions: map[string]aks.PoolOptions{
				"sys":   {NameInAzure: "nodepool1"},
				"win22": {NameInAzure: "win", ImportID: pulumi.String(id + "/agentPools/win")},
			},
			WindowsAdmin: aks.WindowsAdmin{Password: pulumi.String(password)},
		}
		for _, change := range changes {
			if change != nil {
				change(args)
			}
		}
		_, err := aks.NewCluster(ctx, "shop", args, pulumi.Import(pulumi.ID(id)))
		return err
	}, akstest.Azure(akstest.Cluster{Name: "shop", Properties: map[string]any{
		"currentKubernetesVersion": "1.35.4", "kubernetesVersion": "1.35", "dnsPrefix": "shop-dns",
		"nodeResourceGroup": "MC_shop",
		"networkProfile": map[string]any{
			"networkPlugin": "azure", "networkPluginMode": "overlay", "outboundType": "loadBalancer",
		},
		"windowsProfile": map[string]any{"adminUsername": "shopadmin", "licenseType": "None"},
		"agentPoolProfiles": []any{
			pool("nodepool1", "System", "Linux", "AzureLinux", linuxSize),
			pool("win", "User", "Windows", "Windows2022", windowsSize),
		},
	}})}
}

func newKubeadm(change func(*kubeadm.ClusterArgs)) program {
	return program{func(ctx *pulumi.Context) error {
		hashes := map[string]string{}
		for _, d := range bootstrap.KnownReleases().All() {
			if d.SHA256 == "" {
				hashes[d.URL] = strings.Repeat("0", 64)
			}
		}
		releases, errs := bootstrap.KnownReleases().WithHashes(hashes, nil)
		if len(errs) > 0 {
			return errs.ToAggregate()
		}
		args := &kubeadm.ClusterArgs{
			KubernetesVersion: "1.36",
			Pools: []topology.Pool{
				{Name: "linux", Platform: platform.Linux, Size: linuxSize},
				{Name: "win22", Platform: platform.WindowsServer2022, Size: windowsSize},
			},
			LinuxAdmin: kubeadm.LinuxAdmin{
				SSHPublicKey: pulumi.String("ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIH someone"),
			},
			WindowsAdmin: kubeadm.WindowsAdmin{Password: pulumi.String(password)},
			Releases:     releases,
		}
		if change != nil {
			change(args)
		}
		_, err := kubeadm.NewCluster(ctx, "shop", args)
		return err
	}, kubeadmtest.Azure()}
}

func newCredentialSpec(pluginInput string) program {
	return program{does: func(ctx *pulumi.Context) error {
		_, err := gmsa.NewCredentialSpec(ctx, "web", &gmsa.CredentialSpecArgs{
			Account: "WebApp1",
			Domain: gmsa.Domain{
				DNSName: "contoso.com", NetBIOSName: "CONTOSO",
				SID: "S-1-5-21-2126449477-2524075714-3094792973", GUID: "244818ae-87ac-4fcd-92ec-e79e5252348a",
			},
			HostAccountConfig: gmsa.HostAccountConfig{
				PluginGUID: gmsa.AzureKeyVaultPluginGUID, PluginInput: pulumi.String(pluginInput),
			},
		})
		return err
	}}
}

func newLogs(directory string) program {
	return program{does: func(ctx *pulumi.Context) error {
		_, err := logmonitor.NewConfig(ctx, "shop", &logmonitor.ConfigArgs{
			Sources: []logmonitor.Source{logmonitor.File{Directory: directory, Filter: "*.log"}},
		})
		return err
	}}
}

// findingForm matches a finding of a component: its severity, which an error does not have, its
// resource, path, message and rule.
var findingForm = regexp.MustCompile(`^(?:(error|warning|info): )?(?:\S+ "[^"]*": )?` +
	`([a-zA-Z][\w.\[\]-]*): (.*?)(?: \((MK\d+)\))?$`)

// run returns the findings of a program's preview.
func (p program) run(t *testing.T) []finding {
	t.Helper()
	settings := []mocktest.Option{mocktest.Preview()}
	if p.in != nil {
		settings = append(settings, p.in)
	}
	graph, err := mocktest.Run(p.does, settings...)
	var found []finding
	add := func(severity, text string) {
		for line := range strings.Lines(text) {
			line = strings.TrimSpace(line)
			match := findingForm.FindStringSubmatch(line)
			if match == nil {
				if !strings.HasSuffix(line, ":") { // the heading of several findings
					found = append(found, finding{Severity: rule.Severity(severity), message: line})
				}
				continue
			}
			found = append(found, finding{
				Rule: match[4], Path: match[2], Severity: rule.Severity(cmp.Or(match[1], severity)), message: match[3],
			})
		}
	}
	if err != nil {
		add("error", err.Error())
	}
	if graph != nil {
		for _, log := range graph.Logs() {
			add(log.Severity, log.Message)
		}
	}
	return found
}
