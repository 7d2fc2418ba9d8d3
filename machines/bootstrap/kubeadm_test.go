package bootstrap

import (
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gopkg.in/yaml.v3"
	corev1 "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/machines/bootstrap/network"
)

// decode reads documents by their kinds; what its type does not have is an error.
func decode(tb testing.TB, text string, kinds map[string]any) {
	tb.Helper()
	var nodes []yaml.Node
	for decoder := yaml.NewDecoder(strings.NewReader(text)); ; {
		var node yaml.Node
		err := decoder.Decode(&node)
		if err == io.EOF { //nolint:errorlint // The decoder returns it as it is.
			break
		}
		if err != nil {
			tb.Fatalf("%v in\n%s", err, text)
		}
		nodes = append(nodes, node)
	}
	if len(nodes) != len(kinds) {
		tb.Errorf("%d documents, want %d:\n%s", len(nodes), len(kinds), text)
	}
	for _, node := range nodes {
		var meta typeMeta
		if err := node.Decode(&meta); err != nil {
			tb.Fatal(err)
		}
		into, ok := kinds[meta.Kind]
		if !ok {
			tb.Fatalf("a document of the kind %s:\n%s", meta.Kind, text)
		}
		if err := node.Decode(into); err != nil {
			tb.Fatal(err)
		}
	}
}

// initDocuments are the documents of the first node.
type initDocuments struct {
	init    initConfiguration
	cluster clusterConfiguration
	kubelet kubeletConfiguration
	proxy   kubeProxyConfiguration
}

func initOf(tb testing.TB, m machine) initDocuments {
	tb.Helper()
	var d initDocuments
	decode(tb, kubeadmConfig(m), map[string]any{
		"InitConfiguration": &d.init, "ClusterConfiguration": &d.cluster, "KubeletConfiguration": &d.kubelet,
		"KubeProxyConfiguration": &d.proxy,
	})
	return d
}

func joinOf(tb testing.TB, m machine) joinConfiguration {
	tb.Helper()
	var join joinConfiguration
	decode(tb, kubeadmConfig(m), map[string]any{"JoinConfiguration": &join})
	return join
}

// It signs with one certificate, while there may be several in ca.crt. If kubeadm generates the
// keys itself, or copies them from another machine, nothing writes that one.
func TestTheControllerManagerSignsWithOneCertificate(t *testing.T) {
	t.Parallel()
	certificates := testCertificates(t)
	want := arg{"cluster-signing-cert-file", "/etc/kubernetes/pki/signer.crt"}
	for name, tt := range map[string]struct {
		join Join
		want bool
	}{
		"all are given":          {Join{Certificates: certificates}, true},
		"the CA is given":        {Join{Certificates: Certificates{CA: certificates.CA}}, false},
		"kubeadm makes them all": {Join{CertificateKey: testKey}, false},
	} {
		m := testMachineJoining(t, testCluster(network.FlannelVXLAN, "1.36"), "cp-1", tt.join)
		_, written := filesByPath(m)[linuxPKI+"/signer.crt"]
		got := slices.Contains(initOf(t, m).cluster.ControllerManager.ExtraArgs, want)
		if got != tt.want || written != got {
			t.Errorf("%s: the argument is there: %t, the file: %t", name, got, written)
		}
	}
}

func TestControllerManagerAllocatesRangesIfUsed(t *testing.T) {
	t.Parallel()
	for kind, want := range map[network.Kind]arg{
		network.UpstreamL3:   {"allocate-node-cidrs", "false"},
		network.HostGateway:  {"allocate-node-cidrs", "false"},
		network.FlannelVXLAN: {"node-cidr-mask-size-ipv4", "25"},
		network.Antrea:       {"node-cidr-mask-size-ipv4", "25"},
		network.CalicoVXLAN:  {"allocate-node-cidrs", "false"},
		network.CalicoBGP:    {"allocate-node-cidrs", "false"},
	} {
		c := testCluster(kind, "1.36")
		c.Network.NodeMaskSize = 25
		d := initOf(t, testMachine(t, c, "cp-1"))
		if diff := cmp.Diff([]arg{want, {"profiling", "false"}}, d.cluster.ControllerManager.ExtraArgs); diff != "" {
			t.Errorf("%s: %s", kind, diff)
		}
	}
}

func TestTheFirstNodeCreatesTheCluster(t *testing.T) {
	t.Parallel()
	for _, version := range testVersions {
		m := testMachine(t, testCluster(network.FlannelVXLAN, version), "cp-1")
		d := initOf(t, m)
		if got, want := d.cluster.KubernetesVersion, "v"+m.release.Version; got != want {
			t.Errorf("%s: creates a cluster of %s, want %s", version, got, want)
		}
		if len(d.init.BootstrapTokens) != 1 || d.init.BootstrapTokens[0].Token != testToken ||
			d.init.CertificateKey != testKey {
			t.Errorf("%s: has not the secrets that it was given: %+v", version, d.init)
		}
	}
	m := testMachine(t, testCluster(network.FlannelVXLAN, "1.36"), "cp-1")
	m.join = Join{}
	if d := initOf(t, m); d.init.BootstrapTokens != nil || d.init.CertificateKey != "" {
		t.Errorf("makes up secrets: %+v", d.init)
	}
}

func TestFurtherNodesJoin(t *testing.T) {
	t.Parallel()
	for _, kind := range network.Kinds() {
		for _, version := range testVersions {
			c := testCluster(kind, version)
			for _, node := range c.Nodes[1:] {
				m := testMachine(t, c, node.Name)
				join := joinOf(t, m)
				windows, controlPlane := m.pool.Platform.IsWindows(), node.ControlPlane
				if got := join.CACertPath == windowsCA; got != windows {
					t.Errorf("%s has the caCertPath %q", node.Name, join.CACertPath)
				}
				if got := strings.Join(join.SkipPhases, " ") == "kubelet-wait-bootstrap"; got != windows {
					t.Errorf("%s skips %q", node.Name, join.SkipPhases)
				}
				if got := join.ControlPlane != nil; got != controlPlane {
					t.Errorf("%s joins the control plane: %t", node.Name, got)
				}
				if join.NodeRegistration.Name != node.Name || join.Discovery.BootstrapToken.Token != testToken ||
					join.Discovery.File != nil {
					t.Errorf("%s: %+v", node.Name, join)
				}
				// The kubelet of 1.35 and newer does not start with this one.
				if strings.Contains(kubeadmConfig(m), "pod-infra-container-image") {
					t.Errorf("%s has a flag that was removed", node.Name)
				}
			}
		}
	}
}

func TestArgumentsOfTheKubelet(t *testing.T) {
	t.Parallel()
	c := testCluster(network.FlannelVXLAN, "1.36")
	c.Kubelet = map[string]KubeletOptions{"win2019": {PriorityClass: "HIGH_PRIORITY_CLASS"}}
	for node, want := range map[string][]arg{
		"linux-1": {
			{"node-ip", "10.0.0.10"},
			{"node-labels", "example.com/disk=fast,node.kubernetes.io/instance-type=Standard_D4s_v5,tier=web"},
		},
		"win2019-1": {
			{"node-ip", "10.0.0.20"},
			{"node-labels", "node.kubernetes.io/instance-type=Standard_D16s_v5"},
			{"windows-priorityclass", "HIGH_PRIORITY_CLASS"},
		},
		"win2022-1": {
			{"node-ip", "10.0.0.21"},
			{"node-labels", "node.kubernetes.io/instance-type=Standard_D16s_v5"},
			{"windows-priorityclass", "ABOVE_NORMAL_PRIORITY_CLASS"},
		},
		"cp-2": {{"node-ip", "10.0.0.5"}},
	} {
		if diff := cmp.Diff(want, joinOf(t, testMachine(t, c, node)).NodeRegistration.KubeletExtraArgs); diff != "" {
			t.Errorf("%s (-want +got):\n%s", node, diff)
		}
	}
}

func TestTaints(t *testing.T) {
	t.Parallel()
	own := corev1.Taint{Key: "dedicated", Value: "db", Effect: corev1.TaintEffectNoExecute}
	controlPlane := taint{Key: "node-role.kubernetes.io/control-plane", Effect: "NoSchedule"}
	for name, tt := range map[string]struct {
		node       string
		configured []corev1.Taint
		want       []taint
	}{
		"default of Windows":           {"win2022-1", nil, []taint{{"os", "windows", "NoSchedule"}}},
		"own of Windows":               {"win2022-1", []corev1.Taint{own}, []taint{{"dedicated", "db", "NoExecute"}}},
		"none of Windows":              {"win2022-1", nil, []taint{}},
		"default of Linux":             {"linux-1", nil, []taint{}},
		"default of the control plane": {"cp-2", nil, []taint{controlPlane}},
		"own of the control plane": {
			"cp-2",
			[]corev1.Taint{own},
			[]taint{{"dedicated", "db", "NoExecute"}, controlPlane},
		},
		"none of the control plane": {"cp-2", nil, []taint{}},
		"the control plane's own, given": {
			"cp-2",
			[]corev1.Taint{{Key: controlPlane.Key, Effect: corev1.TaintEffectNoSchedule}},
			[]taint{controlPlane},
		},
	} {
		c := testCluster(network.FlannelVXLAN, "1.36")
		for i := range c.Topology.Pools {
			if pool := testMachine(t, c, tt.node).pool.Name; c.Topology.Pools[i].Name == pool {
				c.Topology.Pools[i].Taints = tt.configured
				c.Topology.Pools[i].Untainted = strings.HasPrefix(name, "none")
			}
		}
		m := testMachine(t, c, tt.node)
		if diff := cmp.Diff(tt.want, joinOf(t, m).NodeRegistration.Taints); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		if text := kubeadmConfig(m); !strings.Contains(text, "taints:") {
			t.Errorf("%s: without the field kubeadm takes its own default:\n%s", name, text)
		}
	}
}
