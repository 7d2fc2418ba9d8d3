package arm

import (
	"crypto/rand"
	"crypto/rsa"
	"encoding/binary"
	"regexp"
	"strings"
	"testing"

	"github.com/mixedkube/mixedkube/machines/bootstrap"
)

func TestMachinesThatAzureTakes(t *testing.T) {
	t.Parallel()
	cloud := machineRoom(t, Options{})
	made := mustPut(t, cloud, vmID,
		linuxMachine(map[string]any{
			"properties.osProfile.customData":    encodedText(bootstrap.CloudConfig(nil)),
			"properties.osProfile.adminPassword": password, "properties.userData": "YWJj", "zones": []any{"2"},
		}))
	wantAt(t, made, map[string]any{
		"id": vmID, "name": "one", "type": "Microsoft.Compute/virtualMachines", "location": "westeurope",
		"properties.provisioningState": "Succeeded", "properties.osProfile.customData": nil,
		"properties.osProfile.adminPassword": nil,
		"properties.userData":                nil, "properties.storageProfile.osDisk.osType": "Linux",
		"properties.storageProfile.osDisk.diskSizeGB":   30.0,
		"properties.storageProfile.osDisk.deleteOption": "Detach",
		// As for a virtual machine of the stack that azure-native recorded, upgrade-networked-vm.
		"properties.storageProfile.osDisk.caching":         "ReadWrite",
		"properties.osProfile.secrets":                     []any{},
		"properties.osProfile.requireGuestProvisionSignal": true,
		"properties.osProfile.linuxConfiguration.patchSettings": Body{
			"patchMode": "ImageDefault", "assessmentMode": "ImageDefault",
		},
		"properties.storageProfile.dataDisks":                      []any{},
		"properties.osProfile.allowExtensionOperations":            true,
		"properties.osProfile.linuxConfiguration.provisionVMAgent": true, "resources": nil, "managedBy": nil,
	})
	if name := textAt(made, "properties.storageProfile.osDisk.name"); !strings.HasPrefix(name, "one_OsDisk_1_") {
		t.Errorf("the disk is %s", name)
	}
	if again := mustPut(t, cloud, vmID,
		linuxMachine(map[string]any{
			"properties.osProfile.customData":    encodedText(bootstrap.CloudConfig(nil)),
			"properties.osProfile.adminPassword": password, "properties.userData": "YWJj",
			"zones": []any{"2"},
		})); !same(made, again) {
		t.Errorf("the same again changes\n%v to\n%v", made, again)
	}
	// Properties that cannot be changed, and the sizes, keep their values if they are left out.
	changed := mustPut(t, cloud, vmID,
		Body{
			"location": "westeurope", "tags": Body{"a": "b"},
			"properties": Body{"hardwareProfile": Body{"vmSize": "Standard_D8s_v5"}},
		})
	wantAt(t, changed, map[string]any{
		"properties.vmId": at(made, "properties.vmId"), "properties.hardwareProfile.vmSize": "Standard_D8s_v5",
		"zones":                     []any{"2"},
		"properties.storageProfile": at(made, "properties.storageProfile"),
		"properties.osProfile":      at(made, "properties.osProfile"),
		"properties.networkProfile": at(made, "properties.networkProfile"), "tags": Body{"a": "b"},
	})
	wantAt(t, mustPut(t, cloud, otherVMID, onNIC(nic2ID, "12345678901234a", windowsMachine(map[string]any{
		"properties.storageProfile.osDisk.diskSizeGB": 128.0, "properties.priority": "Spot",
		"properties.evictionPolicy": "Delete",
	}))), map[string]any{
		"properties.storageProfile.osDisk.osType": "Windows", "properties.storageProfile.osDisk.diskSizeGB": 128.0,
		"properties.osProfile.windowsConfiguration": Body{"provisionVMAgent": true, "enableAutomaticUpdates": true},
		"properties.priority":                       "Spot",
	})
}

func rsaKey(t *testing.T, bits int) string {
	t.Helper()
	key, err := rsa.GenerateKey(rand.Reader, bits)
	if err != nil {
		t.Fatal(err)
	}
	var data []byte
	for _, field := range [][]byte{[]byte("ssh-rsa"), {1, 0, 1}, append([]byte{0}, key.N.Bytes()...)} {
		data = append(binary.BigEndian.AppendUint32(data, uint32(len(field))), field...)
	}
	return "ssh-rsa " + encodedText(string(data))
}

// The program of the stack that azure-native recorded, upgrade-networked-vm, has no disk.
func TestAMachineNeedsNoDisk(t *testing.T) {
	t.Parallel()
	made := mustPut(t, machineRoom(t, Options{}), vmID, linuxMachine(map[string]any{
		"properties.storageProfile.osDisk":                 nil,
		"properties.storageProfile.imageReference.version": "22.04.202601010",
	}))
	disk := at(made, "properties.storageProfile.osDisk").(Body)
	name := textAt(disk, "name")
	if !regexp.MustCompile(`^one_OsDisk_1_[0-9a-f]{32}$`).MatchString(name) {
		t.Errorf("the disk is %s", name)
	}
	wantAt(t, made, map[string]any{
		"properties.storageProfile.osDisk": Body{
			"caching": "ReadWrite", "createOption": "FromImage", "deleteOption": "Detach", "diskSizeGB": 30.0,
			"name": name, "osType": "Linux", "managedDisk": at(disk, "managedDisk"),
		},
		"properties.storageProfile.imageReference.exactVersion": "22.04.202601010",
	})
}

func TestMachinesWithOtherImagesAndProfiles(t *testing.T) {
	t.Parallel()
	const reference = "properties.storageProfile.imageReference"
	for name, body := range map[string]Body{
		"a password": linuxMachine(map[string]any{
			"properties.osProfile.linuxConfiguration": nil,
			"properties.osProfile.adminPassword":      "Abcde1",
		}),
		"an RSA key": linuxMachine(
			map[string]any{"properties.osProfile.linuxConfiguration.ssh.publicKeys": []any{Body{"keyData": rsaKey(t,
				2048) + "\n"}}},
		),
		"a small disk": windowsMachine(map[string]any{reference +
			".sku": "2022-datacenter-core-smalldisk-g2", "properties.storageProfile.osDisk.diskSizeGB": 30.0}),
		"an Arm image": linuxMachine(map[string]any{
			reference + ".sku":                  "server-arm64",
			"properties.hardwareProfile.vmSize": "Standard_D4ps_v6",
		}),
		"version 6": windowsMachine(map[string]any{
			reference + ".sku":                  "2022-datacenter-azure-edition",
			"properties.hardwareProfile.vmSize": "Standard_D4s_v6",
		}),
		"an older offer": linuxMachine(map[string]any{
			reference + ".offer": "0001-com-ubuntu-server-jammy",
			reference + ".sku":   "22_04-lts-gen2", "properties.hardwareProfile.vmSize": "Standard_D4s_v6",
		}),
		"an unknown generation": linuxMachine(map[string]any{
			reference + ".publisher":            "Debian",
			"properties.hardwareProfile.vmSize": "Standard_D4s_v6",
		}),
		"64 characters": linuxMachine(map[string]any{"properties.osProfile.computerName": strings.Repeat("a",
			64)}),
		"customData of 65535": linuxMachine(
			map[string]any{"properties.osProfile.customData": encodedText(longCloudConfig(65535))},
		),
		"a version of the image":  linuxMachine(map[string]any{reference + ".version": "24.04.202501010"}),
		"a name from the machine": linuxMachine(map[string]any{"properties.osProfile.computerName": nil}),
		"8 characters on Windows": windowsMachine(map[string]any{"properties.osProfile.adminPassword": "Abcdefg1"}),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			mustPut(t, machineRoom(t, Options{}), vmID, body)
		})
	}
}

func TestMachinesThatAzureRefuses(t *testing.T) {
	t.Parallel()
	used := func(t *testing.T) *Cloud {
		t.Helper()
		cloud := machineRoom(t, Options{})
		putAll(t, cloud, nicID+"9", nicBody(nil), otherVMID, onNIC(nic2ID, "two", linuxMachine(nil)))
		return cloud
	}
	wantMistakes(t, "machines", used, "$key", testKey, "$shortRSA", rsaKey(t, 1024),
		"$otherType", strings.Replace(testKey, "ssh-ed25519", "ssh-rsa", 1),
		"$longData", encodedText(longCloudConfig(65536)))
}

func TestImmutablePropertiesOfMachines(t *testing.T) {
	t.Parallel()
	start := map[string]any{
		"properties.osProfile.customData":    encodedText(bootstrap.CloudConfig(nil)),
		"properties.osProfile.adminPassword": password, "zones": []any{"1"},
	}
	for path, c := range map[string]struct {
		value any
		want  *Error
	}{
		"zones": {[]any{"2"}, changeNotAllowed409("zones")},
		"properties.osProfile.computerName": {
			"two",
			changeNotAllowed409("osProfile.computerName"),
		},
		"properties.osProfile.adminUsername": {
			"other",
			changeNotAllowed409("osProfile.adminUsername"),
		},
		"properties.osProfile.adminPassword": {
			password + "x",
			changeNotAllowed409("osProfile.adminPassword"),
		},
		"properties.osProfile.customData": {
			strings.ToLower(encodedText(bootstrap.CloudConfig(nil))), changeNotAllowed409("osProfile.customData"),
		},
		"properties.osProfile.linuxConfiguration.ssh.publicKeys": {
			[]any{},
			changeNotAllowed409("linuxConfiguration.ssh.publicKeys"),
		},
		"properties.osProfile.linuxConfiguration.disablePasswordAuthentication": {
			false,
			changeNotAllowed409("linuxConfiguration.disablePasswordAuthentication"),
		},
		"properties.storageProfile.imageReference.sku": {"minimal", changeNotAllowed409("imageReference")},
		"properties.storageProfile.osDisk.name":        {"mine", changeNotAllowed409("osDisk.name")},
		"properties.storageProfile.osDisk.createOption": {
			"Attach",
			changeNotAllowed409("osDisk.createOption"),
		},
		"properties.storageProfile.osDisk.osType": {"Windows", changeNotAllowed409("osDisk.osType")},
		"properties.virtualMachineScaleSet.id": {
			scaleSetID,
			changeNotAllowed409("virtualMachineScaleSet.id"),
		},
		"properties.availabilitySet.id":  {"/x", changeNotAllowed409("availabilitySet.id")},
		"properties.platformFaultDomain": {1.0, changeNotAllowed409("platformFaultDomain")},
		"properties.priority":            {"Spot", changeNotAllowed409("priority")},
		"properties.evictionPolicy":      {"Delete", changeNotAllowed409("evictionPolicy")},
		"location": {
			"northeurope",
			conflict409("InvalidResourceLocation", "",
				"The resource 'one' already exists in location 'westeurope' in resource group 'rg'. A resource with "+
					"the same name cannot be created in location 'northeurope'. Please select a new resource name."),
		},
		"properties.networkProfile.networkInterfaces": {
			[]any{Body{"id": nic2ID}},
			conflict409("OperationNotAllowed", "",
				"Network interfaces cannot be added to or removed from the running virtual machine one. Deallocate "+
					"it first."),
		},
		"properties.networkProfile": {
			Body{"networkInterfaces": []any{
				Body{"id": nicID, "properties": Body{"primary": true}}, Body{"id": nic2ID},
			}},
			bad400("AddingOrDeletingNetworkInterfacesOnARunningVirtualMachineNotSupported", "",
				"Virtual machine "+vmID+" with a single network interface must be stop-deallocated before it can be "+
					"updated to have multiple network interfaces and vice-versa."),
		},
		"properties.osProfile.windowsConfiguration.winRM.listeners": {
			[]any{Body{"protocol": "Http"}}, changeNotAllowed409("windowsConfiguration.winRM.listeners"),
		},
		"properties.storageProfile.osDisk.diskSizeGB": {
			20.0,
			conflict409("OperationNotAllowed", "osDisk.diskSizeGB",
				"The specified disk size 20 GB is smaller than the size of the corresponding disk in the VM image: "+
					"30 GB. This is not allowed. Please choose equal or greater size or do not specify an explicit "+
					"size."),
		},
	} {
		t.Run(path, func(t *testing.T) {
			t.Parallel()
			cloud := machineRoom(t, Options{})
			before := mustPut(t, cloud, vmID, linuxMachine(start))
			body := linuxMachine(start)
			setAt(body, path, c.value)
			_, err := cloud.Put(t.Context(), vmID, body)
			wantError(t, err, c.want)
			if after := mustGet(t, cloud, vmID); !same(before, after) {
				t.Errorf("it was\n%v, and is\n%v", before, after)
			}
		})
	}
}

func TestTheDiskOfARunningMachineKeepsItsSize(t *testing.T) {
	t.Parallel()
	cloud := machineRoom(t, Options{})
	sized := func(gib int) Body {
		return linuxMachine(map[string]any{"properties.storageProfile.osDisk": Body{
			"createOption": "FromImage", "name": "mine", "diskSizeGB": gib,
		}})
	}
	mustPut(t, cloud, vmID, sized(64))
	_, err := cloud.Put(t.Context(), vmID, sized(128))
	wantError(t, err, conflict409("OperationNotAllowed", "",
		"Change in disk property of OS disk 'mine' is not allowed when VM is running"))
	mustPut(t, cloud, vmID, sized(64))
	wantAt(t, mustPut(t, cloud, vmID, linuxMachine(nil)), map[string]any{
		"properties.storageProfile.osDisk.diskSizeGB": 64.0,
	})
}

func TestCustomDataCannotBeAddedLater(t *testing.T) {
	t.Parallel()
	cloud := machineRoom(t, Options{})
	mustPut(t, cloud, vmID, linuxMachine(nil))
	_, err := cloud.Put(t.Context(), vmID, linuxMachine(map[string]any{"properties.osProfile.customData": "YWJj"}))
	wantError(t, err, changeNotAllowed409("osProfile.customData"))
}

func TestScaleSets(t *testing.T) {
	t.Parallel()
	set := func(change map[string]any) Body {
		body := Body{
			"location":   "westeurope",
			"properties": Body{"orchestrationMode": "Flexible", "platformFaultDomainCount": 1},
		}
		apply(body, change)
		return body
	}
	inSet := map[string]any{"properties.virtualMachineScaleSet.id": scaleSetID}
	t.Run("machines", func(t *testing.T) {
		t.Parallel()
		cloud := machineRoom(t, Options{})
		wantAt(t, mustPut(t, cloud, scaleSetID,
			set(map[string]any{"zones": []any{"1", "2"}, "sku": Body{"name": "Standard_D4s_v5", "capacity": 0}})),
			map[string]any{
				"properties.singlePlacementGroup": false, "properties.provisioningState": "Succeeded",
				"zones": []any{"1", "2"},
			})
		for _, zones := range []any{nil, []any{"3"}} {
			body := linuxMachine(inSet)
			body["zones"] = zones
			_, err := cloud.Put(t.Context(), vmID, body)
			wantError(t, err, bad400("InvalidParameter", "zones",
				"The zones '"+strings.Join(textsAt(body, "zones"), ",")+
					"' of virtual machine 'one' are not among the zones '1,2' of virtual machine scale set 'set'."))
		}
		body := linuxMachine(inSet)
		body["zones"] = []any{"2"}
		wantAt(t, mustPut(t, cloud, vmID, body), map[string]any{"managedBy": scaleSetID})
		wantError(t, cloud.Delete(t.Context(), scaleSetID),
			conflict409("OperationNotAllowed", "",
				"Virtual Machine Scale Set 'set' cannot be deleted because it has virtual machines: one. Delete them "+
					"first."))
		mustDelete(t, cloud, vmID)
		mustDelete(t, cloud, scaleSetID)
	})
	t.Run("fault domains", func(t *testing.T) {
		t.Parallel()
		cloud := machineRoom(t, Options{})
		mustPut(t, cloud, scaleSetID, set(map[string]any{"properties.platformFaultDomainCount": 2}))
		body := linuxMachine(inSet)
		setAt(body, "properties.platformFaultDomain", 2.0)
		_, err := cloud.Put(t.Context(), vmID, body)
		wantError(t, err, badOf("platformFaultDomain"))
		setAt(body, "properties.platformFaultDomain", 1.0)
		mustPut(t, cloud, vmID, body)
	})
	for name, c := range map[string]struct {
		change map[string]any
		want   *Error
	}{
		"no properties": {map[string]any{"properties": nil}, nullOf("properties")},
		"uniform": {
			map[string]any{"properties.orchestrationMode": "Uniform"},
			unsimulated("orchestrationMode", "A virtual machine scale set with the orchestration mode Uniform"),
		},
		"uniform by default": {
			map[string]any{"properties.orchestrationMode": nil},
			unsimulated("orchestrationMode", "A virtual machine scale set with the orchestration mode Uniform"),
		},
		"a profile": {
			map[string]any{"properties.virtualMachineProfile": Body{"licenseType": "None"}},
			unsimulated("virtualMachineProfile", "A virtual machine scale set that creates machines"),
		},
		"a number of machines": {
			map[string]any{"sku": Body{"name": "Standard_D4s_v5", "capacity": 1}},
			unsimulated("sku.capacity", "A virtual machine scale set that creates machines"),
		},
		"an unknown size": {map[string]any{"sku.name": "D4"}, bad400("InvalidParameter", "vmSize", "The value D4 provided for the VM size is not valid. Find out more on the available VM sizes in each region at https://aka.ms/azure-regions.")},
		"no fault domains": {
			map[string]any{"properties.platformFaultDomainCount": nil},
			nullOf("platformFaultDomainCount"),
		},
		"six fault domains": {
			map[string]any{"properties.platformFaultDomainCount": 6},
			bad400("InvalidParameter", "platformFaultDomainCount",
				"The specified fault domain count 6 must fall in the range 1 to 5."),
		},
		"one placement group": {
			map[string]any{"properties.singlePlacementGroup": true},
			badOf("singlePlacementGroup"),
		},
		"zones and domains": {
			map[string]any{"zones": []any{"1"}, "properties.platformFaultDomainCount": 2},
			bad400("InvalidParameter", "zones",
				"Specifying Availability Zones is not allowed when Virtual Machine Scale Set has "+
					"platformFaultDomainCount higher than 1 with OrchestrationMode: 'Flexible'."),
		},
		"zone 7": {
			map[string]any{"zones": []any{"7"}},
			bad400("AvailabilityZoneNotSupported", "",
				"The zone(s) '7' for resource 'Microsoft.Compute/virtualMachineScaleSets/set' is not supported. The "+
					"supported zones for location are '1,2,3'"),
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := machineRoom(t, Options{}).Put(t.Context(), scaleSetID, set(c.change))
			wantError(t, err, c.want)
		})
	}
	for name, c := range map[string]struct {
		change map[string]any
		want   *Error
	}{
		"more fault domains": {
			map[string]any{"properties.platformFaultDomainCount": 2, "zones": []any{"1"}},
			changeNotAllowed409("platformFaultDomainCount"),
		},
		"another mode": {
			map[string]any{"properties.orchestrationMode": "Uniform"}, changeNotAllowed409("orchestrationMode"),
		},
		"one placement group": {
			map[string]any{"properties.singlePlacementGroup": true},
			changeNotAllowed409("singlePlacementGroup"),
		},
		"another zone":  {map[string]any{"zones": []any{"2"}}, changeNotAllowed409("zones")},
		"one more zone": {map[string]any{"zones": []any{"1", "2"}}, nil},
		"nothing":       {map[string]any{"zones": nil, "properties.platformFaultDomainCount": nil}, nil},
	} {
		t.Run("changed: "+name, func(t *testing.T) {
			t.Parallel()
			cloud := machineRoom(t, Options{})
			mustPut(t, cloud, scaleSetID, set(map[string]any{"zones": []any{"1"}}))
			_, err := cloud.Put(t.Context(), scaleSetID, set(c.change))
			if c.want == nil && err == nil {
				return
			}
			wantError(t, err, c.want)
		})
	}
}

// longCloudConfig is customData of a length.
func longCloudConfig(length int) string {
	with := func(content string) string {
		return bootstrap.CloudConfig([]bootstrap.File{{Path: "/x", Content: content + "\n"}})
	}
	return with(strings.Repeat("a", length-len(with("a"))+1))
}
