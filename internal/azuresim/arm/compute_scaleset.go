package arm

import (
	"slices"
	"strings"
)

const mostFaultDomains = 5

func (r *request) putScaleSet(body Body) (*resource, error) {
	if err := r.placed(body); err != nil {
		return nil, err
	}
	properties, _ := body["properties"].(Body)
	if properties == nil {
		return nil, nullParameter("properties")
	}
	old := r.state.get(r.id.text)
	if old != nil {
		if err := keepScaleSet(old, body); err != nil {
			return nil, err
		}
	}
	if err := r.checkScaleSet(body, properties); err != nil {
		return nil, err
	}
	defaultAt(properties, "singlePlacementGroup", false)
	properties["uniqueId"] = uuidOf("scale set", r.id.key(), r.createdAs())
	properties["provisioningState"] = "Succeeded"
	return r.state.put(r.id, body), nil
}

func keepScaleSet(old *resource, body Body) error {
	before := clone(old.Body)
	for _, name := range []string{"orchestrationMode", "platformFaultDomainCount", "singlePlacementGroup"} {
		if keep(before, body, []string{"properties." + name}) != "" {
			return changeNotAllowed(name)
		}
	}
	// Zones can be added.
	if body["zones"] == nil && before["zones"] != nil {
		body["zones"] = before["zones"]
	}
	now := textsAt(body, "zones")
	if was := textsAt(before, "zones"); slices.ContainsFunc(was,
		func(zone string) bool { return !slices.Contains(now, zone) }) {
		return changeNotAllowed("zones")
	}
	return nil
}

// checkScaleSet accepts only scale sets that machines are attached to.
func (r *request) checkScaleSet(body, properties Body) error {
	count, hasCount := properties["platformFaultDomainCount"].(float64)
	size := textAt(body, "sku.name")
	_, known := sizeNamed(size)
	zones := textsAt(body, "zones")
	switch {
	case textAt(properties, "orchestrationMode") != "Flexible":
		return notSimulated("orchestrationMode", "A virtual machine scale set with the orchestration mode Uniform")
	case properties["virtualMachineProfile"] != nil:
		return notSimulated("virtualMachineProfile", "A virtual machine scale set that creates machines")
	case !isNothing(at(body, "sku.capacity")):
		return notSimulated("sku.capacity", "A virtual machine scale set that creates machines")
	case size != "" && !known:
		return refused("InvalidParameter", "vmSize", "The value %s provided for the VM size is not valid. Find out "+
			"more on the available VM sizes in each region at https://aka.ms/azure-regions.", size)
	case !hasCount:
		return nullParameter("platformFaultDomainCount")
	case count < 1 || count > mostFaultDomains:
		return refused("InvalidParameter", "platformFaultDomainCount",
			"The specified fault domain count %v must fall in the range 1 to %d.", count, mostFaultDomains)
	case properties["singlePlacementGroup"] == true:
		return badParameter("singlePlacementGroup")
	case len(zones) > 0 && count > 1:
		return refused("InvalidParameter", "zones",
			"Specifying Availability Zones is not allowed when Virtual Machine Scale Set has "+
				"platformFaultDomainCount higher than 1 with OrchestrationMode: 'Flexible'.")
	}
	return r.checkZones(zones)
}

// removeScaleSet refuses to delete a scale set that has machines.
func (r *request) removeScaleSet(found *resource) error {
	var names []string
	for _, user := range r.state.users(found.ID) {
		names = append(names, nameOf(user.by))
	}
	if len(names) > 0 {
		return conflict("OperationNotAllowed",
			"Virtual Machine Scale Set '%s' cannot be deleted because it has virtual machines: %s. Delete them first.",
			nameOf(found.ID), strings.Join(names, ", "))
	}
	return nil
}
