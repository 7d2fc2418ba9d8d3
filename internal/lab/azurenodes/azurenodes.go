// Package azurenodes makes the lab's cluster simulate the clusters in the simulated Azure: the
// nodes of their pools, and the machines that run kubeadm, are nodes of the lab's cluster.
package azurenodes

import (
	"context"

	"github.com/mixedkube/mixedkube/internal/azuresim/arm"
	"github.com/mixedkube/mixedkube/internal/azuresim/armclient"
)

// Open opens the simulated Azure that the environment names, with the nodes in the lab's
// cluster.
func Open() (*armclient.Client, error) {
	return armclient.FromEnvironment(func(kubeconfig string) arm.Options {
		o := Options(kubeconfig)
		o.Worker = work
		return o
	})
}

// Options returns the options that create the nodes in the cluster of a kubeconfig.
func Options(kubeconfig string) arm.Options {
	return arm.Options{
		Nodes: func(ctx context.Context, pools []arm.Pool) error { return Register(ctx, kubeconfig, pools) },
		Roll:  func(ctx context.Context, pool arm.Pool) error { return Roll(ctx, kubeconfig, pool) },
		Join:  func(ctx context.Context, j arm.Join) error { return Join(ctx, kubeconfig, j) },
		NodesDeleted: func(ctx context.Context, nodes []string) error {
			return MachinesDeleted(ctx, kubeconfig, nodes)
		},
	}
}
