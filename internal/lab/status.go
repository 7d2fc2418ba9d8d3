package lab

import (
	"context"
	"errors"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/kubernetes"

	"github.com/mixedkube/mixedkube/internal/lab/cluster"
	"github.com/mixedkube/mixedkube/internal/lab/deploy"
	"github.com/mixedkube/mixedkube/internal/lab/status"
	"github.com/mixedkube/mixedkube/stacks/stackconfig"
)

// ErrProblems means that not all pods and nodes are as they should be. The
// printed report names them.
var ErrProblems = errors.New("not everything is where it belongs")

// Status prints where the pods are. It fails with [ErrProblems] if a pod
// is pending, refused or on a wrong node, or if a node differs from its pool.
func (l *Lab) Status(ctx context.Context) error {
	report, err := l.report(ctx)
	if err != nil {
		return err
	}
	return l.print(report)
}

// waitForPods is Status that waits for the controllers: after a deployment that
// deleted nodes, their pods have to be scheduled again.
func (l *Lab) waitForPods(ctx context.Context) error {
	background, end := context.WithCancel(ctx)
	defer end()
	go l.cluster().KeepAwake(background)
	for deadline := time.Now().Add(30 * time.Second); ; {
		report, err := l.report(ctx)
		if err != nil {
			return err
		}
		if len(report.Problems) == 0 || time.Now().After(deadline) {
			return l.print(report)
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(500 * time.Millisecond):
		}
	}
}

func (l *Lab) report(ctx context.Context) (*status.Report, error) {
	stack := l.stack()
	if stack == "" {
		return nil, cluster.ErrNone
	}
	config, err := deploy.ReadStack(l.Stacks, stack)
	if err != nil {
		return nil, err
	}
	client, err := l.Client()
	if err != nil {
		return nil, err
	}
	version, err := cluster.Version(client)
	if err != nil {
		return nil, noAnswer(err)
	}
	desired, err := l.desiredNodes(ctx, client, config, version)
	if err != nil {
		return nil, err
	}
	report, err := status.Look(ctx, client, desired)
	if err != nil {
		return nil, noAnswer(err)
	}
	if config.Kubeadm != nil {
		waiting, err := l.notJoined(ctx)
		report.Problems = append(report.Problems, waiting...)
		return report, err
	}
	return report, nil
}

// desiredNodes returns the nodes that the cluster should have, according to the components.
func (l *Lab) desiredNodes(
	ctx context.Context, client kubernetes.Interface, config stackconfig.Config, version string,
) ([]*corev1.Node, error) {
	described := config.Topology.WithDefaults()
	switch {
	case config.Kubeadm != nil:
		return machineNodes(config, version), nil
	case config.AKS != nil:
		existing, err := l.azureNodes(ctx, client, version)
		return aksNodes(described, existing, version), err
	default:
		return cluster.Nodes(described, version), nil
	}
}

func noAnswer(err error) error {
	return fmt.Errorf("the cluster does not answer: %w: start it again with `make up`, or remove it with `make down`",
		err)
}

func (l *Lab) print(report *status.Report) error {
	if err := report.Write(l.out); err != nil {
		return err
	}
	if len(report.Problems) > 0 {
		return ErrProblems
	}
	return nil
}
