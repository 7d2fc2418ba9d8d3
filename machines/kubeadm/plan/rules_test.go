package plan_test

import (
	"net/netip"
	"slices"
	"strings"
	"testing"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/core/rule/ruletest"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
	"github.com/mixedkube/mixedkube/machines/bootstrap"
	"github.com/mixedkube/mixedkube/machines/bootstrap/network"
	"github.com/mixedkube/mixedkube/machines/kubeadm/pki"
	"github.com/mixedkube/mixedkube/machines/kubeadm/plan"
)

func TestEachRuleIsListed(t *testing.T) {
	t.Parallel()
	ruletest.Listed(t, ".", plan.Rules())
}

const (
	secret = "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY="
	sshKey = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGLA me@home\n"
)

func cluster(change func(*plan.Cluster)) []rule.Finding { return good("", change).Validate() }

func server(o bootstrap.APIServerOptions) []rule.Finding {
	return cluster(func(c *plan.Cluster) { c.APIServer.Options = o })
}

func group(set bool) func(*plan.Joining) {
	return func(j *plan.Joining) { j.ResourceGroup = set }
}

// examples has for each rule a finding about an invalid value, its path, and the findings about a similar valid value,
// which must be empty.
var examples = map[string]struct {
	bad, fine []rule.Finding
	path      string
}{
	"MK640": {
		cluster(func(c *plan.Cluster) { c.Name = "shop_1" }), cluster(func(c *plan.Cluster) { c.Name = "shop-1" }),
		"clusterName",
	},
	"MK641": {
		cluster(func(c *plan.Cluster) { c.ControlPlane.Count = 4 }),
		cluster(func(c *plan.Cluster) { c.ControlPlane.Count = 5 }), "controlPlane.count",
	},
	"MK642": {
		cluster(first(func(p *topology.Pool) { p.Name = "control-plane" })),
		cluster(first(func(p *topology.Pool) { p.Name = "control" })), "pools[0].name",
	},
	"MK643": {
		cluster(second(func(p *topology.Pool) { p.Name = "windows-22" })),
		cluster(second(func(p *topology.Pool) { p.Name = "windows22" })), "pools[1].name",
	},
	"MK644": {
		cluster(second(func(p *topology.Pool) { p.Size = "" })),
		cluster(second(func(p *topology.Pool) { p.Size = "Standard_D2s_v5" })), "pools[1].size",
	},
	"MK645": {
		cluster(first(func(p *topology.Pool) { p.Size = "Standard_D4ps_v5" })),
		cluster(first(func(p *topology.Pool) { p.Size = "Standard_P4s_v5" })), "pools[0].size",
	},
	"MK646": {
		cluster(second(func(p *topology.Pool) { p.FIPS = true })),
		cluster(second(func(p *topology.Pool) { p.Spot = true })), "pools[1].fips",
	},
	"MK647": {
		cluster(image(plan.Image{ID: "a", SKU: "b"})), cluster(image(plan.Image{ID: "a"})),
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
	"MK651": {good(network.CalicoBGP, nil).Validate(), good(network.CalicoVXLAN, nil).Validate(), "network.kind"},
	"MK652": {cluster(ranges("10.0.0.0/26")), cluster(ranges("10.0.0.0/25")), "network.nodeCIDR"},
	"MK653": {
		cluster(second(func(p *topology.Pool) { p.Count = 122 })),
		cluster(second(func(p *topology.Pool) { p.Count = 121 })), "network.nodeCIDR",
	},
	"MK654": {
		plan.Keys{Secrets: []any{"aHVzaA=="}}.Validate(), plan.Keys{Secrets: []any{secret}}.Validate(),
		"keys.secrets[0]",
	},
	"MK665": {
		plan.Keys{Cluster: plan.Key{Trusted: []int{0}}}.Validate(),
		plan.Keys{Cluster: plan.Key{Trusted: []int{1}}}.Validate(), "keys.cluster.trusted[0]",
	},
	"MK666": {
		plan.Keys{}.CheckRetained([]plan.RetainedKeys{{Fingerprints: prints("a"), Now: prints("b")}}),
		plan.Keys{}.CheckRetained([]plan.RetainedKeys{{Fingerprints: prints("a"), Now: prints("a")}}), "keys.etcd",
	},
	"MK667": {
		plan.Keys{Etcd: plan.Key{Generation: 1}}.CheckSteps([]plan.Step{{Kind: pki.EtcdCA, Generation: 1}}),
		plan.Keys{Etcd: plan.Key{Generation: 1}}.CheckSteps(nil), "keys.etcd.generation",
	},
	"MK655": {
		plan.LinuxAdmin{SSHPublicKey: "ecdsa-sha2-nistp256 AAAA"}.Validate(),
		plan.LinuxAdmin{SSHPublicKey: sshKey}.Validate(), "linuxAdmin.sshPublicKey",
	},
	"MK656": {
		plan.LinuxAdmin{SSHPublicKey: sshKey, Username: "root"}.Validate(),
		plan.LinuxAdmin{SSHPublicKey: sshKey, Username: "roots"}.Validate(), "linuxAdmin.username",
	},
	"MK657": {
		plan.WindowsAdmin{}.Validate(), plan.WindowsAdmin{Password: tree.Unknown{}}.Validate(), "windowsAdmin.password",
	},
	"MK658": {
		plan.WindowsAdmin{Password: "Hush-1"}.Validate(), plan.WindowsAdmin{Password: "Hush-hush-1"}.Validate(),
		"windowsAdmin.password",
	},
	"MK659": {
		plan.WindowsAdmin{Password: "Hush-hush-1", LicenseType: "Windows_Client"}.Validate(),
		plan.WindowsAdmin{Password: "Hush-hush-1", LicenseType: "Windows_Server"}.Validate(),
		"windowsAdmin.licenseType",
	},
	"MK660": {joining(group(false)).Validate(), joining(group(true)).Validate(), "resourceGroupName"},
	"MK668": {
		reach(plan.APIServer{}), reach(plan.APIServer{AuthorizedIPRanges: []string{"203.0.113.0/24"}}),
		"apiServer.authorizedIPRanges",
	},
	"MK669": {
		cluster(func(c *plan.Cluster) { c.Today = day("2027-06-28") }),
		cluster(func(c *plan.Cluster) { c.Today = day("2027-03-29") }), "kubernetesVersion",
	},
	"MK670": {
		cluster(security(plan.Security{Type: "ConfidentialVM"})),
		cluster(security(plan.Security{Type: plan.StandardSecurity})), "poolOptions[win22].security.type",
	},
	"MK671": {
		cluster(func(c *plan.Cluster) {
			c.ControlPlane.Size, c.ControlPlane.Security.Type = "Standard_DC4s_v3", plan.TrustedLaunch
		}), cluster(func(c *plan.Cluster) { c.ControlPlane.Size = "Standard_DC4s_v3" }), "controlPlane.security.type",
	},
	"MK672": {
		good(network.Antrea, security(plan.Security{Type: plan.TrustedLaunch})).Validate(),
		good(network.Antrea, nil).Validate(), "poolOptions[win22].security.disableSecureBoot",
	},
	"MK673": {
		cluster(patching(plan.Patching{Mode: "AutomaticByOS"})),
		cluster(patching(plan.Patching{Mode: plan.AutomaticByPlatform, Reboot: plan.RebootIfRequired})),
		"poolOptions[win22].patching.mode",
	},
	"MK674": {
		cluster(func(c *plan.Cluster) {
			c.Pools[1].Platform = platform.WindowsServer2025
			patching(plan.Patching{Mode: plan.AutomaticByPlatform})(c)
		}), cluster(patching(plan.Patching{Mode: plan.AutomaticByPlatform})), "poolOptions[win22].patching.mode",
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

func blocked(port int) func(*plan.Cluster) {
	return func(c *plan.Cluster) {
		c.Network.BlockedEgress = []network.Destination{
			{CIDR: netip.MustParsePrefix("168.63.129.0/24"), TCPPorts: []int{port}},
		}
	}
}

// wrongAdmins returns findings about administrators whose sentences are not those of the examples.
func wrongAdmins() []rule.Finding {
	return slices.Concat(plan.LinuxAdmin{}.Validate(),
		plan.WindowsAdmin{Username: strings.Repeat("a", 21), Password: "hushhushhushhush"}.Validate())
}

func TestInvalidAdministrators(t *testing.T) {
	t.Parallel()
	equal(t, "findings", []string{
		"linuxAdmin.sshPublicKey (MK655)", "windowsAdmin.password (MK658)", "windowsAdmin.username (MK656)",
	}, brief(wrongAdmins()))
}

func TestEachRuleHasAnExample(t *testing.T) {
	t.Parallel()
	for _, r := range plan.Rules() {
		e, exists := examples[r.ID]
		if !exists {
			t.Errorf("%s has none", r.ID)
		}
		equal(t, r.ID, []string{e.path + " (" + r.ID + ")"}, brief(e.bad))
		equal(t, r.ID+", which is fine", "", text(joined(e.fine)))
		for _, f := range e.bad {
			equal(t, r.ID, []any{r.ID, r.Severity}, []any{f.Rule, f.Severity})
		}
		if r.Title == "" || !strings.HasSuffix(r.Reason, ".") || r.Source == "" {
			t.Errorf("%s is incomplete: %+v", r.ID, r)
		}
	}
	equal(t, "examples", len(plan.Rules()), len(examples))
}

// Rules cannot be ignored if no machine could be created without them, or if they keep values out
// of the scripts of nodes.
func TestRulesThatCannotBeIgnored(t *testing.T) {
	t.Parallel()
	var ignorable []string
	for _, r := range plan.Rules() {
		if !r.Mandatory {
			ignorable = append(ignorable, r.ID)
		}
	}
	want := []string{
		"MK645", "MK646", "MK648", "MK649", "MK656", "MK659", "MK662", "MK668", "MK669", "MK671", "MK672", "MK674",
	}
	equal(t, "others", want, ignorable)
}

// A finding that can be ignored does not keep anything else from being checked.
func TestIgnoredFindingsHideNoOthers(t *testing.T) {
	t.Parallel()
	findings := cluster(func(c *plan.Cluster) {
		c.Pools[0].Size, c.Pools[1].FIPS = "Standard_D4ps_v5", true
		c.PoolOptions["win23"] = plan.PoolOptions{}
		c.NodePortSources = []string{"office"}
		c.Releases = bootstrap.KnownReleases()
	})
	var ids []string
	for _, f := range findings {
		ids = append(ids, f.Rule)
	}
	slices.Sort(ids)
	equal(t, "rules", []string{"MK645", "MK646", "MK648", "MK649", "MK661"}, slices.Compact(ids))
}
