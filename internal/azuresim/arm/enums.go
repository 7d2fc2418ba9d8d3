package arm

import "github.com/mixedkube/mixedkube/internal/core/facts"

// newValues are enumeration values that the SDK does not have, because Azure added them after it was generated (API
// version 2025-09-01). Those that it has count once.
var newValues = map[string][]string{"armcontainerservice.OSSKU": skuNames()}

func skuNames() []string {
	var names []string
	for _, sku := range facts.SKUs {
		names = append(names, sku.Name)
	}
	return names
}

// openEnums are enumerations of which the SDK has only some values: size.go knows the sizes.
var openEnums = []string{"armcompute.VirtualMachineSizeTypes"}
