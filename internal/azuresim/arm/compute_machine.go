package arm

import (
	"fmt"
	"slices"
	"strings"
)

// machineUnderTest is a virtual machine with the changes of a request, before it is stored.
type machineUnderTest struct {
	*request
	body, properties Body
	image            image
	isNew            bool
	password         string
	hasPassword      bool
}

// machineRules are checked in this order.
var machineRules = []func(machineUnderTest) error{
	checkSimulated, checkMachineSize, checkMachineSecurity, checkMachineDisk, checkComputerName, checkAdmin,
	checkOSProfilePassword, checkSystemProfile, checkPatchMode, checkCustomData, checkMachineZone, checkMachineScaleSet,
	checkMachineSpot, checkInterfaces, checkUnderstood,
}

// fixedMachine are the properties of a machine that cannot be changed, with Azure's names for them.
var fixedMachine = []struct{ path, name string }{
	{"zones", "zones"},
	{"properties.osProfile.computerName", "osProfile.computerName"},
	{"properties.osProfile.adminUsername", "osProfile.adminUsername"},
	{"properties.osProfile.customData", "osProfile.customData"},
	{"properties.osProfile.linuxConfiguration.ssh.publicKeys", "linuxConfiguration.ssh.publicKeys"},
	{
		"properties.osProfile.linuxConfiguration.disablePasswordAuthentication",
		"linuxConfiguration.disablePasswordAuthentication",
	},
	{
		"properties.osProfile.windowsConfiguration.enableAutomaticUpdates",
		"windowsConfiguration.enableAutomaticUpdates",
	},
	{"properties.osProfile.windowsConfiguration.winRM.listeners", "windowsConfiguration.winRM.listeners"},
	{"properties.securityProfile.securityType", "securityProfile.securityType"},
	{"properties.storageProfile.imageReference", "imageReference"},
	{"properties.storageProfile.osDisk.name", "osDisk.name"},
	{"properties.storageProfile.osDisk.createOption", "osDisk.createOption"},
	{"properties.storageProfile.osDisk.osType", "osDisk.osType"},
	{"properties.virtualMachineScaleSet.id", "virtualMachineScaleSet.id"},
	{"properties.availabilitySet.id", "availabilitySet.id"},
	{"properties.platformFaultDomain", "platformFaultDomain"},
	{"properties.priority", "priority"},
	{"properties.evictionPolicy", "evictionPolicy"},
}

// restedMachine are the properties that keep their value if a request leaves them out.
var restedMachine = []string{
	"properties.hardwareProfile", "properties.networkProfile", "properties.storageProfile.osDisk.diskSizeGB",
	"properties.storageProfile.osDisk.deleteOption", "properties.storageProfile.osDisk.managedDisk",
	"properties.securityProfile.uefiSettings", "properties.securityProfile.encryptionAtHost",
}

func (r *request) putMachine(body Body) (*resource, error) {
	if err := r.placed(body); err != nil {
		return nil, err
	}
	old := r.state.get(r.id.text)
	password := take(body, "properties.osProfile.adminPassword")
	if old != nil {
		if err := r.keepMachine(old, body, password); err != nil {
			return nil, err
		}
	}
	m, err := r.underTest(body, old, password)
	if err != nil {
		return nil, err
	}
	for _, check := range machineRules {
		if err := check(m); err != nil {
			return nil, err
		}
	}
	m.fill()
	stored := r.state.put(r.id, body)
	stored.HasPassword = m.hasPassword
	r.boots = stored
	r.unreserve(stored)
	if old != nil {
		return stored, nil
	}
	r.attach(stored)
	if password != "" {
		return stored, r.setPassword(stored, password)
	}
	return stored, nil
}

func (r *request) underTest(body Body, old *resource, password string) (machineUnderTest, error) {
	m := machineUnderTest{request: r, body: body, isNew: old == nil, password: password}
	m.hasPassword = password != "" || old != nil && old.HasPassword
	m.properties, _ = body["properties"].(Body)
	switch {
	case m.properties == nil:
		return m, nullParameter("properties")
	case at(m.properties, "storageProfile") == nil:
		return m, nullParameter("storageProfile")
	case at(m.properties, "osProfile") == nil:
		return m, nullParameter("osProfile")
	}
	reference, _ := at(m.properties, "storageProfile.imageReference").(Body)
	if reference == nil {
		return m, nullParameter("imageReference")
	}
	for _, other := range []string{"id", "communityGalleryImageId", "sharedGalleryImageId"} {
		if textAt(reference, other) != "" {
			return m, notSimulated("imageReference."+other, "An image that is not a platform image")
		}
	}
	var err error
	m.image, err = imageOf(reference)
	return m, err
}

// keepMachine refuses changes that Azure refuses, and copies the properties that keep their value.
func (r *request) keepMachine(old *resource, body Body, password string) error {
	before := clone(old.Body)
	for _, fixed := range fixedMachine {
		was, is := at(before, fixed.path), at(body, fixed.path)
		// The case of strings does not matter, except in these.
		exact := strings.HasSuffix(fixed.path, "customData") || strings.HasSuffix(fixed.path, "publicKeys")
		if keep(before, body, []string{fixed.path}) != "" || exact && is != nil && was != nil && !same(was, is) {
			return changeNotAllowed(fixed.name)
		}
	}
	if err := keepEncryption(before, body); err != nil {
		return err
	}
	for _, path := range restedMachine {
		if value := at(before, path); value != nil {
			defaultAt(body, path, value)
		}
	}
	return r.keepPassword(old, password)
}

// checkSimulated refuses properties that Azure accepts, but that are not simulated.
func checkSimulated(m machineUnderTest) error {
	for _, other := range []struct{ path, what string }{
		{"availabilitySet", "An availability set"},
		{"host", "A dedicated host"},
		{"hostGroup", "A group of dedicated hosts"},
		{"networkProfile.networkInterfaceConfigurations", "A network interface that is created with its machine"},
		{"storageProfile.osDisk.image", "An image of one's own"},
		{"storageProfile.osDisk.vhd", "A disk in a storage account"},
	} {
		if !isNothing(at(m.properties, other.path)) {
			return notSimulated(other.path, other.what)
		}
	}
	return nil
}

func checkMachineZone(m machineUnderTest) error {
	zones := textsAt(m.body, "zones")
	if len(zones) > 1 {
		return refused("InvalidParameter", "zones",
			"The number of zones specified for resource '%s/%s' exceeds the maximum of 1.", kindMachine, m.id.name())
	}
	return m.checkZones(zones)
}

var allZones = []string{"1", "2", "3"}

func (r *request) checkZones(zones []string) error {
	for _, zone := range zones {
		if !slices.Contains(allZones, zone) {
			return refused("AvailabilityZoneNotSupported", "",
				"The zone(s) '%s' for resource '%s/%s' is not supported. The supported zones for location are '%s'",
				zone, r.id.kind, r.id.name(), strings.Join(allZones, ","))
		}
	}
	return nil
}

func checkMachineScaleSet(m machineUnderTest) error {
	domain, hasDomain := m.properties["platformFaultDomain"].(float64)
	id := textAt(m.properties, "virtualMachineScaleSet.id")
	if id == "" {
		if hasDomain {
			return badParameter("platformFaultDomain")
		}
		return nil
	}
	parsed, err := parseID(id)
	set := m.state.get(id)
	switch {
	case err != nil || parsed.kind != kindScaleSet:
		return badParameter("virtualMachineScaleSet.id")
	case set == nil || set.Body["location"] != m.body["location"]:
		return notReferenced("", id, m.id.text)
	}
	if count, _ := at(set.Body, "properties.platformFaultDomainCount").(float64); hasDomain &&
		(count < 2 || domain < 0 || domain >= count) {
		return badParameter("platformFaultDomain")
	}
	zones, allowed := textsAt(m.body, "zones"), textsAt(set.Body, "zones")
	agree := len(zones) == 0 && len(allowed) == 0 || len(zones) == 1 && slices.Contains(allowed, zones[0])
	if !agree {
		return refused("InvalidParameter", "zones",
			"The zones '%s' of virtual machine '%s' are not among the zones '%s' of virtual machine scale set '%s'.",
			strings.Join(zones, ","), m.id.name(), strings.Join(allowed, ","), parsed.name())
	}
	return nil
}

func checkMachineSpot(m machineUnderTest) error {
	spot := slices.Contains([]string{"Spot", "Low"}, textAt(m.properties, "priority"))
	policy := textAt(m.properties, "evictionPolicy")
	switch {
	case spot && policy == "":
		return nullParameter("evictionPolicy")
	case !spot && policy != "":
		return refused("EvictionPolicyCanBeSetOnlyOnAzureSpotVirtualMachines", "",
			"Eviction policy can be set only on Azure Spot Virtual Machines. For more information, see "+
				"http://aka.ms/AzureSpot/errormessages.")
	}
	return nil
}

// fill sets the defaults and the values that Azure chooses.
func (m machineUnderTest) fill() {
	name := m.id.name()
	vmID := uuidOf("machine", m.id.key(), m.createdAs())
	diskName := fmt.Sprintf("%s_OsDisk_1_%s", name, strings.ReplaceAll(uuidOf("disk", vmID), "-", ""))
	for path, value := range map[string]any{
		"osProfile.computerName":                name,
		"osProfile.allowExtensionOperations":    true,
		"osProfile.secrets":                     []any{},
		"osProfile.requireGuestProvisionSignal": true,
		"storageProfile.dataDisks":              []any{},
		"storageProfile.osDisk.osType":          m.image.system(),
		"storageProfile.osDisk.name":            diskName,
		"storageProfile.osDisk.diskSizeGB":      float64(m.image.diskGB),
		"storageProfile.osDisk.deleteOption":    "Detach",
		"storageProfile.osDisk.createOption":    "FromImage",
		"storageProfile.osDisk.caching":         "ReadWrite",
	} {
		defaultAt(m.properties, path, value)
	}
	if m.image.windows {
		defaultAt(m.properties, "osProfile.windowsConfiguration.provisionVMAgent", true)
		defaultAt(m.properties, "osProfile.windowsConfiguration.enableAutomaticUpdates", true)
	} else {
		defaultAt(m.properties, "osProfile.linuxConfiguration.provisionVMAgent", true)
		defaultAt(m.properties, "osProfile.linuxConfiguration.disablePasswordAuthentication", false)
		defaultAt(m.properties, "osProfile.linuxConfiguration.patchSettings.patchMode", "ImageDefault")
		defaultAt(m.properties, "osProfile.linuxConfiguration.patchSettings.assessmentMode", "ImageDefault")
	}
	m.fillDisk()
	m.properties["vmId"] = vmID
	m.properties["provisioningState"] = "Succeeded"
}

func (m machineUnderTest) fillDisk() {
	const disk = "storageProfile.osDisk."
	size, _ := sizeNamed(textAt(m.properties, "hardwareProfile.vmSize"))
	defaultAt(m.properties, disk+"managedDisk.storageAccountType", size.diskTier())
	setAt(m.properties, disk+"managedDisk.id",
		"/subscriptions/"+subscription+"/resourceGroups/"+m.id.group+"/providers/Microsoft.Compute/disks/"+
			textAt(m.properties, disk+"name"))
}

// viewMachine removes the properties that Azure does not return, and adds the extensions.
func viewMachine(s *state, vm *resource, body Body) {
	removeAt(body, "properties.osProfile.customData")
	removeAt(body, "properties.userData")
	const reference = "properties.storageProfile.imageReference."
	if version := textAt(body, reference+"version"); version != "latest" {
		setAt(body, reference+"exactVersion", version)
	}
	if set := textAt(body, "properties.virtualMachineScaleSet.id"); set != "" {
		body["managedBy"] = set
	}
	extensions := []any{}
	for _, extension := range s.below(vm.ID, kindExtension) {
		one := clone(extension.Body)
		one["id"], one["name"], one["type"] = extension.ID, nameOf(extension.ID), extension.Kind
		extensions = append(extensions, one)
	}
	if len(extensions) > 0 {
		body["resources"] = extensions
	}
	viewEtag(s, vm, body)
}
