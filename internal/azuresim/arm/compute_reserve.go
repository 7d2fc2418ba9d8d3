package arm

import "time"

// reservation reserves a network interface for a machine whose creation failed.
type reservation struct {
	Machine string    `json:"machine"`
	Until   time.Time `json:"until"`
}

// reserve reserves the network interfaces of a machine whose creation has just failed. Other resources have none.
func (r *request) reserve(vm *resource) {
	if !r.isNew || r.cloud.options.Reservation == 0 {
		return
	}
	if r.state.Reserved == nil {
		r.state.Reserved = map[string]reservation{}
	}
	for _, nic := range interfacesOf(vm.properties()) {
		r.state.Reserved[keyOf(textAt(nic, "id"))] = reservation{vm.ID, time.Now().Add(r.cloud.options.Reservation)}
	}
}

// unreserve releases the network interfaces of a machine that exists.
func (r *request) unreserve(vm *resource) {
	for _, nic := range interfacesOf(vm.properties()) {
		delete(r.state.Reserved, keyOf(textAt(nic, "id")))
	}
}

// checkReserved checks that a network interface is not reserved for a machine other than vm.
func (r *request) checkReserved(nic, vm string) error {
	held, reserved := r.state.Reserved[keyOf(nic)]
	if !reserved || keyOf(held.Machine) == keyOf(vm) || !time.Now().Before(held.Until) {
		return nil
	}
	return refused("NicReservedForAnotherVm", "", "Nic(s) in request is reserved for another Virtual Machine for 180 "+
		"seconds. Please provide another nic(s) or retry after 180 seconds. Reserved VM: %s", held.Machine)
}
