package azure

import (
	"net/netip"
	"slices"
)

// interfacesOf are the references of a machine to its network interfaces.
func interfacesOf(properties Body) []Body {
	return bodiesAt(properties, "networkProfile.networkInterfaces")
}

// machineUsing is the machine that a network interface is attached to.
func (s *state) machineUsing(nic string) *resource {
	for _, vm := range s.below("/subscriptions/"+subscription, kindMachine) {
		for _, reference := range interfacesOf(vm.properties()) {
			if keyOf(textAt(reference, "id")) == keyOf(nic) {
				return vm
			}
		}
	}
	return nil
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
		return refused("VirtualMachineMustHaveOneNetworkInterfaceAsPrimary", "", "Virtual machine %s must have one network interface set as the primary.", m.id.name())
	}
	return m.checkSameInterfaces(seen)
}

func (m machineUnderTest) checkInterface(id string) error {
	nic := m.state.get(id)
	if nic == nil || nic.Kind != kindNIC || nic.Body["location"] != m.body["location"] {
		return notReferenced(id, m.id.text)
	}
	if user := m.state.machineUsing(id); user != nil && keyOf(user.ID) != m.id.key() {
		return refused("NicInUse", "", "Network Interface %s is used by existing resource %s. In order to delete the network interface, it must be dissociated from the resource. To learn more, see aka.ms/deletenic.", nic.ID, user.ID)
	}
	return nil
}

// checkSameInterfaces: a machine that runs, as all here do, keeps its interfaces.
func (m machineUnderTest) checkSameInterfaces(wanted map[string]bool) error {
	if m.isNew {
		return nil
	}
	old := interfacesOf(m.state.get(m.id.text).properties())
	moved := slices.ContainsFunc(old, func(reference Body) bool { return !wanted[keyOf(textAt(reference, "id"))] })
	if moved || len(old) != len(wanted) {
		return conflict("OperationNotAllowed", "Network interfaces cannot be added to or removed from the running virtual machine %s. Deallocate it first.", m.id.name())
	}
	return nil
}

// attach shows the network interfaces of a machine whose they are.
func (r *request) attach(vm *resource) {
	for _, reference := range interfacesOf(vm.properties()) {
		if nic := r.state.get(textAt(reference, "id")); nic != nil && keyOf(textAt(nic.Body, "properties.virtualMachine.id")) != keyOf(vm.ID) {
			r.touch(nic)
			nic.properties()["virtualMachine"] = Body{"id": vm.ID}
		}
	}
}

// detach frees the network interfaces of a machine that goes, and removes those that go
// with it.
func (r *request) detach(vm *resource) {
	for _, reference := range interfacesOf(vm.properties()) {
		nic := r.state.get(textAt(reference, "id"))
		switch {
		case nic == nil:
		case textAt(reference, "properties.deleteOption") == "Delete":
			r.state.remove(nic.ID)
		default:
			r.touch(nic)
			delete(nic.properties(), "virtualMachine")
		}
	}
}

func (r *request) touch(changed *resource) {
	r.state.Serial++
	changed.Changed = r.state.Serial
}

// addressOf is the private one of the primary network interface of a machine.
func (s *state) addressOf(vm *resource) netip.Addr {
	var address netip.Addr
	for i, reference := range interfacesOf(vm.properties()) {
		nic := s.get(textAt(reference, "id"))
		if nic == nil || i > 0 && at(reference, "properties.primary") != true {
			continue
		}
		for j, config := range bodiesAt(nic.Body, "properties.ipConfigurations") {
			found, err := netip.ParseAddr(textAt(config, "properties.privateIPAddress"))
			if err == nil && (j == 0 || at(config, "properties.primary") == true) {
				address = found
			}
		}
	}
	return address
}
