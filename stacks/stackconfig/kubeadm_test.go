package stackconfig_test

import (
	"net/netip"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/mixedkube/mixedkube/machines/bootstrap"
	"github.com/mixedkube/mixedkube/machines/bootstrap/network"
	"github.com/mixedkube/mixedkube/machines/kubeadm/plan"
	"github.com/mixedkube/mixedkube/stacks/stackconfig"
)

func TestDecodeKubeadm(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, in string
		want     *stackconfig.Kubeadm
	}{
		{"an existing cluster", "", nil},
		{"all defaults", "mixedkube:kubeadm: {}", &stackconfig.Kubeadm{}},
		{
			"parts that are empty",
			"mixedkube:kubeadm: {controlPlane: {}, network: {}, linuxAdmin: {}, windowsAdmin: {}, " +
				"apiServer: {}}", &stackconfig.Kubeadm{},
		},
		{
			"lists that are empty", "mixedkube:kubeadm: {nodePortSources: [], hashes: {}}",
			&stackconfig.Kubeadm{Hashes: map[string]string{}},
		},
		{
			"everything", `
mixedkube:windowsPassword: hush
mixedkube:kubeadm:
  resourceGroupName: shop-group
  clusterName: shop
  location: westeurope
  controlPlane: {count: 3, size: Standard_D8s_v5, osDiskSizeGB: 128, zones: ["1", "2"]}
  network: {kind: upstream-l3, nodeCIDR: 10.1.0.0/24, podCIDR: 10.2.0.0/16, serviceCIDR: 10.3.0.0/16, nodeMaskSize: 25,
    blockedEgress: [{cidr: 203.0.113.0/24, tcpPorts: [80, 443]}, {cidr: 198.51.100.7/32}], withoutWindowsACLs: true}
  podsReachInstanceMetadata: true
  linuxAdmin: {username: operator, sshPublicKey: ssh-ed25519 AAAA someone}
  windowsAdmin: {username: winoperator, licenseType: Windows_Server}
  apiServer:
    authorizedIPRanges: [203.0.113.0/24, 198.51.100.7]
    private: true
    options:
      audit: {maxAgeDays: 7, policy: "kind: Policy"}
      disableEncryption: true
      oidc: {issuerURL: https://login.example.com, clientID: kubectl, groupsClaim: groups}
      podSecurity: baseline
      certSANs: [api.example.com]
      extraArgs: {event-ttl: 30m}
  nodePortSources: [10.0.0.0/8]
  servicePorts:
    - {port: 80, nodePort: 30080}
    - {port: 443, nodePort: 30443, sources: [203.0.113.0/24]}
  kubelet:
    win22:
      systemReserved: {memory: 4Gi}
      kubeReserved: {cpu: 200m}
      evictionHard: {memory.available: 500Mi}
      evictionSoft: {memory.available: 1Gi}
      evictionSoftGracePeriod: {memory.available: 1m30s}
      priorityClass: HIGH_PRIORITY_CLASS
      serverTLSBootstrap: true
      tlsMinVersion: VersionTLS13
    linux: {disableSeccompDefault: true, protectKernelDefaults: true}
  releases:
    kubernetes: [{version: 1.36.3, kubelet: {windows: {url: https://example.com/kubelet.exe, sha256: "89ab"}}}]
    containerd: {version: 2.3.7, linux: {sha256: "cdef"}}
    pauseImage: registry.example.com/pause:3.10.2
  hashes: {"https://example.com/a": "0123", "https://example.com/b": "4567"}
  unprotected: true
  keys: {cluster: {generation: 1, trusted: [0, 2]}, encryption: {trusted: [1]}}
`, &stackconfig.Kubeadm{
				ResourceGroupName: "shop-group", ClusterName: "shop", Location: "westeurope",
				ControlPlane: plan.ControlPlane{
					Count: 3, Size: "Standard_D8s_v5", OSDiskSizeGB: 128,
					Zones: []string{"1", "2"},
				},
				Network: network.Network{
					Kind: "upstream-l3", NodeCIDR: netip.MustParsePrefix("10.1.0.0/24"),
					PodCIDR:     netip.MustParsePrefix("10.2.0.0/16"),
					ServiceCIDR: netip.MustParsePrefix("10.3.0.0/16"), NodeMaskSize: 25,
					BlockedEgress: []network.Destination{
						{CIDR: netip.MustParsePrefix("203.0.113.0/24"), TCPPorts: []int{80, 443}},
						{CIDR: netip.MustParsePrefix("198.51.100.7/32")},
					},
					WithoutWindowsACLs: true,
				},
				PodsReachInstanceMetadata: true,
				LinuxAdmin: stackconfig.LinuxAdmin{
					Username: "operator", SSHPublicKey: "ssh-ed25519 AAAA someone",
				},
				WindowsAdmin: plan.WindowsAdmin{Username: "winoperator", LicenseType: "Windows_Server"},
				APIServer: plan.APIServer{
					AuthorizedIPRanges: []string{"203.0.113.0/24", "198.51.100.7"},
					Private:            true,
					Options: bootstrap.APIServerOptions{
						Audit:             bootstrap.Audit{MaxAgeDays: 7, Policy: "kind: Policy"},
						DisableEncryption: true,
						OIDC: bootstrap.OIDC{
							IssuerURL: "https://login.example.com", ClientID: "kubectl", GroupsClaim: "groups",
						},
						PodSecurity: "baseline", CertSANs: []string{"api.example.com"},
						ExtraArgs: map[string]string{"event-ttl": "30m"},
					},
				},
				NodePortSources: []string{"10.0.0.0/8"},
				ServicePorts: []plan.ServicePort{
					{Port: 80, NodePort: 30080},
					{Port: 443, NodePort: 30443, Sources: []string{"203.0.113.0/24"}},
				},
				Kubelet: map[string]bootstrap.KubeletOptions{
					"win22": {
						SystemReserved:          map[string]string{"memory": "4Gi"},
						KubeReserved:            map[string]string{"cpu": "200m"},
						EvictionHard:            map[string]string{"memory.available": "500Mi"},
						EvictionSoft:            map[string]string{"memory.available": "1Gi"},
						EvictionSoftGracePeriod: map[string]string{"memory.available": "1m30s"},
						PriorityClass:           "HIGH_PRIORITY_CLASS",
						ServerTLSBootstrap:      true,
						TLSMinVersion:           "VersionTLS13",
					},
					"linux": {DisableSeccompDefault: true, ProtectKernelDefaults: true},
				},
				Releases: bootstrap.Releases{
					Kubernetes: []bootstrap.KubernetesRelease{{
						Version: "1.36.3",
						Kubelet: bootstrap.Downloads{
							Windows: bootstrap.Download{URL: "https://example.com/kubelet.exe", SHA256: "89ab"},
						},
					}},
					Containerd: bootstrap.Release{
						Version:   "2.3.7",
						Downloads: bootstrap.Downloads{Linux: bootstrap.Download{SHA256: "cdef"}},
					},
					PauseImage: "registry.example.com/pause:3.10.2",
				},
				Hashes:      map[string]string{"https://example.com/a": "0123", "https://example.com/b": "4567"},
				Unprotected: true,
				Keys: plan.Keys{
					Cluster: plan.Key{Generation: 1, Trusted: []int{0, 2}}, Encryption: plan.Key{Trusted: []int{1}},
				},
			},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, err := decodeYAML(t, tt.in)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got.Kubeadm,
				cmpopts.EquateComparable(netip.Addr{}, netip.Prefix{})); diff != "" {
				t.Errorf("Kubeadm (-want +got):\n%s", diff)
			}
			if got.InAzure() != (tt.want != nil) {
				t.Errorf("in Azure: %v", got.InAzure())
			}
		})
	}
}

// windows is a valid configuration with a Windows pool.
const windows = "mixedkube:cluster:\n  pools:\n    - {name: sys, platform: linux}\n    - {name: win22, platform: " +
	"windows-2022}\n"

func TestDecodeKubeadmErrors(t *testing.T) {
	t.Parallel()
	const (
		noPassword = "mixedkube:windowsPassword: Required value: set it with `pulumi config set --secret " +
			"windowsPassword`"
		cidr   = `must be a CIDR, 10.240.0.0/24 for example`
		quotes = "must be a string: write it in quotes"
	)
	tests := []struct{ name, in, want string }{
		{"no password for Windows", windows + "mixedkube:kubeadm: {}", noPassword},
		{
			"no object", "mixedkube:kubeadm: yes please",
			`mixedkube:kubeadm: Invalid value: "yes please": must be an object`,
		},
		{
			"on AKS and on machines",
			"mixedkube:windowsPassword: hush\nmixedkube:aks: {}\nmixedkube:kubeadm: {}",
			"mixedkube:kubeadm: Invalid value: the cluster is created on AKS or on virtual machines: leave one of " +
				"the two out",
		},
		{
			"invalid ranges",
			"mixedkube:kubeadm: {network: {nodeCIDR: ten, podCIDR: 10.0.0.1, serviceCIDR: 5}}",
			"\n  mixedkube:kubeadm.network.nodeCIDR: Invalid value: \"ten\": " + cidr +
				"\n  mixedkube:kubeadm.network.podCIDR: Invalid value: \"10.0.0.1\": " + cidr +
				"\n  mixedkube:kubeadm.network.serviceCIDR: Invalid value: 5: " + quotes,
		},
		{
			"wrong types", `
mixedkube:kubeadm:
  location: [here]
  controlPlane: {count: three, zones: [1, "2"], osDiskSizeGB: 1.5, size: 4}
  network: overlay
  linuxAdmin: [operator]
  windowsAdmin: operator
  apiServer: {authorizedIPRanges: 10.0.0.0/8, private: sometimes}
  nodePortSources: {a: b}
  servicePorts: [80, {port: http, nodePort: 30080, name: http}]
  kubelet: {win22: fast, linux: {systemReserved: {memory: 1}}}
  hashes: [a]
  unprotected: 1
`, `
  mixedkube:kubeadm.apiServer.authorizedIPRanges: Invalid value: "10.0.0.0/8": must be a list
  mixedkube:kubeadm.apiServer.private: Invalid value: "sometimes": must be true or false
  mixedkube:kubeadm.controlPlane.count: Invalid value: "three": must be a whole number
  mixedkube:kubeadm.controlPlane.osDiskSizeGB: Invalid value: 1.5: must be a whole number
  mixedkube:kubeadm.controlPlane.size: Invalid value: 4: must be a string: write it in quotes
  mixedkube:kubeadm.controlPlane.zones[0]: Invalid value: 1: must be a string: write it in quotes
  mixedkube:kubeadm.hashes: Invalid value: "a list": must be an object
  mixedkube:kubeadm.kubelet[linux].systemReserved[memory]: Invalid value: 1: must be a string: write it in quotes
  mixedkube:kubeadm.kubelet[win22]: Invalid value: "fast": must be an object
  mixedkube:kubeadm.linuxAdmin: Invalid value: "a list": must be an object
  mixedkube:kubeadm.location: Invalid value: "a list": must be a string
  mixedkube:kubeadm.network: Invalid value: "overlay": must be an object
  mixedkube:kubeadm.nodePortSources: Invalid value: "an object": must be a list
  mixedkube:kubeadm.servicePorts[0]: Invalid value: 80: must be an object
  mixedkube:kubeadm.servicePorts[1].name: Invalid value: "name": unknown key (use port, nodePort or sources)
  mixedkube:kubeadm.servicePorts[1].port: Invalid value: "http": must be a whole number
  mixedkube:kubeadm.unprotected: Invalid value: 1: must be true or false
  mixedkube:kubeadm.windowsAdmin: Invalid value: "operator": must be an object`,
		},
		{
			"unknown keys", `
mixedkube:kubeadm:
  resourceGroup: shop
  controlPlane: {cout: 3}
  network: {kin: upstream-l3, dnsServiceIP: ten}
  linuxAdmin: {password: hush}
  windowsAdmin: {password: hush}
  apiServer: {publik: true}
`, `
  mixedkube:kubeadm.apiServer.publik: Invalid value: "publik": unknown key (use authorizedIPRanges, private or ` +
				`options)
  mixedkube:kubeadm.controlPlane.cout: Invalid value: "cout": unknown key: did you mean "count"? ` +
				`(use count, size, osDiskSizeGB, zones, image or security)
  mixedkube:kubeadm.linuxAdmin.password: Invalid value: "password": unknown key (use username or sshPublicKey)
  mixedkube:kubeadm.network.dnsServiceIP: Invalid value: "ten": must be an IP address, 10.96.0.10 for example
  mixedkube:kubeadm.network.kin: Invalid value: "kin": unknown key: did you mean "kind"? ` +
				`(use kind, nodeCIDR, podCIDR, serviceCIDR, nodeMaskSize, dnsServiceIP, ` +
				`blockedEgress or withoutWindowsACLs)
  mixedkube:kubeadm.resourceGroup: Invalid value: "resourceGroup": unknown key: did you mean "resourceGroupName"? ` +
				`(use resourceGroupName, clusterName, location, controlPlane, network, ` +
				`podsReachInstanceMetadata, linuxAdmin, windowsAdmin, apiServer, nodePortSources, servicePorts, ` +
				`keys, kubelet, releases, hashes or unprotected)
  mixedkube:kubeadm.windowsAdmin.password: Invalid value: "password": unknown key (use username or licenseType)`,
		},
		{"invalid hashes", "mixedkube:kubeadm: {hashes: {\"https://example.com/a\": 12, \"https://example.com/b\": [x]}}", `
  mixedkube:kubeadm.hashes[https://example.com/a]: Invalid value: 12: must be a string: write it in quotes
  mixedkube:kubeadm.hashes[https://example.com/b]: Invalid value: "a list": must be a string`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			_, err := decodeYAML(t, tt.in)
			if err == nil {
				t.Fatal("no error")
			}
			got := strings.TrimPrefix(strings.TrimPrefix(err.Error(), "stack configuration:"), " ")
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("error (-want +got):\n%s\n%s", diff, got)
			}
			if strings.Contains(err.Error(), "hush") {
				t.Errorf("a password shows: %v", err)
			}
		})
	}
}

// A cluster without Windows nodes does not need their administrator's password.
func TestNoWindowsPasswordWithoutWindows(t *testing.T) {
	t.Parallel()
	if _, err := decodeYAML(t, "mixedkube:kubeadm: {}"); err != nil {
		t.Error(err)
	}
}
