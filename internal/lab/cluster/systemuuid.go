package cluster

import (
	"fmt"

	"github.com/google/uuid"

	"github.com/mixedkube/mixedkube/internal/azuresim/machine"
)

// systemUUID returns what the kubelet of a machine reports: the UUID of its SMBIOS, which Linux shows
// with the bytes of the first three groups in reverse order
// (https://github.com/Azure/WALinuxAgent/issues/830).
func systemUUID(m machine.Machine) (string, error) {
	id, err := uuid.Parse(m.VMID)
	if err != nil {
		return "", fmt.Errorf("the vmId %q of machine %s is not a UUID", m.VMID, m.ComputerName)
	}
	if !m.Windows {
		id[0], id[1], id[2], id[3] = id[3], id[2], id[1], id[0]
		id[4], id[5], id[6], id[7] = id[5], id[4], id[7], id[6]
	}
	return id.String(), nil
}
