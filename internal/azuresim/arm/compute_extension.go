package arm

import (
	"regexp"
	"slices"
	"strings"

	"github.com/mixedkube/mixedkube/internal/azuresim/machine"
)

// knownExtension is an extension in Azure's repository.
type knownExtension struct {
	publisher, kind string
	windows         bool
	// major is the published major version.
	major string
}

var knownExtensions = []knownExtension{
	{"Microsoft.Azure.Extensions", "CustomScript", false, "2"},
	{"Microsoft.Compute", "CustomScriptExtension", true, "1"},
	{"Microsoft.Azure.Monitor", "AzureMonitorLinuxAgent", false, "1"},
	{"Microsoft.Azure.Monitor", "AzureMonitorWindowsAgent", true, "1"},
	{"Microsoft.ManagedServices", "ApplicationHealthLinux", false, "1"},
	{"Microsoft.ManagedServices", "ApplicationHealthWindows", true, "1"},
	{"Microsoft.Azure.ActiveDirectory", "AADSSHLoginForLinux", false, "1"},
	{"Microsoft.Azure.ActiveDirectory", "AADLoginForWindows", true, "1"},
}

var handlerVersion = regexp.MustCompile(`^(\d+)\.\d+$`)

func (r *request) putExtension(body Body) (*resource, error) {
	vm := r.state.get(r.id.parent)
	defaultAt(body, "location", vm.Body["location"])
	if err := r.placed(body); err != nil {
		return nil, err
	}
	properties, _ := body["properties"].(Body)
	if err := checkExtensionForm(properties); err != nil {
		return nil, err
	}
	if err := r.checkExtension(vm, properties); err != nil {
		return nil, err
	}
	extension := publicExtension(r.id.name(), properties)
	extension.Protected, _ = properties["protectedSettings"].(Body)
	if err := extension.Check(); err != nil {
		return nil, notUnderstood(err)
	}
	delete(properties, "protectedSettings")
	defaultAt(properties, "autoUpgradeMinorVersion", false)
	properties["provisioningState"] = "Succeeded"
	if err := r.protect(vm, r.id.name(), extension.Protected); err != nil {
		return nil, err
	}
	r.boots = vm
	return r.state.put(r.id, body), nil
}

// publicExtension returns an extension without its protected settings.
func publicExtension(name string, properties Body) machine.Extension {
	settings, _ := properties["settings"].(Body)
	return machine.Extension{
		Name: name, Publisher: textAt(properties, "publisher"), Type: textAt(properties, "type"),
		Version: textAt(properties, "typeHandlerVersion"), Settings: settings,
	}
}

// checkExtensionForm checks the properties that every extension has.
func checkExtensionForm(properties Body) error {
	for _, name := range []string{"publisher", "type", "typeHandlerVersion"} {
		if textAt(properties, name) == "" {
			return nullParameter(name)
		}
	}
	if !handlerVersion.MatchString(textAt(properties, "typeHandlerVersion")) {
		return badParameter("typeHandlerVersion")
	}
	for _, name := range []string{"settings", "protectedSettings"} {
		if _, isObject := properties[name].(Body); properties[name] != nil && !isObject {
			return badParameter(name)
		}
	}
	if properties["protectedSettingsFromKeyVault"] != nil {
		return notSimulated("protectedSettingsFromKeyVault", "A key vault")
	}
	return nil
}

// checkExtension checks that the machine can have an extension.
func (r *request) checkExtension(vm *resource, properties Body) error {
	publisher, kind, version := textAt(properties, "publisher"), textAt(properties, "type"),
		textAt(properties, "typeHandlerVersion")
	known, found := extensionOf(publisher, kind)
	if !found || known.major != handlerVersion.FindStringSubmatch(version)[1] {
		return notFound("ArtifactNotFound",
			"Extension with publisher '%s', type '%s', and type handler version '%s' could not be found in the "+
				"extension repository.", publisher, kind, version)
	}
	system := textAt(vm.Body, "properties.storageProfile.osDisk.osType")
	if known.windows != (system == "Windows") {
		return wrongSystem(known, system)
	}
	if !allowsExtensions(vm.properties()) {
		return extensionsDisallowed()
	}
	for _, other := range r.state.below(vm.ID, kindExtension) {
		alike := strings.EqualFold(textAt(other.Body, "properties.publisher"), publisher) &&
			strings.EqualFold(textAt(other.Body, "properties.type"), kind)
		switch isSame := keyOf(other.ID) == r.id.key(); {
		case isSame && !alike:
			return changeNotAllowed("type")
		case !isSame && alike:
			return refused("BadRequest", "",
				"Multiple VMExtensions per handler not supported for OS type '%s'. VMExtension '%s' with handler "+
					"'%s.%s' already added or specified in input.", system, nameOf(other.ID), known.publisher,
				known.kind)
		}
	}
	return nil
}

func extensionOf(publisher, kind string) (knownExtension, bool) {
	i := slices.IndexFunc(knownExtensions, func(e knownExtension) bool {
		return strings.EqualFold(e.publisher, publisher) && strings.EqualFold(e.kind, kind)
	})
	if i < 0 {
		return knownExtension{}, false
	}
	return knownExtensions[i], true
}

// wrongSystem suggests the corresponding extension for the other system, its neighbor in the list.
func wrongSystem(known knownExtension, system string) error {
	other := knownExtensions[slices.Index(knownExtensions, known)^1]
	e := conflict("OperationNotAllowed",
		"Publisher '%s' and type '%s' are not supported for OS type '%s'. Please use publisher '%s' and type '%s' "+
			"instead.",
		known.publisher, known.kind, system, other.publisher, other.kind)
	return e
}

func allowsExtensions(properties Body) bool {
	for _, path := range []string{
		"allowExtensionOperations", "windowsConfiguration.provisionVMAgent",
		"linuxConfiguration.provisionVMAgent",
	} {
		if at(properties, "osProfile."+path) == false {
			return false
		}
	}
	return true
}

func extensionsDisallowed() *Error {
	return conflict("OperationNotAllowed",
		"This operation cannot be performed when extension operations are disallowed. To allow, please ensure VM "+
			"Agent is installed on the VM and the osProfile.allowExtensionOperations property is true.")
}

// removeExtension deletes the secrets of an extension. Its effects on the machine remain.
func (r *request) removeExtension(found *resource) error {
	return r.protect(r.state.get(r.id.parent), nameOf(found.ID), nil)
}

// provisioningError is Azure's answer to an extension that fails.
func provisioningError(extension *resource, why error) *Error {
	publisher, kind := textAt(extension.Body, "properties.publisher"), textAt(extension.Body, "properties.type")
	guide, enable := "VMExtensionCSELinuxTroubleshoot", "Enable failed: "
	if (machine.Extension{Publisher: publisher, Type: kind}).ForWindows() {
		guide, enable = "VMExtensionCSEWindowsTroubleshoot", ""
	}
	return operationFailed("VMExtensionProvisioningError",
		"VM has reported a failure when processing extension '%s' (publisher '%s' and type '%s'). Error message: "+
			"'%s%v'. More information on troubleshooting is available at https://aka.ms/%s.",
		nameOf(extension.ID), publisher, kind, enable, why, guide)
}
