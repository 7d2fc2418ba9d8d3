package bootstrap

import (
	"github.com/mixedkube/mixedkube/components/bootstrap/network"
	"github.com/mixedkube/mixedkube/components/topology"
	"github.com/mixedkube/mixedkube/internal/kubeversion"
)

// machine is all that is known about one node, checked and with defaults.
type machine struct {
	Node
	// pool is the node's, with the topology's defaults.
	pool topology.Pool
	// plan is the node's part of the network's.
	plan network.NodePlan
	// network is the cluster's, with defaults.
	network network.Network
	// release is what the node runs, and version its minor version; controlPlane is the
	// release of the control plane, 1.36.1 for example.
	release      KubernetesRelease
	version      kubeversion.Version
	controlPlane string
	// releases are the other downloads.
	releases Releases
	// endpoint is the API server's, host:port.
	endpoint string
	// first says whether the node creates the cluster.
	first bool
	join  Join
}

// NodeFiles are the files of the node with a name, in the order of their paths. The
// error lists everything that is wrong with the cluster, and with how the node joins
// it, with paths below "cluster" and "join".
//
// The first node of the control plane needs no [Join]; it creates the cluster, with
// Join.Token as its first bootstrap token if there is one.
func NodeFiles(c Cluster, name string, j Join) ([]File, error) {
	m, err := c.machine(name, j)
	if err != nil {
		return nil, err
	}
	if m.pool.Platform.IsWindows() {
		return windowsFiles(m), nil
	}
	return linuxFiles(m), nil
}
