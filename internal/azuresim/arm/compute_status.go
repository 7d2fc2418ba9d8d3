package arm

import (
	"context"

	"github.com/mixedkube/mixedkube/internal/azuresim/machine"
)

// Status is a virtual machine, and its node in Kubernetes.
type Status struct {
	// Machine has no customData, and no protected settings.
	Machine machine.Machine
	// Node is the name of its node, and NotJoined the reason why it has not joined. Both are empty for a machine that
	// does not run kubeadm, or waits for its configuration.
	Node, NotJoined string
	// Lost is the reason why the node no longer reaches any API server of the cluster, "" if it reaches one.
	Lost string
	// Bootstrap is the configuration it has joined with, without the token and the keys.
	Bootstrap *machine.Bootstrap
}

// Machines returns all virtual machines in the order of their creation.
func (c *Cloud) Machines(ctx context.Context) ([]Status, error) {
	list := []Status{}
	err := c.look(ctx, func(s *state) error {
		for _, vm := range s.all(kindMachine) {
			status := Status{Machine: s.machine(vm)}
			if vm.Joined != nil {
				status.Node, status.NotJoined, status.Bootstrap = vm.Joined.Node, vm.Joined.NotJoined,
					vm.Joined.Bootstrap
				status.Lost = vm.Joined.Lost
			}
			list = append(list, status)
		}
		return nil
	})
	return list, err
}

// ControlPlane returns the bootstrap of the first machine of the control plane that has one of the network interfaces,
// with its token and with the keys that it has now. It is nil if there is none.
func (c *Cloud) ControlPlane(ctx context.Context, nicIDs []string) (*machine.Bootstrap, error) {
	var found *machine.Bootstrap
	err := c.look(ctx, func(s *state) error {
		for _, nic := range nicIDs {
			vm := s.machineUsing(nic)
			if vm == nil || !vm.isControlPlane() {
				continue
			}
			d, err := c.readDisk(vm)
			if err == nil {
				found = d.Bootstrap
			}
			return err
		}
		return nil
	})
	return found, err
}

// isControlPlane reports whether a machine has joined the control plane.
func (r *resource) isControlPlane() bool {
	return r.Joined != nil && r.Joined.Bootstrap != nil && r.Joined.Bootstrap.ControlPlane
}
