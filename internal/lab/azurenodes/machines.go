package azurenodes

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/mixedkube/mixedkube/internal/azuresim/arm"
	"github.com/mixedkube/mixedkube/internal/azuresim/armclient"
	"github.com/mixedkube/mixedkube/internal/azuresim/machine"
	"github.com/mixedkube/mixedkube/internal/lab/cluster"
)

// Join makes a machine a node of the lab's cluster, as its bootstrap does, and waits
// until it is ready.
func Join(ctx context.Context, kubeconfig string, j arm.Join) error {
	client, version, err := connect(kubeconfig)
	if err != nil {
		return err
	}
	authority, err := authorityOf(kubeconfig)
	if err != nil {
		return err
	}
	return cluster.Cluster{Dir: filepath.Dir(kubeconfig)}.Join(ctx, client, cluster.JoinRequest{
		Machine: j.Machine, Bootstrap: j.Bootstrap, ControlPlane: j.ControlPlane, CACert: authority, Version: version,
	})
}

// MachinesDeleted makes the lab's cluster notice deleted machines. It ends the simulated cluster with
// the last machine of its control plane.
func MachinesDeleted(ctx context.Context, kubeconfig string, nodes []string) error {
	client, _, err := connect(kubeconfig)
	if err != nil {
		return err
	}
	if err := cluster.MarkUnreachable(ctx, client, nodes); err != nil {
		return err
	}
	return cluster.EndWithout(ctx, client)
}

// authorityOf returns the certificate authority of the lab's own control plane, which simulates
// external ones.
func authorityOf(kubeconfig string) (string, error) {
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err == nil {
		err = rest.LoadTLSFiles(config)
	}
	if err != nil {
		return "", fmt.Errorf("%s: %w", armclient.KubeconfigVariable, err)
	}
	return string(config.CAData), nil
}

// OfMachines returns the nodes of the machines that have joined, as they registered. It leaves out machines
// that have lost their cluster, because their nodes do not become ready.
func OfMachines(machines []arm.Status, controlPlane string) ([]*corev1.Node, error) {
	var nodes []*corev1.Node
	for _, m := range machines {
		if m.Node == "" || m.Lost != "" {
			continue
		}
		node, err := cluster.JoinRequest{
			Machine: m.Machine, Bootstrap: *m.Bootstrap, ControlPlane: makerOf(machines, m.Bootstrap.Endpoint),
			Version: controlPlane,
		}.Node()
		if err != nil {
			return nil, err
		}
		nodes = append(nodes, node)
	}
	return nodes, nil
}

// makerOf returns the bootstrap configuration of the machine that created the cluster with an
// endpoint. It returns nil for an external cluster.
func makerOf(machines []arm.Status, endpoint string) *machine.Bootstrap {
	for _, m := range machines {
		if b := m.Bootstrap; b != nil && b.Init && strings.EqualFold(b.Endpoint, endpoint) {
			return b
		}
	}
	return nil
}
