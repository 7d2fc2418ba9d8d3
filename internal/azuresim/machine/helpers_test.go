package machine

import (
	"bytes"
	"compress/gzip"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/base64"
	"encoding/pem"
	"math/big"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/machines/bootstrap"
	"github.com/mixedkube/mixedkube/machines/bootstrap/network"
)

const (
	testToken = "tests0.notarealtoken000"
	testHash  = "sha256:5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a"
)

// testKey is the payload key of all machines here.
var testKey = bootstrap.NewPayloadKey([]byte("a machine that is not a real one"))

// testCluster has a node of each kind. Its Windows files have made-up hashes.
func testCluster() bootstrap.Cluster {
	c := bootstrap.Cluster{
		Topology: topology.Topology{
			KubernetesVersion: "1.36",
			Pools: []topology.Pool{
				{Name: "control", Platform: platform.Linux, Mode: topology.System},
				{
					Name: "linux", Platform: platform.Linux, Size: "Standard_D4s_v5",
					Labels: map[string]string{"tier": "web"},
				},
				{Name: "win", Platform: platform.WindowsServer2022, Size: "Standard_D4s_v5"},
			},
		},
		Network: network.Network{Kind: network.FlannelVXLAN, NodeCIDR: netip.MustParsePrefix("10.0.0.0/24")},
		Nodes: []bootstrap.Node{
			{Name: "cp-1", Pool: "control", Address: netip.MustParseAddr("10.0.0.4"), ControlPlane: true},
			{Name: "cp-2", Pool: "control", Address: netip.MustParseAddr("10.0.0.5"), ControlPlane: true},
			{Name: "linux-1", Pool: "linux", Address: netip.MustParseAddr("10.0.0.10")},
			{Name: "win-1", Pool: "win", Address: netip.MustParseAddr("10.0.0.20")},
		},
		Endpoint: "api.example.com:6443",
		Releases: bootstrap.KnownReleases(),
	}
	made := func(d *bootstrap.Downloads) { d.Windows.SHA256 = strings.Repeat("a", 64) }
	made(&c.Releases.Containerd.Downloads)
	made(&c.Releases.CNIPlugins.Downloads)
	made(&c.Releases.Flannel.Downloads)
	made(&c.Releases.FlannelPlugin.Downloads)
	for i := range c.Releases.Kubernetes {
		made(&c.Releases.Kubernetes[i].Kubelet)
		made(&c.Releases.Kubernetes[i].Kubeadm)
		made(&c.Releases.Kubernetes[i].KubeProxy)
	}
	return c
}

// nodeFiles returns the real files of a node of testCluster.
func nodeFiles(t *testing.T, name string) []bootstrap.File {
	t.Helper()
	join := testJoin
	if strings.HasPrefix(name, "cp-") {
		join.CertificateKey = strings.Repeat("01", 32)
	}
	return filesOf(t, testCluster(), name, join)
}

var testJoin = bootstrap.Join{Token: testToken, CACertHashes: []string{testHash}}

func filesOf(t *testing.T, c bootstrap.Cluster, name string, join bootstrap.Join) []bootstrap.File {
	t.Helper()
	files, err := bootstrap.NodeFiles(c, name, join)
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// some returns the files that are secret, or those that are not.
func some(files []bootstrap.File, secret bool) []bootstrap.File {
	return slices.DeleteFunc(slices.Clone(files), func(f bootstrap.File) bool { return f.Secret != secret })
}

func base64Of(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) }

func gzipOf(s string) string {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, _ = z.Write([]byte(s)) // writing to a buffer never fails
	_ = z.Close()
	return b.String()
}

// packed returns a payload: gzip, in base64.
func packed(s string) string { return base64Of(gzipOf(s)) }

// encoded returns a command as WindowsCommand writes it, with another program.
func encoded(program string) string {
	var data []byte
	for _, unit := range utf16.Encode([]rune(program)) {
		data = append(data, byte(unit), byte(unit>>8))
	}
	prefix, _ := windowsCommand()
	return prefix + base64.StdEncoding.EncodeToString(data)
}

// edited replaces old in a text, which must contain it.
func edited(t *testing.T, text, old, replacement string) string {
	t.Helper()
	if !strings.Contains(text, old) {
		t.Fatalf("there is no %q in\n%s", old, text)
	}
	return strings.Replace(text, old, replacement, 1)
}

func linuxExtension(settings, protected map[string]any) Extension {
	return Extension{
		Name: "boot", Publisher: "Microsoft.Azure.Extensions", Type: "CustomScript", Version: "2.1",
		Settings: settings, Protected: protected,
	}
}

// scriptExtension returns the Linux extension with a script.
func scriptExtension(script string) Extension {
	return linuxExtension(nil, map[string]any{"script": base64Of(script)})
}

func windowsExtension(command string) Extension {
	return Extension{
		Name: "boot", Publisher: "microsoft.compute", Type: "customscriptextension", Version: "1.10",
		Protected: map[string]any{"commandToExecute": command},
	}
}

func linux(customData string, extensions ...Extension) Machine {
	return Machine{
		ComputerName: "linux-1", Address: netip.MustParseAddr("10.0.0.10"), CustomData: []byte(customData),
		Extensions: extensions,
	}
}

func windows(customData string, extensions ...Extension) Machine {
	return Machine{
		ComputerName: "WIN-1", Windows: true, Address: netip.MustParseAddr("10.0.0.20"),
		CustomData: []byte(customData), Extensions: extensions,
	}
}

// delivered returns a Linux machine as the components create one: customData has its public files, and the script of
// its extension brings the secret ones.
func delivered(files []bootstrap.File) Machine {
	public := append(some(files, false), testKey.File(platform.Linux))
	return linux(bootstrap.CloudConfig(public), scriptExtension(bootstrap.LinuxScript(some(files, true), testKey)))
}

// deliveredOnWindows returns the same for Windows.
func deliveredOnWindows(t *testing.T, files []bootstrap.File) Machine {
	t.Helper()
	script := bootstrap.WindowsScript(append(some(files, false), testKey.File(platform.WindowsServer2022)))
	return windows(script, windowsExtension(commandFor(t, script, some(files, true))))
}

func commandFor(t *testing.T, script string, secret []bootstrap.File) string {
	t.Helper()
	command, err := bootstrap.WindowsCommand(script, secret, testKey)
	if err != nil {
		t.Fatal(err)
	}
	return command
}

// changed changes the content of one file, and deletes the file if the new content is empty.
func changed(t *testing.T, files []bootstrap.File, path string, change func(string) string) []bootstrap.File {
	t.Helper()
	files = slices.Clone(files)
	i := index(files, path)
	if i < 0 {
		t.Fatalf("there is no %s", path)
	}
	if files[i].Content = change(files[i].Content); files[i].Content == "" {
		return slices.Delete(files, i, i+1)
	}
	return files
}

func deleted(string) string { return "" }

// authority returns a certificate authority in the form that bootstrap reads.
func authority(t *testing.T, name string) bootstrap.KeyPair {
	t.Helper()
	key := newKey(t)
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: name}, NotBefore: time.Unix(0, 0),
		NotAfter: time.Unix(1<<33, 0),
		IsCA:     true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	return bootstrap.KeyPair{Certificate: inPEM("CERTIFICATE", der), PrivateKey: privateKey(t, key)}
}

func newKey(t *testing.T) *ecdsa.PrivateKey {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

func privateKey(t *testing.T, key *ecdsa.PrivateKey) string {
	t.Helper()
	der, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	return inPEM("PRIVATE KEY", der)
}

func inPEM(kind string, der []byte) string {
	return string(pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}))
}

// certificates returns all key pairs of a control plane.
func certificates(t *testing.T) bootstrap.Certificates {
	t.Helper()
	key := newKey(t)
	public, err := x509.MarshalPKIXPublicKey(key.Public())
	if err != nil {
		t.Fatal(err)
	}
	return bootstrap.Certificates{
		CA: authority(t, "kubernetes"), EtcdCA: authority(t, "etcd-ca"), FrontProxyCA: authority(t, "front-proxy-ca"),
		ServiceAccount: bootstrap.KeyPair{Certificate: inPEM("PUBLIC KEY", public), PrivateKey: privateKey(t, key)},
	}
}

func index(files []bootstrap.File, path string) int {
	return slices.IndexFunc(files, func(f bootstrap.File) bool { return f.Path == path })
}
