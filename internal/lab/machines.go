package lab

import (
	"context"
	"fmt"
	"net/netip"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/azuresim/apiserver"
	"github.com/mixedkube/mixedkube/internal/azuresim/arm"
	"github.com/mixedkube/mixedkube/internal/lab/cluster"
	"github.com/mixedkube/mixedkube/machines/kubeadm/plan"
	"github.com/mixedkube/mixedkube/stacks/stackconfig"
)

// machineCluster returns a stack's cluster on machines, with the defaults of the components.
func machineCluster(config stackconfig.Config) plan.Defaulted {
	return plan.Cluster{
		KubernetesVersion: config.Topology.KubernetesVersion,
		ControlPlane:      config.Kubeadm.ControlPlane,
		Pools:             config.Topology.Pools,
		Keys:              config.Kubeadm.Keys,
		Releases:          config.Kubeadm.Releases.WithDefaults(),
	}.WithDefaults()
}

// HasLoadBalancers reports whether Services of the type LoadBalancer get an address in a
// stack's cluster.
func HasLoadBalancers(config stackconfig.Config) bool {
	t := config.Topology
	if config.Kubeadm != nil {
		t = machineCluster(config).Topology()
	}
	return t.With(config.Installed...).Has(topology.LoadBalancers)
}

// machineNodes returns the nodes that the machines of a stack become.
func machineNodes(config stackconfig.Config, version string) []*corev1.Node {
	var nodes []*corev1.Node
	for _, m := range machineCluster(config).Machines() {
		node := cluster.Node(m.Pool, m.Name, version)
		if m.ControlPlane {
			cluster.SetControlPlane(node)
		}
		nodes = append(nodes, node)
	}
	return nodes
}

// notJoined returns why machines in Azure are not nodes, or have lost their cluster.
func (l *Lab) notJoined(ctx context.Context) ([]string, error) {
	cloud, err := arm.Open(l.AzureDir(), arm.Options{})
	if err != nil {
		return nil, err
	}
	machines, err := cloud.Machines(ctx)
	if err != nil {
		return nil, err
	}
	var problems []string
	for _, m := range machines {
		switch {
		case m.NotJoined != "":
			problems = append(problems,
				fmt.Sprintf("machine %s has not joined: %s", m.Machine.ComputerName, m.NotJoined))
		case m.Lost != "":
			problems = append(problems,
				fmt.Sprintf("machine %s has lost the cluster: %s", m.Machine.ComputerName, m.Lost))
		case m.Node == "":
			problems = append(problems,
				fmt.Sprintf("machine %s has not joined: nothing on it runs kubeadm with a configuration",
					m.Machine.ComputerName))
		}
	}
	return problems, nil
}

// publicAddresses is the range of the public addresses of the simulated Azure
// (https://www.rfc-editor.org/rfc/rfc5737).
var publicAddresses = netip.MustParsePrefix("203.0.113.0/24")

// here is the address on the internet from which the lab's commands reach the simulated
// Azure.
var here = netip.MustParseAddr("198.51.100.1")

// startProxy lets commands reach the API servers of simulated machines.
func (l *Lab) startProxy(ctx context.Context) (url string, stop func(), err error) {
	backend, err := clientcmd.BuildConfigFromFlags("", l.Kubeconfig())
	if err != nil {
		return "", nil, err
	}
	return apiserver.Options{Resolve: l.resolve, Backend: backend}.Start(ctx)
}

// resolve returns the API server at an address, if the address is in the simulated Azure.
func (l *Lab) resolve(ctx context.Context, address string) (apiserver.Keys, bool, error) {
	to, err := netip.ParseAddrPort(address)
	if err != nil || !publicAddresses.Contains(to.Addr()) {
		return apiserver.Keys{}, false, nil //nolint:nilerr // a name is outside of the simulated Azure
	}
	cloud, err := arm.Open(l.AzureDir(), arm.Options{})
	if err != nil {
		return apiserver.Keys{}, true, err
	}
	nics, err := cloud.Reach(ctx, here, to)
	if err != nil {
		return apiserver.Keys{}, true, err
	}
	machine, err := cloud.ControlPlane(ctx, nics)
	if err != nil {
		return apiserver.Keys{}, true, err
	}
	if machine == nil {
		return apiserver.Keys{}, true, fmt.Errorf("connect to %s: connection refused", to)
	}
	return apiserver.Keys{CACert: machine.Keys["ca.crt"], CAKey: machine.Keys["ca.key"]}, true, nil
}
