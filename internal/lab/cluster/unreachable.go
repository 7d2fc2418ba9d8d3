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

// MarkUnreachable makes the cluster notice machines that were deleted without deleting their nodes: the
// nodes stay and become unreachable. Names without a node are ignored.
func MarkUnreachable(ctx context.Context, client kubernetes.Interface, names []string) error {
	for _, name := range names {
		if err := keepLease(ctx, client, name); err != nil {
			return fmt.Errorf("end the lease of node %s: %w", name, err)
		}
	}
	// KWOK may receive the change of a lease a moment later than the change of the node. It then
	// resets a node that it still considers its own.
	quiet, last := 0, ""
	err := wait.PollUntilContextTimeout(ctx, 100*time.Millisecond, readyTimeout, true,
		func(ctx context.Context) (bool, error) {
			quiet++
			for _, name := range names {
				changed, err := lose(ctx, client, name)
				if err != nil {
					return false, fmt.Errorf("make node %s unreachable: %w", name, err)
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

// forever is longer than a lab exists, in seconds.
const forever int32 = math.MaxInt32

// keepLease makes the machine itself the holder of its node's lease, which it never renews.
// After that KWOK does not simulate the node: it simulates nodes only while it holds their
// leases, and takes the lease of another holder only after that has expired.
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

// isRace reports whether KWOK wrote the object first.
func isRace(err error) bool { return apierrors.IsConflict(err) || apierrors.IsAlreadyExists(err) }

// giveLease returns the lease of a deleted machine to KWOK, which is the holder of the other
// leases. Without that, KWOK would only check from time to time whether the lease has expired.
// If no other lease shows the holder, giveLease deletes the lease, and that check has to suffice.
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
		return fmt.Errorf("return the lease of node %s: %w", name, err)
	}
	return nil
}

func ignoreNotFound(err error) error {
	if apierrors.IsNotFound(err) {
		return nil
	}
	return err
}

// lose does at once what the control plane does later with a node that no longer posts its
// status (pkg/controller/nodelifecycle). It reports whether it has changed the node.
func lose(ctx context.Context, client kubernetes.Interface, name string) (changed bool, err error) {
	nodes := client.CoreV1().Nodes()
	err = retry.RetryOnConflict(retry.DefaultRetry, func() error {
		changed = false
		node, err := nodes.Get(ctx, name, metav1.GetOptions{})
		if err != nil {
			return err
		}
		if _, simulated := node.Annotations[managedByKWOK]; simulated {
			changed = true
			delete(node.Annotations, managedByKWOK)
			if node, err = nodes.Update(ctx, node, metav1.UpdateOptions{}); err != nil {
				return err
			}
		}
		// The conditions come first: the control plane immediately removes the taints from a node
		// that is ready, and its write would conflict with the next write here.
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
		// Others keep writing it. The next attempt shows the result.
		return true, nil
	default:
		return changed, err
	}
}

// setUnreachable adds the taints of an unreachable node, and removes the opposite ones.
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

// setUnknown sets the conditions that a kubelet posts to unknown.
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
