package arm

import (
	"testing"

	"github.com/mixedkube/mixedkube/machines/bootstrap"
)

const security = "properties.securityProfile"

// trusted returns the profile of a machine with Trusted Launch.
func trusted() Body {
	return Body{
		"securityType": "TrustedLaunch", "uefiSettings": Body{"secureBootEnabled": true, "vTpmEnabled": true},
	}
}

func TestMachinesShowTheirSecurity(t *testing.T) {
	t.Parallel()
	cloud := machineRoom(t, Options{Features: []string{FeatureEncryptionAtHost}})
	profile := trusted()
	profile["encryptionAtHost"] = true
	wantAt(t, mustPut(t, cloud, vmID, linuxMachine(map[string]any{security: profile})),
		map[string]any{security: profile})
	// A profile that is left out stays.
	wantAt(t, mustPut(t, cloud, vmID, linuxMachine(map[string]any{security: nil})), map[string]any{security: profile})
	wantAt(t, mustPut(t, cloud, otherVMID, onNIC(nic2ID, "two", windowsMachine(map[string]any{security: trusted()}))),
		map[string]any{security: trusted()})
	// There is no profile by default.
	wantAt(t, mustPut(t, machineRoom(t, Options{}), vmID, linuxMachine(nil)), map[string]any{security: nil})
}

func TestSecurityThatAzureRefuses(t *testing.T) {
	t.Parallel()
	feature := bad400("InvalidParameter", "securityProfile.encryptionAtHost",
		"The property 'securityProfile.encryptionAtHost' is not valid because the "+
			"'Microsoft.Compute/EncryptionAtHost' feature is not enabled for this subscription.")
	size := func(name string) *Error {
		return bad400("BadRequest", "", "The VM size '"+name+"' is not supported for creation of VMs and Virtual "+
			"Machine Scale Set with 'TrustedLaunch' security type. For more information, see https://aka.ms/TrustedLaunch-FAQ")
	}
	image := bad400("BadRequest", "", "Use of TrustedLaunch setting is not supported for the provided image. Please "+
		"select Trusted Launch Supported Gen2 OS Image. For more information, see https://aka.ms/TrustedLaunch-FAQ.")
	of := func(name string) Body {
		return linuxMachine(map[string]any{security: trusted(), "properties.hardwareProfile.vmSize": name})
	}
	for name, c := range map[string]struct {
		body Body
		want *Error
	}{
		"encryption without the feature": {
			linuxMachine(map[string]any{security: Body{"encryptionAtHost": true}}), feature,
		},
		"no encryption, without the feature": {
			linuxMachine(map[string]any{security: Body{"encryptionAtHost": false}}), feature,
		},
		"UEFI settings without a type": {
			linuxMachine(map[string]any{security: Body{"uefiSettings": Body{"vTpmEnabled": true}}}),
			badOf("securityProfile.uefiSettings"),
		},
		"a confidential machine": {
			linuxMachine(map[string]any{security: Body{"securityType": "ConfidentialVM"}}),
			unsimulated("securityProfile.securityType", "A confidential virtual machine"),
		},
		"a size of the series A":  {of("Standard_A2_v2"), size("Standard_A2_v2")},
		"a size of generation 1":  {of("Standard_D4_v3"), size("Standard_D4_v3")},
		"a confidential size":     {of("Standard_DC4s_v3"), size("Standard_DC4s_v3")},
		"a size with much memory": {of("Standard_M64s"), size("Standard_M64s")},
		"generation 1 of Windows": {
			windowsMachine(map[string]any{
				security: trusted(), "properties.storageProfile.imageReference.sku": "2022-datacenter-core",
			}), image,
		},
		"generation 1 of Ubuntu": {
			linuxMachine(map[string]any{
				security: trusted(), "properties.storageProfile.imageReference.sku": "server-gen1",
			}), image,
		},
		"updates by Windows, switched off": {
			windowsMachine(map[string]any{"properties.osProfile.windowsConfiguration": Body{
				"enableAutomaticUpdates": false, "patchSettings": Body{"patchMode": "AutomaticByOS"},
			}}),
			bad400("InvalidParameter", "windowsConfiguration.patchSettings.patchMode",
				"The patchMode 'AutomaticByOS' is invalid. For patchMode 'AutomaticByOS', the property "+
					"'enableAutomaticUpdates' must be set to true."),
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := machineRoom(t, Options{}).Put(t.Context(), vmID, c.body)
			wantError(t, err, c.want)
		})
	}
	// Without a profile the size does not matter.
	for _, name := range []string{"Standard_DS3_v2", "Standard_D4s_v3", "Standard_D4_v4", "Standard_F4s_v2"} {
		mustPut(t, machineRoom(t, Options{}), vmID, of(name))
	}
}

func TestTheSecurityOfAMachineThatRunsStays(t *testing.T) {
	t.Parallel()
	encryption := conflict409("OperationNotAllowed", "securityProfile.encryptionAtHost",
		"'securityProfile.encryptionAtHost' can be updated only when VM is in deallocated state")
	for name, c := range map[string]struct {
		from, to Body
		want     *Error
	}{
		"Trusted Launch comes": {nil, trusted(), changeNotAllowed409("securityProfile.securityType")},
		"encryption comes":     {nil, Body{"encryptionAtHost": true}, encryption},
		"encryption goes":      {Body{"encryptionAtHost": true}, Body{"encryptionAtHost": false}, encryption},
		"encryption is left out": {
			Body{"encryptionAtHost": true}, trusted(), changeNotAllowed409("securityProfile.securityType"),
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cloud := machineRoom(t, Options{Features: []string{FeatureEncryptionAtHost}})
			data := map[string]any{"properties.osProfile.customData": encodedText(bootstrap.CloudConfig(nil))}
			before := linuxMachine(data)
			if c.from != nil {
				setAt(before, security, c.from)
			}
			mustPut(t, cloud, vmID, before)
			after := linuxMachine(data)
			setAt(after, security, c.to)
			_, err := cloud.Put(t.Context(), vmID, after)
			wantError(t, err, c.want)
		})
	}
}

// Whether Windows updates itself is fixed when a machine is created. The patch mode can change.
func TestPatchSettingsOfWindows(t *testing.T) {
	t.Parallel()
	const configuration = "properties.osProfile.windowsConfiguration"
	settings := func(automatic bool, mode string) Body {
		return windowsMachine(map[string]any{configuration: Body{
			"enableAutomaticUpdates": automatic, "patchSettings": Body{"patchMode": mode},
		}})
	}
	cloud := machineRoom(t, Options{})
	mustPut(t, cloud, vmID, settings(false, "Manual"))
	wantAt(t, mustPut(t, cloud, vmID, settings(false, "AutomaticByPlatform")),
		map[string]any{configuration + ".patchSettings.patchMode": "AutomaticByPlatform"})
	_, err := cloud.Put(t.Context(), vmID, settings(true, "AutomaticByOS"))
	wantError(t, err, changeNotAllowed409("windowsConfiguration.enableAutomaticUpdates"))
}
