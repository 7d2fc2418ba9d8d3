package machine

import (
	"crypto/sha256"
	"fmt"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/machines/bootstrap"
)

// A control plane with shared keys has all of them on its disks.
func TestKeysThatAreDelivered(t *testing.T) {
	t.Parallel()
	c := certificates(t)
	hash, err := c.CA.CACertHash()
	if err != nil {
		t.Fatal(err)
	}
	keys := map[string]string{
		"ca.crt": c.CA.Certificate, "ca.key": c.CA.PrivateKey, "etcd/ca.crt": c.EtcdCA.Certificate,
		"etcd/ca.key":        c.EtcdCA.PrivateKey,
		"front-proxy-ca.crt": c.FrontProxyCA.Certificate, "front-proxy-ca.key": c.FrontProxyCA.PrivateKey,
		"sa.pub": c.ServiceAccount.Certificate, "sa.key": c.ServiceAccount.PrivateKey,
	}
	join := bootstrap.Join{Token: testToken, CACertHashes: []string{hash}, Certificates: c}
	want := Bootstrap{
		ControlPlane: true, Endpoint: "api.example.com:6443", Token: testToken,
		Labels: map[string]string{}, Keys: keys, Kubelet: linuxKubelet,
	}
	for i, node := range testCluster().Nodes[:2] {
		m := delivered(filesOf(t, testCluster(), node.Name, join))
		m.Address = node.Address
		want.NodeName, want.Init, want.Version, want.CACertHashes = node.Name, i == 0, "", []string{hash}
		want.ClusterInfo = want.Init
		if want.Init {
			want.Version, want.CACertHashes = "v"+release(t), nil
		}
		want.Taints = []corev1.Taint{controlPlaneTaint}
		wantBoot(t, m, &want)
	}
	// A worker has none of the keys.
	wantBoot(t, delivered(filesOf(t, testCluster(), "linux-1", testJoin)), linuxNode)
}

// The command stops on a machine whose customData is not the one that it was written for.
func TestCommandsForOtherCustomData(t *testing.T) {
	t.Parallel()
	files := nodeFiles(t, "win-1")
	for name, change := range map[string]func([]byte) []byte{
		"another script":    func([]byte) []byte { return []byte(bootstrap.WindowsScript(nil)) },
		"none":              func([]byte) []byte { return nil },
		"the same, gzipped": func(script []byte) []byte { return []byte(gzipOf(string(script))) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := deliveredOnWindows(t, files)
			m.CustomData = change(m.CustomData)
			b, err := Boot(m)
			want := fmt.Sprintf("customData: the command of extension boot is for another one: the SHA-256 of this "+
				"one is %x", sha256.Sum256(m.CustomData))
			if err == nil || err.Error() != want || b != nil {
				t.Errorf("got %v, %v\nwant %s", b, err, want)
			}
		})
	}
}

// A pool without taints has none on Windows either, where the bootstrap sets one by default.
func TestPoolsWithoutTaints(t *testing.T) {
	t.Parallel()
	c := testCluster()
	for i := range c.Topology.Pools {
		c.Topology.Pools[i].Untainted = true
	}
	onLinux, onWindows := *linuxNode, *windowsNode
	onWindows.Taints = []corev1.Taint{}
	wantBoot(t, delivered(filesOf(t, c, "linux-1", testJoin)), &onLinux)
	wantBoot(t, deliveredOnWindows(t, filesOf(t, c, "win-1", testJoin)), &onWindows)
	first := delivered(filesOf(t, c, "cp-1",
		bootstrap.Join{Token: testToken, CertificateKey: strings.Repeat("01", 32)}))
	first.Address = c.Nodes[0].Address
	b, err := Boot(first)
	if err != nil || b == nil || len(b.Taints) > 0 {
		t.Errorf("got %+v, %v", b, err)
	}
}
