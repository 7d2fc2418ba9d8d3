package kubeadm_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/kubeadm"
	"github.com/mixedkube/mixedkube/components/mocktest"
	"github.com/mixedkube/mixedkube/machines/bootstrap/network"
)

const (
	// operatorManifests has the operator of Calico, as its manifests do.
	operatorManifests = `apiVersion: apps/v1
kind: Deployment
metadata: {name: tigera-operator, namespace: tigera-operator}
spec:
  selector: {matchLabels: {name: operator}}
  template:
    metadata: {labels: {name: operator}}
    spec:
      nodeSelector: {kubernetes.io/os: linux}
      containers: [{name: operator, image: registry.example.com/operator:v0}]
`
	// agentManifests has the settings of Antrea's agents, as its manifests do.
	agentManifests = `apiVersion: v1
kind: ConfigMap
metadata: {name: antrea-windows-config, namespace: kube-system}
data: {antrea-agent.conf: "#tunnelType: geneve\n"}
`
)

// installing returns a cluster that installs its network from manifests.
func installing(k network.Kind, manifests string) *kubeadm.ClusterArgs {
	args := kind(k)
	args.NetworkManifests = manifests
	return args
}

// The manifests and what follows from the cluster are applied with the provider that is ready before the nodes.
func TestTheClusterInstallsItsNetworkFromManifests(t *testing.T) {
	t.Parallel()
	const operator, endpoint, installation = "kubernetes:apps/v1:Deployment tigera-operator/tigera-operator",
		"kubernetes:core/v1:ConfigMap tigera-operator/kubernetes-services-endpoint",
		"kubernetes:operator.tigera.io/v1:Installation default"
	for _, tt := range []struct {
		kind      network.Kind
		manifests string
		want      []string
		steps     string
	}{
		{
			network.CalicoVXLAN, operatorManifests,
			[]string{operator, endpoint, installation},
			"info: once Calico runs, apply what EgressPolicies returns, and merge the last object of CalicoObjects",
		},
		{
			network.Antrea, agentManifests,
			[]string{"kubernetes:core/v1:ConfigMap kube-system/antrea-windows-config"},
			"info: once Antrea runs, apply what EgressPolicies returns",
		},
	} {
		t.Run(string(tt.kind), func(t *testing.T) {
			t.Parallel()
			graph := made(t, installing(tt.kind, tt.manifests))
			equal(t, "messages", []string{tt.steps}, messages(graph))
			provider := graph.MustGet(t, providerType, "shop-network")
			group := graph.MustGet(t, "mixedkube:manifest:Group", "shop-network-agents")
			var got []string
			for _, child := range graph.Children(group.URN) {
				got = append(got, child.Type+" "+strings.TrimPrefix(child.Name, "shop-network-agents:"))
				equal(t, "provider of "+child.String(), provider.URN, child.Provider)
			}
			slices.Sort(got)
			slices.Sort(tt.want)
			equal(t, "objects", tt.want, got)
		})
	}
}

func TestTheNetworkOfTheClusterGetsTheAddressOfItsAPIServer(t *testing.T) {
	t.Parallel()
	graph := made(t, installing(network.Antrea, agentManifests))
	config := graph.MustGet(t, "kubernetes:core/v1:ConfigMap",
		"shop-network-agents:kube-system/antrea-windows-config").Plain()
	const want = "kubeAPIServerOverride: https://10.240.0.4:6443\n"
	if conf := at(t, config, "data", "antrea-agent.conf").(string); !strings.Contains(conf, want) {
		t.Errorf("the agents have no %q:\n%s", want, conf)
	}
}

func TestWrongManifestsOfTheNetwork(t *testing.T) {
	t.Parallel()
	const path = "networkManifests: Invalid value: "
	for name, tt := range map[string]struct {
		args *kubeadm.ClusterArgs
		want string
	}{
		"a network that the component installs": {
			installing(network.FlannelVXLAN, operatorManifests),
			path + "the component installs the network flannel-vxlan itself: remove them",
		},
		"manifests of another network": {
			installing(network.Antrea, operatorManifests),
			path + "manifests of Antrea: no ConfigMap antrea-config or antrea-windows-config with the key " +
				"antrea-agent.conf: use antrea-windows-with-ovs.yml, antrea-windows.yml or antrea.yml of a release " +
				"of Antrea",
		},
		"an object that the API server refuses": {
			installing(network.CalicoVXLAN, strings.Replace(operatorManifests, "nodeSelector: {kubernetes.io/os: "+
				"linux}",
				"hostPID: true\n      os: {name: windows}", 1)),
			path + "networkManifests:",
		},
		"not YAML": {
			installing(network.CalicoVXLAN, "kind: [\n"),
			path + "networkManifests:1: did not find expected node content",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			graph, err := mocktest.Run(newCluster(tt.args), mocktest.Preview(), azure())
			equal(t, "resources", 0, len(graph.Resources()))
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want %s", err, tt.want)
			}
		})
	}
}

func TestTheClusterReturnsThePoliciesOfItsNetwork(t *testing.T) {
	t.Parallel()
	mocktest.MustRun(t, func(ctx *pulumi.Context) error {
		c, err := kubeadm.NewCluster(ctx, "shop", kind(network.Antrea))
		if err != nil {
			return err
		}
		equal(t, "policies", c.Network.EgressPolicies(), c.EgressPolicies())
		return nil
	}, azure())
}
