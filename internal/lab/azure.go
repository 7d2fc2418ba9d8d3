package lab

import (
	"context"
	"crypto/rand"
	"maps"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/kubernetes"

	"github.com/mixedkube/mixedkube/core/aks/plan"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/azuresim/arm"
	"github.com/mixedkube/mixedkube/internal/lab/azurenodes"
	"github.com/mixedkube/mixedkube/internal/lab/cluster"
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

// inAzure returns the simulated Azure if the lab's stack creates its cluster there, otherwise nil.
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

// azureNodes returns the nodes of the pools in Azure, and of the machines there that have joined.
func (l *Lab) azureNodes(ctx context.Context, client kubernetes.Interface, version string) ([]*corev1.Node, error) {
	cloud, err := arm.Open(l.AzureDir(), arm.Options{})
	if err != nil {
		return nil, err
	}
	pools, err := cloud.Pools(ctx)
	if err != nil {
		return nil, err
	}
	existing, err := cluster.List[corev1.Node](ctx, client.CoreV1().Nodes().List)
	if err != nil {
		return nil, err
	}
	nodes, err := azurenodes.OfPools(pools, existing, version)
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

// aksNodes returns the nodes that a topology has on AKS, according to the components. Azure sets more labels than
// the components know: these labels are copied from the existing nodes.
func aksNodes(t topology.Defaulted, existing []*corev1.Node, version string) []*corev1.Node {
	pools := make([]topology.Pool, len(t.Pools))
	for i, pool := range t.Pools {
		pools[i] = plan.Registered(pool, plan.PoolOptions{}, "")
		pools[i].Name = plan.PoolName(pool, nil)
	}
	t.Pools = pools
	labels := map[string]map[string]string{}
	for _, node := range existing {
		labels[node.Name] = node.Labels
	}
	nodes := azurenodes.Nodes(t, existing, version)
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

// newPassword generates a password that Windows and Azure accept.
func newPassword() string { return "Lab-" + rand.Text() + "-9z" }
