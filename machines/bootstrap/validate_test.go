package bootstrap

import (
	"crypto/ecdsa"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/machines/bootstrap/network"
)

func TestValidClusterHasNoErrors(t *testing.T) {
	t.Parallel()
	if errs := testCluster(network.FlannelVXLAN, "1.36").Validate(nil); len(errs) > 0 {
		t.Error(errs)
	}
}

// Validate reports the errors of NodeFiles, with paths below its path.
func TestValidateReportsTheErrorsOfNodeFiles(t *testing.T) {
	t.Parallel()
	c := testCluster(network.FlannelVXLAN, "1.36")
	c.Endpoint, c.Releases.Containerd.Version = "nowhere", "1.7.0"
	for prefix, path := range map[string]*field.Path{
		"": nil, "cluster.": field.NewPath("cluster"),
		"a[2].b.": field.NewPath("a").Index(2).Child("b"),
	} {
		var got []string
		for _, err := range c.Validate(path) {
			got = append(got, err.Error())
		}
		want := []string{
			prefix + `endpoint: Invalid value: "nowhere": must be a host and a port, api.example.com:6443 for example`,
			prefix + `releases.containerd.version: Invalid value: "1.7.0": cannot read the configuration ` +
				`of the nodes: use 2.1 or newer`,
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("errors (-want +got):\n%s", diff)
		}
		_, err := NodeFiles(c, "cp-1", Join{})
		for _, line := range want {
			if prefix == "cluster." && !strings.Contains(message(err), line) {
				t.Errorf("NodeFiles says %v, and not %s", err, line)
			}
		}
	}
}

// Fields that are not set have their defaults.
func TestContainerdIsSupportedWithTheVersionsOfNodes(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ containerd, kubernetes, want string }{
		{"2.1.0", "1.33", ""},
		{"2.1.2", "1.34", "1.34 of cluster.topology.kubernetesVersion: use 2.1.3 or newer"},
		{"2.1.3", "1.34", ""},
		{"2.1.4", "1.35", "1.35 of cluster.topology.kubernetesVersion: use 2.1.5 or newer"},
		{"2.1.5", "1.35", ""},
		{"2.1.9", "1.36", "1.36 of cluster.topology.kubernetesVersion: use 2.2.0 or newer"},
		{"2.2.0", "1.36", ""},
		{"2.1.2", "1.36", "1.36 of cluster.topology.kubernetesVersion: use 2.2.0 or newer"},
	} {
		t.Run(tt.containerd+" for "+tt.kubernetes, func(t *testing.T) {
			t.Parallel()
			c := testCluster(network.FlannelVXLAN, tt.kubernetes)
			c.Releases.Containerd.Version = tt.containerd
			var got, want []string
			for _, err := range c.Validate(field.NewPath("cluster")) {
				if strings.Contains(err.Field, "containerd") {
					got = append(got, err.Error())
				}
			}
			if tt.want != "" {
				want = []string{`cluster.releases.containerd.version: Invalid value: "` + tt.containerd +
					`": is not supported with Kubernetes ` + tt.want}
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("errors (-want +got):\n%s", diff)
			}
		})
	}
}

func TestValidateHasDefaults(t *testing.T) {
	t.Parallel()
	c := testCluster(network.FlannelVXLAN, "1.36")
	with, without := c.WithDefaults().Validate(nil), c.Validate(nil)
	if len(with)+len(without) > 0 {
		t.Errorf("%v, %v", with, without)
	}
}

func TestValidateCA(t *testing.T) {
	t.Parallel()
	right, other := testPair(t, "kubernetes"), testPair(t, "kubernetes")
	for name, tt := range map[string]struct {
		pair KeyPair
		want []string
	}{
		"right":     {right, nil},
		"as of RSA": {testRSA(t), nil},
		"none": {KeyPair{}, []string{
			"ca.certificate: Required value: required together with the private key: set both",
			"ca.privateKey: Required value: required together with the certificate: set both",
		}},
		"another's key": {KeyPair{right.Certificate, other.PrivateKey}, []string{
			"ca.privateKey: Invalid value: does not match the public key of ca.certificate",
		}},
		"no certificate": {
			KeyPair{"hush", right.PrivateKey},
			[]string{"ca.certificate: Invalid value: must be a certificate in PEM"},
		},
		"no key": {
			KeyPair{right.Certificate, "hush"},
			[]string{"ca.privateKey: Invalid value: must be a private key in PEM, without a password"},
		},
		"that of a server": {
			server(t),
			[]string{
				"ca.certificate: Invalid value: must be the certificate of a certificate authority, which may sign " +
					"others",
			},
		},
		"a key that is not one's CA": {
			testCertificates(t).ServiceAccount,
			[]string{"ca.certificate: Invalid value: must be a certificate in PEM"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var got []string
			for _, err := range tt.pair.ValidateCA(field.NewPath("ca")) {
				got = append(got, err.Error())
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("errors (-want +got):\n%s", diff)
			}
		})
	}
}

// testRSA returns an authority of RSA, in the form of RSA's own.
func testRSA(t *testing.T) KeyPair {
	t.Helper()
	key, err := serviceAccountKey()
	if err != nil {
		t.Fatal(err)
	}
	return KeyPair{certificateFor(t, "kubernetes", key, true, 0), testCertificates(t).ServiceAccount.PrivateKey}
}

// server returns a certificate that signs no others, with its key.
func server(t *testing.T) KeyPair {
	t.Helper()
	pair := testPair(t, "x")
	_, key, err := pair.ParseCA()
	if err != nil {
		t.Fatal(err)
	}
	return KeyPair{certificateFor(t, "x", key, false, 0), pair.PrivateKey}
}

func TestParseCA(t *testing.T) {
	t.Parallel()
	pair := testPair(t, "kubernetes")
	certificate, key, err := pair.ParseCA()
	if err != nil {
		t.Fatal(err)
	}
	if certificate.Subject.CommonName != "kubernetes" ||
		!key.(*ecdsa.PrivateKey).PublicKey.Equal(certificate.PublicKey) {
		t.Errorf("%s, and a key that is not its own", certificate.Subject)
	}
	for want, wrong := range map[string]KeyPair{
		"must be a certificate in PEM":                          {"hush", pair.PrivateKey},
		"must be a private key in PEM, without a password":      {pair.Certificate, "hush"},
		"must be a key of RSA or ECDSA: kubeadm takes no other": {pair.Certificate, edKey},
	} {
		if _, _, err := wrong.ParseCA(); message(err) != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// edKey is a key of Ed25519, of openssl.
const edKey = `-----BEGIN PRIVATE KEY-----
MC4CAQAwBQYDK2VwBCIEIAABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4f
-----END PRIVATE KEY-----
`
