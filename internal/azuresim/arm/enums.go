package arm

// newValues are enumeration values that Azure added after the SDK was generated (API version 2025-09-01).
var newValues = map[string][]string{
	"armcontainerservice.OSSKU": {"Windows2025", "WindowsAnnual", "Ubuntu2404", "AzureLinuxOSGuard", "AzureContainerLinux",
		"Flatcar"},
}

// openEnums are enumerations of which the SDK has only some values: size.go knows the sizes.
var openEnums = []string{"armcompute.VirtualMachineSizeTypes"}
