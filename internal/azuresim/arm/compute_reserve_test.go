package arm

import (
	"testing"
	"time"
)

// https://github.com/gardenlinux/gardenlinux/issues/4133 and https://github.com/rancher/machine/pull/359 report it,
// with this message.
func TestNetworkInterfacesOfAFailedMachineAreReserved(t *testing.T) {
	t.Parallel()
	want := bad400("NicReservedForAnotherVm", "", "Nic(s) in request is reserved for another Virtual Machine for 180 "+
		"seconds. Please provide another nic(s) or retry after 180 seconds. Reserved VM: "+vmID)
	failing := func(t *testing.T, o Options) *Cloud {
		t.Helper()
		cloud := machineRoom(t, o)
		mustFault(t, cloud, Fault{Method: "PUT", ID: "/virtualMachines/one$", Kind: FailedProvisioning})
		_, err := cloud.Put(t.Context(), vmID, linuxMachine(nil))
		wantError(t, err, errFailed)
		return cloud
	}

	cloud := failing(t, Options{Reservation: 180 * time.Second})
	mustDelete(t, cloud, vmID)
	wantError(t, cloud.Delete(t.Context(), nicID), want)
	_, err := cloud.Put(t.Context(), otherVMID, linuxMachine(nil))
	wantError(t, err, want)
	// The machine itself may use them. Once it exists, they are free when it is deleted.
	mustPut(t, cloud, vmID, linuxMachine(nil))
	mustDelete(t, cloud, vmID)
	mustPut(t, cloud, otherVMID, linuxMachine(nil))

	for _, o := range []Options{{}, {Reservation: time.Nanosecond}} {
		cloud := failing(t, o)
		mustDelete(t, cloud, vmID)
		mustDelete(t, cloud, nicID)
	}

	// A failed change of an existing machine does not reserve any.
	cloud = machineRoom(t, Options{Reservation: 180 * time.Second})
	mustPut(t, cloud, vmID, linuxMachine(nil))
	mustFault(t, cloud, Fault{Method: "PUT", ID: "/virtualMachines/one$", Kind: FailedProvisioning})
	_, err = cloud.Put(t.Context(), vmID, linuxMachine(map[string]any{"tags": Body{"team": "web"}}))
	wantError(t, err, errFailed)
	mustDelete(t, cloud, vmID)
	mustDelete(t, cloud, nicID)
}
