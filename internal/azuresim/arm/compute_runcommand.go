package arm

import (
	"fmt"

	"github.com/mixedkube/mixedkube/internal/azuresim/machine"
)

// putRunCommand creates or updates a managed run command. It runs if it differs from before
// (https://learn.microsoft.com/azure/virtual-machines/linux/run-command-managed).
func (r *request) putRunCommand(body Body) (*resource, error) {
	vm := r.state.get(r.id.parent)
	if err := r.placed(body); err != nil {
		return nil, err
	}
	properties, _ := body["properties"].(Body)
	if err := checkRunCommand(vm, properties); err != nil {
		return nil, err
	}
	protected, _ := properties["protectedParameters"].([]any)
	delete(properties, "protectedParameters")
	command := publicRunCommand(r.id.name(), properties)
	command.Protected = parametersOf(protected)
	if err := command.Check(); err != nil {
		return nil, notUnderstood(err)
	}
	// https://github.com/Azure/azure-cli/issues/22654 shows the first default, and
	// https://github.com/Azure/arm-template-whatif/issues/379 the second.
	defaultAt(properties, "asyncExecution", false)
	defaultAt(properties, "timeoutInSeconds", 0.0)
	properties["provisioningState"] = "Succeeded"
	isAnother, err := r.isAnother(vm, properties, protected)
	if err != nil {
		return nil, err
	}
	stored := r.state.put(r.id, body)
	r.runs = stored
	if isAnother {
		stored.Execution = nil
	}
	return stored, r.changeDisk(vm, func(d *disk) { d.RunCommands[keyOf(r.id.name())] = protected })
}

// checkRunCommand checks that the machine can have a run command, and checks its form.
func checkRunCommand(vm *resource, properties Body) error {
	if !allowsExtensions(vm.properties()) {
		return extensionsDisallowed()
	}
	source, _ := at(properties, "source").(Body)
	if len(source) == 0 {
		return nullParameter("source")
	}
	for _, other := range []struct{ path, what string }{
		{"source.commandId", "A script of Azure's own"},
		{"source.scriptUri", "An external script"},
		{"source.scriptUriManagedIdentity", "An external script"},
		{"outputBlobUri", "A blob for the output"},
		{"outputBlobManagedIdentity", "A blob for the output"},
		{"errorBlobUri", "A blob for the output"},
		{"errorBlobManagedIdentity", "A blob for the output"},
		{"runAsUser", "Another user than root"},
		{"runAsPassword", "Another user than root"},
	} {
		if !isNothing(at(properties, other.path)) {
			return notSimulated(other.path, other.what)
		}
	}
	if textAt(vm.Body, "properties.storageProfile.osDisk.osType") == "Windows" {
		return notSimulated("source.script", "A run command on Windows")
	}
	for _, list := range []string{"parameters", "protectedParameters"} {
		values, _ := properties[list].([]any)
		for i, value := range values {
			parameter, _ := value.(Body)
			for _, name := range []string{"name", "value"} {
				if _, isText := parameter[name].(string); !isText {
					return nullParameter(fmt.Sprintf("%s[%d].%s", list, i, name))
				}
			}
			if textAt(parameter, "name") == "" {
				return notSimulated(fmt.Sprintf("%s[%d].name", list, i), "An argument of a script")
			}
		}
	}
	return nil
}

// isAnother reports whether a run command differs from the one that has run, if any. The machine does not get tags and
// the like.
func (r *request) isAnother(vm *resource, properties Body, protected []any) (bool, error) {
	old := r.state.get(r.id.text)
	if old == nil || old.Execution == nil {
		return true, nil
	}
	d, err := r.disk(vm)
	if err != nil {
		return false, err
	}
	before, now := clone(old.properties()), clone(properties)
	delete(before, "provisioningState")
	delete(now, "provisioningState")
	return !same(before, now) || !same(d.RunCommands[keyOf(r.id.name())], protected), nil
}

// publicRunCommand returns a run command without its protected parameters.
func publicRunCommand(name string, properties Body) machine.RunCommand {
	public, _ := properties["parameters"].([]any)
	return machine.RunCommand{
		Name: name, Script: textAt(properties, "source.script"), Parameters: parametersOf(public),
	}
}

// parametersOf returns the values by their names. The last one of a name wins.
func parametersOf(list []any) map[string]string {
	values := map[string]string{}
	for _, one := range list {
		parameter, _ := one.(Body)
		values[textAt(parameter, "name")] = textAt(parameter, "value")
	}
	return values
}

// removeRunCommand deletes the secrets of a run command. Its effects on the machine remain.
func (r *request) removeRunCommand(found *resource) error {
	return r.changeDisk(r.state.get(r.id.parent), func(d *disk) { delete(d.RunCommands, keyOf(nameOf(found.ID))) })
}
