package cli

import (
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/components/bootstrap"
	"github.com/mixedkube/mixedkube/components/bootstrap/network"
	"github.com/mixedkube/mixedkube/components/topology"
	"github.com/mixedkube/mixedkube/internal/tree"
)

// machines is the file that join reads. Its keys are the ones of [bootstrap.Cluster].
type machines struct {
	Topology      any                                 `json:"topology" required:"list the pools of the cluster"`
	Network       network.Network                     `json:"network"`
	Nodes         []bootstrap.Node                    `json:"nodes" required:"list the machines"`
	Endpoint      string                              `json:"endpoint"`
	LocalEndpoint bool                                `json:"localEndpoint"`
	APIServer     bootstrap.APIServerOptions          `json:"apiServer"`
	Kubelet       map[string]bootstrap.KubeletOptions `json:"kubelet"`
}

// cluster reads the file that describes the cluster to create.
func (in *input) cluster(path string) (c bootstrap.Cluster, err error) {
	err = in.document(path, "cluster", func(value any) field.ErrorList {
		var m machines
		errs := tree.Decode(&m, value, nil)
		c = bootstrap.Cluster{
			Network: m.Network, Nodes: m.Nodes, Endpoint: m.Endpoint, LocalEndpoint: m.LocalEndpoint,
			APIServer: m.APIServer, Kubelet: m.Kubelet,
		}
		if m.Topology != nil {
			t, invalid := topology.Decode(m.Topology, field.NewPath("topology"))
			c.Topology, errs = t, append(errs, invalid...)
		}
		return errs
	})
	return c, err
}
