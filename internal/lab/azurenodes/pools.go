package azurenodes

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/azuresim/arm"
	"github.com/mixedkube/mixedkube/internal/azuresim/armclient"
	"github.com/mixedkube/mixedkube/internal/lab/cluster"
)

// Register gives the lab's cluster the nodes of the pools that need no drain, see [OfPools], and waits until they are
// ready.
func Register(ctx context.Context, kubeconfig string, pools []arm.Pool) error {
	client, version, err := connect(kubeconfig)
	if err != nil {
		return err
	}
	existing, err := cluster.List[corev1.Node](ctx, client.CoreV1().Nodes().List)
	if err != nil {
		return err
	}
	complete, err := withDefaults(pools)
	if err != nil {
		return err
	}
	var nodes []*corev1.Node
	for _, pool := range complete {
		if _, desired := nodesOf(pool, ofPool(pool, existing), version); !pool.Rolling {
			nodes = append(nodes, desired...)
		}
	}
	if err := cluster.RegisterExcept(ctx, client, nodes, func(node *corev1.Node) bool {
		return slices.ContainsFunc(complete, func(p arm.Pool) bool {
			return (p.Rolling || !p.Stopped) && numberOf(p, node) >= 0
		})
	}); err != nil {
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

// OfPools returns the nodes of the pools in a cluster whose existing nodes and whose control plane's version it gets.
// The existing nodes of a pool stay as they are if [Roll] has to replace or remove them.
func OfPools(pools []arm.Pool, existing []*corev1.Node, controlPlane string) ([]*corev1.Node, error) {
	pools, err := withDefaults(pools)
	if err != nil {
		return nil, err
	}
	var nodes []*corev1.Node
	for _, pool := range pools {
		retained, desired := nodesOf(pool, ofPool(pool, existing), controlPlane)
		nodes = slices.Concat(nodes, retained, desired)
	}
	return nodes, nil
}

// nodesOf returns the existing nodes that stay as they are, and the others of the pool as they have to be.
func nodesOf(pool arm.Pool, existing []*corev1.Node, controlPlane string) (retained, desired []*corev1.Node) {
	switch {
	case pool.Stopped:
		return nil, nil
	case pool.Deleting:
		return existing, nil
	}
	used := numbersOf(pool, existing)
	for i, node := range existing {
		if isCurrent(pool, node) && !isQuarantined(node) {
			desired = append(desired, nodeOf(pool, used[i], controlPlane))
		} else {
			retained = append(retained, node)
		}
	}
	for _, number := range free(used, 0, pool.Pool.Count-len(used)) {
		desired = append(desired, nodeOf(pool, number, controlPlane))
	}
	return retained, desired
}

// Nodes returns the nodes of a topology on AKS, with the names that Azure gives them: those of the existing nodes, or
// else those with the lowest free numbers. The nodes of a pool are spread evenly over its zones.
func Nodes(t topology.Defaulted, existing []*corev1.Node, controlPlane string) []*corev1.Node {
	var nodes []*corev1.Node
	for _, p := range t.Pools {
		pool := arm.Pool{Pool: p}
		of := slices.DeleteFunc(ofPool(pool, existing), isQuarantined)
		used := numbersOf(pool, of[:min(p.Count, len(of))])
		for _, number := range append(used, free(used, 0, p.Count-len(used))...) {
			nodes = append(nodes, nodeOf(pool, number, controlPlane))
		}
	}
	return nodes
}

// numbersOf returns the numbers of nodes of a pool.
func numbersOf(pool arm.Pool, nodes []*corev1.Node) []int {
	numbers := make([]int, len(nodes))
	for i, node := range nodes {
		numbers[i] = numberOf(pool, node)
	}
	return numbers
}

// free returns the lowest numbers that are not used and not below the first one: as many as are missing.
func free(used []int, first, missing int) []int {
	var numbers []int
	for i := first; len(numbers) < missing; i++ {
		if !slices.Contains(used, i) {
			numbers = append(numbers, i)
		}
	}
	return numbers
}

// withDefaults completes pools. It refuses two pools with the same name, which one cluster cannot simulate.
func withDefaults(pools []arm.Pool) ([]arm.Pool, error) {
	complete := make([]arm.Pool, 0, len(pools))
	owner := map[string]string{}
	for _, p := range pools {
		if other, ok := owner[p.Pool.Name]; ok {
			return nil, fmt.Errorf("the pool %s is in %s and in %s: the lab has one cluster for both, so give the "+
				"pools different names",
				p.Pool.Name, other, p.Cluster)
		}
		owner[p.Pool.Name] = p.Cluster
		p.Pool = p.Pool.WithDefaults("").Pool
		complete = append(complete, p)
	}
	return complete, nil
}
