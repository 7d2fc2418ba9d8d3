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

const (
	windowsPasswords = "The supplied password must be between 8-123 characters long"
	linuxPasswords   = "The supplied password must be between 6-72 characters long"
	passwordKinds    = " and must satisfy at least 3 of password complexity requirements from the following:\r\n1) " +
		"Contains an uppercase character\r\n2) Contains a lowercase character\r\n3) Contains a numeric digit\r\n4) " +
		"Contains a special character\r\n5) Control characters are not allowed"
	windowsNames = "Windows computer name cannot be more than 15 characters long, be entirely numeric, or " +
		"contain the following characters: ` ~ ! @ # $ % ^ & * ( ) = + _ [ ] { } \\ | ; : . ' \" , < > / ?."
	linuxNames = "Linux host name cannot exceed 64 characters in length or contain the following characters: ` " +
		"~ ! @ # $ % ^ & * ( ) = + _ [ ] { } \\ | ; : ' \" , < > / ?."
	customDataRule = "Custom data in OSProfile must be in Base64 encoding and with a maximum length of 87380 " +
		"characters."
)

func TestMachinesThatAzureRefuses(t *testing.T) {
	t.Parallel()
	shortRSA := rsaKey(t, 1024)
	linux := func(path string, value any) Body { return linuxMachine(map[string]any{path: value}) }
	windows := func(path string, value any) Body { return windowsMachine(map[string]any{path: value}) }
	const (
		p         = "properties."
		osProfile = p + "osProfile."
		reference = p + "storageProfile.imageReference."
		disk      = p + "storageProfile.osDisk."
		nics      = p + "networkProfile.networkInterfaces"
		keys      = osProfile + "linuxConfiguration.ssh.publicKeys"
	)
	noImage := func(image string) *Error {
		return &Error{Status: 404, Code: "PlatformImageNotFound", Target: "imageReference", Message: "The platform image '" + image + "' is not available. Verify that all fields in the storage profile are correct. For more details about storage profile information, please refer to https://aka.ms/storageprofile"}
	}
	badSize := func(size string) *Error {
		return bad400("InvalidParameter", "vmSize", "The value "+size+" provided for the VM size is not valid. Find out more on the available VM sizes in each region at https://aka.ms/azure-regions.")
	}
	smallDisk := func(sizes string) *Error {
		return conflict409("OperationNotAllowed", "osDisk.diskSizeGB",
			"The specified disk size "+sizes+
				" GB. This is not allowed. Please choose equal or greater size or do not specify an explicit size.")
	}
	architectures := func(size, supports, image string) *Error {
		return bad400("BadRequest", "",
			"Cannot create a VM of size '"+size+"' because this VM size only supports a CPU Architecture of '"+supports+
				"', but an image or disk with CPU Architecture '"+image+
				"' was given. Please check that the CPU Architecture of the image or disk is compatible with that of "+
				"the VM size.")
	}
	generation := bad400("BadRequest", "",
		"The selected VM size 'Standard_D4s_v6' cannot boot Hypervisor Generation '1'. If this was a Create "+
			"operation please check that the Hypervisor Generation of the Image matches the Hypervisor Generation of "+
			"the selected VM Size. If this was an Update operation please select a Hypervisor Generation '1' VM Size.")
	admin := bad400("InvalidParameter", "adminUsername", "The Admin Username specified is not allowed.")
	badPassword := func(rule string) *Error { return bad400("InvalidParameter", "adminPassword", rule+passwordKinds) }
	primary := bad400("VirtualMachineMustHaveOneNetworkInterfaceAsPrimary", "",
		"Virtual machine one must have one network interface set as the primary.")
	for name, c := range map[string]struct {
		body Body
		want *Error
	}{
		"misspelled": {
			linux(p+"hardwareProfile.size", "x"),
			bad400("InvalidRequestContent", "properties.hardwareProfile.size",
				"The request content was invalid and could not be deserialized: 'Could not find member 'size' on "+
					"object of type 'HardwareProfile'. Path 'properties.hardwareProfile.size'.'"),
		},
		"no properties":   {linux("properties", nil), nullOf("properties")},
		"no storage":      {linux(p+"storageProfile", nil), nullOf("storageProfile")},
		"no profile":      {linux(p+"osProfile", nil), nullOf("osProfile")},
		"no network":      {linux(p+"networkProfile", nil), nullOf("networkProfile")},
		"no interfaces":   {linux(nics, []any{}), nullOf("networkProfile.networkInterfaces")},
		"no size":         {linux(p+"hardwareProfile", nil), nullOf("vmSize")},
		"an unknown size": {linux(p+"hardwareProfile.vmSize", "D4s_v5"), badSize("D4s_v5")},
		"a size for Arm": {
			linux(p+"hardwareProfile.vmSize", "Standard_D4ps_v6"),
			architectures("Standard_D4ps_v6", "Arm64", "x64"),
		},
		"an image for Arm": {
			linux(reference+"sku", "server-arm64"),
			architectures("Standard_D4s_v5", "x64", "Arm64"),
		},
		"generation 1 of Windows": {windowsMachine(map[string]any{
			reference + "sku":            "2022-datacenter-core",
			p + "hardwareProfile.vmSize": "Standard_D4s_v6",
		}), generation},
		"generation 1 of Ubuntu": {linuxMachine(map[string]any{
			reference + "sku":            "server-gen1",
			p + "hardwareProfile.vmSize": "Standard_D4s_v6",
		}), generation},
		"no image":     {linux(strings.TrimSuffix(reference, "."), nil), nullOf("imageReference")},
		"no publisher": {linux(reference+"publisher", nil), nullOf("imageReference.publisher")},
		"no offer":     {linux(reference+"offer", nil), nullOf("imageReference.offer")},
		"no SKU":       {linux(reference+"sku", nil), nullOf("imageReference.sku")},
		"no version":   {linux(reference+"version", nil), nullOf("imageReference.version")},
		"an invalid version": {
			linux(reference+"version", "newest"),
			noImage("Canonical:ubuntu-24_04-lts:server:newest"),
		},
		"an unknown Windows": {
			windows(reference+"sku", "2023-datacenter"),
			noImage("MicrosoftWindowsServer:WindowsServer:2023-datacenter:latest"),
		},
		"an unknown offer of Windows": {
			windows(reference+"offer", "Windows"),
			noImage("MicrosoftWindowsServer:Windows:2022-datacenter-core-g2:latest"),
		},
		"a custom image": {
			linux(reference+"id", "/x"),
			unsimulated("imageReference.id", "An image that is not a platform image"),
		},
		"a gallery": {
			linux(reference+"sharedGalleryImageId", "/x"),
			unsimulated("imageReference.sharedGalleryImageId", "An image that is not a platform image"),
		},
		"a community gallery": {
			linux(reference+"communityGalleryImageId", "/x"),
			unsimulated("imageReference.communityGalleryImageId", "An image that is not a platform image"),
		},
		"a disk from nothing": {linux(disk+"createOption", nil), nullOf("osDisk.createOption")},
		"an old disk": {
			linux(disk+"createOption", "Attach"),
			unsimulated("osDisk.createOption", "A disk that is not created from an image"),
		},
		"a disk of another system": {linux(disk+"osType", "Windows"), badOf("osDisk.osType")},
		"a small disk": {
			linux(disk+"diskSizeGB", 29.0),
			smallDisk("29 GB is smaller than the size of the corresponding disk in the VM image: 30"),
		},
		"a small disk for Windows": {
			windows(disk+"diskSizeGB", 64.0),
			smallDisk("64 GB is smaller than the size of the corresponding disk in the VM image: 127"),
		},
		"a long name on Windows": {
			windows(osProfile+"computerName", "1234567890123456"),
			bad400("InvalidParameter", "computerName", windowsNames),
		},
		"a number on Windows": {
			windows(osProfile+"computerName", "12345"),
			bad400("InvalidParameter", "computerName", windowsNames),
		},
		"an underscore on Windows": {
			windows(osProfile+"computerName", "a_b"),
			bad400("InvalidParameter", "computerName", windowsNames),
		},
		"a long name on Linux": {
			linux(osProfile+"computerName", strings.Repeat("a", 65)),
			bad400("InvalidParameter", "computerName", linuxNames),
		},
		"an underscore on Linux": {
			linux(osProfile+"computerName", "a_b"),
			bad400("InvalidParameter", "computerName", linuxNames),
		},
		"no administrator":       {linux(osProfile+"adminUsername", nil), nullOf("adminUsername")},
		"root":                   {linux(osProfile+"adminUsername", "root"), admin},
		"the administrator":      {windows(osProfile+"adminUsername", "Administrator"), admin},
		"a dot at the end":       {windows(osProfile+"adminUsername", "operator."), admin},
		"a character":            {windows(osProfile+"adminUsername", "oper@tor"), admin},
		"21 characters":          {windows(osProfile+"adminUsername", strings.Repeat("a", 21)), admin},
		"65 characters":          {linux(osProfile+"adminUsername", strings.Repeat("a", 65)), admin},
		"no password on Windows": {windows(osProfile+"adminPassword", nil), nullOf("adminPassword")},
		"no way in":              {linux(osProfile+"linuxConfiguration", nil), nullOf("adminPassword")},
		"keys, and passwords too": {
			linux(osProfile+"linuxConfiguration.disablePasswordAuthentication", false),
			nullOf("adminPassword"),
		},
		"no key": {
			linux(keys, []any{}),
			bad400("InvalidParameter", "linuxConfiguration",
				"Authentication using either SSH or by user name and password must be enabled in Linux profile."),
		},
		"7 characters": {windows(osProfile+"adminPassword", "Abcdef1"), badPassword(windowsPasswords)},
		"124 characters": {
			windows(osProfile+"adminPassword", "A1"+strings.Repeat("a", 122)),
			badPassword(windowsPasswords),
		},
		"two kinds": {
			windows(osProfile+"adminPassword", "abcdefghijklm1"),
			badPassword(windowsPasswords),
		},
		"5 characters on Linux": {linux(osProfile+"adminPassword", "Abcd1"), badPassword(linuxPasswords)},
		"73 characters on Linux": {
			linux(osProfile+"adminPassword", "A1"+strings.Repeat("a", 71)),
			badPassword(linuxPasswords),
		},
		"a control character": {linux(osProfile+"adminPassword", "Abcdefg1\x01"), badPassword(linuxPasswords)},
		"everyone's password": {
			windows(osProfile+"adminPassword", "P@ssword123"),
			bad400("InvalidParameter", "adminPassword", "The supplied password is not allowed."),
		},
		"a Linux profile on Windows": {windows(osProfile+"linuxConfiguration", Body{}), badOf("linuxConfiguration")},
		"a Windows profile on Linux": {linux(osProfile+"windowsConfiguration", Body{}), badOf("windowsConfiguration")},
		"a key elsewhere": {
			linux(keys,
				[]any{Body{"path": "/root/.ssh/authorized_keys", "keyData": testKey}}),
			bad400("InvalidParameter", "linuxConfiguration.ssh.publicKeys.path",
				"Destination path for SSH public keys is currently limited to its default value "+
					"/home/operator/.ssh/authorized_keys  due to a known issue in Linux provisioning agent."),
		},
		"an invalid key": {
			linux(keys, []any{Body{"keyData": "ssh-rsa AAAA"}}),
			badOf("linuxConfiguration.ssh.publicKeys.keyData"),
		},
		"a private key": {
			linux(keys,
				[]any{Body{"keyData": "-----BEGIN OPENSSH PRIVATE KEY-----\nabc\n"}}),
			badOf("linuxConfiguration.ssh.publicKeys.keyData"),
		},
		"a key of another type": {
			linux(keys,
				[]any{Body{"keyData": strings.Replace(testKey, "ssh-ed25519", "ssh-rsa", 1)}}),
			badOf("linuxConfiguration.ssh.publicKeys.keyData"),
		},
		"a short key": {
			linux(keys, []any{Body{"keyData": shortRSA}}),
			badOf("linuxConfiguration.ssh.publicKeys.keyData"),
		},
		"customData that is not base64": {
			linux(osProfile+"customData", "#cloud-config"),
			bad400("InvalidParameter", "customData", customDataRule),
		},
		"customData of 65536": {
			linux(osProfile+"customData", encodedText(longCloudConfig(65536))),
			bad400("InvalidParameter", "customData", customDataRule),
		},
		"zone 4": {
			linux("zones", []any{"4"}),
			bad400("AvailabilityZoneNotSupported", "",
				"The zone(s) '4' for resource 'Microsoft.Compute/virtualMachines/one' is not supported. The "+
					"supported zones for location are '1,2,3'"),
		},
		"two zones": {
			linux("zones", []any{"1", "2"}),
			bad400("InvalidParameter", "zones",
				"The number of zones specified for resource 'Microsoft.Compute/virtualMachines/one' exceeds the "+
					"maximum of 1."),
		},
		"spot without a policy": {linux(p+"priority", "Spot"), nullOf("evictionPolicy")},
		"a policy without spot": {
			linux(p+"evictionPolicy", "Delete"),
			bad400("EvictionPolicyCanBeSetOnlyOnAzureSpotVirtualMachines", "",
				"Eviction policy can be set only on Azure Spot Virtual Machines. For more information, see "+
					"http://aka.ms/AzureSpot/errormessages."),
		},
		"an unknown interface":   {linux(nics, []any{Body{"id": nicID + "3"}}), noReference(nicID+"3", vmID)},
		"an interface elsewhere": {linux("location", "northeurope"), noReference(nicID, vmID)},
		"not an interface":       {linux(nics, []any{Body{"id": groupID}}), noReference(groupID, vmID)},
		"an interface in use": {
			linux(nics, []any{Body{"id": nic2ID}}),
			bad400("NicInUse", "",
				"Network Interface "+nic2ID+" is used by existing resource "+otherVMID+
					". In order to delete the network interface, it must be dissociated from the resource. To learn "+
					"more, see aka.ms/deletenic."),
		},
		"an interface twice": {
			linux(nics, []any{Body{"id": nicID}, Body{"id": strings.ToUpper(nicID)}}),
			badOf("networkProfile.networkInterfaces"),
		},
		"two without a primary": {linux(nics, []any{Body{"id": nicID}, Body{"id": nicID + "9"}}), primary},
		"two primaries": {linux(nics,
			[]any{
				Body{"id": nicID, "properties": Body{"primary": true}},
				Body{"id": nicID + "9", "properties": Body{"primary": true}},
			}), primary},
		"a made interface": {
			linux(p+"networkProfile.networkInterfaceConfigurations",
				[]any{Body{"name": "x"}}),
			unsimulated("networkProfile.networkInterfaceConfigurations",
				"A network interface that is created with its machine"),
		},
		"an availability set": {
			linux(p+"availabilitySet", Body{"id": "/x"}),
			unsimulated("availabilitySet", "An availability set"),
		},
		"no scale set": {
			linux(p+"virtualMachineScaleSet.id", scaleSetID),
			noReference(scaleSetID, vmID),
		},
		"not a scale set": {
			linux(p+"virtualMachineScaleSet.id", vmID),
			badOf("virtualMachineScaleSet.id"),
		},
		"a fault domain without a scale set": {linux(p+"platformFaultDomain", 0.0), badOf("platformFaultDomain")},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cloud := machineRoom(t, Options{})
			mustPut(t, cloud, nicID+"9", nicBody(nil))
			mustPut(t, cloud, otherVMID, onNIC(nic2ID, "two", linuxMachine(nil)))
			_, err := cloud.Put(t.Context(), vmID, c.body)
			wantError(t, err, c.want)
			if _, err := cloud.Get(t.Context(), vmID); err == nil {
				t.Error("the machine exists")
			}
		})
	}
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
