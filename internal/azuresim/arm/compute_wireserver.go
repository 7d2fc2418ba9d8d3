package arm

import (
	"context"

	"github.com/mixedkube/mixedkube/internal/azuresim/machine"
)

// Ask returns the WireServer's answer to a pod on the virtual machine with an ID, see [machine.Machine.Ask]. Each
// machine has a WireServer of its own.
func (c *Cloud) Ask(ctx context.Context, id string, pod machine.Pod) (machine.GoalState, error) {
	var answer machine.GoalState
	err := c.look(ctx, func(s *state) error {
		vm := s.get(id)
		if vm == nil || vm.Kind != kindMachine {
			return notFound("ResourceNotFound", "The virtual machine '%s' was not found.", id)
		}
		r := request{cloud: c, state: s}
		m, err := r.machine(vm)
		if err == nil {
			answer, err = m.Ask(pod)
		}
		return err
	})
	return answer, err
}
