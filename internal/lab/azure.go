package lab

import (
	"context"
	"crypto/rand"
	"maps"

	corev1 "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/components/aks/plan"
	"github.com/mixedkube/mixedkube/components/topology"
	"github.com/mixedkube/mixedkube/internal/azuresim/arm"
	"github.com/mixedkube/mixedkube/internal/lab/azurenodes"
	"github.com/mixedkube/mixedkube/internal/lab/deploy"
	"github.com/mixedkube/mixedkube/internal/lab/tools"
)

// commands builds the commands of the simulated Azure, once.
func (l *Lab) commands(ctx context.Context) ([]tools.Command, error) {
	if l.azureCommands == nil {
		commands, err := l.tools.Commands(ctx)
		if err != nil {
			return nil, err
		}
		l.azureCommands = commands
	}
	return l.azureCommands, nil
}

// inAzure is the simulated Azure for the stacks of a lab whose own one makes its
// cluster there, and nil else.
func (l *Lab) inAzure(ctx context.Context) (*deploy.Azure, error) {
	config, err := deploy.ReadStack(l.Stacks, l.stack())
	if err != nil || !config.InAzure() {
		return nil, err
	}
	commands, err := l.commands(ctx)
	if err != nil {
		return nil, err
	}
	a := &deploy.Azure{Dir: l.AzureDir(), Commands: commands}
	if config.Kubeadm != nil {
		a.Proxy = l.startProxy
	}
	return a, nil
}

// azureNodes are the nodes of the pools, and of the machines that have joined, that there
// are in Azure.
func (l *Lab) azureNodes(ctx context.Context, version string) ([]*corev1.Node, error) {
	cloud, err := arm.Open(l.AzureDir(), arm.Options{})
	if err != nil {
		return nil, err
	}
	pools, err := cloud.Pools(ctx)
	if err != nil {
		return nil, err
	}
	nodes, err := azurenodes.OfPools(pools, version)
	if err != nil {
		return nil, err
	}
	machines, err := cloud.Machines(ctx)
	if err != nil {
		return nil, err
	}
	joined, err := azurenodes.OfMachines(machines, version)
	return append(nodes, joined...), err
}

// aksNodes are the nodes that a topology has on AKS, as the components say. Azure
// gives them more labels than the components know: those are taken from what there is.
func aksNodes(t topology.Defaulted, there []*corev1.Node, version string) []*corev1.Node {
	pools := make([]topology.Pool, len(t.Pools))
	for i, pool := range t.Pools {
		pools[i] = plan.Registered(pool, plan.PoolOptions{}, "")
		pools[i].Name = plan.PoolName(pool, nil)
	}
	t.Pools = pools
	labels := map[string]map[string]string{}
	for _, node := range there {
		labels[node.Name] = node.Labels
	}
	nodes := azurenodes.Nodes(t, version)
	for _, node := range nodes {
		known := node.Labels
		node.Labels = maps.Clone(labels[node.Name])
		if node.Labels == nil {
			node.Labels = known
		}
		maps.Copy(node.Labels, known)
	}
	return nodes
}

// newPassword is one that Windows and Azure take.
func newPassword() string { return "Lab-" + rand.Text() + "-9z" }
