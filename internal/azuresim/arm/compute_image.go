package arm

import (
	"cmp"
	"fmt"
	"net/http"
	"regexp"
	"strings"
)

// image has the known facts about a machine's image.
type image struct {
	publisher, offer, sku, version string

	windows, arm bool
	// generation is 1 or 2, 0 if unknown.
	generation int
	// diskGB is the size of its disk.
	diskGB int
}

var (
	imageVersion = regexp.MustCompile(`^\d+\.\d+\.\d+$`)
	windowsSKU   = regexp.MustCompile(`(?i)^(2016|2019|2022|2025)-datacenter(-[a-z0-9]+)*$`)
)

const windowsServerPublisher = "MicrosoftWindowsServer"

// imageOf reads a reference. Only the images of Windows Server are known.
func imageOf(reference Body) (image, error) {
	i := image{
		publisher: textAt(reference, "publisher"), offer: textAt(reference, "offer"),
		sku: textAt(reference, "sku"), version: textAt(reference, "version"),
	}
	for _, name := range []string{"publisher", "offer", "sku", "version"} {
		if textAt(reference, name) == "" {
			return image{}, nullParameter("imageReference." + name)
		}
	}
	server := strings.EqualFold(i.publisher, windowsServerPublisher)
	unknown := server && (!strings.EqualFold(i.offer, "WindowsServer") || !windowsSKU.MatchString(i.sku))
	if unknown || i.version != "latest" && !imageVersion.MatchString(i.version) {
		return image{}, &Error{
			Status: http.StatusNotFound, Code: "PlatformImageNotFound", Target: "imageReference",
			Message: fmt.Sprintf("The platform image '%s:%s:%s:%s' is not available. Verify that all fields in the "+
				"storage profile are correct. For more details about storage profile information, please refer to "+
				"https://aka.ms/storageprofile", i.publisher, i.offer, i.sku, i.version),
		}
	}
	sku := strings.ToLower(i.sku)
	i.windows = server || strings.EqualFold(i.publisher, "MicrosoftWindowsDesktop")
	i.arm = strings.Contains(sku, "arm64")
	i.generation = i.generationOf(sku)
	i.diskGB = 30
	if i.windows && !strings.Contains(sku, "smalldisk") {
		i.diskGB = 127
	}
	return i, nil
}

func (i image) generationOf(sku string) int {
	second := strings.Contains(sku, "gen2") || strings.HasSuffix(sku, "-g2") || strings.Contains(sku, "gensecond") ||
		strings.Contains(sku, "azure-edition")
	switch {
	case second || i.arm:
		return 2
	case i.windows:
		return 1
	case !strings.EqualFold(i.publisher, "Canonical"):
		return 0
	case strings.HasPrefix(strings.ToLower(i.offer), "ubuntu-") && !strings.Contains(sku, "gen1"):
		return 2
	default:
		return 1
	}
}

func (i image) system() string {
	if i.windows {
		return "Windows"
	}
	return "Linux"
}

func checkMachineSize(m machineUnderTest) error {
	name := textAt(m.properties, "hardwareProfile.vmSize")
	if name == "" {
		return nullParameter("vmSize")
	}
	size, known := sizeNamed(name)
	architecture := map[bool]string{true: "Arm64", false: "x64"}
	switch {
	case !known:
		return refused("InvalidParameter", "vmSize", "The value %s provided for the VM size is not valid. Find out "+
			"more on the available VM sizes in each region at https://aka.ms/azure-regions.", name)
	case size.arm != m.image.arm:
		return refused("BadRequest", "",
			"Cannot create a VM of size '%s' because this VM size only supports a CPU Architecture of '%s', but an "+
				"image or disk with CPU Architecture '%s' was given. Please check that the CPU Architecture of the "+
				"image or disk is compatible with that of the VM size.",
			name, architecture[size.arm], architecture[m.image.arm])
	case size.onlyGen2 && m.image.generation == 1:
		return refused("BadRequest", "",
			"The selected VM size '%s' cannot boot Hypervisor Generation '1'. If this was a Create operation please "+
				"check that the Hypervisor Generation of the Image matches the Hypervisor Generation of the selected "+
				"VM Size. If this was an Update operation please select a Hypervisor Generation '1' VM Size.", name)
	}
	return nil
}

// maxLUN is the greatest number of a data disk (https://github.com/microsoft/lisa/pull/692).
const maxLUN = 63

func checkMachineDisk(m machineUnderTest) error {
	for _, disk := range bodiesAt(m.properties, "storageProfile.dataDisks") {
		if lun, _ := disk["lun"].(float64); lun < 0 || lun > maxLUN {
			return refused("InvalidParameter", "dataDisk.lun",
				"The value '%d' of parameter 'dataDisk.lun' is out of range. Value '%[1]d' must be between '0' and "+
					"'%d' inclusive.", int(lun), maxLUN)
		}
	}
	disk, isSet := at(m.properties, "storageProfile.osDisk").(Body)
	switch {
	case !isSet:
		return nil // It is created from the image.
	case textAt(disk, "createOption") == "":
		return nullParameter("osDisk.createOption")
	case textAt(disk, "createOption") != "FromImage":
		return notSimulated("osDisk.createOption", "A disk that is not created from an image")
	case cmp.Or(textAt(disk, "osType"), m.image.system()) != m.image.system():
		return badParameter("osDisk.osType")
	}
	if size, ok := disk["diskSizeGB"].(float64); ok && int(size) < m.image.diskGB {
		e := conflict("OperationNotAllowed",
			"The specified disk size %d GB is smaller than the size of the corresponding disk in the VM image: %d "+
				"GB. This is not allowed. Please choose equal or greater size or do not specify an explicit size.",
			int(size), m.image.diskGB)
		e.Target = "osDisk.diskSizeGB"
		return e
	}
	return m.keepDiskSize()
}

// keepDiskSize refuses another size of the OS disk of an existing machine: all machines here run. The message was seen
// (https://github.com/MicrosoftDocs/azure-docs/issues/94452), the code for other disks of running machines
// (https://github.com/kubernetes/kubernetes/issues/96706).
func (m machineUnderTest) keepDiskSize() error {
	const size = "storageProfile.osDisk.diskSizeGB"
	if m.isNew || same(at(m.state.get(m.id.text).properties(), size), at(m.properties, size)) {
		return nil
	}
	return conflict("OperationNotAllowed", "Change in disk property of OS disk '%s' is not allowed when VM is running",
		textAt(m.properties, "storageProfile.osDisk.name"))
}
