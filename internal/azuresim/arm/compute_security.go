package arm

import "net/http"

// FeatureEncryptionAtHost is the feature that a subscription needs for machines that set encryption at host, for
// [Options.Features].
const FeatureEncryptionAtHost = "Microsoft.Compute/EncryptionAtHost"

// checkMachineSecurity checks the security profile of a new or existing machine.
func checkMachineSecurity(m machineUnderTest) error {
	profile, _ := at(m.properties, "securityProfile").(Body)
	if profile == nil {
		return nil
	}
	// Even false needs the feature (https://github.com/Azure/bicep-registry-modules/issues/2374).
	if profile["encryptionAtHost"] != nil && !m.registered(FeatureEncryptionAtHost) {
		return refused("InvalidParameter", "securityProfile.encryptionAtHost",
			"The property 'securityProfile.encryptionAtHost' is not valid because the '%s' feature is not enabled for "+
				"this subscription.", FeatureEncryptionAtHost)
	}
	switch textAt(profile, "securityType") {
	case "":
		if !isNothing(profile["uefiSettings"]) {
			return badParameter("securityProfile.uefiSettings")
		}
		return nil
	case "TrustedLaunch":
		return checkTrustedLaunch(m)
	default:
		return notSimulated("securityProfile.securityType", "A confidential virtual machine")
	}
}

func checkTrustedLaunch(m machineUnderTest) error {
	name := textAt(m.properties, "hardwareProfile.vmSize")
	if size, _ := sizeNamed(name); !size.trustedLaunch() {
		return refused("BadRequest", "",
			"The VM size '%s' is not supported for creation of VMs and Virtual Machine Scale Set with 'TrustedLaunch' "+
				"security type. For more information, see https://aka.ms/TrustedLaunch-FAQ", name)
	}
	if m.image.generation == 1 {
		return refused("BadRequest", "",
			"Use of TrustedLaunch setting is not supported for the provided image. Please select Trusted Launch "+
				"Supported Gen2 OS Image. For more information, see https://aka.ms/TrustedLaunch-FAQ.")
	}
	return nil
}

// keepEncryption refuses a change for a running machine. All machines here run.
func keepEncryption(before, body Body) error {
	const path = "properties.securityProfile.encryptionAtHost"
	was, is := at(before, path), at(body, path)
	if is == nil || (was == true) == (is == true) {
		return nil
	}
	return &Error{
		Status: http.StatusConflict, Code: "OperationNotAllowed", Target: "securityProfile.encryptionAtHost",
		Message: "'securityProfile.encryptionAtHost' can be updated only when VM is in deallocated state",
	}
}

// checkPatchMode checks the patch mode of Windows, which has to agree with another property.
func checkPatchMode(m machineUnderTest) error {
	const windows = "osProfile.windowsConfiguration."
	mode := textAt(m.properties, windows+"patchSettings.patchMode")
	if mode == "AutomaticByOS" && at(m.properties, windows+"enableAutomaticUpdates") == false {
		return refused("InvalidParameter", "windowsConfiguration.patchSettings.patchMode",
			"The patchMode '%[1]s' is invalid. For patchMode '%[1]s', the property 'enableAutomaticUpdates' must be "+
				"set to true.", mode)
	}
	return nil
}
