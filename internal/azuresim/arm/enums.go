package arm

// newValues are those of enumerations that Azure has since the SDK was made (API version
// 2025-09-01).
var newValues = map[string][]string{
	"armcontainerservice.OSSKU": {"Windows2025", "WindowsAnnual", "Ubuntu2404", "AzureLinuxOSGuard", "Flatcar"},
}

// openEnums are those of which the SDK has some values only: size.go knows the sizes.
var openEnums = []string{"armcompute.VirtualMachineSizeTypes"}
