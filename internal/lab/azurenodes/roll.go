package azurenodes

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"github.com/mixedkube/mixedkube/internal/azuresim/arm"
	"github.com/mixedkube/mixedkube/internal/lab/cluster"
)

const (
	// machineAnnotation is on the node of a pool; its value is [arm.Pool.Machine].
	machineAnnotation = "lab.mixedkube.io/machine"
	// surgeAnnotation is on a node that is in the pool only for an upgrade.
	surgeAnnotation = "lab.mixedkube.io/surge"
	// drainingAnnotation is on a node that is cordoned for a drain.
	drainingAnnotation = "lab.mixedkube.io/draining"
	// statusLabel is on a node whose pods did not leave it
	// (https://learn.microsoft.com/azure/aks/upgrade-options#verify-undrainable-nodes).
	statusLabel = "kubernetes.azure.com/upgrade-status"
	quarantined = "Quarantined"
	// deletionMinutes is how long the pods of a node may take to leave if it is removed without an upgrade
	// (https://github.com/Azure/AKS/issues/2090).
	deletionMinutes = 10
)

// roller replaces and removes the nodes of one pool.
type roller struct {
	client  kubernetes.Interface
	version string
	pool    arm.Pool
	// ready waits until nodes are ready.
	ready func(context.Context, []*corev1.Node) error
}

// Roll replaces and removes nodes of a pool in the lab's cluster until they match the pool.
func Roll(ctx context.Context, kubeconfig string, pool arm.Pool) error {
	client, version, err := connect(kubeconfig)
	if err != nil {
		return err
	}
	pools, err := withDefaults([]arm.Pool{pool})
	if err != nil {
		return err
	}
	dir := cluster.Cluster{Dir: filepath.Dir(kubeconfig)}
	return roller{client, version, pools[0], func(ctx context.Context, nodes []*corev1.Node) error {
		return dir.WaitReady(ctx, client, nodes)
	}}.roll(ctx)
}

func (r roller) roll(ctx context.Context) error {
	if r.pool.Deleting {
		return r.removeAll(ctx)
	}
	if err := r.register(ctx); err != nil {
		return err
	}
	if err := r.releaseCurrent(ctx); err != nil {
		return err
	}
	if err := r.restore(ctx); err != nil {
		return err
	}
	blocked, err := r.upgrade(ctx)
	if err != nil {
		return err
	}
	if err := r.removeExcess(ctx); err != nil || blocked == nil {
		return err
	}
	return blocked
}

// register makes the changes of the pool's nodes that need no drain.
func (r roller) register(ctx context.Context) error {
	existing, err := r.nodes(ctx)
	if err != nil {
		return err
	}
	_, nodes := nodesOf(r.pool, existing, r.version)
	if err := cluster.RegisterExcept(ctx, r.client, nodes, func(*corev1.Node) bool { return true }); err != nil {
		return err
	}
	return r.ready(ctx, nodes)
}

// restore creates the nodes that were removed and had no successor yet when their process ended: there are surge nodes
// instead of them.
func (r roller) restore(ctx context.Context) error {
	existing, err := r.nodes(ctx)
	if err != nil {
		return err
	}
	permanent := len(slices.DeleteFunc(slices.Clone(existing), isSurge))
	return r.add(ctx, min(len(existing), r.pool.Pool.Count)-permanent, nil)
}

// releaseCurrent makes nodes schedulable that an interrupted drain has cordoned, and that no longer need to be
// replaced.
func (r roller) releaseCurrent(ctx context.Context) error {
	existing, err := r.nodes(ctx)
	if err != nil {
		return err
	}
	return r.uncordon(ctx, slices.DeleteFunc(existing, func(n *corev1.Node) bool {
		return n.Annotations[drainingAnnotation] == "" || !r.isCurrent(n) || isQuarantined(n)
	}))
}

// upgrade replaces the nodes whose machines are not those of the pool, as
// https://learn.microsoft.com/azure/aks/upgrade-conceptual describes it. It returns the reason why the first node is
// quarantined: "If there are enough surge nodes to replace blocked nodes, then the upgrade operation and the managed
// cluster will be in failed state" (the API's description of undrainableNodeBehavior).
func (r roller) upgrade(ctx context.Context) (quarantined *arm.DrainError, err error) {
	existing, err := r.unblocked(ctx)
	if err != nil {
		return nil, err
	}
	old := slices.DeleteFunc(slices.Clone(existing), r.isCurrent)
	if len(old) == 0 {
		return nil, nil
	}
	resized := slices.ContainsFunc(old, func(n *corev1.Node) bool {
		return n.Labels[corev1.LabelInstanceTypeStable] != r.pool.Pool.Size
	})
	// "If the max surge value is higher than the required number of nodes to be upgraded, the number of nodes to be
	// upgraded is used" (https://learn.microsoft.com/azure/aks/upgrade-aks-node-pools-rolling).
	surge := min(r.pool.Upgrade.Surge, len(old))
	if r.pool.Pool.Spot {
		surge = 0 // see [roller.empty]
	}
	// A drain that was interrupted or that failed may have left surge nodes.
	number := surge + r.pool.Pool.Count - len(existing)
	if resized {
		err = r.addNext(ctx, number)
	} else {
		err = r.add(ctx, number, map[string]string{surgeAnnotation: "true"})
	}
	if err != nil {
		return nil, err
	}
	blocked := 0
	for nodes := range slices.Chunk(old, max(1, surge, min(r.pool.Upgrade.Unavailable, len(old)))) {
		failures, err := r.empty(ctx, nodes)
		if err != nil {
			return nil, err
		}
		var drained []*corev1.Node
		for i, node := range nodes {
			if failures[i] == nil {
				drained = append(drained, node)
				continue
			}
			if blocked++; !r.pool.Upgrade.Cordon || blocked > surge {
				failures[i].NoSurgeLeft = r.pool.Upgrade.Cordon
				return nil, cmp.Or(errors.Join(r.release(ctx, nodes, failures), r.removeSurge(ctx)), error(failures[i]))
			}
			quarantined = cmp.Or(quarantined, failures[i])
			if err := r.quarantine(ctx, node); err != nil {
				return nil, err
			}
		}
		if err := r.soak(ctx); err != nil {
			return nil, err
		}
		if err := r.replace(ctx, drained, resized); err != nil {
			return nil, err
		}
	}
	existing, err = r.unblocked(ctx)
	if err != nil {
		return nil, err
	}
	return quarantined, r.addNext(ctx, r.pool.Pool.Count-len(existing))
}

// replace gives drained nodes new machines. A machine of another size is another one, so the old node is deleted
// (https://learn.microsoft.com/azure/aks/resize-node-pool); other machines get another image, and keep their names.
func (r roller) replace(ctx context.Context, drained []*corev1.Node, resized bool) error {
	if !resized {
		for i, node := range drained {
			drained[i] = r.node(numberOf(r.pool, node))
			if err := cluster.Replace(ctx, r.client, drained[i]); err != nil {
				return err
			}
		}
		return r.ready(ctx, drained)
	}
	for _, node := range drained {
		if err := cluster.Remove(ctx, r.client, node.Name); err != nil {
			return err
		}
	}
	existing, err := r.unblocked(ctx)
	if err != nil {
		return err
	}
	// The next nodes of the target size, as many as still have to be replaced.
	return r.addNext(ctx, min(len(drained), len(slices.DeleteFunc(existing, r.isCurrent))))
}

// removeExcess drains and deletes the surge nodes, or the nodes that a smaller pool no longer has: those with the
// highest numbers. "The Surge Node is cordoned, drained and deleted"
// (https://learn.microsoft.com/azure/aks/upgrade-conceptual), and "when you scale in, nodes are carefully cordoned and
// drained" (https://learn.microsoft.com/azure/aks/scale-cluster). A surge node stays for each quarantined node.
func (r roller) removeExcess(ctx context.Context) error {
	excess, err := r.excess(ctx)
	if err != nil || len(excess) == 0 {
		return err
	}
	return r.remove(ctx, excess, r.pool.Upgrade.DrainMinutes)
}

// excess returns the surge nodes and those with the highest numbers that the pool has too many.
func (r roller) excess(ctx context.Context) ([]*corev1.Node, error) {
	existing, err := r.unblocked(ctx)
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(existing, func(a, b *corev1.Node) int {
		switch {
		case isSurge(a) == isSurge(b):
			return 0
		case isSurge(b):
			return -1
		default:
			return 1
		}
	})
	return existing[min(r.pool.Pool.Count, len(existing)):], nil
}

func isSurge(node *corev1.Node) bool { return node.Annotations[surgeAnnotation] != "" }

// removeSurge makes "a best-effort attempt to delete all surge nodes" (the API's description of
// undrainableNodeBehavior).
func (r roller) removeSurge(ctx context.Context) error {
	excess, err := r.excess(ctx)
	if err != nil {
		return err
	}
	for _, node := range excess {
		err := r.remove(ctx, []*corev1.Node{node}, r.pool.Upgrade.DrainMinutes)
		if _, late := errors.AsType[*arm.DrainError](err); err != nil && !late {
			return err
		}
	}
	return nil
}

// removeAll drains and deletes all nodes of a pool (https://github.com/Azure/AKS/issues/3996).
func (r roller) removeAll(ctx context.Context) error {
	existing, err := r.nodes(ctx)
	if err != nil {
		return err
	}
	return r.remove(ctx, existing, deletionMinutes)
}

// remove drains and deletes nodes, or makes them schedulable again if pods do not leave one of them.
func (r roller) remove(ctx context.Context, nodes []*corev1.Node, minutes int) error {
	failures, err := r.drainAll(ctx, nodes, minutes)
	if err != nil {
		return err
	}
	for _, failure := range failures {
		if failure != nil {
			return cmp.Or(r.uncordon(ctx, nodes), error(failure))
		}
	}
	for _, node := range nodes {
		if err := cluster.Remove(ctx, r.client, node.Name); err != nil {
			return err
		}
	}
	return nil
}

// soak waits "between draining a node and proceeding to reimage it"
// (https://learn.microsoft.com/azure/aks/upgrade-aks-node-pools-rolling).
func (r roller) soak(ctx context.Context) error {
	select {
	case <-time.After(time.Duration(r.pool.Upgrade.SoakMinutes) * r.pool.Minute):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// nodes returns the existing nodes of the pool, in the order of their numbers.
func (r roller) nodes(ctx context.Context) ([]*corev1.Node, error) {
	all, err := cluster.List[corev1.Node](ctx, r.client.CoreV1().Nodes().List)
	return ofPool(r.pool, all), err
}

// unblocked returns the nodes that are not quarantined.
func (r roller) unblocked(ctx context.Context) ([]*corev1.Node, error) {
	existing, err := r.nodes(ctx)
	return slices.DeleteFunc(existing, isQuarantined), err
}

// add creates nodes with the lowest free numbers, and with annotations.
func (r roller) add(ctx context.Context, number int, annotations map[string]string) error {
	return r.addFrom(ctx, number, func([]*corev1.Node) int { return 0 }, annotations)
}

// addNext creates nodes with the next numbers, because other machines have had those that are free.
func (r roller) addNext(ctx context.Context, number int) error {
	return r.addFrom(ctx, number, func(existing []*corev1.Node) int {
		if len(existing) == 0 {
			return 0
		}
		return numberOf(r.pool, existing[len(existing)-1]) + 1
	}, nil)
}

func (r roller) addFrom(
	ctx context.Context, number int, from func(existing []*corev1.Node) int, annotations map[string]string,
) error {
	existing, err := r.nodes(ctx)
	if err != nil {
		return err
	}
	var created []*corev1.Node
	for _, i := range free(numbersOf(r.pool, existing), from(existing), number) {
		node := r.node(i)
		maps.Copy(node.Annotations, annotations)
		created = append(created, node)
	}
	return r.create(ctx, created)
}

// create creates nodes, and waits until they are ready.
func (r roller) create(ctx context.Context, nodes []*corev1.Node) error {
	for _, node := range nodes {
		_, err := r.client.CoreV1().Nodes().Create(ctx, node, metav1.CreateOptions{})
		if err != nil && !apierrors.IsAlreadyExists(err) {
			return err
		}
	}
	return r.ready(ctx, nodes)
}

func (r roller) node(number int) *corev1.Node { return nodeOf(r.pool, number, r.version) }

func (r roller) isCurrent(node *corev1.Node) bool { return isCurrent(r.pool, node) }

// isCurrent reports whether the machine of a node is the pool's.
func isCurrent(pool arm.Pool, node *corev1.Node) bool {
	return node.Annotations[machineAnnotation] == pool.Machine
}

func isQuarantined(node *corev1.Node) bool { return node.Labels[statusLabel] == quarantined }

// nodeOf returns the node of a pool with a number. The nodes of a pool are spread evenly over its zones.
func nodeOf(pool arm.Pool, number int, controlPlane string) *corev1.Node {
	p := pool.Pool
	node := cluster.Node(p, arm.NodeName(p, number), controlPlane)
	if region := p.Labels[corev1.LabelTopologyRegion]; region != "" && len(p.Zones) > 0 {
		node.Labels[corev1.LabelTopologyZone] = region + "-" + p.Zones[number%len(p.Zones)]
	}
	if pool.Machine != "" {
		node.Annotations[machineAnnotation] = pool.Machine
	}
	return node
}

// ofPool returns the nodes of a pool, in the order of their numbers.
func ofPool(pool arm.Pool, all []*corev1.Node) []*corev1.Node {
	nodes := slices.DeleteFunc(slices.Clone(all), func(n *corev1.Node) bool { return numberOf(pool, n) < 0 })
	slices.SortFunc(nodes, func(a, b *corev1.Node) int { return numberOf(pool, a) - numberOf(pool, b) })
	return nodes
}

// numberOf returns the number in the name of a node of the pool, -1 for other nodes.
func numberOf(pool arm.Pool, node *corev1.Node) int {
	prefix := strings.TrimSuffix(arm.NodeName(pool.Pool, 0), "000000")
	digits, ok := strings.CutPrefix(node.Name, prefix)
	number, err := strconv.ParseInt(digits, 36, 32)
	if !ok || err != nil || len(digits) != 6 {
		return -1
	}
	return int(number)
}
