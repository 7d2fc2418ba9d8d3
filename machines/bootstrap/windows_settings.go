package bootstrap

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/netip"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/machines/bootstrap/network"
)

const (
	kubernetesPrograms = "C:/k"
	kubeletDir         = "C:/var/lib/kubelet"
	kubernetesDir      = "C:/etc/kubernetes"

	kubeletConfigFile  = kubernetesDir + "/kubelet.conf"
	bootstrapKubelet   = kubernetesDir + "/bootstrap-kubelet.conf"
	kubeletPort        = 10250
	kubeletLogMaxBytes = 10 << 20

	// The metrics of routes to other nodes' pods. Packets of the node itself leave through the
	// bridge, with an address that the pods' network knows; the other route is for the time
	// without a bridge.
	bridgeMetric     = 250
	managementMetric = 300
)

// nodeSettings is node.json. All fields are always there: the scripts run in strict
// mode, where one that is missing is an error.
type nodeSettings struct {
	Node nodeIdentity `json:"node"`
	// Files are those beside node.json whose change makes the steps run again. A new
	// token does not.
	Files      []string      `json:"files"`
	LeastBuild windowsBuild  `json:"leastBuild"`
	Dirs       []windowsDir  `json:"directories"`
	Links      []windowsLink `json:"links"`
	Features   []string      `json:"features"`
	// Unscanned are the programs whose files Defender does not scan.
	Unscanned []string `json:"unscanned"`
	// Routing reports whether the node routes for others, by BGP.
	Routing    bool               `json:"routing"`
	Archives   []windowsArchive   `json:"archives"`
	Programs   []windowsDownload  `json:"programs"`
	SearchPath []string           `json:"searchPath"`
	Firewall   []firewallRule     `json:"firewall"`
	Containerd containerdSettings `json:"containerd"`
	HNS        *hnsSettings       `json:"hns"`
	Kubelet    kubeletSettings    `json:"kubelet"`
	Join       joinSettings       `json:"join"`
}

type nodeIdentity struct {
	Name       string     `json:"name"`
	Address    netip.Addr `json:"address"`
	Kubernetes string     `json:"kubernetes"`
}

// windowsDir is a directory to create.
type windowsDir struct {
	Path   string    `json:"path"`
	Access dirAccess `json:"access"`
}

// dirAccess defines who may open a directory, and what is created in it.
type dirAccess string

const (
	// inherited is what the directory above says.
	inherited dirAccess = "inherited"
	// private is for the system and the administrators only.
	private dirAccess = "private"
	// readable lets the users of the machine, and of containers, read as well.
	readable dirAccess = "readable"
)

// windowsLink is a symbolic one. Its paths have backslashes, as Windows follows it.
type windowsLink struct {
	Path   string `json:"path"`
	Target string `json:"target"`
}

// windowsDownload is compared with its hash before it is used.
type windowsDownload struct {
	Name    string `json:"name"`
	Version string `json:"version"`
	URL     string `json:"url"`
	SHA256  string `json:"sha256"`
	// Path is where it is put.
	Path string `json:"path"`
	// Service is stopped before it replaces another; may be empty.
	Service string `json:"service"`
}

// windowsArchive is unpacked.
type windowsArchive struct {
	windowsDownload
	Into string `json:"into"`
	// Strip is how many directories are left out at the beginning of its paths.
	Strip int `json:"strip"`
	// Proof is a file that exists afterwards.
	Proof string `json:"proof"`
}

type firewallRule struct {
	Name     string          `json:"name"`
	Protocol corev1.Protocol `json:"protocol"`
	Port     int             `json:"port"`
	Why      string          `json:"why"`
}

type containerdSettings struct {
	Program string `json:"program"`
	Config  string `json:"config"`
	// Arguments are added when it registers itself as a service.
	Arguments []string `json:"arguments"`
	Log       string   `json:"log"`
	// Pipe is the name of the one that it listens at.
	Pipe string `json:"pipe"`
}

// hnsSettings are the network of a node whose pods are bridged: its range, with the
// bridge's own address first and that of the host, the pods' gateway, second.
type hnsSettings struct {
	Network  string       `json:"network"`
	Type     string       `json:"type"`
	Subnet   netip.Prefix `json:"subnet"`
	Gateway  netip.Addr   `json:"gateway"`
	Endpoint string       `json:"endpoint"`
	Address  netip.Addr   `json:"address"`
	Routes   []hnsRoute   `json:"routes"`
}

// hnsRoute goes out of the "bridge" or of the "management" interface, the node's own.
type hnsRoute struct {
	Interface   string       `json:"interface"`
	Destination netip.Prefix `json:"destination"`
	NextHop     netip.Addr   `json:"nextHop"`
	Metric      int          `json:"metric"`
}

type kubeletSettings struct {
	Program   string   `json:"program"`
	Arguments []string `json:"arguments"`
	// KubeadmFlags is where kubeadm has written further arguments.
	KubeadmFlags string `json:"kubeadmFlags"`
	// Startup is when Windows starts the service: Automatic, or Manual where the task
	// that creates the network starts it afterwards.
	Startup string     `json:"startup"`
	Log     kubeletLog `json:"log"`
}

type kubeletLog struct {
	Path     string `json:"path"`
	MaxBytes int    `json:"maxBytes"`
	// Keep is how many full ones are kept.
	Keep int `json:"keep"`
}

type joinSettings struct {
	Program string `json:"program"`
	Config  string `json:"config"`
	// Kubeconfig exists once the node has joined.
	Kubeconfig string `json:"kubeconfig"`
	// Leftovers of a join that failed stop kubeadm (cmd/kubeadm/app/preflight:
	// JoinNodeChecks).
	Leftovers []string `json:"leftovers"`
	// Secrets are removed after the join.
	Secrets []string `json:"secrets"`
}

func windowsSettingsOf(m machine, files []File) nodeSettings {
	var watched []string
	for _, file := range files {
		if !file.Secret {
			watched = append(watched, file.Path)
		}
	}
	return nodeSettings{
		Node:       nodeIdentity{m.Name, m.Address, m.release.Version},
		Files:      watched,
		LeastBuild: leastBuild(m.pool.Platform, m.network.Kind),
		Dirs:       windowsDirs(),
		Links: []windowsLink{{
			backslashes(kubeletDir + kubernetesDir[len("C:"):] + "/pki"),
			backslashes(kubernetesDir + "/pki"),
		}},
		Features:   windowsFeatures(m.network.Kind),
		Unscanned:  unscanned(),
		Routing:    m.network.Kind == network.CalicoBGP,
		Archives:   windowsArchives(m.releases),
		Programs:   windowsPrograms(m),
		SearchPath: []string{backslashes(kubernetesPrograms), backslashes(containerdDir)},
		Firewall:   firewallRules(m.network),
		Containerd: containerdSettings{
			Program:   containerdDir + "/containerd.exe",
			Config:    containerdFile,
			Arguments: []string{"--log-file", "C:/var/log/containerd/containerd.log"},
			Log:       "C:/var/log/containerd/containerd.log",
			Pipe:      "containerd-containerd",
		},
		HNS:     hnsSettingsOf(m),
		Kubelet: kubeletSettingsOf(m),
		Join: joinSettings{
			Program:    kubernetesPrograms + "/kubeadm.exe",
			Config:     windowsJoin,
			Kubeconfig: kubeletConfigFile,
			Leftovers:  []string{bootstrapKubelet, windowsCA},
			Secrets:    []string{bootstrapKubelet, windowsJoin, windowsDiscovery},
		},
	}
}

// windowsDirs returns the directories that kubeadm, the kubelet and the agents of networks
// expect. The private ones have keys, or programs and configuration for the system. In other
// directories below C:/ every user may read, and add files, and the owner of a directory may replace
// its content: so no other user may write to the parent directories either, and none may own one.
// C:/etc can be read, as other directories below C:/: pods mount C:/etc/foo, for example. C:/var and
// C:/var/lib/kubelet have the rights of the disk, by the first directory below them: the rest of the
// kubelet's directory has the volumes of pods, whose users must get at them.
//
// The logs are private (CVE-2024-5321): agents that read them run as the system or as an
// administrator. Since Kubernetes 1.33 the kubelet makes C:/var/log/pods private only if the
// directory does not exist yet (pkg/util/filesystem/util_windows.go, MkdirAll), and another user
// could be faster. It makes C:/var/log/containers private at each start.
func windowsDirs() []windowsDir {
	return []windowsDir{
		{windowsRoot, private},
		{kubernetesPrograms, private},
		{containerdDir, inherited}, // below Program Files, where only administrators write
		{"C:/opt", private},
		{"C:/opt/cni", private},
		{windowsCNIPrograms, private},
		{"C:/etc", readable},
		{"C:/etc/cni", private},
		{windowsCNIConfig, private},
		{kubernetesDir, private},
		{kubernetesDir + "/manifests", inherited},
		{kubernetesDir + "/pki", inherited},
		{kubeletDir + "/etc/kubernetes", inherited},
		{kubeletDir + "/pki", private},
		{"C:/var/log/containerd", private},
		{"C:/var/log/kubelet", private},
		{"C:/var/log/pods", private},
	}
}

// windowsFeatures returns the features of Windows that a node needs. Containers has process
// isolation, host-process containers, and the host networking service with its switch.
// Antrea needs Hyper-V, because its agent uses the PowerShell module of Hyper-V.
// Hyper-V needs hardware, or nested virtualization, that not every machine has
// (https://github.com/antrea-io/antrea/blob/main/docs/windows.md,
// https://docs.tigera.io/calico/latest/getting-started/kubernetes/windows-calico/operator).
func windowsFeatures(kind network.Kind) []string {
	features := []string{"Containers"}
	switch kind {
	case network.Antrea:
		return append(features, "Hyper-V", "Hyper-V-PowerShell")
	case network.CalicoBGP:
		return append(features, "RemoteAccess", "Routing", "RSAT-RemoteAccess-PowerShell")
	default:
		return features
	}
}

func windowsArchives(r Releases) []windowsArchive {
	return []windowsArchive{
		{
			windowsDownload: windowsDownload{
				"containerd", r.Containerd.Version, r.Containerd.Windows.URL,
				r.Containerd.Windows.SHA256, windowsRoot + "/downloads/containerd.tar.gz", "containerd",
			},
			Into: containerdDir, Strip: 1, Proof: containerdDir + "/containerd.exe",
		},
		{
			windowsDownload: windowsDownload{
				"cni-plugins", r.CNIPlugins.Version, r.CNIPlugins.Windows.URL,
				r.CNIPlugins.Windows.SHA256, windowsRoot + "/downloads/cni-plugins.tgz", "",
			},
			Into: windowsCNIPrograms, Strip: 0, Proof: windowsCNIPrograms + "/win-bridge.exe",
		},
	}
}

// windowsPrograms returns the programs of Kubernetes, and those that host-process containers
// run, see package hostprocess. kubeadm has the version of the control plane, as on Linux.
func windowsPrograms(m machine) []windowsDownload {
	programs := []windowsDownload{
		windowsProgram("kubelet", m.release.Version, m.release.Kubelet.Windows, "kubelet"),
		windowsProgram("kubeadm", m.controlPlane.Version, m.controlPlane.Kubeadm.Windows, ""),
	}
	if m.network.KubeProxyWindows().Needed {
		programs = append(programs, windowsProgram("kube-proxy", m.release.Version, m.release.KubeProxy.Windows, ""))
	}
	if m.network.Kind == network.FlannelVXLAN {
		flannel, plugin := m.releases.Flannel, m.releases.FlannelPlugin
		programs = append(programs,
			windowsProgram("flanneld", flannel.Version, flannel.Windows, ""),
			windowsDownload{
				"flannel", plugin.Version, plugin.Windows.URL, plugin.Windows.SHA256,
				windowsCNIPrograms + "/flannel.exe", "",
			})
	}
	return programs
}

func windowsProgram(name, version string, d Download, service string) windowsDownload {
	return windowsDownload{name, version, d.URL, d.SHA256, kubernetesPrograms + "/" + name + ".exe", service}
}

// firewallRules let in what the network needs, and the API server at the kubelet.
func firewallRules(n network.Defaulted) []firewallRule {
	ports := append([]network.Port{{Protocol: corev1.ProtocolTCP, Port: kubeletPort, Why: "the kubelet's API"}},
		n.Ports()...)
	rules := make([]firewallRule, len(ports))
	for i, p := range ports {
		name := fmt.Sprintf("mixedkube-%s-%d", strings.ToLower(string(p.Protocol)), p.Port)
		rules[i] = firewallRule{name, p.Protocol, p.Port, p.Why}
	}
	return rules
}

// hnsSettingsOf are nil if the network's own agents create the network.
func hnsSettingsOf(m machine) *hnsSettings {
	if !m.network.Kind.Planned() {
		return nil
	}
	return &hnsSettings{
		Network:  network.HNSNetwork,
		Type:     "L2Bridge",
		Subnet:   m.plan.PodCIDR,
		Gateway:  m.plan.PodCIDR.Masked().Addr().Next(),
		Endpoint: network.HNSEndpoint,
		Address:  m.plan.Gateway,
		Routes:   hnsRoutes(m.plan),
	}
}

// hnsRoutes returns those to the pods of other nodes, and one to the node's own pods on its
// own interface: an answer to a Service comes back to the node by it rather than leave
// the machine, which clouds do not allow (cluster/gce/windows/k8s-node-setup.psm1).
func hnsRoutes(plan network.NodePlan) []hnsRoute {
	routes := []hnsRoute{{"management", plan.PodCIDR, netip.IPv4Unspecified(), managementMetric}}
	for _, r := range plan.Routes {
		routes = append(routes,
			hnsRoute{"bridge", r.Destination, r.NextHop, bridgeMetric},
			hnsRoute{"management", r.Destination, r.NextHop, managementMetric})
	}
	return routes
}

// kubeletSettingsOf are about the service. The arguments are those that are the same on
// every node; what differs between nodes kubeadm writes into its file, from the
// nodeRegistration of its configuration.
func kubeletSettingsOf(m machine) kubeletSettings {
	startup := "Automatic"
	if m.network.Kind.Planned() {
		startup = "Manual"
	}
	return kubeletSettings{
		Program: kubernetesPrograms + "/kubelet.exe",
		Arguments: []string{
			"--windows-service",
			"--config=" + kubeletDir + "/config.yaml",
			"--bootstrap-kubeconfig=" + bootstrapKubelet,
			"--kubeconfig=" + kubeletConfigFile,
			"--cert-dir=" + kubeletDir + "/pki",
			"--v=2",
		},
		KubeadmFlags: kubeletDir + "/kubeadm-flags.env",
		Startup:      startup,
		Log:          kubeletLog{"C:/var/log/kubelet/kubelet.log", kubeletLogMaxBytes, 5},
	}
}

func backslashes(path string) string { return strings.ReplaceAll(path, "/", `\`) }

// text is node.json.
func (s nodeSettings) text() string {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(s); err != nil {
		panic(err) // built from strings, numbers, lists and addresses
	}
	return b.String()
}
