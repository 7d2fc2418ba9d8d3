package bootstrap

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/machines/bootstrap/network"
)

// Where the certificate authority is known, nodes find the cluster by a file: nothing of it
// needs an anonymous request.
func TestNodesFindTheClusterByAFile(t *testing.T) {
	t.Parallel()
	c, control := knownCluster(t)
	for node, want := range map[string]struct{ path, named, ca string }{
		"cp-2": {
			"/etc/mixedkube/kubeadm/discovery.yaml", "/etc/mixedkube/kubeadm/discovery.yaml",
			"/etc/mixedkube/kubeadm/ca.crt",
		},
		"linux-1": {
			"/etc/mixedkube/kubeadm/discovery.yaml", "/etc/mixedkube/kubeadm/discovery.yaml",
			"/etc/mixedkube/kubeadm/ca.crt",
		},
		"win2022-1": {
			"C:/mixedkube/kubeadm/discovery.yaml", `\\?\C:\mixedkube\kubeadm\discovery.yaml`,
			"C:/mixedkube/kubeadm/ca.crt",
		},
	} {
		j := Join{Token: testToken}
		if node == "cp-2" {
			j = control
		}
		m := testMachineJoining(t, c, node, j)
		if diff := cmp.Diff(discovery{File: &fileDiscovery{want.named}}, joinOf(t, m).Discovery); diff != "" {
			t.Errorf("%s (-want +got):\n%s", node, diff)
		}
		files := map[string]File{}
		for _, file := range m.files() {
			file.Content = strings.ReplaceAll(file.Content, "\r\n", "\n")
			files[file.Path] = file
		}
		if ca := files[want.ca]; ca.Secret || ca.Content != c.CACertificate {
			t.Errorf("%s has the authority %+v", node, ca)
		}
		if !files[want.path].Secret {
			t.Errorf("%s: %s is not secret", node, want.path)
		}
		var got kubeconfig
		decode(t, files[want.path].Content, map[string]any{"Config": &got})
		if diff := cmp.Diff(kubeconfigOf(want.ca), got, cmp.AllowUnexported(kubeconfig{})); diff != "" {
			t.Errorf("%s (-want +got):\n%s", node, diff)
		}
	}
	for _, file := range testMachineJoining(t, c, "cp-1", control).files() {
		if file.Path == linuxDiscovery || file.Path == linuxCA {
			t.Errorf("the first node has %s", file.Path)
		}
	}
}

func kubeconfigOf(ca string) kubeconfig {
	return kubeconfig{
		typeMeta: typeMeta{"v1", "Config"},
		Clusters: []namedCluster{{"kubernetes", kubeconfigCluster{"https://api.example.com:6443", ca}}},
		Users:    []namedUser{{"tls-bootstrap-token-user", kubeconfigUser{testToken}}},
		Contexts: []namedContext{{
			"tls-bootstrap-token-user@kubernetes", kubeconfigContext{"kubernetes", "tls-bootstrap-token-user"},
		}},
		CurrentContext: "tls-bootstrap-token-user@kubernetes",
	}
}

func TestInvalidKnownAuthorities(t *testing.T) {
	t.Parallel()
	c, control := knownCluster(t)
	other := testCertificates(t)
	hash, err := control.Certificates.CA.CACertHash()
	if err != nil {
		t.Fatal(err)
	}
	without := control
	without.Certificates = Certificates{}
	another := control
	another.Certificates = other
	for _, tt := range []struct {
		name, node, ca string
		join           Join
		want           string
	}{
		{"nothing", "cp-1", c.CACertificate, control, ""},
		{"nothing, for a worker", "linux-1", c.CACertificate, Join{Token: testToken}, ""},
		{
			"nothing, with its hash", "linux-1", c.CACertificate,
			Join{Token: testToken, CACertHashes: []string{hash}},
			"",
		},
		{
			"another hash", "linux-1", c.CACertificate,
			Join{Token: testToken, CACertHashes: []string{testHash}},
			`join.caCertHashes: Invalid value: ["` + testHash + `"]: does not contain the hash of ` +
				"cluster.caCertificate, which is " + hash + ": use hashes and certificates of the same cluster",
		},
		{
			"a first node that makes its own", "cp-1", c.CACertificate, without,
			"join.certificates.ca: Required value: kubeadm would create an authority that differs from " +
				"cluster.caCertificate: set its key pair",
		},
		{
			"another authority", "cp-2", c.CACertificate, another,
			"join.certificates.ca.certificate: Invalid value: must be the same as cluster.caCertificate",
		},
		{
			"no certificate", "linux-1", "ca",
			Join{Token: testToken},
			"cluster.caCertificate: Invalid value: must be a certificate in PEM",
		},
		{
			"its key as well", "linux-1", c.CACertificate + control.Certificates.CA.PrivateKey,
			Join{Token: testToken},
			"cluster.caCertificate: Invalid value: has a private key: give the certificate alone, which everyone " +
				"may see",
		},
		{
			"a key for a worker", "linux-1", c.CACertificate,
			Join{Token: testToken, EncryptionKeys: []string{testEncryptionKey}},
			"join.encryptionKeys: Invalid value: only nodes of the control plane read etcd: leave it out",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := c
			c.CACertificate = tt.ca
			_, err := NodeFiles(c, tt.node, tt.join)
			if diff := cmp.Diff(tt.want, message(err)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
	for _, key := range []string{"c2hvcnQ=", "no base64", testEncryptionKey + "\n", strings.Repeat("A", 64)} {
		j := control
		j.EncryptionKeys = []string{testEncryptionKey, key}
		_, err := NodeFiles(c, "cp-1", j)
		want := "join.encryptionKeys[1]: Invalid value: must be 32 random bytes in base64: create one with " +
			"`openssl rand -base64 32`"
		if diff := cmp.Diff(want, message(err)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", key, diff)
		}
	}
	j := control
	j.EncryptionKeys = []string{testEncryptionKey, otherEncryptionKey, testEncryptionKey}
	_, err = NodeFiles(c, "cp-1", j)
	want := "join.encryptionKeys[2]: Invalid value: is in the list already: remove one of the two"
	if diff := cmp.Diff(want, message(err)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// The files of the authority do not depend on how a node joins.
func TestPublicFilesOfAKnownAuthority(t *testing.T) {
	t.Parallel()
	for _, kind := range network.Kinds() {
		c, control := knownCluster(t)
		c.Network = testCluster(kind, "1.36").Network
		c.Topology, c.Nodes = testCluster(kind, "1.36").Topology, testCluster(kind, "1.36").Nodes
		for _, node := range c.Nodes {
			j := Join{Token: testToken}
			if node.ControlPlane {
				j = control
			}
			checkSplit(t, c, node.Name, j)
		}
	}
}
