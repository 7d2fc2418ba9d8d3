package stackprogram

import (
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/runtimeclass"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/stacks/stackconfig"
)

// Cluster is the cluster into which the workloads are deployed.
type Cluster struct {
	// Topology is the topology of the cluster, as its nodes register.
	Topology topology.Topology
	// Options are the options of every resource in the cluster. If they do not name a provider,
	// the resources are created in the cluster of the default kubeconfig.
	Options []pulumi.ResourceOption
	// NodePorts are the ports to which a load balancer in front of the nodes forwards. The
	// Services of IIS use them in the order of the Windows platforms.
	NodePorts []int
}

// target is a cluster with the values that its workloads need.
type target struct {
	Cluster
	// classes select the nodes of each Windows platform.
	classes *runtimeclass.Set
	// checks describe how the network is checked.
	checks stackconfig.Checks
}
