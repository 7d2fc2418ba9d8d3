package azurenodes

import (
	"context"
	"fmt"
	"path/filepath"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/azuresim/arm"
	"github.com/mixedkube/mixedkube/internal/azuresim/armclient"
	"github.com/mixedkube/mixedkube/internal/lab/cluster"
)

// Register gives the lab's cluster the nodes of the pools, and waits until
// they are ready.
func Register(ctx context.Context, kubeconfig string, pools []arm.Pool) error {
	client, version, err := connect(kubeconfig)
	if err != nil {
		return err
	}
	nodes, err := OfPools(pools, version)
	if err != nil {
		return err
	}
	if err := cluster.Register(ctx, client, nodes); err != nil {
		return err
	}
	return cluster.Cluster{Dir: filepath.Dir(kubeconfig)}.WaitReady(ctx, client, nodes)
}

// connect connects to the lab's cluster, and returns its version.
func connect(kubeconfig string) (*kubernetes.Clientset, string, error) {
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		return nil, "", fmt.Errorf("%s: %w", armclient.KubeconfigVariable, err)
	}
	// Waiting for nodes needs more requests than the default allows.
	config.QPS, config.Burst = 200, 400
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return nil, "", fmt.Errorf("%s: %w", armclient.KubeconfigVariable, err)
	}
	version, err := cluster.Version(client)
	if err != nil {
		return nil, "", fmt.Errorf("get the version of the lab's cluster: %w", err)
	}
	return client, version, nil
}

// OfPools returns the nodes of the pools in a cluster. The parameter controlPlane is the version of its control plane.
func OfPools(pools []arm.Pool, controlPlane string) ([]*corev1.Node, error) {
	t, err := asTopology(pools)
	return Nodes(t.WithDefaults(), controlPlane), err
}

// Nodes returns the nodes of a topology on AKS, with the names that Azure gives them. The nodes of a
// pool are spread evenly over its zones.
func Nodes(t topology.Defaulted, controlPlane string) []*corev1.Node {
	var nodes []*corev1.Node
	for _, pool := range t.Pools {
		region := pool.Labels[corev1.LabelTopologyRegion]
		for i := range pool.Count {
			node := cluster.Node(pool, arm.NodeName(pool, i), controlPlane)
			if zones := pool.Zones; region != "" && len(zones) > 0 {
				node.Labels[corev1.LabelTopologyZone] = region + "-" + zones[i%len(zones)]
			}
			nodes = append(nodes, node)
		}
	}
	return nodes
}

// asTopology converts pools to a topology. It refuses two pools with the same name, which one cluster cannot
// simulate.
func asTopology(pools []arm.Pool) (topology.Topology, error) {
	var t topology.Topology
	owner := map[string]string{}
	for _, p := range pools {
		if other, ok := owner[p.Pool.Name]; ok {
			return t, fmt.Errorf("the pool %s is in %s and in %s: the lab has one cluster for both, so give the "+
				"pools different names",
				p.Pool.Name, other, p.Cluster)
		}
		owner[p.Pool.Name] = p.Cluster
		t.Pools = append(t.Pools, p.Pool)
	}
	return t, nil
}
