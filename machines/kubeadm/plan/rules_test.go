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

// examples has for each rule findings about an invalid value, their text, and the findings about a
// similar valid value, which must be empty.
var examples = map[string]struct {
	bad, fine []rule.Finding
	want      string
}{
	"MK640": {
		cluster(func(c *plan.Cluster) { c.Name = "shop_1" }),
		cluster(func(c *plan.Cluster) { c.Name = "shop-1" }),
		`clusterName: Invalid value: "shop_1": must be 1 to 30 lower-case letters, digits and hyphens, with a letter ` +
			`first and no hyphen last: ` +
			"the names of resources in Azure begin with it (MK640)",
	},
	"MK641": {
		cluster(func(c *plan.Cluster) { c.ControlPlane.Count = 4 }),
		cluster(func(c *plan.Cluster) { c.ControlPlane.Count = 5 }),
		"controlPlane.count: Invalid value: 4: must be 1, 3 or 5: etcd needs more than half of its members, so that " +
			"an even number tolerates no more failures than one fewer (MK641)",
	},
	"MK642": {
		cluster(first(func(p *topology.Pool) { p.Name = "control-plane" })),
		cluster(first(func(p *topology.Pool) { p.Name = "control" })),
		`pools[0].name: Invalid value: "control-plane": this is the name of the control plane: use another name ` +
			`(MK642)`,
	},
	"MK643": {
		cluster(second(func(p *topology.Pool) { p.Name = "windows-22" })),
		cluster(second(func(p *topology.Pool) { p.Name = "windows22" })),
		`pools[1].name: Invalid value: "windows-22": the longest name of its machines is windows-22-xxx-1, 16 ` +
			`characters, and the name of a Windows ` +
			"machine has at most 15: use a name of at most 9 (MK643)",
	},
	"MK644": {
		cluster(second(func(p *topology.Pool) { p.Size = "" })),
		cluster(second(func(p *topology.Pool) { p.Size = "Standard_D2s_v5" })),
		"pools[1].size: Required value: the size of the virtual machines, Standard_D4s_v5 for example (MK644)",
	},
	"MK645": {
		cluster(first(func(p *topology.Pool) { p.Size = "Standard_D4ps_v5" })),
		cluster(first(func(p *topology.Pool) { p.Size = "Standard_P4s_v5" })),
		`pools[0].size: Invalid value: "Standard_D4ps_v5": an Arm64 size (the letter p), and the bootstrap is for ` +
			`amd64: use a size without p, ` +
			"for example Standard_D4s_v5 (MK645)",
	},
	"MK646": {
		cluster(second(func(p *topology.Pool) { p.FIPS = true })),
		cluster(second(func(p *topology.Pool) { p.Spot = true })),
		"pools[1].fips: Invalid value: true: a virtual machine has it only if its image has it: leave it out, and " +
			"set an image that has it (MK646)",
	},
	"MK647": {
		cluster(image(plan.Image{ID: "a", SKU: "b"})), cluster(image(plan.Image{ID: "a"})),
		`poolOptions[win22].image.id: Invalid value: "a": give an ID, or publisher, offer, sku and version, not both ` +
			`(MK647)`,
	},
	"MK648": {
		cluster(func(c *plan.Cluster) { c.PoolOptions["win23"] = plan.PoolOptions{} }),
		cluster(func(c *plan.Cluster) { c.PoolOptions["linux"] = plan.PoolOptions{} }),
		`poolOptions[win23]: Invalid value: "win23": unknown pool: did you mean "win22"? (use linux or win22) ` +
			`(MK648)`,
	},
	"MK649": {
		cluster(func(c *plan.Cluster) { c.NodePortSources = []string{"10.0.0.1/8"} }),
		cluster(func(c *plan.Cluster) { c.NodePortSources = []string{"10.0.0.0/8", "203.0.113.1"} }),
		`nodePortSources[0]: Invalid value: "10.0.0.1/8": has host bits set: write 10.0.0.0/8 (MK649)`,
	},
	"MK650": {
		cluster(func(c *plan.Cluster) { c.ServicePorts = []plan.ServicePort{{Port: 80, NodePort: 8080}} }),
		cluster(func(c *plan.Cluster) { c.ServicePorts = []plan.ServicePort{{Port: 80, NodePort: 30080}} }),
		"servicePorts[0].nodePort: Invalid value: 8080: must be from 30000 to 32767: give the Service the same " +
			"nodePort (MK650)",
	},
	"MK651": {
		good(network.CalicoBGP, nil).Validate(), good(network.CalicoVXLAN, nil).Validate(),
		`network.kind: Invalid value: "calico-bgp": Azure's network drops packets of pods unless its route table has ` +
			`their ranges, and nothing ` +
			"adds the ranges that Calico chooses: use calico-vxlan (MK651)",
	},
	"MK652": {
		cluster(ranges("10.0.0.0/26")), cluster(ranges("10.0.0.0/25")),
		`network.nodeCIDR: Invalid value: "10.0.0.0/26": the control plane's subnet is its first eighth, and the ` +
			`nodes' its second half: ` +
			"use /25 or a larger range (MK652)",
	},
	"MK653": {
		cluster(second(func(p *topology.Pool) { p.Count = 122 })),
		cluster(second(func(p *topology.Pool) { p.Count = 121 })),
		`network.nodeCIDR: Invalid value: "10.240.0.0/24": the nodes' subnet, its second half, has room for 123 ` +
			`machines, and the pools have 124: ` +
			"use a larger range (MK653)",
	},
	"MK654": {
		plan.Keys{Secrets: []any{"aHVzaA=="}}.Validate(), plan.Keys{Secrets: []any{secret}}.Validate(),
		"keys.secrets[0]: Invalid value: must be at least 32 characters, 12 of them different: create one with " +
			"`openssl rand -base64 32` (MK654)",
	},
	"MK665": {
		plan.Keys{Cluster: plan.Key{Trusted: []int{0}}}.Validate(),
		plan.Keys{Cluster: plan.Key{Trusted: []int{1}}}.Validate(),
		"keys.cluster.trusted[0]: Duplicate value: 0: it is in use already: leave it out (MK665)",
	},
	"MK666": {
		plan.Keys{}.CheckRetained([]plan.RetainedKeys{{Fingerprints: prints("a"), Now: prints("b")}}),
		plan.Keys{}.CheckRetained([]plan.RetainedKeys{{Fingerprints: prints("a"), Now: prints("a")}}),
		"keys.etcd: Forbidden: generation 0 has another key: its SHA-256 was a, and is b now: restore the secret, " +
			"the key pair and the name of the cluster of that time, or replace the generation (MK666)",
	},
	"MK667": {
		plan.Keys{Etcd: plan.Key{Generation: 1}}.CheckSteps([]plan.Step{{Kind: pki.EtcdCA, Generation: 1}}),
		plan.Keys{Etcd: plan.Key{Generation: 1}}.CheckSteps(nil),
		"keys.etcd.generation: Invalid value: 1: not all machines and clients trust this generation yet: keep the " +
			"generation that signs, add 1 to keys.etcd.trusted, and update; let it sign after that (MK667)",
	},
	"MK655": {
		plan.LinuxAdmin{SSHPublicKey: "ecdsa-sha2-nistp256 AAAA"}.Validate(),
		plan.LinuxAdmin{SSHPublicKey: sshKey}.Validate(),
		"linuxAdmin.sshPublicKey: Invalid value: must be a public key of the kind ssh-ed25519 or ssh-rsa, the " +
			"content of a file like " +
			"~/.ssh/id_ed25519.pub (MK655)",
	},
	"MK656": {
		plan.LinuxAdmin{SSHPublicKey: sshKey, Username: "root"}.Validate(),
		plan.LinuxAdmin{SSHPublicKey: sshKey, Username: "roots"}.Validate(),
		`linuxAdmin.username: Invalid value: "root": Azure refuses this name: use one that is less common, for ` +
			`example azureuser (MK656)`,
	},
	"MK657": {
		plan.WindowsAdmin{}.Validate(), plan.WindowsAdmin{Password: tree.Unknown{}}.Validate(),
		"windowsAdmin.password: Required value: Azure does not create a Windows machine without one: " +
			"give it as a secret (MK657)",
	},
	"MK658": {
		plan.WindowsAdmin{Password: "Hush-1"}.Validate(), plan.WindowsAdmin{Password: "Hush-hush-1"}.Validate(),
		"windowsAdmin.password: Invalid value: must have 8 to 123 characters: use another (MK658)",
	},
	"MK659": {
		plan.WindowsAdmin{Password: "Hush-hush-1", LicenseType: "Windows_Client"}.Validate(),
		plan.WindowsAdmin{Password: "Hush-hush-1", LicenseType: "Windows_Server"}.Validate(),
		`windowsAdmin.licenseType: Invalid value: "Windows_Client": must be "Windows_Server", or empty (MK659)`,
	},
	"MK660": {
		joining(group(false)).Validate(), joining(group(true)).Validate(),
		"resourceGroupName: Required value: name the resource group that the machines are created in (MK660)",
	},
	"MK668": {
		reach(plan.APIServer{}), reach(plan.APIServer{AuthorizedIPRanges: []string{"203.0.113.0/24"}}),
		"apiServer.authorizedIPRanges: not set, so everyone on the internet can connect to the API server: set the " +
			"addresses that need it, with those of the machines that run Pulumi, or set apiServer.private (MK668)",
	},
	"MK670": {
		cluster(security(plan.Security{Type: "ConfidentialVM"})),
		cluster(security(plan.Security{Type: plan.StandardSecurity})),
		`poolOptions[win22].security.type: Invalid value: "ConfidentialVM": must be TrustedLaunch or Standard, or ` +
			`empty for TrustedLaunch if size and image support it (MK670)`,
	},
	"MK671": {
		cluster(func(c *plan.Cluster) {
			c.ControlPlane.Size, c.ControlPlane.Security.Type = "Standard_DC4s_v3", plan.TrustedLaunch
		}),
		cluster(func(c *plan.Cluster) { c.ControlPlane.Size = "Standard_DC4s_v3" }),
		`controlPlane.security.type: Invalid value: "TrustedLaunch": machines of the size Standard_DC4s_v3 do not ` +
			`support it: leave it out, or use a size that does, for example Standard_D4s_v5 (MK671)`,
	},
	"MK672": {
		good(network.Antrea, security(plan.Security{Type: plan.TrustedLaunch})).Validate(),
		good(network.Antrea, nil).Validate(),
		`poolOptions[win22].security.disableSecureBoot: Invalid value: false: Secure Boot refuses the driver of Open ` +
			`vSwitch that Antrea provides: set it to true, or install a driver that Microsoft has signed (MK672)`,
	},
	"MK673": {
		cluster(patching(plan.Patching{Mode: "AutomaticByOS"})),
		cluster(patching(plan.Patching{Mode: plan.AutomaticByPlatform, Reboot: plan.RebootIfRequired})),
		`poolOptions[win22].patching.mode: Invalid value: "AutomaticByOS": must be AutomaticByPlatform, or empty for ` +
			`the image's own updates (MK673)`,
	},
	"MK674": {
		cluster(func(c *plan.Cluster) {
			c.Pools[1].Platform = platform.WindowsServer2025
			patching(plan.Patching{Mode: plan.AutomaticByPlatform})(c)
		}),
		cluster(patching(plan.Patching{Mode: plan.AutomaticByPlatform})),
		`poolOptions[win22].patching.mode: Invalid value: "AutomaticByPlatform": the image of the machines is not on ` +
			`this library's copy of the list of images that Azure patches: compare it with the list, or take new ` +
			`versions of the image (MK674)`,
	},
	"MK661": {
		cluster(func(c *plan.Cluster) { c.Network.ServiceCIDR = netip.MustParsePrefix("10.96.0.0/11") }),
		cluster(func(c *plan.Cluster) { c.Network.ServiceCIDR = netip.MustParsePrefix("10.96.0.0/12") }),
		`network.serviceCIDR: Invalid value: "10.96.0.0/11": is larger than kubeadm takes: use a range of /12 or ` +
			`smaller (MK661)`,
	},
	"MK662": {
		cluster(blocked(53)), cluster(blocked(54)),
		`network.blockedEgress[0].cidr: Invalid value: "168.63.129.0/24": contains Azure's DNS, 168.63.129.16 with ` +
			`port 53, without which pods resolve no names: use a range without it, or name other ports in tcpPorts ` +
			`(MK662)`,
	},
	"MK663": {
		server(bootstrap.APIServerOptions{ExtraArgs: map[string]string{"anonymous-auth": "true"}}),
		server(bootstrap.APIServerOptions{ExtraArgs: map[string]string{"event-ttl": "30m"}}),
		`apiServer.options.extraArgs[anonymous-auth]: Invalid value: "true": the API server does not start with ` +
			`both this flag and its AuthenticationConfiguration, which allows anonymous users to request only its ` +
			`health: remove it (MK663)`,
	},
	"MK664": {
		server(bootstrap.APIServerOptions{OIDC: bootstrap.OIDC{IssuerURL: "http://a.example.com", ClientID: "b"}}),
		server(bootstrap.APIServerOptions{OIDC: bootstrap.OIDC{IssuerURL: "https://a.example.com", ClientID: "b"}}),
		`apiServer.options.oidc.issuerURL: Invalid value: "http://a.example.com": its scheme must be https (MK664)`,
	},
}

func blocked(port int) func(*plan.Cluster) {
	return func(c *plan.Cluster) {
		c.Network.BlockedEgress = []network.Destination{
			{CIDR: netip.MustParsePrefix("168.63.129.0/24"), TCPPorts: []int{port}},
		}
	}
}

func TestEachRuleHasAnExample(t *testing.T) {
	t.Parallel()
	for _, r := range plan.Rules() {
		e, exists := examples[r.ID]
		if !exists {
			t.Errorf("%s has none", r.ID)
		}
		equal(t, r.ID, []string{e.want}, strings.Split(text(joined(e.bad)), "\n"))
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
	want := []string{"MK645", "MK646", "MK648", "MK649", "MK656", "MK659", "MK662", "MK668", "MK671", "MK672", "MK674"}
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
