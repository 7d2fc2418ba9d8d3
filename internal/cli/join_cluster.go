package cli

import (
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
	"github.com/mixedkube/mixedkube/machines/bootstrap"
	"github.com/mixedkube/mixedkube/machines/bootstrap/network"
)

// Machines is the file that join reads. Its keys are the ones of [bootstrap.Cluster].
type Machines struct {
	// Topology has the pools of the cluster, and the version of Kubernetes.
	Topology any `json:"topology" required:"list the pools of the cluster"`
	// Network is the network of the pods.
	Network network.Network `json:"network"`
	// Nodes are the machines.
	Nodes []bootstrap.Node `json:"nodes" required:"list the machines"`
	// Endpoint is the address of the API server, host:port, api.example.com:6443 for example. The default is the
	// address of the only node of the control plane, with port 6443.
	Endpoint string `json:"endpoint"`
	// LocalEndpoint has nodes of the control plane answer the endpoint's address themselves, behind a load balancer
	// that does not send a packet back to the machine that it came from.
	LocalEndpoint bool `json:"localEndpoint"`
	// APIServer has the options of the API servers.
	APIServer bootstrap.APIServerOptions `json:"apiServer"`
	// Kubelet has the options of the kubelets of a pool, by its name.
	Kubelet map[string]bootstrap.KubeletOptions `json:"kubelet"`
	// Releases are what the nodes download, where it differs from the known releases: other files, their hashes, and
	// the pause image.
	Releases bootstrap.Releases `json:"releases"`
}

// DecodeMachines reads a description of machines from its raw value, as [tree.Decode] takes it.
func DecodeMachines(value any) (bootstrap.Cluster, field.ErrorList) {
	var m Machines
	errs := tree.Decode(&m, value, nil)
	c := bootstrap.Cluster{
		Network: m.Network, Nodes: m.Nodes, Endpoint: m.Endpoint, LocalEndpoint: m.LocalEndpoint,
		APIServer: m.APIServer, Kubelet: m.Kubelet, Releases: m.Releases,
	}
	if m.Topology != nil {
		t, invalid := topology.Decode(m.Topology, field.NewPath("topology"))
		c.Topology, errs = t, append(errs, invalid...)
	}
	return c, errs
}

// cluster reads the file that describes the cluster to create.
func (in *input) cluster(path string) (c bootstrap.Cluster, err error) {
	err = in.document(path, "cluster", func(value any) (errs field.ErrorList) {
		c, errs = DecodeMachines(value)
		return errs
	})
	return c, err
}
