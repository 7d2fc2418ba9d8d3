package plan_test

import (
	"encoding/json"
	"fmt"
	"net/netip"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/testkit/golden"
	"github.com/mixedkube/mixedkube/machines/bootstrap"
	"github.com/mixedkube/mixedkube/machines/bootstrap/network"
	"github.com/mixedkube/mixedkube/machines/kubeadm/plan"
)

func TestValidClustersHaveNoErrors(t *testing.T) {
	t.Parallel()
	for _, kind := range inAzure {
		for name, change := range map[string]func(*plan.Cluster){
			"small": nil,
			"large": func(c *plan.Cluster) {
				c.Name = "a23456789-123456789-123456789z"
				c.ControlPlane = plan.ControlPlane{
					Count: 5, Size: "Standard_E4s_v5", OSDiskSizeGB: 128,
					Zones: []string{"1", "2", "3"},
				}
				c.Pools = append(c.Pools,
					topology.Pool{
						Name: "win19", Platform: platform.WindowsServer2019, Size: size,
						KubernetesVersion: "1.35", Count: 10,
					},
					topology.Pool{
						Name: "spot", Platform: platform.Linux, Size: "Standard_F8s_v2", Spot: true,
						SpotMaxPrice: 0.5, OSDiskType: topology.EphemeralDisk,
					},
					topology.Pool{
						Name: "later", Platform: platform.Linux, Mode: topology.System, Size: size,
						Empty: true,
					},
				)
				c.PoolOptions["win22"] = plan.PoolOptions{
					Kubelet: bootstrap.KubeletOptions{PriorityClass: "HIGH_PRIORITY_CLASS"},
					Image:   plan.Image{ID: "/subscriptions/s/image"},
				}
				c.APIServer = plan.APIServer{
					AuthorizedIPRanges: []string{"203.0.113.0/24", "198.51.100.7"},
					Private:            true,
				}
				c.NodePortSources = []string{"10.0.0.0/8"}
				c.ServicePorts = []plan.ServicePort{
					{Port: 1, NodePort: 30000},
					{Port: 65534, NodePort: 32767, Sources: []string{"203.0.113.0/24"}},
				}
			},
			"the smallest range": func(c *plan.Cluster) {
				c.Network.NodeCIDR = netip.MustParsePrefix("10.1.2.128/25")
			},
			// CoreDNS tolerates the taint of the control plane.
			"no pool of Linux": func(c *plan.Cluster) { c.Pools = c.Pools[1:] },
			"no pools":         func(c *plan.Cluster) { c.Pools = nil },
			"no pool of Windows": func(c *plan.Cluster) {
				c.Pools, c.Releases = c.Pools[:1],
					bootstrap.KnownReleases()
			},
			"a time for draining": func(c *plan.Cluster) { c.Pools[0].Upgrade.DrainTimeoutMinutes = 5 },
			"as many as there is room for": func(c *plan.Cluster) {
				c.Pools[0].Count, c.Pools[1].Count = 120, 3
			},
		} {
			t.Run(string(kind)+" "+name, func(t *testing.T) {
				t.Parallel()
				equal(t, "errors", "", wrong(good(kind, change)))
			})
		}
	}
}

func TestValidJoiningPoolHasNoErrors(t *testing.T) {
	t.Parallel()
	for _, kind := range inAzure {
		for _, p := range []platform.Platform{platform.Linux, platform.WindowsServer2022} {
			j := joining(func(j *plan.Joining) { j.Network.Kind, j.Pool.Platform = kind, p })
			equal(t, fmt.Sprint(kind, p), "", text(joined(j.Validate())))
		}
	}
}

func pool(change func(p *topology.Pool)) func(*plan.Cluster) { return second(change) }

// wrongClusters has a row for each error that a cluster can have.
var wrongClusters = []struct {
	name   string
	kind   network.Kind
	change func(*plan.Cluster)
}{
	{"no name", "", func(c *plan.Cluster) { c.Name = "" }},
	{"a name with capitals", "", func(c *plan.Cluster) { c.Name = "Shop" }},
	{"a name with an underscore", "", func(c *plan.Cluster) { c.Name = "shop_prod" }},
	{"a name with a digit first", "", func(c *plan.Cluster) { c.Name = "1shop" }},
	{"a name with a hyphen last", "", func(c *plan.Cluster) { c.Name = "shop-" }},
	{"a name of 31 characters", "", func(c *plan.Cluster) { c.Name = strings.Repeat("a", 31) }},
	{"a name with a line behind it", "", func(c *plan.Cluster) { c.Name = "shop\n" }},

	{"two machines of the control plane", "", func(c *plan.Cluster) { c.ControlPlane.Count = 2 }},
	{"seven machines of the control plane", "", func(c *plan.Cluster) { c.ControlPlane.Count = 7 }},
	{"a negative number of them", "", func(c *plan.Cluster) { c.ControlPlane.Count = -1 }},
	{"Arm64 for the control plane", "", func(c *plan.Cluster) { c.ControlPlane.Size = "Standard_D2ps_v5" }},
	{"a control plane with half an image", "", func(c *plan.Cluster) { c.ControlPlane.Image.SKU = "server" }},
	{"a control plane with a negative disk", "", func(c *plan.Cluster) { c.ControlPlane.OSDiskSizeGB = -1 }},
	{"a control plane with a zone twice", "", func(c *plan.Cluster) { c.ControlPlane.Zones = []string{"1", "1"} }},

	{"a pool that is called control-plane", "", first(func(p *topology.Pool) { p.Name = "control-plane" })},
	{"a pool without a name", "", first(func(p *topology.Pool) { p.Name = "" })},
	{"two pools of one name", "", pool(func(p *topology.Pool) { p.Name = "linux" })},
	{"a long name for Windows", "", pool(func(p *topology.Pool) { p.Name = "windows-22" })},
	{"a long name for so many machines", "", pool(func(p *topology.Pool) { p.Name, p.Count = "windows22", 11 })},
	{"no platform", "", pool(func(p *topology.Pool) { p.Platform = "" })},
	{"an unknown platform", "", pool(func(p *topology.Pool) { p.Platform = "windows-2022x" })},
	{"no size", "", pool(func(p *topology.Pool) { p.Size = "" })},
	{"Arm64 on Linux", "", first(func(p *topology.Pool) { p.Size = "Standard_D4pls_v5" })},
	{
		"Arm64 on Linux with fewer CPUs and lower case", "",
		first(func(p *topology.Pool) { p.Size = "standard_d8-4pds_v5" }),
	},
	{"Arm64 on Windows", "", pool(func(p *topology.Pool) { p.Size = "Standard_D4ps_v5" })},
	{"autoscaling", "", pool(func(p *topology.Pool) { p.Autoscaling = topology.Autoscaling{Min: 2, Max: 5} })},
	{"FIPS", "", pool(func(p *topology.Pool) { p.FIPS = true })},
	{"no outbound NAT", "", pool(func(p *topology.Pool) { p.DisableOutboundNAT = true })},
	{"upgrade settings", "", pool(func(p *topology.Pool) { p.Upgrade.MaxSurge = "1" })},
	{"a negative count", "", pool(func(p *topology.Pool) { p.Count = -2 })},
	{"a price without spot", "", pool(func(p *topology.Pool) { p.SpotMaxPrice = 1 })},
	{
		"an invalid taint", "",
		pool(func(p *topology.Pool) { p.Taints = []corev1.Taint{{Key: "a b", Effect: "NoSchedule"}} }),
	},
	{"a version that is newer", "", pool(func(p *topology.Pool) { p.KubernetesVersion = "1.38" })},
	{"a version without a release", "", pool(func(p *topology.Pool) { p.KubernetesVersion = "1.33" })},

	{"no version", "", func(c *plan.Cluster) { c.KubernetesVersion = "" }},
	{"an invalid version", "", func(c *plan.Cluster) { c.KubernetesVersion = "latest" }},
	{"an old version", "", func(c *plan.Cluster) { c.KubernetesVersion = "1.33" }},
	{"a version whose release is another", "", func(c *plan.Cluster) { c.KubernetesVersion = "1.36.7" }},

	{
		"options of an unknown pool", "",
		func(c *plan.Cluster) { c.PoolOptions["win23"] = plan.PoolOptions{} },
	},
	{
		"options of the control plane", "",
		func(c *plan.Cluster) { c.PoolOptions["control-plane"] = plan.PoolOptions{} },
	},
	{"an image by ID and name", "", image(plan.Image{ID: "/subscriptions/s/image", Offer: "WindowsServer"})},
	{"an image without publisher and SKU", "", image(plan.Image{Offer: "WindowsServer", Version: "latest"})},
	{"an image without offer and version", "", image(plan.Image{Publisher: "MicrosoftWindowsServer", SKU: "2022"})},
	{"an invalid version of an image", "", image(plan.Image{Version: "newest"})},
	{"an invalid security type", "", security(plan.Security{Type: "ConfidentialVM"})},
	{"a control plane with an invalid security type", "", func(c *plan.Cluster) {
		c.ControlPlane.Security.Type = "trustedLaunch"
	}},
	{"Trusted Launch of a size without", "", func(c *plan.Cluster) {
		c.ControlPlane.Size, c.ControlPlane.Security.Type = "Standard_A2_v2", plan.TrustedLaunch
	}},
	{"Secure Boot with Antrea", network.Antrea, security(plan.Security{Type: plan.TrustedLaunch})},
	{"a patch mode that restarts by itself", "", patching(plan.Patching{Mode: "AutomaticByOS", Reboot: "Sometimes"})},
	{"restarts without a mode", "", patching(plan.Patching{Reboot: plan.RebootIfRequired})},
	{"patches of one's own image", "", func(c *plan.Cluster) {
		c.PoolOptions["win22"] = plan.PoolOptions{
			Image:    plan.Image{ID: "/subscriptions/s/image"},
			Patching: plan.Patching{Mode: plan.AutomaticByPlatform},
		}
	}},
	{"memory that Windows needs", "", func(c *plan.Cluster) {
		c.PoolOptions["win22"] = plan.PoolOptions{
			Kubelet: bootstrap.KubeletOptions{SystemReserved: map[string]string{"memory": "1Gi"}},
		}
	}},
	{"an unknown signal", "", func(c *plan.Cluster) {
		c.PoolOptions["win22"] = plan.PoolOptions{
			Kubelet: bootstrap.KubeletOptions{EvictionHard: map[string]string{"pid.available": "5%"}},
		}
	}},

	{"invalid authorized ranges", "", func(c *plan.Cluster) {
		c.APIServer.AuthorizedIPRanges = []string{
			"203.0.113.0/24", "office", "10.0.0.1/8", "10.0.0.0/33",
			"203.0.113.9",
		}
	}},
	{
		"invalid sources of NodePorts", "",
		func(c *plan.Cluster) { c.NodePortSources = []string{"", "10.0.0.1/8"} },
	},

	{"invalid ports of Services", "", func(c *plan.Cluster) {
		c.ServicePorts = []plan.ServicePort{
			{Port: 0, NodePort: 29999},
			{Port: 65535, NodePort: 32768},
			{Port: -1, NodePort: 80, Sources: []string{"office"}},
		}
	}},
	{"ports of Services twice", "", func(c *plan.Cluster) {
		c.ServicePorts = []plan.ServicePort{
			{Port: 80, NodePort: 30080},
			{Port: 80, NodePort: 30081},
			{Port: 81, NodePort: 30080},
		}
	}},
	{"many ports of Services", "", func(c *plan.Cluster) {
		for i := range 251 {
			c.ServicePorts = append(c.ServicePorts, plan.ServicePort{Port: 1000 + i, NodePort: 30000 + i})
		}
	}},

	{"an unknown kind", "flanel-vxlan", nil},
	{"Calico without an overlay", network.CalicoBGP, nil},
	{"IPv6", "", ranges("fd00::/64")},
	{"a range with bits of a host", "", ranges("10.0.0.1/24")},
	{"a range for 64 machines", "", ranges("10.0.0.0/26")},
	{"a range of the pods", "", ranges("10.244.0.0/24")},
	{"a range that is special", "", ranges("127.0.0.0/8")},
	{
		"an invalid range", "",
		func(c *plan.Cluster) { c.Network.NodeCIDR = netip.PrefixFrom(netip.MustParseAddr("10.0.0.0"), 33) },
	},
	{"more machines than the range has room for", "", pool(func(p *topology.Pool) { p.Count = 122 })},
	{"more machines than Kubernetes", "", func(c *plan.Cluster) {
		ranges("10.0.0.0/12")(c)
		c.Pools[0].Count = 5001
		c.Network.NodeMaskSize = 29
	}},
	{
		"more machines than routes", network.UpstreamL3,
		func(c *plan.Cluster) { ranges("10.0.0.0/16")(c); c.Pools[0].Count = 398 },
	},
	{"addresses without ranges for pods", network.UpstreamL3, ranges("10.0.0.0/20")},
	{
		"more machines than ranges for pods", "",
		func(c *plan.Cluster) { ranges("10.0.0.0/20")(c); c.Pools[0].Count = 300 },
	},
	{
		"Services that kubeadm refuses", "",
		func(c *plan.Cluster) { c.Network.ServiceCIDR = netip.MustParsePrefix("10.96.0.0/11") },
	},
	{
		"Windows Server 2025 with Calico", network.CalicoVXLAN,
		pool(func(p *topology.Pool) { p.Platform = platform.WindowsServer2025 }),
	},

	{"Azure's DNS kept from pods", "", func(c *plan.Cluster) {
		c.Network.BlockedEgress = []network.Destination{{CIDR: netip.MustParsePrefix("168.63.0.0/16")}}
	}},
	{"Azure's DNS kept from pods by its port", "", func(c *plan.Cluster) {
		c.Network.BlockedEgress = []network.Destination{{
			CIDR: netip.MustParsePrefix("168.63.129.16/32"), TCPPorts: []int{53},
		}}
	}},
	{"destinations kept from pods that pods need", "", func(c *plan.Cluster) {
		c.Network.BlockedEgress = []network.Destination{
			{CIDR: netip.MustParsePrefix("10.96.0.10/32")},
			{CIDR: netip.MustParsePrefix("203.0.113.0/24"), TCPPorts: []int{0}},
		}
	}},

	{"releases without hashes", "", func(c *plan.Cluster) { c.Releases = bootstrap.KnownReleases() }},
	{"no releases", "", func(c *plan.Cluster) { c.Releases = bootstrap.Releases{} }},
}

// TestInvalidArguments compares with testdata/wrong.txt.
func TestInvalidArguments(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	for _, tt := range wrongClusters {
		writeFindings(t, &b, tt.name, good(tt.kind, tt.change).Validate())
	}
	golden.Equal(t, "testdata/wrong.txt", b.String())
}

// writeFindings writes the paths and the rules of findings behind the name of a case.
func writeFindings(t *testing.T, b *strings.Builder, name string, findings []rule.Finding) {
	t.Helper()
	if len(findings) == 0 || strings.Contains("\n"+b.String(), "\n"+name+": ") {
		t.Errorf("%s: %v", name, findings)
	}
	fmt.Fprintf(b, "%s: %s\n", name, strings.Join(brief(findings), ", "))
}

// wrongPools has a row for each error that a pool that joins a cluster can have, in addition to
// those of the pool itself.
var wrongPools = []struct {
	name   string
	change func(*plan.Joining)
}{
	{"no name", func(j *plan.Joining) { j.Name = "" }},
	{"no version", func(j *plan.Joining) { j.KubernetesVersion = "" }},
	{"an invalid version", func(j *plan.Joining) { j.KubernetesVersion = "latest" }},
	{"an old version", func(j *plan.Joining) { j.KubernetesVersion = "1.33" }},
	{"a newer version of the pool", func(j *plan.Joining) { j.Pool.KubernetesVersion = "1.38" }},
	{"no pool", func(j *plan.Joining) { j.Pool = topology.Pool{} }},
	{"a long name for Windows", func(j *plan.Joining) { j.Pool.Name = "windows-22" }},
	{"autoscaling", func(j *plan.Joining) { j.Pool.Autoscaling.Max = 5 }},
	{
		"a pool called control-plane",
		func(j *plan.Joining) { j.Pool.Name, j.Pool.Platform = "control-plane", platform.Linux },
	},
	{"an incomplete image", func(j *plan.Joining) { j.PoolOptions.Image.SKU = "server" }},
	{"invalid options of a machine", func(j *plan.Joining) {
		j.PoolOptions.Security.Type, j.PoolOptions.Patching.Mode = "Trusted", "Manual"
	}},
	{"memory that Windows needs", func(j *plan.Joining) {
		j.PoolOptions.Kubelet.SystemReserved = map[string]string{"memory": "1Gi"}
	}},
	{"no range of the nodes", func(j *plan.Joining) { j.Network = network.Network{} }},
	{"Calico without an overlay", func(j *plan.Joining) { j.Network.Kind = network.CalicoBGP }},
	{"Azure's DNS kept from pods", func(j *plan.Joining) {
		j.Network.BlockedEgress = []network.Destination{{CIDR: netip.MustParsePrefix("168.63.0.0/16")}}
	}},
	{"IPv6", func(j *plan.Joining) { j.Network.NodeCIDR = netip.MustParsePrefix("fd00::/64") }},
	{
		"more machines than the range has room for",
		func(j *plan.Joining) { j.Pool.Count, j.Network.NodeCIDR = 4, netip.MustParsePrefix("10.0.0.0/29") },
	},
	{"a range of one address", func(j *plan.Joining) { j.Network.NodeCIDR = netip.MustParsePrefix("10.0.0.7/32") }},
	{"Windows Server 2025 with Calico", func(j *plan.Joining) {
		j.Network.Kind, j.Pool.Platform = network.CalicoVXLAN, platform.WindowsServer2025
	}},
	{"no endpoint", func(j *plan.Joining) { j.Endpoint = "" }},
	{"an endpoint without a port", func(j *plan.Joining) { j.Endpoint = "api.example.com" }},
	{"releases without hashes", func(j *plan.Joining) { j.Releases = bootstrap.KnownReleases() }},
	{"nothing in Azure", func(j *plan.Joining) {
		j.ResourceGroup, j.Subnet, j.RouteTable, j.Token = false, false, false, false
		j.Network.Kind = network.UpstreamL3
	}},
}

// TestInvalidJoiningPools compares with testdata/wrong-joining.txt.
func TestInvalidJoiningPools(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	for _, tt := range wrongPools {
		writeFindings(t, &b, tt.name, joining(tt.change).Validate())
	}
	golden.Equal(t, "testdata/wrong-joining.txt", b.String())
}

// Errors in several arguments are reported at once.
func TestAllErrorsAreReportedAtOnce(t *testing.T) {
	t.Parallel()
	c := good("", func(c *plan.Cluster) {
		c.Name, c.KubernetesVersion = "Shop", "1.36"
		c.ControlPlane = plan.ControlPlane{Count: 2, Size: "Standard_D2ps_v5", OSDiskSizeGB: -1}
		c.Pools[0].Size, c.Pools[1].FIPS, c.Pools[1].MaxPods = "", true, -1
		c.PoolOptions["win22"] = plan.PoolOptions{
			Image: plan.Image{ID: "x", SKU: "y"}, Kubelet: bootstrap.KubeletOptions{PriorityClass: "HIGH"},
		}
		c.APIServer.AuthorizedIPRanges, c.NodePortSources = []string{"office"}, []string{"home"}
		c.APIServer.Options = bootstrap.APIServerOptions{
			CertSANs: []string{"API"}, ExtraArgs: map[string]string{"profiling": "true"},
		}
		c.Releases.Containerd.Windows.SHA256 = ""
	})
	var paths []string
	for line := range strings.SplitSeq(wrong(c), "\n") {
		path, _, _ := strings.Cut(line, ": ")
		paths = append(paths, path)
	}
	equal(t, "paths", []string{
		"apiServer.authorizedIPRanges[0]", "apiServer.options.certSANs[0]", "apiServer.options.extraArgs[profiling]",
		"clusterName", "controlPlane.count", "controlPlane.osDiskSizeGB",
		"controlPlane.size", "nodePortSources[0]",
		"poolOptions[win22].image.id", "poolOptions[win22].kubelet.priorityClass", "pools[0].size", "pools[1].fips",
		"pools[1].maxPods",
		"releases.containerd.windows.sha256",
	}, paths)
}

// An error about an address that Azure would assign is reported for the pool of the machine.
func TestTheFirstPoolWithoutRangesForPodsIsNamed(t *testing.T) {
	t.Parallel()
	for line := range strings.SplitSeq(wrong(good(network.UpstreamL3, ranges("10.0.0.0/20"))), "\n") {
		if path, _, _ := strings.Cut(line, ": "); path != "pools[0]" && path != "pools[1]" {
			t.Error(line)
		}
	}
}

// FuzzValidate checks properties of every description: nothing panics, the findings are the same
// each time, and if there are none, each machine has its files.
func FuzzValidate(f *testing.F) {
	ten, six := []byte{10, 0, 0, 0}, make([]byte, 16)
	f.Add(1, 2, 3, ten, 24, ten, 16, uint8(0), uint8(1), "win22", "1.36", 24)
	f.Add(3, 0, -1, ten, 25, []byte{10, 244, 0, 0}, 16, uint8(2), uint8(2), "linux", "1.35.1", 0)
	f.Add(5, 5000, 400, six, 64, six, 128, uint8(4), uint8(3), "control-plane", "", 29)
	f.Add(0, 1, 1, []byte(nil), 0, []byte(nil), -1, uint8(5), uint8(0), "", "latest", -1)
	f.Add(1, 1, 1, ten, 32, ten, 8, uint8(1), uint8(1), "a-long-name-of-a-pool", "1.36", 33)
	platforms := append(topology.PoolPlatforms(), "", "windows-2016")
	f.Fuzz(func(t *testing.T, controlPlane, first, second int, nodes []byte, nodeBits int, pods []byte, podBits int,
		kind, runs uint8, name, version string, mask int,
	) {
		prefix := func(b []byte, bits int) netip.Prefix {
			a, _ := netip.AddrFromSlice(b)
			return netip.PrefixFrom(a, bits)
		}
		// It takes a while to describe a million machines.
		count := func(n int) int { return n % 10_000 }
		kinds := append(network.Kinds(), "", "other")
		c := good(kinds[int(kind)%len(kinds)], func(c *plan.Cluster) {
			c.ControlPlane.Count, c.Pools[0].Count, c.Pools[1].Count = count(controlPlane), count(first), count(second)
			c.Pools[1].Platform, c.Pools[1].Name, c.Pools[1].KubernetesVersion = platforms[int(runs)%len(platforms)],
				name, version
			c.Network.NodeCIDR, c.Network.PodCIDR, c.Network.NodeMaskSize = prefix(nodes, nodeBits),
				prefix(pods, podBits), mask
			c.PoolOptions[name] = plan.PoolOptions{}
		})
		got := wrong(c)
		if again := wrong(c); again != got {
			t.Fatalf("another result the second time: %s", again)
		}
		j := joining(func(j *plan.Joining) {
			j.Pool, j.Network.Kind = c.Pools[1], c.Network.Kind
			j.Network.NodeCIDR, j.Network.PodCIDR, j.Network.NodeMaskSize = prefix(nodes, nodeBits),
				prefix(pods, podBits), mask
		})
		_ = j.Validate()
		if got != "" {
			return
		}
		wantFiles(t, c)
	})
}

// wantFiles creates the files of the first and the last machine of each pool.
func wantFiles(t *testing.T, c plan.Defaulted) {
	t.Helper()
	k := keys(t)
	certificates, err := k.Certificates()
	if err != nil {
		t.Fatal(err)
	}
	_, subnet := c.Subnets()
	address := subnet.Addr().Next().Next().Next()
	addresses := map[string]netip.Addr{}
	machines := c.Machines()
	for _, m := range machines {
		if !m.ControlPlane {
			address = address.Next()
			if !subnet.Contains(address) {
				t.Fatalf("%s has no room for %d machines", subnet, len(machines))
			}
			addresses[m.Name] = address
		}
	}
	b := c.Bootstrap(addresses)
	b.CACertificate = certificates.CA.Certificate
	for i, m := range machines {
		if i > 0 && i < len(machines)-1 && machines[i-1].Pool.Name == m.Pool.Name &&
			machines[i+1].Pool.Name == m.Pool.Name {
			continue
		}
		join := bootstrap.Join{Token: k.Token(m.Name, "0c9bb3a5-8ad0-4a2b-8a3c-9f4f1f7c2c11")}
		if m.ControlPlane {
			join.Certificates, join.EncryptionKeys = certificates, k.EncryptionKeys()
		}
		if _, err := bootstrap.NodeFiles(b, m.Name, join); err != nil {
			t.Fatalf("%s: %v", m.Name, err)
		}
	}
}

func TestEveryMachineOfAGoodClusterHasItsFiles(t *testing.T) {
	t.Parallel()
	for _, kind := range inAzure {
		wantFiles(t, good(kind, func(c *plan.Cluster) { c.ControlPlane.Count = 3 }))
	}
}

// The plan depends only on the fields of the description, so it is the same after encoding and
// decoding it.
func TestDescriptionRoundTrip(t *testing.T) {
	t.Parallel()
	c := good(network.UpstreamL3, nil)
	b, err := json.Marshal(c.Cluster)
	if err != nil {
		t.Fatal(err)
	}
	var again plan.Cluster
	if err := json.Unmarshal(b, &again); err != nil {
		t.Fatal(err)
	}
	equal(t, "machines", names(c.Machines()), names(again.WithDefaults().Machines()))
}
