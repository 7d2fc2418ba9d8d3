package jointoken

import "strings"

// sameMachine reports whether the systemUUID that a kubelet reports is the vmId of an Azure virtual
// machine. Both are the UUID of its SMBIOS, which Linux shows with the bytes of the first three
// groups reversed (https://github.com/Azure/WALinuxAgent/issues/830). An empty UUID matches no
// machine.
func sameMachine(systemUUID, vmID string) bool {
	return vmID != "" && (strings.EqualFold(systemUUID, vmID) || strings.EqualFold(systemUUID, swapped(vmID)))
}

// swapped reverses the bytes in each of the first three groups of a UUID.
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
