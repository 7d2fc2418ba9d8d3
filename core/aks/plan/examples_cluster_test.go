package plan_test

import (
	"maps"
	"slices"
	"strings"

	"github.com/mixedkube/mixedkube/core/aks/plan"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// clusterExamples are examples of the other arguments of a cluster.
var clusterExamples = []example{
	// The administrator.
	{
		"a long username", func(c *plan.Cluster) { c.WindowsAdmin.Username = "abcdefghijklmnopqrstu" },
		func(c *plan.Cluster) { c.WindowsAdmin.Username = "abcdefghijklmnopqrst" },
		[]string{
			`error: windowsAdmin.username: "abcdefghijklmnopqrstu": 21 characters, and the name of a Windows account ` +
				`has at most 20: use a shorter one (MK751)`,
		},
	},
	{
		"a period at the end", func(c *plan.Cluster) { c.WindowsAdmin.Username = "shop." },
		func(c *plan.Cluster) { c.WindowsAdmin.Username = "shop.a" },
		[]string{
			`error: windowsAdmin.username: "shop.": the name of a Windows account cannot end in a period: remove it ` +
				`(MK751)`,
		},
	},
	{
		"a character that Windows reserves", func(c *plan.Cluster) { c.WindowsAdmin.Username = "sh@p" },
		func(c *plan.Cluster) { c.WindowsAdmin.Username = "sh-p" },
		[]string{
			`error: windowsAdmin.username: "sh@p": has one of the characters \/"[]:|<>+=;,?*@&: use letters and ` +
				`digits ` +
				`(MK751)`,
		},
	},
	{
		"a refused username", func(c *plan.Cluster) { c.WindowsAdmin.Username = "Administrator" },
		func(c *plan.Cluster) { c.WindowsAdmin.Username = "" },
		[]string{
			`error: windowsAdmin.username: "Administrator": Azure refuses this name: use one that is less common, ` +
				`for example azureuser (MK752)`,
		},
	},
	{
		"no password, and no Windows pools", both(linuxOnly, func(c *plan.Cluster) { c.WindowsAdmin.Password = nil }),
		func(c *plan.Cluster) { c.WindowsAdmin.Password = tree.Secret{Value: tree.Unknown{}} },
		[]string{
			`error: windowsAdmin.password: required when the cluster is created, even without Windows pools: without ` +
				`it, the cluster can never get Windows pools: set one, as a secret (MK753)`,
		},
	},
	{
		"a short password", password("Abcdefghijkl1"), password("Abcdefghijklm1"),
		[]string{`error: windowsAdmin.password: [secret]: must have 14 to 123 characters: use another (MK754)`},
	},
	{
		"a long password", password("A1" + strings.Repeat("b", 122)), password("A1" + strings.Repeat("b", 121)),
		[]string{`error: windowsAdmin.password: [secret]: must have 14 to 123 characters: use another (MK754)`},
	},
	{
		"two kinds of characters", password("abcdefghijklmn1"), password("abcdefghijklmn1_"),
		[]string{
			`error: windowsAdmin.password: [secret]: must have characters of at least three kinds: lower-case ` +
				`letters, upper-case letters, digits, special characters: use another (MK755)`,
		},
	},
	{
		"a refused password", password("P@$$w0rd"), password("P@$$w0rd-and-more"),
		[]string{
			`error: windowsAdmin.password: [secret]: must have 14 to 123 characters: use another (MK754)`,
			`error: windowsAdmin.password: [secret]: Azure refuses passwords that are easy to guess: use ` +
				`another (MK756)`,
		},
	},
	{
		"a misspelled license", func(c *plan.Cluster) { c.WindowsAdmin.LicenseType = "WindowsServer" },
		func(c *plan.Cluster) { c.WindowsAdmin.LicenseType = "Windows_Server" },
		[]string{
			`error: windowsAdmin.licenseType: "WindowsServer": not a license type that this library knows: did you ` +
				`mean "Windows_Server"? use None or Windows_Server (MK757)`,
		},
	},
	{
		"a newer license", func(c *plan.Cluster) { c.WindowsAdmin.LicenseType = "Academic" },
		func(c *plan.Cluster) { c.WindowsAdmin.LicenseType = "None" },
		[]string{
			`warning: windowsAdmin.licenseType: "Academic": not a license type that this library knows: make sure ` +
				`that Azure knows it, or use None or Windows_Server (MK757)`,
		},
	},
	{
		"a DNS server alone", gmsa(plan.GMSA{Enabled: true, DNSServer: "10.0.0.4"}), gmsa(plan.GMSA{Enabled: true}),
		[]string{
			`error: windowsAdmin.gmsa.rootDomainName: required together with dnsServer: set both, or neither if the ` +
				`virtual network's own DNS server serves the domain (MK758)`,
		},
	},
	{
		"a root domain alone", gmsa(plan.GMSA{Enabled: true, RootDomainName: "contoso.com"}),
		gmsa(plan.GMSA{Enabled: true, DNSServer: "10.0.0.4", RootDomainName: "contoso.com"}),
		[]string{
			`error: windowsAdmin.gmsa.dnsServer: required together with rootDomainName: set both, or neither if the ` +
				`virtual network's own DNS server serves the domain (MK758)`,
		},
	},
	{
		"a DNS server that is not an address",
		gmsa(plan.GMSA{Enabled: true, DNSServer: "dns; rm", RootDomainName: "contoso.com"}),
		gmsa(plan.GMSA{Enabled: true, DNSServer: "10.0.0.4", RootDomainName: "Contoso.com"}),
		[]string{
			`error: windowsAdmin.gmsa.dnsServer: "dns; rm": not an IP address: use, for example, 10.0.0.4 (MK750)`,
		},
	},
	{
		"a root domain that is not a domain name",
		gmsa(plan.GMSA{Enabled: true, DNSServer: "fd00::4", RootDomainName: "$(reboot)"}), nil,
		[]string{
			`error: windowsAdmin.gmsa.rootDomainName: "$(reboot)": not the DNS name of a domain: use, for example, ` +
				`contoso.com (MK750)`,
		},
	},
	{
		"a domain without gMSA", gmsa(plan.GMSA{DNSServer: "10.0.0.4", RootDomainName: "contoso.com"}),
		gmsa(plan.GMSA{}),
		[]string{
			`error: windowsAdmin.gmsa.enabled: false: a domain is set, which has no effect without gMSA: set it to ` +
				`true, or remove the domain (MK759)`,
		},
	},

	// The API server.
	{
		"ranges of a private API server",
		func(c *plan.Cluster) {
			c.APIServer = plan.APIServer{Private: true, AuthorizedIPRanges: []string{"203.0.113.0/24"}}
		},
		func(c *plan.Cluster) { c.APIServer = plan.APIServer{Private: true} },
		[]string{
			`error: apiServer.authorizedIPRanges: a private API server has no public address to protect: remove ` +
				`them, or private (MK761)`,
		},
	},
	{
		"ranges that are not valid",
		func(c *plan.Cluster) {
			c.APIServer.AuthorizedIPRanges = []string{"203.0.113.0/33", "203.0.113.7", "office", "fe80::1%eth0", ""}
		},
		func(c *plan.Cluster) {
			c.APIServer.AuthorizedIPRanges = []string{"203.0.113.0/24", "203.0.113.7", "0.0.0.0/32"}
		},
		[]string{
			`error: apiServer.authorizedIPRanges[0]: "203.0.113.0/33": neither an IP address nor a CIDR: write ` +
				`203.0.113.7 or 203.0.113.0/24 (MK762)`,
			`error: apiServer.authorizedIPRanges[2]: "office": neither an IP address nor a CIDR: write 203.0.113.7 ` +
				`or 203.0.113.0/24 (MK762)`,
			`error: apiServer.authorizedIPRanges[3]: "fe80::1%eth0": neither an IP address nor a CIDR: write ` +
				`203.0.113.7 or 203.0.113.0/24 (MK762)`,
			`error: apiServer.authorizedIPRanges[4]: "": neither an IP address nor a CIDR: write 203.0.113.7 or ` +
				`203.0.113.0/24 (MK762)`,
		},
	},
	{
		"no accounts", func(c *plan.Cluster) { c.APIServer.DisableLocalAccounts = true },
		both(func(c *plan.Cluster) { c.APIServer.DisableLocalAccounts = true },
			options(obj{"aadProfile": tree.Unknown{}})),
		[]string{
			`error: apiServer.disableLocalAccounts: true: without local accounts, users can log in only through ` +
				`Microsoft Entra ID: set options.aadProfile, or remove it (MK763)`,
		},
	},

	// Options.
	{
		"options that the component sets from arguments", options(obj{
			"agentPoolProfiles": []any{},
			"windowsProfile": obj{
				"adminUsername": "me", "adminPassword": tree.Secret{Value: "hush"},
				"licenseType": "None", "gmsaProfile": obj{},
			}, "kubernetesVersion": "1.36",
			"resourceGroupName": tree.Unknown{}, "resourceName": "shop",
			"location": "westeurope", "tags": obj{}, "identity": obj{}, "disableLocalAccounts": false,
			"apiServerAccessProfile": obj{
				"authorizedIPRanges": []any{}, "enablePrivateCluster": tree.Unknown{},
				"privateDNSZone": "none", "disableRunCommand": true,
			},
			// Even if they have the same values.
			"networkProfile": obj{
				"networkPluginMode": "overlay", "networkPolicy": "calico",
				"outboundType": tree.Unknown{}, "serviceCidr": "10.2.0.0/16",
			},
		}),
		options(obj{
			"networkProfile": obj{
				"natGatewayProfile": obj{"idleTimeoutInMinutes": 4}, "podCidr": "10.3.0.0/16",
				"networkPlugin": "azure",
			}, "dnsPrefix": "shop", "windowsProfile": obj{"enableCSIProxy": false},
			"apiServerAccessProfile": tree.Unknown{}, "tags": nil, "identity": tree.Secret{},
		}),
		[]string{
			`error: options.agentPoolProfiles: the component sets it: use pools instead (MK771)`,
			`error: options.apiServerAccessProfile.authorizedIPRanges: the component sets it: use ` +
				`apiServer.authorizedIPRanges instead (MK771)`,
			`error: options.apiServerAccessProfile.enablePrivateCluster: the component sets it: use ` +
				`apiServer.private instead (MK771)`,
			`error: options.apiServerAccessProfile.privateDNSZone: the component sets it: use ` +
				`apiServer.privateDNSZone instead (MK771)`,
			`error: options.disableLocalAccounts: the component sets it: use apiServer.disableLocalAccounts instead ` +
				`(MK771)`,
			`error: options.identity: the component sets it: use identity instead (MK771)`,
			`error: options.kubernetesVersion: the component sets it: use kubernetesVersion instead (MK771)`,
			`error: options.location: the component sets it: use location instead (MK771)`,
			`error: options.networkProfile.networkPluginMode: the component sets it: use network.mode instead (MK771)`,
			`error: options.networkProfile.networkPolicy: the component sets it: use network.policy instead (MK771)`,
			`error: options.networkProfile.outboundType: the component sets it: use network.outboundType instead ` +
				`(MK771)`,
			`error: options.resourceGroupName: the component sets it: use resourceGroupName instead (MK771)`,
			`error: options.resourceName: the component sets it: use clusterName instead (MK771)`,
			`error: options.tags: the component sets it: use tags instead (MK771)`,
			`error: options.windowsProfile.adminPassword: the component sets it: use windowsAdmin.password instead ` +
				`(MK771)`,
			`error: options.windowsProfile.adminUsername: the component sets it: use windowsAdmin.username instead ` +
				`(MK771)`,
			`error: options.windowsProfile.gmsaProfile: the component sets it: use windowsAdmin.gmsa instead (MK771)`,
			`error: options.windowsProfile.licenseType: the component sets it: use windowsAdmin.licenseType instead ` +
				`(MK771)`,
		},
	},
	{
		"options that the component sets from the pool", poolOptions("win22", obj{
			"agentPoolName": "x", "resourceGroupName": "x", "resourceName": "x", "count": int64(1),
			"minCount": int64(1), "maxCount": int64(1), "enableAutoScaling": true,
			"vmSize": "x", "osType": "Windows", "mode": "User", "maxPods": int64(30), "osDiskSizeGB": int64(128),
			"osDiskType": "Managed", "availabilityZones": []any{"1"},
			"nodeLabels": obj{}, "nodeTaints": tree.Unknown{}, "orchestratorVersion": "1.36",
			"scaleSetPriority": "Spot", "spotMaxPrice": -1.0, "enableFIPS": true,
			"upgradeSettings": obj{
				"maxSurge": "1", "maxUnavailable": "0", "drainTimeoutInMinutes": 5,
				"nodeSoakDurationInMinutes": 5,
			}, "vnetSubnetID": "x", "podSubnetID": "x",
			"windowsProfile": obj{"disableOutboundNat": true},
		}),
		poolOptions("win22",
			obj{
				"osSKU": "Windows2022", "upgradeSettings": obj{"undrainableNodeBehavior": "Cordon"},
				"enableEncryptionAtHost": true, "count": nil, "windowsProfile": tree.Unknown{},
				"nodeTaints": tree.Secret{},
			}),
		poolDecides(),
	},
	{
		"a security profile of the first pool", poolOptions("sys", obj{"securityProfile": obj{"enableVTPM": true}}),
		poolOptions("win22", obj{"securityProfile": obj{"enableVTPM": false}}),
		[]string{
			`warning: poolOptions[sys].options.securityProfile: Azure may refuse it for the initial pool of a ` +
				`cluster: use it in another pool (MK774)`,
		},
	},
	{
		"options of a misspelled pool", poolOptions("win2", obj{"vmSize": "x"}), poolOptions("win22", nil),
		[]string{`error: poolOptions[win2]: "win2": no pool has this name: did you mean "win22"? (MK773)`},
	},
	{
		"options of a pool that does not exist", poolOptions("database", nil), poolOptions("sys", nil),
		[]string{
			`error: poolOptions[database]: "database": no pool has this name: the pools are sys and win22 (MK773)`,
		},
	},

	// With Windows pools.
	{
		"node auto-provisioning", options(obj{"nodeProvisioningProfile": obj{"mode": "Auto"}}),
		options(obj{"nodeProvisioningProfile": obj{"mode": "Manual"}}),
		[]string{
			`warning: options.nodeProvisioningProfile.mode: "Auto": Microsoft does not support Windows pools in such ` +
				`a cluster, and pools[1] is one: use Manual, and the autoscaling of pools (MK781)`,
		},
	},
	{
		"a network-isolated cluster", func(c *plan.Cluster) {
			c.Network.OutboundType = plan.BlockedOutbound
			c.Options = obj{"bootstrapProfile": obj{"artifactSource": "Cache"}}
		},
		both(linuxOnly, func(c *plan.Cluster) {
			c.Network.OutboundType = plan.BlockedOutbound
			c.Options = obj{"bootstrapProfile": obj{"artifactSource": "Cache"}}
		}),
		[]string{
			`error: network.outboundType: "block": a network-isolated cluster cannot have Windows nodes, and ` +
				`pools[1] is a Windows pool: use another outbound type, for example loadBalancer (MK782)`,
			`error: options.bootstrapProfile.artifactSource: "Cache": a network-isolated cluster cannot have Windows ` +
				`nodes, and pools[1] is a Windows pool: use Direct (MK782)`,
		},
	},
	{
		"Image Cleaner", options(obj{"securityProfile": obj{"imageCleaner": obj{"enabled": true}}}),
		options(obj{"securityProfile": obj{"imageCleaner": obj{"enabled": false}}}),
		[]string{
			`warning: options.securityProfile.imageCleaner.enabled: true: it does nothing on Windows nodes: do not ` +
				`rely on it for pools[1] (MK783)`,
		},
	},
	{
		"certificate authorities",
		options(obj{"securityProfile": obj{"customCATrustCertificates": []any{tree.Unknown{}}}}),
		options(obj{"securityProfile": obj{"customCATrustCertificates": []any{}}}),
		[]string{
			`warning: options.securityProfile.customCATrustCertificates: AKS does not add the authorities to ` +
				`Windows nodes: do not rely on them for pools[1] (MK784)`,
		},
	},
	{
		"Istio", options(obj{"serviceMeshProfile": obj{"mode": "Istio"}}),
		both(linuxOnly, options(obj{"serviceMeshProfile": obj{"mode": "Istio"}})),
		[]string{
			`warning: options.serviceMeshProfile.mode: "Istio": its proxy does not run on Windows nodes: keep the ` +
				`pods of pools[1] out of the mesh (MK785)`,
		},
	},
	{
		"an HTTP proxy", options(obj{"httpProxyConfig": obj{"httpProxy": tree.Unknown{}}}),
		options(obj{"httpProxyConfig": obj{"httpProxy": "http://proxy", "enabled": false}}),
		[]string{
			`warning: options.httpProxyConfig: not supported with Windows pools, and pools[1] is one: ` +
				`remove it (MK786)`,
		},
	},
}

func password(s string) func(c *plan.Cluster) {
	return func(c *plan.Cluster) { c.WindowsAdmin.Password = s }
}

func gmsa(g plan.GMSA) func(c *plan.Cluster) {
	return func(c *plan.Cluster) { c.WindowsAdmin.GMSA = g }
}

// poolDecides returns the findings about options of a pool, each with the argument that the component sets it from.
func poolDecides() []string {
	arguments := map[string]string{
		"agentPoolName": "pools[1].name", "resourceGroupName": "resourceGroupName", "resourceName": "clusterName",
		"count":    "pools[1].count",
		"minCount": "pools[1].autoscaling.min", "maxCount": "pools[1].autoscaling.max",
		"enableAutoScaling": "pools[1].autoscaling", "vmSize": "pools[1].size",
		"osType": "pools[1].platform", "mode": "pools[1].mode", "maxPods": "pools[1].maxPods",
		"osDiskSizeGB": "pools[1].osDiskSizeGB",
		"osDiskType":   "pools[1].osDiskType", "availabilityZones": "pools[1].zones", "nodeLabels": "pools[1].labels",
		"nodeTaints":          "pools[1].taints",
		"orchestratorVersion": "pools[1].kubernetesVersion", "scaleSetPriority": "pools[1].spot",
		"spotMaxPrice": "pools[1].spotMaxPrice",
		"enableFIPS":   "pools[1].fips", "upgradeSettings.maxSurge": "pools[1].upgrade.maxSurge",
		"upgradeSettings.maxUnavailable":            "pools[1].upgrade.maxUnavailable",
		"upgradeSettings.drainTimeoutInMinutes":     "pools[1].upgrade.drainTimeoutMinutes",
		"upgradeSettings.nodeSoakDurationInMinutes": "pools[1].upgrade.nodeSoakMinutes",
		"vnetSubnetID":                      "poolOptions[win22].nodeSubnetID",
		"podSubnetID":                       "poolOptions[win22].podSubnetID",
		"windowsProfile.disableOutboundNat": "pools[1].disableOutboundNAT",
	}
	var want []string
	for _, option := range slices.Sorted(maps.Keys(arguments)) {
		want = append(want, "error: poolOptions[win22].options."+option+": the component sets it: use "+
			arguments[option]+" instead (MK772)")
	}
	return want
}
