package machine

import (
	"strings"
	"testing"

	"github.com/mixedkube/mixedkube/machines/bootstrap"
)

// knownFiles returns the real files of a node whose cluster has a known certificate authority.
func knownFiles(t *testing.T, name string) (files []bootstrap.File, ca string) {
	t.Helper()
	c, pairs := testCluster(), certificates(t)
	c.CACertificate = pairs.CA.Certificate
	join := bootstrap.Join{Token: testToken}
	if strings.HasPrefix(name, "cp-") {
		join.Certificates = pairs
	}
	return filesOf(t, c, name, join), c.CACertificate
}

func TestMachinesFindTheClusterByAFile(t *testing.T) {
	t.Parallel()
	onLinux, ca := knownFiles(t, "linux-1")
	want := *linuxNode
	want.CACertHashes, want.CACert = nil, ca
	wantBoot(t, delivered(onLinux), &want)

	onWindows, ca := knownFiles(t, "win-1")
	want = *windowsNode
	want.CACertHashes, want.CACert = nil, strings.ReplaceAll(ca, "\n", "\r\n")
	wantBoot(t, deliveredOnWindows(t, onWindows), &want)
}

// Each row is one edit away from the files that the bootstrap writes for a node.
func TestDiscoveriesThatAreRefused(t *testing.T) {
	t.Parallel()
	const (
		at     = "/etc/mixedkube/kubeadm/config.yaml"
		file   = "/etc/mixedkube/kubeadm/discovery.yaml"
		in     = at + ": discovery.file.kubeConfigPath: " + file
		server = "/etc/mixedkube/apiserver/authentication.yaml"
	)
	for name, c := range map[string]struct{ node, path, old, replacement, want string }{
		"an invalid path": {
			"linux-1", at, file, "C:/mixedkube/kubeadm/discovery.yaml",
			at + `: discovery.file.kubeConfigPath: "C:/mixedkube/kubeadm/discovery.yaml" is not a path to kubeadm`,
		},
		"a missing file": {"linux-1", at, file, "/etc/none", at + ": discovery.file.kubeConfigPath: /etc/none " +
			"is not on the machine"},
		"another token": {
			"linux-1", file, testToken, "abc",
			in + ": the user's token is not a token: it has 6 characters, a dot and 16 characters, a-z and 0-9",
		},
		"no authority": {
			"linux-1", file, "/etc/mixedkube/kubeadm/ca.crt", "/etc/kubernetes/pki/ca.crt",
			in + `: certificate-authority: "/etc/kubernetes/pki/ca.crt" is not on the machine`,
		},
		"without TLS": {
			"linux-1", file, "https://", "http://",
			in + `: server: "http://api.example.com:6443" does not begin with https://`,
		},
		"another context": {
			"linux-1", file, "current-context: \"tls", "current-context: \"x",
			in + " is not understood: bootstrap writes one cluster, one user, and a context of both",
		},
		"another kind": {
			"linux-1", file, "kind: Config", "kind: Secret",
			in + ": the document at line 1 is not understood: bootstrap writes one document each of v1 Config",
		},
		"probes that are refused": {
			"cp-1", server, "/livez", "/live",
			at + ": apiServer: " + server + ": the probes of the API server are anonymous, and /livez is not among " +
				"the " +
				"paths",
		},
		"anonymous users are off": {
			"cp-1", server, "enabled: true", "enabled: false",
			at + ": apiServer: " + server + ": the probes of the API server are anonymous, and it would be restarted " +
				"forever",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			files, _ := knownFiles(t, c.node)
			_, err := Boot(withFiles(t, c.node, changed(t, files, c.path, func(s string) string {
				return edited(t, s, c.old, c.replacement)
			})))
			wantRefused(t, err, c.want)
		})
	}
}

// With a CA hash, a machine finds only a cluster that shows cluster-info to anonymous users.
func TestAccessToClusterInfo(t *testing.T) {
	t.Parallel()
	known, _ := knownFiles(t, "cp-1")
	for name, tt := range map[string]struct {
		files []bootstrap.File
		want  bool
	}{
		"the authority is known": {known, false},
		"it is not":              {nodeFiles(t, "cp-1"), true},
		"kubeadm's own default": {changed(t, known, "/etc/mixedkube/kubeadm/config.yaml", func(s string) string {
			return edited(t, s, "name: authentication-config", "name: event-ttl")
		}), true},
	} {
		b, err := Boot(withFiles(t, "cp-1", tt.files))
		if err != nil || b.ClusterInfo != tt.want {
			t.Errorf("%s: %+v, want %t (%v)", name, b, tt.want, err)
		}
	}
}
