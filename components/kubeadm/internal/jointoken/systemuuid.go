package jointoken

import "strings"

// sameMachine reports whether what a kubelet reports as systemUUID is the vmId of a virtual machine
// of Azure. Both are the UUID of its SMBIOS, which Linux shows with the bytes of the first three
// groups in the other order (https://github.com/Azure/WALinuxAgent/issues/830). An empty one is
// nobody's.
func sameMachine(systemUUID, vmID string) bool {
	return vmID != "" && (strings.EqualFold(systemUUID, vmID) || strings.EqualFold(systemUUID, swapped(vmID)))
}

// swapped has the bytes of the first three groups of a UUID in the other order.
func swapped(uuid string) string {
	groups := strings.Split(uuid, "-")
	for i := range min(3, len(groups)) {
		var other strings.Builder
		for rest := groups[i]; len(rest) >= 2; rest = rest[:len(rest)-2] {
			other.WriteString(rest[len(rest)-2:])
		}
		groups[i] = other.String()
	}
	return strings.Join(groups, "-")
}
