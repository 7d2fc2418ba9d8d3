package arm

import "net/http"

// computeRules returns the rules of Microsoft.Compute.
func computeRules(kind string) kindRules {
	switch kind {
	case kindMachine:
		return kindRules{
			model: "armcompute.VirtualMachine",
			readOnly: []string{
				"id", "name", "type", "etag", "managedBy", "resources", "identity.principalId", "identity.tenantId",
				"properties.instanceView", "properties.provisioningState", "properties.timeCreated", "properties.vmId",
				"properties.storageProfile.imageReference.exactVersion",
				"properties.storageProfile.osDisk.managedDisk.id",
			},
			put: (*request).putMachine, view: viewMachine,
		}
	case kindExtension:
		return kindRules{
			model:    "armcompute.VirtualMachineExtension",
			readOnly: []string{"id", "name", "type", "properties.provisioningState", "properties.instanceView"},
			put:      (*request).putExtension, remove: (*request).removeExtension,
		}
	case kindRunCommand:
		return kindRules{
			model:    "armcompute.VirtualMachineRunCommand",
			readOnly: []string{"id", "name", "type", "properties.provisioningState", "properties.instanceView"},
			put:      (*request).putRunCommand, remove: (*request).removeRunCommand,
		}
	default:
		return kindRules{
			model: "armcompute.VirtualMachineScaleSet",
			readOnly: []string{
				"id", "name", "type", "etag", "identity.principalId", "identity.tenantId",
				"properties.provisioningState", "properties.timeCreated", "properties.uniqueId",
			},
			put: (*request).putScaleSet, remove: (*request).removeScaleSet,
		}
	}
}

// nullParameter returns the answer of Microsoft.Compute to a missing parameter.
func nullParameter(name string) *Error {
	return refused("InvalidParameter", name, "Required parameter '%s' is missing (null).", name)
}

func badParameter(name string) *Error {
	return refused("InvalidParameter", name, "The value of parameter %s is invalid.", name)
}

// changeNotAllowed returns the answer of Microsoft.Compute to a change of a property that cannot be changed.
func changeNotAllowed(name string) *Error {
	e := conflict("PropertyChangeNotAllowed", "Changing property '%s' is not allowed.", name)
	e.Target = name
	return e
}

// notUnderstood returns the answer to a script, command or setting that the package machine does not read.
func notUnderstood(why error) *Error {
	return &Error{
		Status: http.StatusNotImplemented, Code: "NotSimulated",
		Message: why.Error() + ": see NOT_SIMULATED.md of the simulated Azure.",
	}
}

// notSimulated returns the answer to a request that Azure accepts, but this simulation does not.
func notSimulated(target, what string) *Error {
	return &Error{
		Status: http.StatusNotImplemented, Code: "NotSimulated", Target: target,
		Message: what + " is not simulated: see NOT_SIMULATED.md of the simulated Azure.",
	}
}
