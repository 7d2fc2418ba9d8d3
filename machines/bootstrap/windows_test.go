package bootstrap

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/netip"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gopkg.in/yaml.v3"
	corev1 "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/testkit/golden"
	"github.com/mixedkube/mixedkube/machines/bootstrap/network"
)

// The settings of one node are whole, and those of the others have only their difference from it.
func TestFilesOfWindowsNodes(t *testing.T) {
	t.Parallel()
	const settings = "C:/mixedkube/node.json"
	for name, tt := range map[string]struct {
		kind          network.Kind
		version, node string
	}{
		"2019-upstream-1.34":     {network.UpstreamL3, "1.34", "win2019-1"},
		"2022-host-gateway-1.35": {network.HostGateway, "1.35", "win2022-1"},
		"2025-flannel-1.36":      {network.FlannelVXLAN, "1.36", "win2025-1"},
		"2025-antrea-1.36":       {network.Antrea, "1.36", "win2025-1"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var index strings.Builder
			for _, file := range windowsFiles(testMachine(t, testCluster(tt.kind, tt.version), tt.node)) {
				fmt.Fprintf(&index, "%s%s\n", file.Path, map[bool]string{true: " (secret)"}[file.Secret])
				at := path.Join("testdata/windows", name,
					strings.ReplaceAll(strings.TrimPrefix(file.Path, "C:/"), " ", "_"))
				switch {
				case strings.HasSuffix(file.Path, ".ps1"):
				case file.Path == settings && name != "2025-flannel-1.36":
					flannel := windowsFiles(testMachine(t, testCluster(network.FlannelVXLAN, "1.36"), "win2025-1"))
					i := slices.IndexFunc(flannel, func(f File) bool { return f.Path == settings })
					golden.Changes(t, at+".diff", unixLines(t, flannel[i]), unixLines(t, file))
				default:
					golden.Equal(t, at, unixLines(t, file))
				}
			}
			golden.Equal(t, "testdata/windows/"+name+"/files.txt", index.String())
		})
	}
}

// unixLines returns the text of a file that has only Windows lines, with Unix lines.
func unixLines(t *testing.T, file File) string {
	t.Helper()
	text := strings.ReplaceAll(file.Content, "\r\n", "\n")
	if strings.Contains(text, "\r") || strings.ReplaceAll(text, "\n", "\r\n") != file.Content {
		t.Errorf("%s has not only Windows lines", file.Path)
	}
	return text
}

func windowsFile(t *testing.T, files []File, path string) File {
	t.Helper()
	i := slices.IndexFunc(files, func(f File) bool { return f.Path == path })
	if i < 0 {
		t.Fatalf("there is no %s", path)
	}
	return files[i]
}

// readSettings returns what a node finds in node.json. Nothing else may be in it.
func readSettings(t *testing.T, files []File) nodeSettings {
	t.Helper()
	decoder := json.NewDecoder(strings.NewReader(windowsFile(t, files, windowsSettings).Content))
	decoder.DisallowUnknownFields()
	var settings nodeSettings
	if err := decoder.Decode(&settings); err != nil {
		t.Fatal(err)
	}
	return settings
}

func TestNodeJSONHasWhatTheNodeDownloads(t *testing.T) {
	t.Parallel()
	m := testMachine(t, testCluster(network.FlannelVXLAN, "1.36"), "win2022-1")
	m.controlPlane = KubernetesRelease{Version: "1.36.9", Kubeadm: Downloads{Windows: Download{"https://k/kubeadm.exe", "2"}}}
	m.release = KubernetesRelease{
		Version: "1.35.8",
		Kubelet: Downloads{Linux: Download{"https://linux/kubelet", "0"}, Windows: Download{"https://k/kubelet.exe", "1"}},
		Kubeadm: Downloads{Windows: Download{"https://k/old/kubeadm.exe", "8"}},

		KubeProxy: Downloads{Windows: Download{"https://k/kube-proxy.exe", "5"}},
	}
	m.releases = Releases{
		Containerd: Release{"2.3.9", Downloads{Windows: Download{"https://c/containerd.tar.gz", "3"}}},
		CNIPlugins: Release{"1.9.9", Downloads{Windows: Download{"https://p/plugins.tgz", "4"}}},

		Flannel:       Release{"0.28.9", Downloads{Windows: Download{"https://f/flanneld.exe", "6"}}},
		FlannelPlugin: Release{"1.9.9-flannel1", Downloads{Windows: Download{"https://f/flannel-amd64.exe", "7"}}},
	}
	settings := readSettings(t, windowsFiles(m))
	if diff := cmp.Diff([]windowsDownload{
		{"kubelet", "1.35.8", "https://k/kubelet.exe", "1", "C:/k/kubelet.exe", "kubelet"},
		{"kubeadm", "1.36.9", "https://k/kubeadm.exe", "2", "C:/k/kubeadm.exe", ""},
		{"kube-proxy", "1.35.8", "https://k/kube-proxy.exe", "5", "C:/k/kube-proxy.exe", ""},
		{"flanneld", "0.28.9", "https://f/flanneld.exe", "6", "C:/k/flanneld.exe", ""},
		{"flannel", "1.9.9-flannel1", "https://f/flannel-amd64.exe", "7", "C:/opt/cni/bin/flannel.exe", ""},
	}, settings.Programs); diff != "" {
		t.Errorf("programs (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]windowsArchive{
		{
			windowsDownload{"containerd", "2.3.9", "https://c/containerd.tar.gz", "3", "C:/mixedkube/downloads/containerd.tar.gz", "containerd"},
			"C:/Program Files/containerd", 1, "C:/Program Files/containerd/containerd.exe",
		},
		{
			windowsDownload{"cni-plugins", "1.9.9", "https://p/plugins.tgz", "4", "C:/mixedkube/downloads/cni-plugins.tgz", ""},
			"C:/opt/cni/bin", 0, "C:/opt/cni/bin/win-bridge.exe",
		},
	}, settings.Archives, cmp.AllowUnexported(windowsArchive{})); diff != "" {
		t.Errorf("archives (-want +got):\n%s", diff)
	}
}

// The owner of a directory may replace its content. C:/var is the exception, and is
// explained at windowsDirs.
func TestParentsOfPrivateDirectoriesAreNotWritable(t *testing.T) {
	t.Parallel()
	guarded, above := map[string]bool{}, 0
	for _, dir := range windowsDirs() {
		if dir.Access == inherited {
			continue
		}
		for parent := path.Dir(dir.Path); parent != "C:" &&
			!strings.HasPrefix(parent, "C:/var"); parent = path.Dir(parent) {
			above++
			if !guarded[parent] {
				t.Errorf("%s is not guarded before %s", parent, dir.Path)
			}
		}
		guarded[dir.Path] = true
	}
	if above < 5 {
		t.Errorf("only %d directories are above", above)
	}
}

// The logs of pods and agents are for administrators only (CVE-2024-5321). The kubelet
// gives C:/var/log/pods its access control list only where it creates the directory itself
// (pkg/util/filesystem, MkdirAll), and C:/var/log/containers at each start: the bootstrap
// leaves that one alone.
func TestDirectoriesOfLogsArePrivate(t *testing.T) {
	t.Parallel()
	var logs []windowsDir
	for _, dir := range windowsDirs() {
		if strings.HasPrefix(dir.Path, "C:/var/log/") {
			logs = append(logs, dir)
		}
	}
	if diff := cmp.Diff([]windowsDir{
		{"C:/var/log/containerd", private}, {"C:/var/log/kubelet", private}, {"C:/var/log/pods", private},
	}, logs); diff != "" {
		t.Errorf("directories of logs (-want +got):\n%s", diff)
	}
}

// A pool may be older than the control plane, but kubeadm joins nodes only to a cluster of
// its own version.
func TestNodeJSONHasTheKubeadmOfTheControlPlane(t *testing.T) {
	t.Parallel()
	for _, version := range []string{"1.34", "1.35", "1.36"} {
		c := testCluster(network.UpstreamL3, "1.36")
		for i := range c.Topology.Pools {
			if c.Topology.Pools[i].Platform.IsWindows() {
				c.Topology.Pools[i].KubernetesVersion = version
			}
		}
		pool, _ := c.Releases.of(version)
		controlPlane, _ := c.Releases.of("1.36")
		settings := readSettings(t, windowsFiles(testMachine(t, c, "win2022-1")))
		got := map[string]string{"node": settings.Node.Kubernetes}
		for _, p := range settings.Programs {
			got[p.Name] = p.Version + " " + p.URL
		}
		if diff := cmp.Diff(map[string]string{
			"node":       pool.Version,
			"kubelet":    pool.Version + " " + pool.Kubelet.Windows.URL,
			"kubeadm":    controlPlane.Version + " " + controlPlane.Kubeadm.Windows.URL,
			"kube-proxy": pool.Version + " " + pool.KubeProxy.Windows.URL,
		}, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", version, diff)
		}
	}
}

func TestNodeJSONFollowsTheNetwork(t *testing.T) {
	t.Parallel()
	prefix, address := netip.MustParsePrefix, netip.MustParseAddr
	bridge := func(routes ...hnsRoute) *hnsSettings {
		own := hnsRoute{"management", prefix("10.244.20.0/24"), address("0.0.0.0"), 300}
		return &hnsSettings{
			"l2bridge", "L2Bridge", prefix("10.244.20.0/24"), address("10.244.20.1"), "cbr0", address("10.244.20.2"),
			append([]hnsRoute{own}, routes...),
		}
	}
	var others []hnsRoute
	for _, n := range []string{"4", "5", "10", "11", "21", "22"} {
		destination, hop := prefix("10.244."+n+".0/24"), address("10.0.0."+n)
		others = append(others, hnsRoute{"bridge", destination, hop, 250},
			hnsRoute{"management", destination, hop, 300})
	}
	kubelet := firewallRule{"mixedkube-tcp-10250", "TCP", 10250, "the kubelet's API"}
	typha := firewallRule{
		"mixedkube-tcp-5473", "TCP", 5473,
		"Calico's Typha, which tells the nodes what the API server knows",
	}
	type want struct {
		features []string
		routing  bool
		hns      *hnsSettings
		startup  string
		firewall []firewallRule
	}
	for kind, want := range map[network.Kind]want{
		network.UpstreamL3:  {[]string{"Containers"}, false, bridge(), "Manual", []firewallRule{kubelet}},
		network.HostGateway: {[]string{"Containers"}, false, bridge(others...), "Manual", []firewallRule{kubelet}},
		network.FlannelVXLAN: {
			[]string{"Containers"},
			false, nil, "Automatic",
			[]firewallRule{kubelet, {"mixedkube-udp-4789", "UDP", 4789, "flannel's VXLAN"}},
		},
		network.CalicoVXLAN: {
			[]string{"Containers"},
			false, nil, "Automatic",
			[]firewallRule{kubelet, {"mixedkube-udp-4789", "UDP", 4789, "Calico's VXLAN"}, typha},
		},
		network.CalicoBGP: {
			[]string{"Containers", "RemoteAccess", "Routing", "RSAT-RemoteAccess-PowerShell"},
			true, nil, "Automatic",
			[]firewallRule{kubelet, {"mixedkube-tcp-179", "TCP", 179, "Calico's BGP"}, typha},
		},
		network.Antrea: {
			[]string{"Containers", "Hyper-V", "Hyper-V-PowerShell"},
			false, nil, "Automatic",
			[]firewallRule{
				kubelet,
				{"mixedkube-udp-6081", "UDP", 6081, "Antrea's Geneve"},
				{"mixedkube-tcp-10349", "TCP", 10349, "Antrea's controller"},
				{"mixedkube-tcp-10350", "TCP", 10350, "the API of Antrea's agents"},
				{"mixedkube-tcp-10351", "TCP", 10351, "the membership of Antrea's agents"},
				{"mixedkube-udp-10351", "UDP", 10351, "the membership of Antrea's agents"},
			},
		},
	} {
		t.Run(string(kind), func(t *testing.T) {
			t.Parallel()
			s := readSettings(t, windowsFiles(testMachine(t, testCluster(kind, "1.36"), "win2019-1")))
			if diff := cmp.Diff(want.features, s.Features); diff != "" {
				t.Errorf("features (-want +got):\n%s", diff)
			}
			if s.Routing != want.routing || s.Kubelet.Startup != want.startup {
				t.Errorf("routing %t, the kubelet's start %s", s.Routing, s.Kubelet.Startup)
			}
			if diff := cmp.Diff(want.hns, s.HNS, cmp.Comparer(func(a, b netip.Addr) bool { return a == b }),
				cmp.Comparer(func(a, b netip.Prefix) bool { return a == b })); diff != "" {
				t.Errorf("hns (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(want.firewall, s.Firewall); diff != "" {
				t.Errorf("firewall (-want +got):\n%s", diff)
			}
		})
	}
}

// The steps run again when a file changes, except the token, which new nodes get again
// every day.
func TestNodeJSONNamesTheFilesThatMatter(t *testing.T) {
	t.Parallel()
	for _, kind := range network.Kinds() {
		files := windowsFiles(testMachine(t, testCluster(kind, "1.36"), "win2022-1"))
		var want []string
		for _, f := range files {
			if f.Path != windowsJoin && f.Path != windowsSettings {
				want = append(want, f.Path)
			}
		}
		if diff := cmp.Diff(want, readSettings(t, files).Files); diff != "" {
			t.Errorf("%s (-want +got):\n%s", kind, diff)
		}
	}
}

func TestSecretsAreInSecretFilesOnly(t *testing.T) {
	t.Parallel()
	for _, kind := range network.Kinds() {
		m := testMachine(t, testCluster(kind, "1.36"), "win2022-1")
		m.join.CertificateKey = testKey // a worker is refused one
		secrets := 0
		for _, f := range windowsFiles(m) {
			has := strings.Contains(f.Content, testToken) ||
				strings.Contains(f.Content, strings.TrimPrefix(testToken, "abcdef."))
			if has != (f.Path == windowsJoin) || f.Secret != has || strings.Contains(f.Content, testKey) {
				t.Errorf("%s: %s: secret %t, has the token %t", kind, f.Path, f.Secret, has)
			}
			if has {
				secrets++
			}
		}
		if secrets != 1 {
			t.Errorf("%s: the token is in %d files", kind, secrets)
		}
	}
}

func TestScriptsAreTheSameOnEveryNode(t *testing.T) {
	t.Parallel()
	nodes := 0
	for _, version := range testVersions {
		for _, kind := range network.Kinds() {
			c := testCluster(kind, version)
			for _, node := range c.Nodes {
				if !strings.HasPrefix(node.Name, "win") {
					continue
				}
				nodes++
				files := windowsFiles(testMachine(t, c, node.Name))
				checkScripts(t, files)
				checkDelivery(t, files)
			}
		}
	}
	if nodes != 3*(4*3+2*2) {
		t.Errorf("%d nodes", nodes)
	}
}

// checkScripts holds the scripts among the files against their source. They are ASCII:
// Windows PowerShell takes a file without a byte order mark for one of the code page.
func checkScripts(t *testing.T, files []File) {
	t.Helper()
	var names []string
	for _, f := range files {
		name, ok := strings.CutSuffix(f.Path, ".ps1")
		if !ok {
			continue
		}
		name = strings.TrimPrefix(name, windowsRoot+"/") + ".ps1"
		names = append(names, name)
		if strings.ReplaceAll(f.Content, "\r\n", "\n") != windowsScript(name) ||
			strings.ContainsFunc(f.Content, func(r rune) bool { return r > '~' }) {
			t.Errorf("%s is another text, or is not ASCII", name)
		}
	}
	if !slices.Equal(names, nodeScripts) {
		t.Errorf("scripts %q", names)
	}
}

// The shared functions of the scripts are one text, which is in each script that calls them.
func TestScriptsShareTheCodeThatChecksOwners(t *testing.T) {
	t.Parallel()
	shared := windowsSource("owner.ps1")
	functions := regexp.MustCompile(`(?m)^function (\S+) \{$`).FindAllStringSubmatch(shared, -1)
	if len(functions) != 5 {
		t.Errorf("owner.ps1 has %d functions", len(functions))
	}
	for _, name := range append(slices.Clone(nodeScripts), "deliver.ps1", "command.ps1") {
		source, script := windowsSource(name), windowsScript(name)
		times := strings.Count(script, shared)
		if has := name == "bootstrap.ps1" || name == "deliver.ps1"; has != (times == 1) || times > 1 {
			t.Errorf("%s has the shared text %d times", name, times)
		}
		if strings.Contains(script, "%OWNER%") {
			t.Errorf("%s has a mark where the shared text should be", name)
		}
		for _, f := range functions {
			if strings.Contains(source, f[0]) {
				t.Errorf("%s has a %s of its own", name, f[1])
			}
			if called := regexp.MustCompile(`\b` + f[1] + `\b`).MatchString(source); called && times == 0 {
				t.Errorf("%s calls %s, which it does not have", name, f[1])
			}
		}
	}
}

var payloadFormat = regexp.MustCompile(`(?m)^\$Payload = '([A-Za-z0-9+/=]*)'\r$`)

// checkDelivery holds the script that delivers files against its source, and what is in
// it against the files.
func checkDelivery(t *testing.T, files []File) {
	t.Helper()
	script := WindowsScript(files)
	if script != WindowsScript(files) {
		t.Error("the same files give another script")
	}
	found := payloadFormat.FindAllStringSubmatch(script, -1)
	if len(found) != 1 {
		t.Fatalf("%d payloads", len(found))
	}
	constant := strings.Replace(script, found[0][1], payloadMark, 1)
	if strings.ReplaceAll(constant, "\r\n", "\n") != windowsScript("deliver.ps1") {
		t.Error("more differs than the payload")
	}
	compressed, err := base64.StdEncoding.DecodeString(found[0][1])
	if err != nil {
		t.Fatal(err)
	}
	z, err := gzip.NewReader(bytes.NewReader(compressed))
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	var got struct{ Files []File }
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(files, got.Files); diff != "" {
		t.Errorf("delivered (-want +got):\n%s", diff)
	}
	// Windows PowerShell converts a string that is written so into a date.
	if strings.Contains(string(text), `"\/`) {
		t.Error(`a string of the payload begins with \/`)
	}
}

// hostileTexts would do something if one of them became code.
var hostileTexts = []string{
	`'; Remove-Item C:\ -Recurse; '`, `"; exit 1; "`, "$(exit 1)", "${env:Path}", "`$x `n", "a\nexit 1\n",
	"a\r\nexit 1", "'@\nexit 1\n@'", "\"@\nexit 1\n@\"",
	"#>", "<#", "%PAYLOAD%", "%PATH%", "&calc", "|calc", ";calc", "\u2018;exit\u2019", "\u201c$(exit)\u201d",
	"\u2028exit", "\ufeffx", "ключ", "😀", "/Date(0)/", `\/Date(0)\/`, "--- ", "- a: b", "# x", "{{.}}", "\x00",
	"\x1b[2J",
}

// hostileMachine has a text wherever a user has a say, past all checks.
func hostileMachine(t *testing.T, kind network.Kind, text string) machine {
	t.Helper()
	m := testMachine(t, testCluster(kind, "1.36"), "win2022-1")
	m.Name = text
	m.plan.Name = text
	m.endpoint = text
	m.pool.Name = text
	m.pool.Labels = map[string]string{text: text}
	m.pool.Taints = []corev1.Taint{{Key: text, Value: text, Effect: corev1.TaintEffect(text)}}
	m.join = Join{Token: text, CACertHashes: []string{text}}
	windows := Downloads{Windows: Download{text, text}}
	m.release = KubernetesRelease{Version: text, Kubelet: windows, Kubeadm: windows, KubeProxy: windows}
	m.controlPlane.Kubeadm = windows
	m.releases.Containerd = Release{text, windows}
	m.releases.CNIPlugins, m.releases.Flannel, m.releases.FlannelPlugin = m.releases.Containerd, m.releases.Containerd,
		m.releases.Containerd
	m.kubelet = KubeletOptions{PriorityClass: text}
	return m
}

func TestUserInputIsDataOnly(t *testing.T) {
	t.Parallel()
	for _, kind := range network.Kinds() {
		for _, text := range hostileTexts {
			files := windowsFiles(hostileMachine(t, kind, text))
			checkScripts(t, files)
			if kind == network.UpstreamL3 {
				checkDelivery(t, files)
			}
			checkHostileSettings(t, readSettings(t, files), text)
			checkHostileJoin(t, windowsFile(t, files, windowsJoin).Content, text)
		}
	}
}

func checkHostileSettings(t *testing.T, s nodeSettings, text string) {
	t.Helper()
	want := []string{text, text, text, text, text}
	got := []string{s.Node.Name, s.Node.Kubernetes, s.Programs[0].URL, s.Programs[1].SHA256, s.Archives[0].Version}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("node.json (-want +got):\n%s", diff)
	}
	for _, path := range []string{s.Programs[0].Path, s.Archives[0].Path, s.Kubelet.Program, s.Join.Config} {
		if text != "-" && strings.Contains(path, text) {
			t.Errorf("the path %q belongs to the user", path)
		}
	}
}

func checkHostileJoin(t *testing.T, content, text string) {
	t.Helper()
	var got joinConfiguration
	if err := yaml.Unmarshal([]byte(content), &got); err != nil {
		t.Fatalf("%q: %v\n%s", text, err, content)
	}
	if diff := cmp.Diff(
		[]string{text, text, text, text, text, text},
		[]string{
			got.NodeRegistration.Name, got.Discovery.BootstrapToken.Token,
			got.Discovery.BootstrapToken.APIServerEndpoint,
			got.Discovery.BootstrapToken.CACertHashes[0], got.NodeRegistration.Taints[0].Key,
			got.NodeRegistration.Taints[0].Value,
		}); diff != "" {
		t.Errorf("join.yaml (-want +got):\n%s", diff)
	}
	args := map[string]string{}
	for _, a := range got.NodeRegistration.KubeletExtraArgs {
		args[a.Name] = a.Value
	}
	if !strings.Contains(args["node-labels"], text+"="+text) {
		t.Errorf("node-labels are %q", args["node-labels"])
	}
}

// settingsOf maps a variable of the scripts to the part of node.json that it holds.
var settingsOf = map[string]string{
	"settings": "", "directory": "directories.0", "link": "links.0", "program": "programs.0", "archive": "archives.0",
	"download":   "programs.0",
	"containerd": "containerd", "wanted": "", "route": "hns.routes.0", "hns": "hns", "kubelet": "kubelet",
	"log": "kubelet.log", "join": "join",
	"least": "leastBuild",
}

// Nothing here runs PowerShell, so a wrong name of a property would be found on a node
// only.
func TestScriptsReadOnlyExistingProperties(t *testing.T) {
	t.Parallel()
	files := windowsFiles(testMachine(t, testCluster(network.HostGateway, "1.36"), "win2022-1"))
	var node any
	if err := json.Unmarshal([]byte(windowsFile(t, files, windowsSettings).Content), &node); err != nil {
		t.Fatal(err)
	}
	property := regexp.MustCompile(`(?i)\$(` + strings.Join(slices.Sorted(maps.Keys(settingsOf)), "|") +
		`)((?:\.[a-z0-9]+)+)\b`)
	seen := 0
	for _, name := range nodeScripts {
		for _, use := range property.FindAllStringSubmatch(windowsScript(name), -1) {
			variable := strings.ToLower(use[1])
			at := settingsOf[variable]
			if variable == "wanted" {
				at = map[string]string{"bootstrap.ps1": "firewall.0", "network.ps1": "hns"}[name]
			}
			seen++
			if !hasProperty(node, at+use[2]) {
				t.Errorf("%s: node.json has no %s", name, use[0])
			}
		}
	}
	if seen < 80 {
		t.Errorf("only %d properties were found", seen)
	}
}

// hasProperty follows a path of names and of indexes in JSON. Names are as they are
// written there, though PowerShell would take others.
func hasProperty(value any, path string) bool {
	for name := range strings.SplitSeq(strings.Trim(path, "."), ".") {
		switch v := value.(type) {
		case map[string]any:
			next, ok := v[name]
			if !ok {
				return false
			}
			value = next
		case []any:
			if name != "0" || len(v) == 0 {
				return false
			}
			value = v[0]
		default:
			return false
		}
	}
	return true
}

// A node that has the same files except the token is complete already.
func TestATokenChangesOneFile(t *testing.T) {
	t.Parallel()
	c := testCluster(network.FlannelVXLAN, "1.36")
	before := windowsFiles(testMachine(t, c, "win2022-1"))
	m := testMachine(t, c, "win2022-1")
	m.join.Token = "zyxwvu.9876543210zyxwvu"
	for i, f := range windowsFiles(m) {
		if (f != before[i]) != (f.Path == windowsJoin) {
			t.Errorf("%s: differs %t", f.Path, f != before[i])
		}
	}
}

func TestHyperVIsInstalledForAntreaOnly(t *testing.T) {
	t.Parallel()
	for _, kind := range network.Kinds() {
		if got := slices.Contains(windowsFeatures(kind), "Hyper-V"); got != (kind == network.Antrea) {
			t.Errorf("%s: %t", kind, got)
		}
	}
}

func TestWindowsFilesAreSortedAndUnique(t *testing.T) {
	t.Parallel()
	m := testMachine(t, testCluster(network.UpstreamL3, "1.36"), "win2022-1")
	m.pool = topology.Pool{Name: "x", Platform: platform.WindowsServer2025}
	files := windowsFiles(m)
	if !slices.IsSortedFunc(files, byPath) ||
		len(slices.CompactFunc(slices.Clone(files), func(a, b File) bool { return a.Path == b.Path })) != len(files) {
		t.Error("the files are not sorted, or one occurs twice")
	}
	for _, f := range files {
		if f.Executable || !strings.HasPrefix(f.Path, "C:/") || strings.Contains(f.Path, `\`) {
			t.Errorf("%+v", f)
		}
	}
}
