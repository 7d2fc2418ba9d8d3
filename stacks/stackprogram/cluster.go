package stackprogram

import (
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/runtimeclass"
	"github.com/mixedkube/mixedkube/components/topology"
	"github.com/mixedkube/mixedkube/stacks/stackconfig"
)

// Cluster is where the workloads are deployed.
type Cluster struct {
	// Topology is the cluster's, as its nodes register.
	Topology topology.Topology
	// Options are for every resource in the cluster. If they name no provider, the resources
	// are created in the cluster of the ordinary kubeconfig.
	Options []pulumi.ResourceOption
	// NodePorts are those that a load balancer in front of the nodes leads to. The Services
	// of IIS take them in the order of the Windows platforms.
	NodePorts []int
}

// target is a cluster with what its workloads need to know.
type target struct {
	Cluster
	// classes lead to the nodes of each Windows platform.
	classes *runtimeclass.Set
	// checks say how the network is checked.
	checks stackconfig.Checks
}
