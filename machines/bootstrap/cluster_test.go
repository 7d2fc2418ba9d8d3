package bootstrap

import (
	"net/netip"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/machines/bootstrap/network"
)

func TestInvalidClusters(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name   string
		change func(*Cluster)
		want   string
	}{
		{"nothing", func(*Cluster) {}, ""},
		{
			"no endpoint, which follows from a control plane of one node",
			func(c *Cluster) { c.Endpoint, c.Nodes[1].ControlPlane = "", false },
			"",
		},
		{
			"no endpoint, and two nodes of the control plane", func(c *Cluster) { c.Endpoint = "" },
			"cluster.endpoint: Required value: the control plane has 2 nodes, a failed node takes its address with " +
				"it, and the endpoint cannot be changed later: set the address of a load balancer in front of all of " +
				"them, for example api.example.com:6443",
		},
		{
			"an endpoint that only looks like an address", func(c *Cluster) { c.Endpoint = "999.1.1.1:6443" },
			`cluster.endpoint: Invalid value: "999.1.1.1:6443": must be a host and a port, api.example.com:6443 for ` +
				`example`,
		},
		{
			"an address with too few numbers", func(c *Cluster) { c.Endpoint = "10.0.1:6443" },
			`cluster.endpoint: Invalid value: "10.0.1:6443": must be a host and a port, api.example.com:6443 for ` +
				`example`,
		},
		{"an endpoint that is an address", func(c *Cluster) { c.Endpoint = "255.1.1.1:6443" }, ""},
		{"a name that begins with numbers", func(c *Cluster) { c.Endpoint = "999.1.1.1a:6443" }, ""},
		{
			"no endpoint, and no control plane", func(c *Cluster) { c.Endpoint, c.Nodes = "", c.Nodes[2:] },
			"cluster.endpoint: Required value: no node has controlPlane: set the address of the API server, " +
				"for example api.example.com:6443",
		},
		{
			"an endpoint without a port", func(c *Cluster) { c.Endpoint = "api.example.com" },
			`cluster.endpoint: Invalid value: "api.example.com": must be a host and a port, api.example.com:6443 for ` +
				`example`,
		},
		{
			"an endpoint with too high a port", func(c *Cluster) { c.Endpoint = "api.example.com:65536" },
			`cluster.endpoint: Invalid value: "api.example.com:65536": must be a host and a port, ` +
				`api.example.com:6443 for example`,
		},
		{"the highest port", func(c *Cluster) { c.Endpoint = "api.example.com:65535" }, ""},
		{
			"an address of the web", func(c *Cluster) { c.Endpoint = "https://api.example.com:6443" },
			`cluster.endpoint: Invalid value: "https://api.example.com:6443": must be a host and a port, ` +
				`api.example.com:6443 for example`,
		},
		{
			"no version", func(c *Cluster) { c.Topology.KubernetesVersion = "" },
			"cluster.topology.kubernetesVersion: Required value: set the version of Kubernetes that the nodes run, " +
				"for example 1.36",
		},
		{
			"a control plane that is older than what is tested", func(c *Cluster) {
				c.Topology.KubernetesVersion, c.Releases.Kubernetes[0].Version = "1.33", "1.33.9"
			},
			`cluster.topology.kubernetesVersion: Invalid value: "1.33": the files are for kubeadm 1.34 or newer: use ` +
				`1.34 or newer`,
		},
		{
			"one far older, without a release", func(c *Cluster) { c.Topology.KubernetesVersion = "1.24.17" },
			`cluster.topology.kubernetesVersion: Invalid value: "1.24.17": the files are for kubeadm 1.34 or newer: ` +
				`use 1.34 or newer`,
		},
		{"the oldest control plane", func(c *Cluster) { c.Topology.KubernetesVersion = "1.34" }, ""},
		{"a pool that is older than the oldest control plane", func(c *Cluster) {
			c.Topology.KubernetesVersion, c.Topology.Pools[2].KubernetesVersion = "1.34", "1.33"
			c.Releases.Kubernetes[1].Version = "1.33.9"
		}, ""},
		{
			"a version without a release", func(c *Cluster) { c.Topology.KubernetesVersion = "1.38" },
			"cluster.releases.kubernetes: Required value: cluster.topology.kubernetesVersion is Kubernetes 1.38, and " +
				"no release of it is known: add one",
		},
		{
			"another patch release than that of the releases",
			func(c *Cluster) { c.Topology.KubernetesVersion = "1.36.0" },
			`cluster.topology.kubernetesVersion: Invalid value: "1.36.0": the release of 1.36 is 1.36.4: use "1.36", ` +
				`or put 1.36.0 into releases.kubernetes`,
		},
		{"the patch release of the releases", func(c *Cluster) { c.Topology.KubernetesVersion = "v1.36.4" }, ""},
		{
			"an older pool without a release", func(c *Cluster) {
				c.Topology.Pools[2].KubernetesVersion = "1.33"
			},
			"cluster.releases.kubernetes: Required value: cluster.topology.pools[2].kubernetesVersion is Kubernetes " +
				"1.33, and no release of it is known: add one",
		},
		{"an older pool without nodes needs none", func(c *Cluster) {
			c.Topology.Pools[2].KubernetesVersion, c.Nodes = "1.35", append(c.Nodes[:4:4], c.Nodes[5:]...)
			c.Releases.Kubernetes = c.Releases.Kubernetes[2:3]
		}, ""},
		{
			"names", func(c *Cluster) { c.Nodes[2].Name, c.Nodes[4].Name = "Linux_1", "windows-server-1" },
			`
  cluster.nodes[2].name: Invalid value: "Linux_1": must be a host name: ` +
				`a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', ` +
				`and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', ` +
				`regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')
  cluster.nodes[4].name: Invalid value: "windows-server-1": 16 characters, and the name of a Windows computer has ` +
				`at most 15: use a shorter one`,
		},
		{"a long name on Linux, and 15 characters on Windows", func(c *Cluster) {
			c.Nodes[2].Name, c.Nodes[4].Name = "a-linux-node-with-a-long-name", "windows-server1"
		}, ""},
		{
			"pools", func(c *Cluster) { c.Nodes[2].Pool, c.Nodes[3].Pool = "linus", "" },
			`
  cluster.nodes[2].pool: Invalid value: "linus": unknown pool: did you mean "linux"? ` +
				`(use control, linux, win2019, win2022 or win2025)
  cluster.nodes[3].pool: Required value: name its pool in the topology`,
		},
		{
			"a control plane on Windows", func(c *Cluster) { c.Nodes[4].ControlPlane = true },
			"cluster.nodes[4].controlPlane: Invalid value: true: the control plane runs on Linux only, and the pool " +
				"win2019 is windows-2019: use a node of a Linux pool",
		},
		{
			"an address outside of the range, which the network finds",
			func(c *Cluster) { c.Nodes[2].Address = netip.MustParseAddr("10.0.1.10") },
			`cluster.nodes[2].address: Invalid value: "10.0.1.10": is outside nodeCIDR 10.0.0.0/24: use an address ` +
				`inside it, or a larger nodeCIDR`,
		},
		{"a local endpoint", func(c *Cluster) { *c = localEndpoint(*c) }, ""},
		{
			"a local endpoint with a name", func(c *Cluster) { c.LocalEndpoint = true },
			`cluster.localEndpoint: Invalid value: true: the host of cluster.endpoint "api.example.com:6443" is not ` +
				`the IPv4 address of a load balancer: use that, or leave this out`,
		},
		{
			"a local endpoint that only the machine itself can have",
			func(c *Cluster) { c.Endpoint, c.LocalEndpoint = "127.0.0.1:6443", true },
			`cluster.localEndpoint: Invalid value: true: the host of cluster.endpoint "127.0.0.1:6443" is not the ` +
				`IPv4 address of a load balancer: use that, or leave this out`,
		},
		{
			"a local endpoint that is a node's own address, with another port",
			func(c *Cluster) { c.Endpoint, c.LocalEndpoint = "10.0.0.11:443", true },
			`
  cluster.endpoint: Invalid value: "10.0.0.11:443": is the address of cluster.nodes[3]: ` +
				`with localEndpoint, use the address of a load balancer
  cluster.endpoint: Invalid value: "10.0.0.11:443": with localEndpoint, use the port on which the API server ` +
				`of each node listens, 6443`,
		},
		{
			"a local endpoint by default",
			func(c *Cluster) { c.Endpoint, c.LocalEndpoint, c.Nodes[1].ControlPlane = "", true, false },
			`cluster.endpoint: Invalid value: "10.0.0.4:6443": is the address of cluster.nodes[0]: with ` +
				`localEndpoint, use the address of a load balancer`,
		},
		{
			"a local endpoint of 16443", func(c *Cluster) { c.Endpoint, c.LocalEndpoint = "10.0.0.100:16443", true },
			`cluster.endpoint: Invalid value: "10.0.0.100:16443": with localEndpoint, use the port on which ` +
				`the API server of each node listens, 6443`,
		},
		{
			"a local endpoint that is misspelled",
			func(c *Cluster) { c.Endpoint, c.LocalEndpoint = "10.0.0.100", true },
			`cluster.endpoint: Invalid value: "10.0.0.100": must be a host and a port, ` +
				`api.example.com:6443 for example`,
		},
		{
			"the kubelets of a pool that does not exist",
			func(c *Cluster) { c.Kubelet = map[string]KubeletOptions{"win2020": {}} },
			`cluster.kubelet[win2020]: Invalid value: "win2020": unknown pool: did you mean "win2022"? (use ` +
				`control, linux, win2019, win2022 or win2025)`,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := testCluster(network.UpstreamL3, "1.36")
			tt.change(&c)
			_, err := c.Plan()
			if diff := cmp.Diff(tt.want, message(err)); diff != "" {
				t.Errorf("error (-want +got):\n%s", diff)
			}
		})
	}
}

// message returns the text of an error of this package, without its path.
func message(err error) string {
	if err == nil {
		return ""
	}
	return strings.TrimPrefix(strings.TrimPrefix(err.Error(), "bootstrap:"), " ")
}

const withQuery = "has a query or a fragment after this: it would be in the customData, on the disk and in the log " +
	"of each machine, with the signature that it may have: use an address without one, that of a mirror in your " +
	"network for example"

func TestInvalidReleases(t *testing.T) {
	t.Parallel()
	hash := strings.Repeat("0", 64)
	for _, tt := range []struct {
		name   string
		change func(*Releases)
		want   string
	}{
		{
			"hashes that are not published", func(r *Releases) { *r = KnownReleases() },
			`
  cluster.releases.cniPlugins.windows.sha256: Required value: the node verifies the CNI plugins for Windows with this hash: read it at https://github.com/containernetworking/plugins/releases/download/v1.9.1/cni-plugins-windows-amd64-v1.9.1.tgz.sha256
  cluster.releases.containerd.windows.sha256: Required value: the node verifies containerd for Windows with this hash: read it at https://github.com/containerd/containerd/releases/download/v2.3.6/containerd-2.3.6-windows-amd64.tar.gz.sha256sum
  cluster.releases.kubernetes[2].kubeProxy.windows.sha256: Required value: the node verifies kube-proxy for Windows with this hash: read it at https://dl.k8s.io/v1.36.4/bin/windows/amd64/kube-proxy.exe.sha256
  cluster.releases.kubernetes[2].kubeadm.windows.sha256: Required value: the node verifies kubeadm for Windows with this hash: read it at https://dl.k8s.io/v1.36.4/bin/windows/amd64/kubeadm.exe.sha256
  cluster.releases.kubernetes[2].kubelet.windows.sha256: Required value: the node verifies kubelet for Windows with this hash: read it at https://dl.k8s.io/v1.36.4/bin/windows/amd64/kubelet.exe.sha256`,
		},
		{
			"a file of one's own without a hash", func(r *Releases) { r.Runc.Linux = Download{URL: "https://files.example.com/runc"} },
			"cluster.releases.runc.linux.sha256: Required value: the node verifies runc for Linux with this hash: " +
				"compute it from https://files.example.com/runc",
		},
		{
			"runc where its publisher has it, without a hash", func(r *Releases) { r.Runc.Linux.SHA256 = "" }, "",
		},
		{
			"another version of runc", func(r *Releases) { r.Runc = Release{Version: "1.4.4"} },
			"cluster.releases.runc.linux.sha256: Required value: the node verifies runc for Linux with this hash: " +
				"read it at https://github.com/opencontainers/runc/releases/download/v1.4.4/runc.sha256sum",
		},
		{
			"a file of a release on GitHub", func(r *Releases) {
				r.Runc.Linux = Download{URL: "https://github.com/example/runc/releases/download/v1/runc"}
			},
			"cluster.releases.runc.linux.sha256: Required value: the node verifies runc for Linux with this hash: " +
				"read it at https://github.com/example/runc/releases/tag/v1, or compute it from " +
				"https://github.com/example/runc/releases/download/v1/runc",
		},
		{
			"a hash in capitals", func(r *Releases) { r.Runc.Linux.SHA256 = strings.Repeat("A", 64) },
			`cluster.releases.runc.linux.sha256: Invalid value: "` + strings.Repeat("A", 64) +
				`": must be 64 lower-case hexadecimal digits`,
		},
		{
			"addresses", func(r *Releases) {
				r.Containerd.Linux = Download{"http://a.example.com/x", hash}
				r.CNIPlugins.Linux, r.CNIPlugins.Windows = Download{"https://me:secret@a.example.com/x", hash}, Download{"https://a.example.com/x\ty", hash}
				r.Runc.Linux = Download{"https:///x", hash}
			},
			`
  cluster.releases.cniPlugins.linux.url: Invalid value: must be an https address without a user
  cluster.releases.cniPlugins.windows.url: Invalid value: must be an https address without a user
  cluster.releases.containerd.linux.url: Invalid value: "http://a.example.com/x": ` +
				`must be an https address without a user
  cluster.releases.runc.linux.url: Invalid value: "https:///x": must be an https address without a user`,
		},
		{
			"addresses with signatures", func(r *Releases) {
				r.Containerd.Linux = Download{"https://a.example.com/x?sv=1&sig=hush", hash}
				r.CNIPlugins.Linux = Download{"https://a.example.com/y#hush", ""}
				r.Runc.Linux = Download{"http://a.example.com/z?sig=hush", hash}
			},
			`
  cluster.releases.cniPlugins.linux.sha256: Required value: the node verifies the CNI plugins for Linux with this ` +
				`hash: compute it from the file at cluster.releases.cniPlugins.linux.url
  cluster.releases.cniPlugins.linux.url: Invalid value: "https://a.example.com/y": ` + withQuery + `
  cluster.releases.containerd.linux.url: Invalid value: "https://a.example.com/x": ` + withQuery + `
  cluster.releases.runc.linux.url: Invalid value: "http://a.example.com/z": must be an https address without a user`,
		},
		{
			"versions", func(r *Releases) {
				r.Kubernetes[0].Version, r.Runc.Version, r.Containerd.Version = "1.34", "latest", "1.7.27"
			},
			`
  cluster.releases.containerd.version: Invalid value: "1.7.27": cannot read the configuration of the ` +
				`nodes: use 2.1 or newer
  cluster.releases.kubernetes[0].version: Invalid value: "1.34": must be a patch release, 1.36.1 for example
  cluster.releases.runc.version: Invalid value: "latest": must be a release, 2.3.6 for example`,
		},
		{
			"flannel without a place, for a network that has none",
			func(r *Releases) { r.Flannel, r.FlannelPlugin = Release{}, Release{} }, "",
		},
		{"the oldest containerd for Kubernetes 1.36", func(r *Releases) { r.Containerd.Version = "2.2.0" }, ""},
		{
			"two releases of a minor version", func(r *Releases) { r.Kubernetes[1].Version = "1.36.0" },
			`cluster.releases.kubernetes[2].version: Duplicate value: "1.36.4": cluster.releases.kubernetes[1] is ` +
				`1.36.0: keep one release of each minor version`,
		},
		{
			"a release that no node needs may be incomplete",
			func(r *Releases) { r.Kubernetes[0].Kubelet = Downloads{} }, "",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := testCluster(network.UpstreamL3, "1.36")
			tt.change(&c.Releases)
			_, err := c.Plan()
			if diff := cmp.Diff(tt.want, message(err)); diff != "" {
				t.Errorf("error (-want +got):\n%s", diff)
			}
		})
	}
}

// What runs in containers of the node depends on the network.
func TestTheProgramsOfTheNetwork(t *testing.T) {
	t.Parallel()
	known := KnownReleases()
	proxy := "cluster.releases.kubernetes[2].kubeProxy.windows.sha256: Required value: the node verifies kube-proxy " +
		"for Windows with this hash: read it at https://dl.k8s.io/v1.36.4/bin/windows/amd64/kube-proxy.exe.sha256"
	flannel := "cluster.releases.flannel.windows.sha256: Required value: the node verifies flanneld for Windows " +
		"with this hash: read it at https://github.com/flannel-io/flannel/releases/tag/v0.28.10, or compute it from " +
		"https://github.com/flannel-io/flannel/releases/download/v0.28.10/flanneld.exe"
	plugin := "cluster.releases.flannelPlugin.windows.sha256: Required value: the node verifies flannel's CNI plugin " +
		"for Windows with this hash: read it at " +
		"https://github.com/flannel-io/cni-plugin/releases/tag/v1.9.1-flannel3, or compute it from " +
		"https://github.com/flannel-io/cni-plugin/releases/download/v1.9.1-flannel3/flannel-amd64.exe"
	for kind, want := range map[network.Kind]string{
		network.UpstreamL3: proxy, network.CalicoVXLAN: proxy, network.Antrea: "",
		network.FlannelVXLAN: "\n  " + flannel + "\n  " + plugin + "\n  " + proxy,
	} {
		t.Run(string(kind), func(t *testing.T) {
			t.Parallel()
			c := testCluster(kind, "1.36")
			c.Releases.Kubernetes[2].KubeProxy = known.Kubernetes[2].KubeProxy
			c.Releases.Flannel, c.Releases.FlannelPlugin = known.Flannel, known.FlannelPlugin
			_, err := c.Plan()
			if diff := cmp.Diff(want, message(err)); diff != "" {
				t.Errorf("error (-want +got):\n%s", diff)
			}
		})
	}
}

func TestInvalidJoins(t *testing.T) {
	t.Parallel()
	const (
		noToken = "join.token: Required value: a bootstrap token: create one with `kubeadm token create`"
		noHash  = "join.caCertHashes: Required value: without it the node would trust any server that answers: give " +
			"the hash that `kubeadm token create --print-join-command` shows"
	)
	for _, tt := range []struct {
		name, node string
		join       Join
		want       string
	}{
		{"the first node needs nothing", "cp-1", Join{}, ""},
		{"the first node may have a token", "cp-1", Join{Token: testToken}, ""},
		{"a worker", "linux-1", Join{Token: testToken, CACertHashes: []string{testHash}}, ""},
		{"a Windows worker", "win2022-1", Join{Token: testToken, CACertHashes: []string{testHash}}, ""},
		{"a worker that knows nothing", "linux-1", Join{}, "\n  " + noHash + "\n  " + noToken},
		{
			"a further node of the control plane", "cp-2",
			Join{Token: testToken, CACertHashes: []string{testHash}},
			"join.certificateKey: Required value: an additional node of the control plane needs the existing " +
				"certificates: set the key that `kubeadm init phase upload-certs --upload-certs` shows, or " +
				"certificates",
		},
		{
			"everything is misspelled, and no secret shows", "cp-2",
			Join{
				Token: "Abcdef.0123456789abcdef", CACertHashes: []string{testHash, "sha1:00"},
				CertificateKey: "secret",
			},
			`
  join.caCertHashes[1]: Invalid value: "sha1:00": must be sha256: and 64 lower-case hexadecimal digits
  join.certificateKey: Invalid value: must be 64 lower-case hexadecimal digits: ` +
				`create one with ` + "`kubeadm certs certificate-key`" + `
  join.token: Invalid value: a bootstrap token is six lower-case letters or digits, a period and ` +
				`sixteen more: create one with ` + "`kubeadm token generate`",
		},
		{
			"a worker with the token that everyone knows", "linux-1",
			Join{Token: "abcdef.0123456789abcdef", CACertHashes: []string{testHash}},
			"join.token: Invalid value: this is the example of kubeadm's documentation, which everyone knows: create " +
				"another one with `kubeadm token generate`",
		},
		{
			"a first node with it", "cp-1",
			Join{Token: "abcdef.0123456789abcdef"},
			"join.token: Invalid value: this is the example of kubeadm's documentation, which everyone knows: create " +
				"another one with `kubeadm token generate`",
		},
		{
			"a worker with the certificates", "win2022-1",
			Join{Token: testToken, CACertHashes: []string{testHash}, CertificateKey: testKey},
			"join.certificateKey: Invalid value: only nodes of the control plane may have the cluster's " +
				"certificates: leave it out",
		},
		{
			"an unknown node", "win2023-1",
			Join{},
			`cluster.nodes: Invalid value: "win2023-1": unknown node: did you mean "win2022-1"? (use cp-1, ` +
				`cp-2, linux-1, linux-2, win2019-1, win2022-1 or win2025-1)`,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			files, err := NodeFiles(testCluster(network.HostGateway, "1.36"), tt.node, tt.join)
			if diff := cmp.Diff(tt.want, message(err)); diff != "" {
				t.Errorf("error (-want +got):\n%s", diff)
			}
			if (err == nil) != (len(files) > 0) {
				t.Errorf("%d files beside the error %v", len(files), err)
			}
		})
	}
}

// A worker's programs are those of its pool, which may be older than the control plane.
func TestTheReleasesOfANode(t *testing.T) {
	t.Parallel()
	c := testCluster(network.UpstreamL3, "1.36")
	c.Topology.Pools[0].KubernetesVersion, c.Topology.Pools[2].KubernetesVersion = "1.35", "1.34"
	for node, want := range map[string]string{
		"cp-1": "1.36.4", "linux-1": "1.36.4", "win2019-1": "1.34.11",
		"win2022-1": "1.36.4",
	} {
		m := testMachine(t, c, node)
		if m.release.Version != want || m.controlPlane.Version != "1.36.4" ||
			!strings.HasPrefix(want, m.version.String()+".") {
			t.Errorf("%s has %s (%s) under %s, want %s", node, m.release.Version, m.version, m.controlPlane.Version,
				want)
		}
	}
}
