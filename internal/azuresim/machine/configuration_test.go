package machine

import (
	"strings"
	"testing"

	"github.com/mixedkube/mixedkube/machines/bootstrap"
)

// Each row is one edit away from the configuration that the bootstrap writes for a node.
func TestConfigurationsThatAreRefused(t *testing.T) {
	t.Parallel()
	const (
		worker   = "/etc/mixedkube/kubeadm/config.yaml: "
		joinOnly = "bootstrap writes one document each of kubeadm.k8s.io/v1beta4 JoinConfiguration"
		initAll  = "bootstrap writes one document each of kubeadm.k8s.io/v1beta4 ClusterConfiguration, " +
			"kubeadm.k8s.io/v1beta4 InitConfiguration, kubeproxy.config.k8s.io/v1alpha1 KubeProxyConfiguration, " +
			"kubelet.config.k8s.io/v1beta1 KubeletConfiguration"
		token = "discovery.bootstrapToken."
	)
	for name, c := range map[string]struct{ node, old, replacement, want string }{
		"not YAML": {
			"linux-1", "discovery:", "discovery: a: b",
			worker + "not valid YAML: line 3: mapping values are not allowed in this context",
		},
		"an old API": {
			"linux-1", "v1beta4", "v1beta3",
			worker + "the document at line 1 is not understood: " + joinOnly,
		},
		"an unknown kind": {
			"linux-1", "JoinConfiguration", "ResetConfiguration",
			worker + "the document at line 1 is not understood: " + joinOnly,
		},
		"a list": {"linux-1", "apiVersion", "- apiVersion", worker + "line 1 is not what it should be"},
		"an unknown key": {
			"linux-1", "discovery:", "timeouts: {}\ndiscovery:",
			worker + "line 3: the key timeouts is not understood",
		},
		"an unknown key below": {
			"linux-1", "    token:", "    unsafeSkipCAVerification: true\n    token:",
			worker + "line 6: the key unsafeSkipCAVerification is not understood",
		},
		"a key twice": {
			"linux-1", "discovery:", "kind: JoinConfiguration\ndiscovery:",
			worker + "line 3 is not what it should be",
		},
		"another document": {
			"linux-1", "apiVersion", "apiVersion: v1\nkind: ConfigMap\n---\napiVersion",
			worker + "the document at line 1 is not understood: " + joinOnly,
		},
		"another separator": {
			"linux-1", "apiVersion",
			"apiVersion: kubeadm.k8s.io/v1beta4\nkind: JoinConfiguration\n--- # again\napiVersion",
			worker + "the document at line 1 is not understood: bootstrap writes a line --- before the next",
		},
		"no token": {
			"linux-1", testToken, "abc",
			worker + token + "token is not a token: it has 6 characters, a dot and 16 characters, a-z and 0-9",
		},
		"no discovery": {
			"linux-1", "bootstrapToken:", "file:",
			worker + "line 5: the key apiServerEndpoint is not understood",
		},
		"two kinds of discovery": {
			"linux-1", "discovery:", "discovery:\n  file: {kubeConfigPath: /etc/mixedkube/kubeadm/discovery.yaml}",
			worker + "discovery has to have one of bootstrapToken and file",
		},
		"an API server without its file": {
			"cp-1", "value: /etc/mixedkube/apiserver/audit-policy.yaml", "value: /etc/mixedkube/policy.yaml",
			worker + "apiServer: audit-policy-file: /etc/mixedkube/policy.yaml is not on the machine",
		},
		"a file that is not mounted": {
			"cp-1", "hostPath: /etc/mixedkube/apiserver", "hostPath: /etc/mixedkube/other",
			worker + "apiServer: admission-control-config-file: /etc/mixedkube/apiserver/admission.yaml is in none " +
				"of " +
				"the extraVolumes",
		},
		"a short hash": {
			"linux-1", testHash, "sha256:12",
			worker + token + `caCertHashes[0]: "sha256:12" is not sha256: and 64 hexadecimal digits`,
		},
		"an endpoint without a port": {
			"linux-1", "api.example.com:6443", "api.example.com",
			worker + token + `apiServerEndpoint: "api.example.com" is not host:port`,
		},
		"a name with an underscore": {
			"linux-1", "name: linux-1", "name: linux_1",
			worker + `nodeRegistration.name: "linux_1" is not a valid name of a node`,
		},
		"taints that are left out": {
			"linux-1", "  taints: []\n", "",
			worker + "nodeRegistration.taints is missing: bootstrap writes a list, which may be empty",
		},
		"a taint with an unknown effect": {
			"linux-1", "taints: []", "taints: [{key: a, effect: No}]",
			worker + `nodeRegistration.taints[0]: "a:No" is not a valid taint`,
		},
		"arguments as a map": {
			"linux-1", "kubeletExtraArgs:\n", "kubeletExtraArgs: {node-ip: 10.0.0.10}\nx:\n",
			worker + "line 13 is not what it should be",
		},
		"an unknown argument": {
			"linux-1", "name: node-ip", "name: max-pods",
			worker + "nodeRegistration.kubeletExtraArgs[0]: max-pods is not understood: bootstrap writes node-ip, " +
				"node-labels and windows-priorityclass",
		},
		"an address of another node": {
			"linux-1", "\"10.0.0.10\"", "10.0.0.9",
			worker + "nodeRegistration.kubeletExtraArgs[0]: the kubelet does not start: node-ip 10.0.0.9 is not the " +
				"address of the machine, 10.0.0.10",
		},
		"an invalid address": {
			"linux-1", "\"10.0.0.10\"", "ten",
			worker + `nodeRegistration.kubeletExtraArgs[0]: node-ip: "ten" is not a valid address`,
		},
		"a label without a value": {
			"linux-1", "tier=web", "tier",
			worker + `nodeRegistration.kubeletExtraArgs[1]: node-labels has "tier", which is not a valid label`,
		},
		"a control plane on Windows": {
			"win-1", "discovery:", "controlPlane: {}\r\ndiscovery:",
			"C:/mixedkube/kubeadm/join.yaml: controlPlane: kubeadm does not support control planes on Windows",
		},
		"a join for an init": {
			"cp-1", "InitConfiguration", "JoinConfiguration",
			worker + "the document at line 1 is not understood: " + initAll,
		},
		"an init that is missing": {
			"cp-1", "InitConfiguration", "ClusterConfiguration",
			worker + "line 3: the key bootstrapTokens is not understood",
		},
		"any version": {
			"cp-1", "kubernetesVersion: v" + release(t), "kubernetesVersion: stable-1",
			worker + `kubernetesVersion: "stable-1" is not a version such as v1.36.1`,
		},
		"a cluster without a port": {
			"cp-1", "controlPlaneEndpoint: api.example.com:6443", "controlPlaneEndpoint: api.example.com",
			worker + `controlPlaneEndpoint: "api.example.com" is not host:port`,
		},
		"no token of the cluster": {
			"cp-1", testToken, "abc",
			worker + "bootstrapTokens[0].token is not a token: it has 6 characters, a dot and 16 characters, a-z " +
				"and 0-9",
		},
		"an empty document": {
			"cp-1", "mode: iptables\n", "mode: iptables\n---\n",
			worker + "the document at line 94 is not understood: " + initAll,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			files := nodeFiles(t, c.node)
			path := "/etc/mixedkube/kubeadm/config.yaml"
			if c.node == "win-1" {
				path = "C:/mixedkube/kubeadm/join.yaml"
			}
			_, err := Boot(withFiles(t, c.node, changed(t, files, path, func(s string) string {
				return edited(t, s, c.old, c.replacement)
			})))
			wantRefused(t, err, c.want)
		})
	}
}

// withFiles returns a machine with all files of a node.
func withFiles(t *testing.T, node string, files []bootstrap.File) Machine {
	t.Helper()
	if node == "win-1" {
		return deliveredOnWindows(t, files)
	}
	m := delivered(files)
	if node == "cp-1" {
		m.Address = testCluster().Nodes[0].Address
	}
	return m
}

func TestMissingAndDuplicateDocuments(t *testing.T) {
	t.Parallel()
	files := nodeFiles(t, "cp-1")
	const path = "/etc/mixedkube/kubeadm/config.yaml"
	parts := strings.Split(files[index(files, path)].Content, separator)
	for name, c := range map[string]struct {
		parts []string
		want  string
	}{
		"missing": {parts[:3], "there is no KubeProxyConfiguration: "},
		"twice": {
			[]string{parts[0], parts[0], parts[1], parts[2], parts[3]},
			"the document at line 28 is the second InitConfiguration",
		},
	} {
		_, err := Boot(withFiles(t, "cp-1", changed(t, files, path, func(string) string {
			return strings.Join(c.parts, separator)
		})))
		if err == nil || !strings.HasPrefix(err.Error(), path+": "+c.want) {
			t.Errorf("%s: got %v\nwant %s", name, err, c.want)
		}
	}
}

func TestKubeletsThatAreRefused(t *testing.T) {
	t.Parallel()
	const path = "/etc/mixedkube/kubeadm/patches/kubeletconfiguration+merge.yaml"
	for name, c := range map[string]struct{ old, replacement, want string }{
		"an unknown key": {
			"maxPods: ", "podPidsLimit: 1\nmaxPods: ",
			"line 15: the key podPidsLimit is not understood",
		},
		"another kind": {
			"KubeletConfiguration", "CredentialProviderConfig",
			"the document at line 1 is not understood: bootstrap writes one document each of " +
				"kubelet.config.k8s.io/v1beta1 KubeletConfiguration",
		},
		"no quantity": {`"256Mi"`, "much", `kubeReserved.memory: "much" is not a quantity`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cluster := testCluster()
			cluster.Topology.Pools[1].MaxPods = 60
			_, err := Boot(delivered(changed(t, filesOf(t, cluster, "linux-1", testJoin), path, func(s string) string {
				return edited(t, s, c.old, c.replacement)
			})))
			wantRefused(t, err, path+": "+c.want)
		})
	}
	_, err := Boot(delivered(changed(t, nodeFiles(t, "linux-1"), path, deleted)))
	wantRefused(t, err, path+" is not on the machine")
}

func TestMaxPodsReachTheKubelet(t *testing.T) {
	t.Parallel()
	c := testCluster()
	c.Topology.Pools[1].MaxPods = 60
	want := *linuxNode
	want.Kubelet.MaxPods = 60
	wantBoot(t, delivered(filesOf(t, c, "linux-1", testJoin)), &want)
}

func TestErrorsHaveNoSecrets(t *testing.T) {
	t.Parallel()
	for _, replacement := range []string{
		"[" + testToken + "]", "'" + testToken + "-'", "*" + testToken, "{" + testToken + ": x}", "`" + testToken,
	} {
		_, err := Boot(delivered(changed(t, nodeFiles(t, "linux-1"), "/etc/mixedkube/kubeadm/config.yaml",
			func(s string) string { return edited(t, s, testToken, replacement) })))
		if err == nil || strings.Contains(err.Error(), testToken[:6]) {
			t.Errorf("%s: %v", replacement, err)
		}
	}
}
