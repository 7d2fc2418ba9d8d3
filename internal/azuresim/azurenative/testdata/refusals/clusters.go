package main

import (
	"fmt"
	"strings"

	"github.com/pulumi/pulumi-azure-native-sdk/containerservice/v3"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

// cluster has the arguments of a cluster. Its first pool is the system pool, and its second one is a Windows pool.
type cluster struct {
	containerservice.ManagedClusterArgs
	network containerservice.ContainerServiceNetworkProfileArgs
	windows *containerservice.ManagedClusterWindowsProfileArgs
	pools   []containerservice.ManagedClusterAgentPoolProfileArgs
}

func (c *cluster) args() *containerservice.ManagedClusterArgs {
	args := c.ManagedClusterArgs
	args.NetworkProfile = c.network
	if c.windows != nil {
		args.WindowsProfile = c.windows
	}
	pools := containerservice.ManagedClusterAgentPoolProfileArray{}
	for _, pool := range c.pools {
		pools = append(pools, pool)
	}
	args.AgentPoolProfiles = pools
	return &args
}

func (c *cluster) system() *containerservice.ManagedClusterAgentPoolProfileArgs { return &c.pools[0] }

// linuxOnly removes the Windows pool.
func (c *cluster) linuxOnly() { c.pools = c.pools[:1] }

// goodCluster is a mixed cluster that Azure accepts.
func goodCluster(name string, number int) *cluster {
	c := &cluster{
		ManagedClusterArgs: containerservice.ManagedClusterArgs{
			ResourceName: pulumi.String(name), DnsPrefix: pulumi.String(name), KubernetesVersion: pulumi.String("1.36"),
			Identity: containerservice.ManagedClusterIdentityArgs{
				Type: containerservice.ResourceIdentityTypeSystemAssigned,
			},
		},
		windows: &containerservice.ManagedClusterWindowsProfileArgs{
			AdminUsername: pulumi.String("operator"), AdminPassword: pulumi.String("Correct-Horse-42"),
			LicenseType: pulumi.String("Windows_Server"),
		},
		pools: []containerservice.ManagedClusterAgentPoolProfileArgs{
			{Name: pulumi.String(fmt.Sprintf("sys%d", number)), Mode: pulumi.String("System"), Count: pulumi.Int(1)},
			{
				Name: pulumi.String(fmt.Sprintf("win%d", number)), Mode: pulumi.String("User"), Count: pulumi.Int(0),
				OsType: pulumi.String("Windows"), OsSKU: pulumi.String("Windows2022"),
			},
		},
	}
	c.network.NetworkPlugin, c.network.NetworkPluginMode = pulumi.String("azure"), pulumi.String("overlay")
	c.network.NetworkPolicy = pulumi.String("calico")
	for i := range c.pools {
		c.pools[i].VmSize = pulumi.String("Standard_D4s_v5")
	}
	return c
}

// shop has settings that do not work on Windows but that Azure accepts next to a Windows pool.
func shop(c *cluster) {
	c.SecurityProfile = containerservice.ManagedClusterSecurityProfileArgs{
		CustomCATrustCertificates: pulumi.ToStringArray([]string{"Y2VydGlmaWNhdGU="}),
		ImageCleaner: containerservice.ManagedClusterSecurityProfileImageCleanerArgs{
			Enabled: pulumi.Bool(true), IntervalHours: pulumi.Int(24),
		},
	}
	c.ServiceMeshProfile = containerservice.ServiceMeshProfileArgs{Mode: pulumi.String("Istio")}
}

// plain begins without Windows, so that it never gets any.
func plain(c *cluster) {
	c.linuxOnly()
	c.windows = nil
	kubenet(c)
}

func kubenet(c *cluster) {
	c.network.NetworkPlugin, c.network.NetworkPluginMode = pulumi.String("kubenet"), nil
}

// wrongClusters are valid except for one thing.
var wrongClusters = map[string]func(*cluster){
	"cluster-name":      func(c *cluster) { c.ResourceName = pulumi.String("shop-") },
	"cluster-trademark": func(c *cluster) { c.ResourceName = pulumi.String("shop-windows") },
	"group-long":        func(c *cluster) { c.NodeResourceGroup = pulumi.String(strings.Repeat("n", 81)) },
	"group-own":         func(c *cluster) { c.NodeResourceGroup = pulumi.String("refusals") },

	"version-old": version("1.31"),

	"mode-first-user":   func(c *cluster) { c.system().Mode = pulumi.String("User") },
	"mode-first-unsaid": func(c *cluster) { c.system().Mode = nil },
	"mode-first-win":    func(c *cluster) { c.system().OsType = pulumi.String("Windows") },

	"profile-missing": func(c *cluster) { c.windows = nil },

	"admin-empty":     admin(""),
	"admin-21":        admin("abcdefghijklmnopqrstu"),
	"admin-period":    admin("operator."),
	"admin-refused":   admin("Administrator"),
	"admin-refused-2": admin("support_388945a0"),

	"password-none":    func(c *cluster) { c.windows.AdminPassword = nil },
	"password-7":       password("Aa1-xyz"),
	"password-124":     password(strings.Repeat("Aa1-", 31)),
	"password-2-kinds": password("lowerandUPPERS"),

	"license-unknown": func(c *cluster) { c.windows.LicenseType = pulumi.String("Windows_Client") },

	"sku-2022-in-137": version("1.37"),

	"network-kubenet": kubenet,
	"network-none": func(c *cluster) {
		c.network.NetworkPlugin, c.network.NetworkPluginMode, c.network.NetworkPolicy = pulumi.String("none"), nil, nil
	},
	"network-cilium": func(c *cluster) {
		c.network.NetworkDataplane, c.network.NetworkPolicy = pulumi.String("cilium"), pulumi.String("cilium")
	},
	"network-kubenet-overlay": func(c *cluster) {
		c.linuxOnly()
		c.network.NetworkPlugin = pulumi.String("kubenet")
	},

	"network-dns": func(c *cluster) { c.network.DnsServiceIP = pulumi.String("10.9.0.10") },

	"outbound-subnet": func(c *cluster) {
		c.linuxOnly()
		c.network.OutboundType = pulumi.String("userAssignedNATGateway")
	},

	"policy-npm": func(c *cluster) { c.network.NetworkPolicy = pulumi.String("azure") },

	"spot-first": func(c *cluster) { c.system().ScaleSetPriority = pulumi.String("Spot") },

	"isolated-cache": func(c *cluster) {
		c.BootstrapProfile = containerservice.ManagedClusterBootstrapProfileArgs{ArtifactSource: pulumi.String("Cache")}
	},
	"isolated-none": func(c *cluster) { c.network.OutboundType = pulumi.String("none") },

	"gmsa-server-only": gmsa(containerservice.WindowsGmsaProfileArgs{
		Enabled:   pulumi.Bool(true),
		DnsServer: pulumi.String("10.0.0.4"),
	}),
	"gmsa-domain-only": gmsa(containerservice.WindowsGmsaProfileArgs{
		Enabled:        pulumi.Bool(true),
		RootDomainName: pulumi.String("shop.example"),
	}),

	"api-private-ranges": func(c *cluster) {
		c.ApiServerAccessProfile = containerservice.ManagedClusterAPIServerAccessProfileArgs{
			EnablePrivateCluster: pulumi.Bool(true),
			AuthorizedIPRanges:   pulumi.ToStringArray([]string{"203.0.113.0/24"}),
		}
	},
	"api-no-range": func(c *cluster) {
		c.ApiServerAccessProfile = containerservice.ManagedClusterAPIServerAccessProfileArgs{
			AuthorizedIPRanges: pulumi.ToStringArray([]string{"office"}),
		}
	},
}

func version(v string) func(*cluster) {
	return func(c *cluster) { c.KubernetesVersion = pulumi.String(v) }
}

func admin(name string) func(*cluster) {
	return func(c *cluster) { c.windows.AdminUsername = pulumi.String(name) }
}

func password(text string) func(*cluster) {
	return func(c *cluster) { c.windows.AdminPassword = pulumi.String(text) }
}

func gmsa(profile containerservice.WindowsGmsaProfileArgs) func(*cluster) {
	return func(c *cluster) { c.windows.GmsaProfile = profile }
}

// lastSystem is the cluster whose second system pool becomes its last one.
const lastSystem = "last-system"

// clusterChanges are clusters that Azure accepts, and changes of them that it refuses. Changes for which azure-native
// itself replaces a cluster, of its Windows profile for example, cannot be here.
var clusterChanges = map[string]struct{ good, wrong func(*cluster) }{
	"version-back": {small("1.34"), small("1.33")},
	"version-skip": {small("1.34"), small("1.36")},
	// azure-native replaces an AgentPool for another size, but not the pools of a cluster.
	"first-size": {small("1.36"), func(c *cluster) {
		c.linuxOnly()
		c.system().VmSize = pulumi.String("Standard_D8s_v5")
	}},
	"second-pool":     {small("1.36"), version("1.36")},
	"first-for-users": {small("1.36"), firstForUsers},
	// Azure accepts this one because the cluster also has the pool last, which then cannot be deleted.
	lastSystem: {small("1.36"), firstForUsers},
}

// small has no Windows pool.
func small(v string) func(*cluster) {
	return func(c *cluster) {
		c.linuxOnly()
		c.KubernetesVersion = pulumi.String(v)
	}
}

func firstForUsers(c *cluster) {
	c.linuxOnly()
	c.system().Mode = pulumi.String("User")
}
