package examples

import (
	"net/netip"
	"time"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
	"github.com/mixedkube/mixedkube/machines/bootstrap"
	"github.com/mixedkube/mixedkube/machines/bootstrap/network"
	"github.com/mixedkube/mixedkube/machines/kubeadm/pki"
	"github.com/mixedkube/mixedkube/machines/kubeadm/plan"
)

// Example is a value that breaks a rule, and a similar one that breaks none. The functions check them.
type Example struct {
	Bad, Fine func() []rule.Finding
	// Path is the path of the finding.
	Path string
}

// Secret is the secret of keys that belong to no cluster, and SSHKey a public key of an administrator.
const (
	Secret = "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY="
	SSHKey = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGLA me@home\n"
)

// Finding returns the finding of a rule in its example, or false if there is no example.
func Finding(id string) (rule.Finding, bool) {
	e, found := Rules[id]
	if !found {
		return rule.Finding{}, false
	}
	return e.Bad()[0], true
}

// Rules has the example of each rule.
var Rules = map[string]Example{
	"MK640": {
		cluster(func(c *plan.Cluster) { c.Name = "shop_1" }), cluster(func(c *plan.Cluster) { c.Name = "shop-1" }),
		"clusterName",
	},
	"MK641": {
		cluster(func(c *plan.Cluster) { c.ControlPlane.Count = 4 }),
		cluster(func(c *plan.Cluster) { c.ControlPlane.Count = 5 }), "controlPlane.count",
	},
	"MK642": {
		cluster(First(func(p *topology.Pool) { p.Name = "control-plane" })),
		cluster(First(func(p *topology.Pool) { p.Name = "control" })), "pools[0].name",
	},
	"MK643": {
		cluster(Second(func(p *topology.Pool) { p.Name = "windows-22" })),
		cluster(Second(func(p *topology.Pool) { p.Name = "windows22" })), "pools[1].name",
	},
	"MK644": {
		cluster(Second(func(p *topology.Pool) { p.Size = "" })),
		cluster(Second(func(p *topology.Pool) { p.Size = "Standard_D2s_v5" })), "pools[1].size",
	},
	"MK645": {
		cluster(First(func(p *topology.Pool) { p.Size = "Standard_D4ps_v5" })),
		cluster(First(func(p *topology.Pool) { p.Size = "Standard_P4s_v5" })), "pools[0].size",
	},
	"MK646": {
		cluster(Second(func(p *topology.Pool) { p.FIPS = true })),
		cluster(Second(func(p *topology.Pool) { p.Spot = true })), "pools[1].fips",
	},
	"MK647": {
		cluster(Image(plan.Image{ID: "a", SKU: "b"})), cluster(Image(plan.Image{ID: "a"})),
		"poolOptions[win22].image.id",
	},
	"MK648": {
		cluster(func(c *plan.Cluster) { c.PoolOptions["win23"] = plan.PoolOptions{} }),
		cluster(func(c *plan.Cluster) { c.PoolOptions["linux"] = plan.PoolOptions{} }), "poolOptions[win23]",
	},
	"MK649": {
		cluster(func(c *plan.Cluster) { c.NodePortSources = []string{"10.0.0.1/8"} }),
		cluster(func(c *plan.Cluster) { c.NodePortSources = []string{"10.0.0.0/8", "203.0.113.1"} }),
		"nodePortSources[0]",
	},
	"MK650": {
		cluster(func(c *plan.Cluster) { c.ServicePorts = []plan.ServicePort{{Port: 80, NodePort: 8080}} }),
		cluster(func(c *plan.Cluster) { c.ServicePorts = []plan.ServicePort{{Port: 80, NodePort: 30080}} }),
		"servicePorts[0].nodePort",
	},
	"MK651": {of(network.CalicoBGP, nil), of(network.CalicoVXLAN, nil), "network.kind"},
	"MK652": {cluster(Ranges("10.0.0.0/26")), cluster(Ranges("10.0.0.0/25")), "network.nodeCIDR"},
	"MK653": {
		cluster(Second(func(p *topology.Pool) { p.Count = 122 })),
		cluster(Second(func(p *topology.Pool) { p.Count = 121 })), "network.nodeCIDR",
	},
	"MK654": {
		plan.Keys{Secrets: []any{"aHVzaA=="}}.Validate, plan.Keys{Secrets: []any{Secret}}.Validate,
		"keys.secrets[0]",
	},
	"MK665": {
		plan.Keys{Cluster: plan.Key{Trusted: []int{0}}}.Validate,
		plan.Keys{Cluster: plan.Key{Trusted: []int{1}}}.Validate, "keys.cluster.trusted[0]",
	},
	"MK666": {
		retained("a", "b"),
		retained("a", "a"), "keys.etcd",
	},
	"MK667": {
		steps(plan.Step{Kind: pki.EtcdCA, Generation: 1}),
		steps(), "keys.etcd.generation",
	},
	"MK655": {
		plan.LinuxAdmin{SSHPublicKey: "ecdsa-sha2-nistp256 AAAA"}.Validate,
		plan.LinuxAdmin{SSHPublicKey: SSHKey}.Validate, "linuxAdmin.sshPublicKey",
	},
	"MK656": {
		plan.LinuxAdmin{SSHPublicKey: SSHKey, Username: "root"}.Validate,
		plan.LinuxAdmin{SSHPublicKey: SSHKey, Username: "roots"}.Validate, "linuxAdmin.username",
	},
	"MK657": {
		plan.WindowsAdmin{}.Validate, plan.WindowsAdmin{Password: tree.Unknown{}}.Validate, "windowsAdmin.password",
	},
	"MK658": {
		plan.WindowsAdmin{Password: "Hush-1"}.Validate, plan.WindowsAdmin{Password: "Hush-hush-1"}.Validate,
		"windowsAdmin.password",
	},
	"MK659": {
		plan.WindowsAdmin{Password: "Hush-hush-1", LicenseType: "Windows_Client"}.Validate,
		plan.WindowsAdmin{Password: "Hush-hush-1", LicenseType: "Windows_Server"}.Validate,
		"windowsAdmin.licenseType",
	},
	"MK660": {joining(false), joining(true), "resourceGroupName"},
	"MK668": {
		reach(plan.APIServer{}), reach(plan.APIServer{AuthorizedIPRanges: []string{"203.0.113.0/24"}}),
		"apiServer.authorizedIPRanges",
	},
	"MK669": {
		cluster(func(c *plan.Cluster) { c.Today = time.Date(2027, time.June, 28, 0, 0, 0, 0, time.UTC) }),
		cluster(func(c *plan.Cluster) { c.Today = time.Date(2027, time.March, 29, 0, 0, 0, 0, time.UTC) }),
		"kubernetesVersion",
	},
	"MK670": {
		cluster(Security(plan.Security{Type: "ConfidentialVM"})),
		cluster(Security(plan.Security{Type: plan.StandardSecurity})), "poolOptions[win22].security.type",
	},
	"MK671": {
		cluster(func(c *plan.Cluster) {
			c.ControlPlane.Size, c.ControlPlane.Security.Type = "Standard_DC4s_v3", plan.TrustedLaunch
		}), cluster(func(c *plan.Cluster) { c.ControlPlane.Size = "Standard_DC4s_v3" }), "controlPlane.security.type",
	},
	"MK672": {
		of(network.Antrea, Security(plan.Security{Type: plan.TrustedLaunch})),
		of(network.Antrea, nil), "poolOptions[win22].security.disableSecureBoot",
	},
	"MK673": {
		cluster(Patching(plan.Patching{Mode: "AutomaticByOS"})),
		cluster(Patching(plan.Patching{Mode: plan.AutomaticByPlatform, Reboot: plan.RebootIfRequired})),
		"poolOptions[win22].patching.mode",
	},
	"MK674": {
		cluster(func(c *plan.Cluster) {
			c.Pools[1].Platform = platform.WindowsServer2025
			Patching(plan.Patching{Mode: plan.AutomaticByPlatform})(c)
		}), cluster(Patching(plan.Patching{Mode: plan.AutomaticByPlatform})), "poolOptions[win22].patching.mode",
	},
	"MK676": {
		facts(time.Date(2036, time.January, 1, 0, 0, 0, 0, time.UTC)),
		facts(time.Time{}), "",
	},
	"MK661": {
		cluster(func(c *plan.Cluster) { c.Network.ServiceCIDR = netip.MustParsePrefix("10.96.0.0/11") }),
		cluster(func(c *plan.Cluster) { c.Network.ServiceCIDR = netip.MustParsePrefix("10.96.0.0/12") }),
		"network.serviceCIDR",
	},
	"MK662": {cluster(blocked(53)), cluster(blocked(54)), "network.blockedEgress[0].cidr"},
	"MK663": {
		server(bootstrap.APIServerOptions{ExtraArgs: map[string]string{"anonymous-auth": "true"}}),
		server(bootstrap.APIServerOptions{ExtraArgs: map[string]string{"event-ttl": "30m"}}),
		"apiServer.options.extraArgs[anonymous-auth]",
	},
	"MK664": {
		server(bootstrap.APIServerOptions{OIDC: bootstrap.OIDC{IssuerURL: "http://a.example.com", ClientID: "b"}}),
		server(bootstrap.APIServerOptions{OIDC: bootstrap.OIDC{IssuerURL: "https://a.example.com", ClientID: "b"}}),
		"apiServer.options.oidc.issuerURL",
	},
}

func of(kind network.Kind, change func(*plan.Cluster)) func() []rule.Finding {
	return func() []rule.Finding { return Good(kind, change).Validate() }
}

func cluster(change func(*plan.Cluster)) func() []rule.Finding { return of("", change) }

func server(o bootstrap.APIServerOptions) func() []rule.Finding {
	return cluster(func(c *plan.Cluster) { c.APIServer.Options = o })
}

func reach(a plan.APIServer) func() []rule.Finding {
	return func() []rule.Finding {
		return Good("", func(c *plan.Cluster) { c.APIServer = a }).CheckReach()
	}
}

func joining(resourceGroup bool) func() []rule.Finding {
	return func() []rule.Finding {
		return Joining(func(j *plan.Joining) { j.ResourceGroup = resourceGroup }).Validate()
	}
}

// retained checks keys against a fingerprint that the stack remembers.
func retained(remembered, now string) func() []rule.Finding {
	return func() []rule.Finding {
		return plan.Keys{}.CheckRetained([]plan.RetainedKeys{{Fingerprints: Prints(remembered), Now: Prints(now)}})
	}
}

func steps(missing ...plan.Step) func() []rule.Finding {
	return func() []rule.Finding { return plan.Keys{Etcd: plan.Key{Generation: 1}}.CheckSteps(missing) }
}

// facts checks the age of a fact on a day.
func facts(today time.Time) func() []rule.Finding {
	return func() []rule.Finding { return plan.CheckFacts(today, []string{"UbuntuOffer"}) }
}

func blocked(port int) func(*plan.Cluster) {
	return func(c *plan.Cluster) {
		c.Network.BlockedEgress = []network.Destination{
			{CIDR: netip.MustParsePrefix("168.63.129.0/24"), TCPPorts: []int{port}},
		}
	}
}
