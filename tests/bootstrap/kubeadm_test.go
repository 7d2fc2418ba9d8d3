package bootstrap

import (
	"net/netip"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"k8s.io/client-go/tools/clientcmd"
	proxyv1alpha1 "k8s.io/kube-proxy/config/v1alpha1"
	kubeletv1beta1 "k8s.io/kubelet/config/v1beta1"
	"sigs.k8s.io/yaml"

	"github.com/mixedkube/mixedkube/internal/lab/tools"
	"github.com/mixedkube/mixedkube/machines/bootstrap"
	"github.com/mixedkube/mixedkube/machines/bootstrap/network"
)

// TestKubeadmTakesItsConfiguration has kubeadm 1.36 decode and validate what every node
// gets, those of older versions too: the format has been the same since 1.31.
func TestKubeadmTakesItsConfiguration(t *testing.T) {
	kubeadm := ensureKubeadm(t)
	for _, n := range nodes(t) {
		t.Run(n.String(), func(t *testing.T) {
			config := n.kubeadm(t).Content
			if n.windows {
				// On Linux, a path of Windows is not absolute to kubeadm, and it knows no
				// pipes. Everything else is checked unchanged.
				config = replaceOnce(t, config, "C:/etc/kubernetes/pki/ca.crt", "/etc/kubernetes/pki/ca.crt")
				config = replaceOnce(t, config, "npipe:////./pipe/containerd-containerd",
					"unix:///run/containerd/containerd.sock")
			}
			// kubeadm creates clusters of its own version and the one before only.
			config = strings.Replace(config, "kubernetesVersion: v1.34.", "kubernetesVersion: v1.35.", 1)
			if out, err := validate(t, kubeadm, config); err != nil {
				t.Errorf("%v: %s\n%s", err, out, config)
			} else if strings.Contains(out, "W1") || strings.Contains(out, "warn") {
				t.Errorf("takes it, but warns: %s\n%s", out, config)
			}
		})
	}
}

// TestKubeadmTakesADiscoveryFile validates what nodes get of a cluster whose authority is
// known. kubeadm checks whether the file exists.
func TestKubeadmTakesADiscoveryFile(t *testing.T) {
	kubeadm := ensureKubeadm(t)
	c, control := protectedCluster(t)
	for _, node := range []string{"cp-1", "cp-2", "linux-1", "win2022-1"} {
		join := bootstrap.Join{Token: control.Token}
		if strings.HasPrefix(node, "cp-") {
			join = control
		}
		files, err := bootstrap.NodeFiles(c, node, join)
		if err != nil {
			t.Fatal(err)
		}
		config := nodeNamed(node, files).kubeadm(t).Content
		if node != "cp-1" {
			file := nodeNamed(node, files).file(t, "discovery.yaml")
			at := filepath.Join(t.TempDir(), "discovery.yaml")
			if err := os.WriteFile(at, []byte(file.Content), 0o600); err != nil {
				t.Fatal(err)
			}
			named := file.Path
			if strings.HasPrefix(node, "win") {
				named = `"` + strings.ReplaceAll(`\\?\`+strings.ReplaceAll(file.Path, "/", `\`), `\`, `\\`) + `"`
			}
			// If it is missing, kubeadm reports that.
			out, err := validate(t, kubeadm, onLinux(config))
			if err == nil || !strings.Contains(out, "not a valid HTTPS URL or a file on disk") {
				t.Errorf("%s: %v: %s", node, err, out)
			}
			config = replaceOnce(t, config, named, at)
			checkDiscovery(t, file.Content, join.Token, c.CACertificate, files)
		}
		if out, err := validate(t, kubeadm, onLinux(config)); err != nil {
			t.Errorf("%s: %v: %s\n%s", node, err, out, config)
		}
	}
}

func nodeNamed(name string, files []bootstrap.File) node {
	return node{name: name, windows: strings.HasPrefix(name, "win"), files: files}
}

// onLinux replaces what only kubeadm for Windows takes.
func onLinux(config string) string {
	return strings.NewReplacer("C:/etc/kubernetes/pki/ca.crt", "/etc/kubernetes/pki/ca.crt",
		"npipe:////./pipe/containerd-containerd", "unix:///run/containerd/containerd.sock").Replace(config)
}

// checkDiscovery reads the file as kubeadm does: with credentials, as it asks for
// cluster-info with them and continues where that is forbidden.
func checkDiscovery(t *testing.T, content, token, ca string, files []bootstrap.File) {
	t.Helper()
	config, err := clientcmd.Load([]byte(content))
	if err != nil {
		t.Fatal(err)
	}
	context := config.Contexts[config.CurrentContext]
	if got := config.AuthInfos[context.AuthInfo].Token; got != token {
		t.Errorf("the token is %q", got)
	}
	cluster := config.Clusters[context.Cluster]
	i := slices.IndexFunc(files, func(f bootstrap.File) bool { return f.Path == cluster.CertificateAuthority })
	if i < 0 || strings.ReplaceAll(files[i].Content, "\r\n", "\n") != ca ||
		cluster.Server != "https://api.example.com:6443" {
		t.Errorf("the cluster is %+v", cluster)
	}
	// Windows: kubeadm takes what has a scheme for an address.
	for _, path := range []string{`\\?\C:\mixedkube\kubeadm\discovery.yaml`, "/etc/mixedkube/kubeadm/discovery.yaml"} {
		if u, err := url.Parse(path); err != nil || u.Scheme != "" {
			t.Errorf("%s is not a path to kubeadm: %v", path, err)
		}
	}
}

// TestKubeadmValidates makes sure that the test above can fail.
func TestKubeadmValidates(t *testing.T) {
	kubeadm := ensureKubeadm(t)
	n := nodes(t)[2]
	for was, becomes := range map[string]string{
		"criSocket:":              "criSokcet:",
		"tests0.notarealtoken000": "tests0",
		"api.example.com:6443":    "api.example.com",
	} {
		config := replaceOnce(t, n.kubeadm(t).Content, was, becomes)
		if out, err := validate(t, kubeadm, config); err == nil {
			t.Errorf("kubeadm takes %s: %s", becomes, out)
		}
	}
}

func ensureKubeadm(t *testing.T) string {
	t.Helper()
	return ensure(t, "kubeadm")
}

// ensure returns a program of the lab's tools.
func ensure(t *testing.T, name string) string {
	t.Helper()
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	cache, err := tools.FromRoot(root, t.Output())
	if err != nil {
		t.Fatal(err)
	}
	paths, err := cache.Ensure(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	return paths[name]
}

func validate(t *testing.T, kubeadm, config string) (string, error) {
	t.Helper()
	at := filepath.Join(t.TempDir(), "config.yaml")
	if err := os.WriteFile(at, []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.CommandContext(t.Context(), kubeadm, "config", "validate", "--config", at).CombinedOutput()
	return string(out), err
}

func replaceOnce(t *testing.T, text, was, becomes string) string {
	t.Helper()
	if strings.Count(text, was) != 1 {
		t.Fatalf("%q does not occur exactly once:\n%s", was, text)
	}
	return strings.Replace(text, was, becomes, 1)
}

// TestComponentsTakeTheirConfiguration decodes what kubeadm only warns about.
func TestComponentsTakeTheirConfiguration(t *testing.T) {
	decoded := 0
	for _, n := range nodes(t) {
		for document := range strings.SplitSeq(strings.ReplaceAll(n.kubeadm(t).Content, "\r\n", "\n"), "\n---\n") {
			var into any
			switch {
			case strings.Contains(document, "kind: KubeletConfiguration\n"):
				into = &kubeletv1beta1.KubeletConfiguration{}
			case strings.Contains(document, "kind: KubeProxyConfiguration\n"):
				into = &proxyv1alpha1.KubeProxyConfiguration{}
			default:
				continue
			}
			decoded++
			if err := yaml.UnmarshalStrict([]byte(document), into); err != nil {
				t.Errorf("%s: %v\n%s", n, err, document)
			}
		}
	}
	if want := 2 * len(network.Kinds()) * len(versions); decoded != want {
		t.Errorf("%d documents, want %d: two of each first node", decoded, want)
	}
}

// TestKubeletTakesItsPatch decodes the patches, and what matters most of them.
func TestKubeletTakesItsPatch(t *testing.T) {
	for _, n := range nodes(t) {
		content := n.file(t, "kubeletconfiguration+merge.yaml").Content
		var config kubeletv1beta1.KubeletConfiguration
		if err := yaml.UnmarshalStrict([]byte(content), &config); err != nil {
			t.Errorf("%s: %v\n%s", n, err, content)
		}
		if config.Kind != "KubeletConfiguration" || config.APIVersion != kubeletv1beta1.SchemeGroupVersion.String() {
			t.Errorf("%s: a patch of %s", n, config.TypeMeta)
		}
		// The kubelet takes its default for a list that is nil, and refuses that
		// without cgroups.
		empty := config.EnforceNodeAllocatable != nil && len(config.EnforceNodeAllocatable) == 0
		if config.CgroupsPerQOS != nil && !*config.CgroupsPerQOS != n.windows || empty != n.windows {
			t.Errorf("%s:\n%s", n, content)
		}
		if n.windows && (config.ResolverConfig == nil || *config.ResolverConfig != "" ||
			config.SingleProcessOOMKill != nil || config.UserNamespaces != nil) {
			t.Errorf("%s:\n%s", n, content)
		}
	}
}

// kubeadm compares the range of the pods with those of the nodes, for which it looks in
// one of three places.
func TestKubeadmTakesASmallRangeOfPods(t *testing.T) {
	kubeadm := ensureKubeadm(t)
	for _, kind := range network.Kinds() {
		t.Run(string(kind), func(t *testing.T) {
			c := cluster(kind, "1.36")
			c.Nodes = c.Nodes[:1]
			c.Network.PodCIDR, c.Network.NodeMaskSize = netip.MustParsePrefix("10.244.0.0/25"), 28
			files, err := bootstrap.NodeFiles(c, "cp-1", bootstrap.Join{})
			if err != nil {
				t.Fatal(err)
			}
			config := node{name: "cp-1", files: files}.kubeadm(t).Content
			if out, err := validate(t, kubeadm, config); err != nil {
				t.Errorf("%v: %s\n%s", err, out, config)
			}
		})
	}
}
