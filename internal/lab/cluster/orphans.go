package cluster

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"syscall"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"github.com/mixedkube/mixedkube/internal/lab/processes"
)

// kwokController is kwokctl's name for KWOK.
const kwokController = "kwok-controller"

// orphans lists the leases of nodes that an earlier KWOK still holds. The new one would
// simulate those nodes only after the leases expire, minutes later. A deleted machine holds its lease itself, see
// [MarkUnreachable].
func (c Cluster) orphans(
	ctx context.Context, client kubernetes.Interface, forgotten []string, started time.Time,
) ([]string, error) {
	if !slices.Contains(forgotten, kwokController) {
		return nil, nil
	}
	leases, err := List[coordinationv1.Lease](ctx, client.CoordinationV1().Leases(corev1.NamespaceNodeLease).List)
	if err != nil {
		return nil, fmt.Errorf("list the leases of nodes: %w", err)
	}
	var names []string
	for _, lease := range leases {
		holder, renewed := lease.Spec.HolderIdentity, lease.Spec.RenewTime
		if holder != nil && *holder != lease.Name && renewed != nil && renewed.Time.Before(started) {
			names = append(names, lease.Name)
		}
	}
	return names, nil
}

// endLeases removes leases, and ends the KWOK that has seen them: the next one creates its own leases.
func (c Cluster) endLeases(ctx context.Context, client kubernetes.Interface, labID string, names []string) error {
	if err := c.endController(ctx, labID); err != nil {
		return err
	}
	var removals []func() error
	for _, name := range names {
		removals = append(removals, func() error {
			return ignoreNotFound(client.CoordinationV1().Leases(corev1.NamespaceNodeLease).Delete(ctx, name,
				metav1.DeleteOptions{}))
		})
	}
	return SideBySide(removals)
}

// endController ends KWOK if it runs.
func (c Cluster) endController(ctx context.Context, labID string) error {
	pid, err := c.pid(kwokController)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	for {
		alive, err := processes.Of(labID)
		if err != nil || !slices.Contains(alive, pid) {
			return err
		}
		if err := syscall.Kill(pid, syscall.SIGKILL); err != nil && !errors.Is(err, syscall.ESRCH) {
			return fmt.Errorf("end KWOK: %w", err)
		}
		if err := sleep(ctx, 20*time.Millisecond); err != nil {
			return err
		}
	}
}
