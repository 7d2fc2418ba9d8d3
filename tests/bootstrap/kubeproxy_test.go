package bootstrap

import (
	"maps"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api/v1"
	proxyv1alpha1 "k8s.io/kube-proxy/config/v1alpha1"
	"sigs.k8s.io/yaml"

	"github.com/mixedkube/mixedkube/machines/bootstrap/network"
)

// kubeProxyFile returns a file that kube-proxy on Windows nodes starts with. The tests of
// package hostprocess check that the package creates the same file: importing the package here
// would compile the SDKs of Pulumi a second time.
func kubeProxyFile(t *testing.T, kind network.Kind, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "components", "hostprocess", "testdata", "kube-proxy",
		string(kind), name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestKubeProxyTakesItsConfigurationOnWindows decodes what the Windows nodes of each kind
// of network get, and what the script adds to it, as strictly as kube-proxy does.
func TestKubeProxyTakesItsConfigurationOnWindows(t *testing.T) {
	for _, kind := range network.Kinds() {
		n := network.Network{Kind: kind, NodeCIDR: netip.MustParsePrefix("10.0.0.0/24")}
		wants := n.WithDefaults().KubeProxyWindows()
		if !wants.Needed {
			continue
		}
		t.Run(string(kind), func(t *testing.T) {
			text := kubeProxyFile(t, kind, "config.json")
			// As the script does on a node of Kubernetes 1.32: all three exist and are filled in.
			text = replaceOnce(t, text, `"hostnameOverride": ""`, `"hostnameOverride": "win-1"`)
			text = replaceOnce(t, text, `"sourceVip": ""`, `"sourceVip": "10.244.3.2"`)
			text = replaceOnce(t, text, `"featureGates": {}`, `"featureGates": {"WinDSR": true}`)
			var config proxyv1alpha1.KubeProxyConfiguration
			if err := yaml.UnmarshalStrict([]byte(text), &config); err != nil {
				t.Fatalf("%v\n%s", err, text)
			}
			if config.Kind != "KubeProxyConfiguration" ||
				config.APIVersion != proxyv1alpha1.SchemeGroupVersion.String() {
				t.Errorf("it is a %s", config.TypeMeta)
			}
			want := proxyv1alpha1.KubeProxyWinkernelConfiguration{
				NetworkName: wants.NetworkName, RootHnsEndpointName: wants.RootHNSEndpointName,
				EnableDSR: wants.EnableDSR, SourceVip: "10.244.3.2",
			}
			if config.Winkernel != want {
				t.Errorf("winkernel is %+v, want %+v", config.Winkernel, want)
			}
			if config.Mode != "kernelspace" || config.HostnameOverride != "win-1" ||
				config.ClusterCIDR != "10.244.0.0/16" {
				t.Errorf("%+v", config)
			}
			if !maps.Equal(config.FeatureGates, map[string]bool{"WinDSR": true}) {
				t.Errorf("it has the gates %v", config.FeatureGates)
			}
			// Only if they need it: WinDSR is locked since 1.34.
			var settings struct{ WinDSRSince string }
			if err := yaml.Unmarshal([]byte(kubeProxyFile(t, kind, "settings.json")), &settings); err != nil ||
				settings.WinDSRSince != "1.33" {
				t.Errorf("the script sets the gate before Kubernetes %q (%v)", settings.WinDSRSince, err)
			}
			if got, want := config.ClientConnection.Kubeconfig,
				"C:/mounts/kube-proxy-windows/kubeconfig.json"; got != want {
				t.Errorf("its kubeconfig is %s, want %s", got, want)
			}
		})
	}
}

func TestClientsTakeTheKubeconfigOfWindowsNodes(t *testing.T) {
	text := kubeProxyFile(t, network.FlannelVXLAN, "kubeconfig.json")
	if err := yaml.UnmarshalStrict([]byte(text), &clientcmdapi.Config{}); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	config, err := clientcmd.Load([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	// The files at these paths exist only on the nodes.
	token := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(token, []byte("abc"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, cluster := range config.Clusters {
		if !strings.HasPrefix(cluster.CertificateAuthority, "C:/") {
			t.Errorf("the certificate is at %s, which on Windows is relative", cluster.CertificateAuthority)
		}
		cluster.CertificateAuthority = ""
	}
	for _, user := range config.AuthInfos {
		if !strings.HasPrefix(user.TokenFile, "C:/") {
			t.Errorf("the token is at %s, which on Windows is relative", user.TokenFile)
		}
		user.TokenFile = token
	}
	client, err := clientcmd.NewDefaultClientConfig(*config, &clientcmd.ConfigOverrides{}).ClientConfig()
	if err != nil {
		t.Fatal(err)
	}
	if client.Host != "https://api.example.com:6443" || client.BearerTokenFile != token {
		t.Errorf("it leads to %s with the token of %s", client.Host, client.BearerTokenFile)
	}
}
