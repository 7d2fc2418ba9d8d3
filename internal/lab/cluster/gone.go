package cluster

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/util/retry"
)

// Gone makes the cluster see that machines are gone of which nobody has told it: their
// nodes stay, and nothing hears from them. A node that is not there is none of them.
func Gone(ctx context.Context, client kubernetes.Interface, names []string) error {
	for _, name := range names {
		if err := keepLease(ctx, client, name); err != nil {
			return fmt.Errorf("end the lease of node %s: %w", name, err)
		}
	}
	// KWOK hears of the leases a moment later than of the nodes, perhaps, and puts a node
	// back that it takes for its own.
	quiet, last := 0, ""
	err := wait.PollUntilContextTimeout(ctx, 100*time.Millisecond, readyTimeout, true,
		func(ctx context.Context) (bool, error) {
			quiet++
			for _, name := range names {
				changed, err := lose(ctx, client, name)
				if err != nil {
					return false, fmt.Errorf("let node %s be unreachable: %w", name, err)
				}
				if changed {
					quiet, last = 0, name
				}
			}
			return quiet == 3, nil
		})
	if wait.Interrupted(err) {
		return fmt.Errorf("node %s does not stay unreachable: %w", last, err)
	}
	return err
}

// forever is more than a lab lasts.
const forever int32 = math.MaxInt32

// keepLease gives the lease of a node to the machine itself, which will never renew it.
// That ends the part of KWOK: it plays nodes as long as it has their leases, and takes one
// from somebody else when it is over only.
func keepLease(ctx context.Context, client kubernetes.Interface, name string) error {
	node, err := client.CoreV1().Nodes().Get(ctx, name, metav1.GetOptions{})
	if err != nil {
		return ignoreNotFound(err)
	}
	leases := client.CoordinationV1().Leases(corev1.NamespaceNodeLease)
	return retry.OnError(retry.DefaultRetry, isRace, func() error {
		lease, err := leases.Get(ctx, name, metav1.GetOptions{})
		if err != nil && !apierrors.IsNotFound(err) {
			return err
		}
		if found := err == nil; found {
			lease.Spec.HolderIdentity, lease.Spec.LeaseDurationSeconds = new(name), new(forever)
			_, err = leases.Update(ctx, lease, metav1.UpdateOptions{})
			return err
		}
		_, err = leases.Create(ctx, &coordinationv1.Lease{
			ObjectMeta: metav1.ObjectMeta{
				Name: name, Namespace: corev1.NamespaceNodeLease,
				OwnerReferences: []metav1.OwnerReference{
					{APIVersion: "v1", Kind: "Node", Name: name, UID: node.UID},
				},
			},
			Spec: coordinationv1.LeaseSpec{
				HolderIdentity: new(name), LeaseDurationSeconds: new(forever),
				RenewTime: new(metav1.NowMicro()),
			},
		}, metav1.CreateOptions{})
		return err
	})
}

// isRace reports whether KWOK was faster.
func isRace(err error) bool { return apierrors.IsConflict(err) || apierrors.IsAlreadyExists(err) }

// giveLease gives the lease of a machine that is gone back to KWOK, which is who holds
// those of the others. Without it KWOK would check whether the lease is over once in a
// while only; where there are no others, that has to do.
func giveLease(ctx context.Context, client kubernetes.Interface, name string) error {
	leases := client.CoordinationV1().Leases(corev1.NamespaceNodeLease)
	list, err := leases.List(ctx, metav1.ListOptions{})
	if err != nil {
		return fmt.Errorf("list the leases of nodes: %w", err)
	}
	var own, other *coordinationv1.Lease
	for i := range list.Items {
		lease := &list.Items[i]
		switch holder := lease.Spec.HolderIdentity; {
		case holder == nil:
		case lease.Name == name && *holder == name:
			own = lease
		case *holder != lease.Name && (other == nil || other.Spec.RenewTime.Before(lease.Spec.RenewTime)):
			other = lease
		}
	}
	switch {
	case own == nil:
		return nil
	case other == nil:
		err = ignoreNotFound(leases.Delete(ctx, name, metav1.DeleteOptions{}))
	default:
		own.Spec.HolderIdentity, own.Spec.LeaseDurationSeconds = other.Spec.HolderIdentity,
			other.Spec.LeaseDurationSeconds
		own.Spec.RenewTime = new(metav1.NowMicro())
		_, err = leases.Update(ctx, own, metav1.UpdateOptions{})
	}
	if err != nil {
		return fmt.Errorf("give back the lease of node %s: %w", name, err)
	}
	return nil
}

func ignoreNotFound(err error) error {
	if apierrors.IsNotFound(err) {
		return nil
	}
	return err
}

// lose is what the control plane does to a node that it does not hear of any more (pkg/
// controller/nodelifecycle), only at once. It reports whether anything was to be done.
func lose(ctx context.Context, client kubernetes.Interface, name string) (changed bool, err error) {
	nodes := client.CoreV1().Nodes()
	err = retry.RetryOnConflict(retry.DefaultRetry, func() error {
		changed = false
		node, err := nodes.Get(ctx, name, metav1.GetOptions{})
		if err != nil {
			return err
		}
		if _, played := node.Annotations[managedByKWOK]; played {
			changed = true
			delete(node.Annotations, managedByKWOK)
			if node, err = nodes.Update(ctx, node, metav1.UpdateOptions{}); err != nil {
				return err
			}
		}
		// The conditions come first: from a node that is ready the control plane takes the
		// taints away again, at once, and its write is in the way of the next one here.
		if setUnknown(node) {
			changed = true
			if node, err = nodes.UpdateStatus(ctx, node, metav1.UpdateOptions{}); err != nil {
				return err
			}
		}
		if setUnreachable(node) {
			changed = true
			_, err = nodes.Update(ctx, node, metav1.UpdateOptions{})
		}
		return err
	})
	switch {
	case apierrors.IsNotFound(err):
		return false, nil
	case apierrors.IsConflict(err):
		// Others write it again and again. The next look will tell.
		return true, nil
	default:
		return changed, err
	}
}

// setUnreachable puts the taints on a node, and takes the opposite ones away.
func setUnreachable(node *corev1.Node) (changed bool) {
	before := len(node.Spec.Taints)
	node.Spec.Taints = slices.DeleteFunc(node.Spec.Taints,
		func(t corev1.Taint) bool { return t.Key == corev1.TaintNodeNotReady })
	changed = len(node.Spec.Taints) != before
	for _, effect := range []corev1.TaintEffect{corev1.TaintEffectNoSchedule, corev1.TaintEffectNoExecute} {
		taint := corev1.Taint{Key: corev1.TaintNodeUnreachable, Effect: effect, TimeAdded: new(metav1.Now())}
		if !slices.ContainsFunc(node.Spec.Taints, func(t corev1.Taint) bool { return taint.MatchTaint(&t) }) {
			node.Spec.Taints = append(node.Spec.Taints, taint)
			changed = true
		}
	}
	return changed
}

// setUnknown puts the conditions on a node that a kubelet posts.
func setUnknown(node *corev1.Node) (changed bool) {
	for _, kind := range []corev1.NodeConditionType{
		corev1.NodeReady, corev1.NodeMemoryPressure, corev1.NodeDiskPressure, corev1.NodePIDPressure,
	} {
		i := slices.IndexFunc(node.Status.Conditions, func(c corev1.NodeCondition) bool { return c.Type == kind })
		if i < 0 {
			node.Status.Conditions = append(node.Status.Conditions, corev1.NodeCondition{
				Type: kind, Status: corev1.ConditionUnknown, LastTransitionTime: metav1.Now(),
				Reason: "NodeStatusNeverUpdated", Message: "Kubelet never posted node status.",
			})
			changed = true
			continue
		}
		if c := &node.Status.Conditions[i]; c.Status != corev1.ConditionUnknown {
			c.Status, c.LastTransitionTime = corev1.ConditionUnknown, metav1.Now()
			c.Reason, c.Message = "NodeStatusUnknown", "Kubelet stopped posting node status."
			changed = true
		}
	}
	return changed
}
