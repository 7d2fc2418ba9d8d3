package arm

import (
	"net/netip"
	"slices"
)

// interfacesOf returns the references of a machine to its network interfaces.
func interfacesOf(properties Body) []Body {
	return bodiesAt(properties, "networkProfile.networkInterfaces")
}

// machineUsing returns the machine that a network interface is attached to, nil if there is none.
func (s *state) machineUsing(nic string) *resource {
	if users := s.users(nic); len(users) > 0 {
		return s.get(users[0].by) // only machines refer to one
	}
	return nil
}

// primaryInterface returns the network interface with the address of a machine, nil if it was
// deleted.
func (s *state) primaryInterface(vm *resource) *resource {
	var primary *resource
	for i, reference := range interfacesOf(vm.properties()) {
		if i == 0 || at(reference, "properties.primary") == true {
			primary = s.get(textAt(reference, "id"))
		}
	}
	return primary
}

// addressOf returns the private address of the primary network interface of a machine.
func (s *state) addressOf(vm *resource) netip.Addr {
	if nic := s.primaryInterface(vm); nic != nil {
		return primaryOf(nic).address
	}
	return netip.Addr{}
}

func checkInterfaces(m machineUnderTest) error {
	if at(m.properties, "networkProfile") == nil {
		return nullParameter("networkProfile")
	}
	references := interfacesOf(m.properties)
	if len(references) == 0 {
		return nullParameter("networkProfile.networkInterfaces")
	}
	primaries := 0
	seen := map[string]bool{}
	for _, reference := range references {
		id := textAt(reference, "id")
		if seen[keyOf(id)] {
			return badParameter("networkProfile.networkInterfaces")
		}
		seen[keyOf(id)] = true
		if at(reference, "properties.primary") == true {
			primaries++
		}
		if err := m.checkInterface(id); err != nil {
			return err
		}
	}
	if primaries > 1 || primaries == 0 && len(references) > 1 {
		return refused("VirtualMachineMustHaveOneNetworkInterfaceAsPrimary", "",
			"Virtual machine %s must have one network interface set as the primary.", m.id.name())
	}
	return m.checkSameInterfaces(seen)
}

func (m machineUnderTest) checkInterface(id string) error {
	nic := m.state.get(id)
	if nic == nil || nic.Kind != kindNIC || nic.Body["location"] != m.body["location"] {
		return notReferenced("", id, m.id.text)
	}
	if user := m.state.machineUsing(id); user != nil && keyOf(user.ID) != m.id.key() {
		return nicInUse(nic, user)
	}
	return m.checkReserved(id, m.id.text)
}

// checkSameInterfaces refuses other interfaces for an existing machine: all machines here run, and running ones cannot
// change them.
func (m machineUnderTest) checkSameInterfaces(desired map[string]bool) error {
	if m.isNew {
		return nil
	}
	old := interfacesOf(m.state.get(m.id.text).properties())
	if (len(old) == 1) != (len(desired) == 1) {
		return refused("AddingOrDeletingNetworkInterfacesOnARunningVirtualMachineNotSupported", "",
			"Virtual machine %s with a single network interface must be stop-deallocated before it can be updated to "+
				"have multiple network interfaces and vice-versa.", m.id.text)
	}
	moved := slices.ContainsFunc(old, func(reference Body) bool { return !desired[keyOf(textAt(reference, "id"))] })
	if moved || len(old) != len(desired) {
		return conflict("OperationNotAllowed",
			"Network interfaces cannot be added to or removed from the running virtual machine %s. "+
				"Deallocate it first.", m.id.name())
	}
	return nil
}

// attach marks the network interfaces of a new machine as changed: they show their machine.
func (r *request) attach(vm *resource) {
	for _, nic := range interfacesOf(vm.properties()) {
		r.touch(textAt(nic, "id"))
	}
}

// detach frees the network interfaces of a deleted machine, and removes those with the deleteOption Delete.
func (r *request) detach(vm *resource) {
	for _, nic := range interfacesOf(vm.properties()) {
		if textAt(nic, "properties.deleteOption") == "Delete" {
			r.state.remove(textAt(nic, "id"))
		}
		r.touch(textAt(nic, "id"))
	}
}

// touch marks a resource as changed because its answer differs from before.
func (r *request) touch(id string) {
	if changed := r.state.get(id); changed != nil {
		r.state.Serial++
		changed.Changed = r.state.Serial
	}
}
