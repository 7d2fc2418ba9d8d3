package arm

import (
	"context"
	"errors"
	"net/netip"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	corev1 "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/internal/azuresim/machine"
	"github.com/mixedkube/mixedkube/internal/azuresim/machine/machinetest"
)

// created returns a machine that creates the cluster.
func created() Body {
	return linuxMachine(map[string]any{
		"properties.osProfile.customData": bootData("init", initText),
		"zones":                           []any{"1"},
	})
}

// worker returns a machine that joins it.
func worker() Body {
	return onNIC(nic2ID, "two",
		linuxMachine(map[string]any{"properties.osProfile.customData": bootData("join",
			joinText("two", "10.1.0.5", ""))}))
}

var (
	first = machine.Bootstrap{
		ClusterInfo: true,
		Init:        true, ControlPlane: true, NodeName: "one", Version: "v1.36.1", Endpoint: "10.1.0.4:6443",
		Token:  testToken,
		Labels: map[string]string{},
		Taints: []corev1.Taint{{Key: "node-role.kubernetes.io/control-plane", Effect: corev1.TaintEffectNoSchedule}},
		Keys:   map[string]string{"ca.key": "the key of the cluster"},
	}
	second = machine.Bootstrap{
		NodeName: "two", Endpoint: "10.1.0.4:6443", Token: testToken, Labels: map[string]string{"tier": "web"},
		CACertHashes: []string{machinetest.CACertHash},
		Taints:       []corev1.Taint{},
		Keys:         map[string]string{"ca.key": "the key of the cluster"},
	}
)

// compared are the options to compare machines with.
var compared = cmp.Options{cmpopts.EquateComparable(netip.Addr{}), cmpopts.EquateEmpty()}

func TestMachinesJoin(t *testing.T) {
	t.Parallel()
	n := &nodes{}
	cloud := machineRoom(t, n.options())
	firstBody, secondBody := mustPut(t, cloud, vmID, created()), mustPut(t, cloud, otherVMID, worker())
	canonical := machine.Image{Publisher: "Canonical", Offer: "ubuntu-24_04-lts", SKU: "server"}
	one := machine.Machine{
		ID: vmID, VMID: textAt(firstBody, "properties.vmId"), ComputerName: "one", Image: canonical,
		Size:     "Standard_D4s_v5",
		Location: "westeurope", Zone: "1", Address: netip.MustParseAddr("10.1.0.4"),
	}
	two := machine.Machine{
		ID: otherVMID, VMID: textAt(secondBody, "properties.vmId"), ComputerName: "two", Image: canonical,
		Size:     "Standard_D4s_v5",
		Location: "westeurope", Address: netip.MustParseAddr("10.1.0.5"),
	}
	ignored := cmpopts.IgnoreFields(machine.Machine{}, "CustomData")
	want := []Join{{Machine: one, Bootstrap: first}, {Machine: two, Bootstrap: second, ControlPlane: &first}}
	if diff := cmp.Diff(want, n.joins, compared, ignored); diff != "" {
		t.Errorf("others joined (-want +got):\n%s", diff)
	}
	status := []Status{
		{Machine: one, Node: "one", Bootstrap: withoutSecrets(first)},
		{Machine: two, Node: "two", Bootstrap: withoutSecrets(second)},
	}
	if diff := cmp.Diff(status, mustMachines(t, cloud), compared); diff != "" {
		t.Errorf("another status (-want +got):\n%s", diff)
	}
	// No machine joins twice, even with another configuration.
	mustPut(t, cloud, vmID, created())
	mustPut(t, cloud, otherVMID, worker())
	mustPut(t, cloud, otherVMID+"/extensions/boot",
		linuxScript(machinetest.LinuxConfiguration(joinText("three", "10.1.0.5", ""))))
	if n.names() != "one two" {
		t.Errorf("joined %s", n.names())
	}
}

func TestControlPlaneByItsInterfaces(t *testing.T) {
	t.Parallel()
	cloud := machineRoom(t, Options{})
	mustPut(t, cloud, vmID, created())
	mustPut(t, cloud, otherVMID, worker())
	again, err := Open(cloud.dir, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		nics []string
		want *machine.Bootstrap
	}{
		"its own":   {[]string{nicID}, &first},
		"among":     {[]string{nicID + "7", nic2ID, strings.ToUpper(nicID)}, &first},
		"a worker":  {[]string{nic2ID}, nil},
		"no others": {nil, nil},
	} {
		got, err := again.ControlPlane(t.Context(), c.nics)
		if diff := cmp.Diff(c.want, got); err != nil || diff != "" {
			t.Errorf("%s: %v (-want +got):\n%s", name, err, diff)
		}
	}
}

// A machine of the control plane replaces the one that created the cluster.
func TestTheControlPlaneOutlivesItsFirstMachine(t *testing.T) {
	t.Parallel()
	n := &nodes{}
	cloud := machineRoom(t, n.options())
	mustPut(t, cloud, nicID+"3", nicBody(nil))
	mustPut(t, cloud, vmID,
		linuxMachine(map[string]any{"properties.osProfile.customData": bootData("init", byName(initText))}))
	mustPut(t, cloud, otherVMID,
		onNIC(nic2ID, "two",
			linuxMachine(map[string]any{"properties.osProfile.customData": bootData("join",
				byName(joinText("two", "10.1.0.5", "")))})))
	mustPut(t, cloud, computeID+"virtualMachines/three", onNIC(nicID+"3", "three", linuxMachine(map[string]any{
		"properties.osProfile.customData": bootData("join",
			byName(joinText("three", "10.1.0.6", "controlPlane: {}\n"))),
	})))
	mustDelete(t, cloud, vmID)
	mustPut(t, cloud, vmID,
		onNIC(nicID, "four",
			linuxMachine(map[string]any{"properties.osProfile.customData": bootData("join",
				byName(joinText("four", "10.1.0.4", "")))})))
	if cp := n.joins[3].ControlPlane; cp == nil || cp.NodeName != "three" || cp.Keys["ca.key"] == "" {
		t.Errorf("the control plane is %+v", cp)
	}
}

func TestMachinesThatRunNoKubeadm(t *testing.T) {
	t.Parallel()
	n := &nodes{}
	cloud := machineRoom(t, n.options())
	mustPut(t, cloud, vmID, waiting("join"))
	mustPut(t, cloud, otherVMID, onNIC(nic2ID, "two", prepared()))
	for _, status := range mustMachines(t, cloud) {
		if status.Node != "" || status.NotJoined != "" || status.Bootstrap != nil || status.Machine.CustomData != nil {
			t.Errorf("got %+v", status)
		}
	}
	// The first waits for its configuration, the other one for a command.
	mustPut(t, cloud, extensionID,
		linuxScript(machinetest.LinuxConfiguration(byName(joinText("one", "10.1.0.4", "")))))
	mustPut(t, cloud, otherVMID+"/extensions/monitor",
		extension("Microsoft.Azure.Monitor", "AzureMonitorWindowsAgent", "1.0", nil))
	if n.names() != "one" {
		t.Errorf("joined %s", n.names())
	}
	mustPut(t, cloud, otherVMID+"/extensions/boot", windowsCommand(joinsOnWindows("two", "10.1.0.5")))
	if n.names() != "one two" || !n.joins[1].Machine.Windows {
		t.Errorf("joined %s", n.names())
	}
}

func TestMachinesThatDoNotJoin(t *testing.T) {
	t.Parallel()
	n := &nodes{fail: errors.New("connection refused, with the token " + testToken)}
	cloud := machineRoom(t, n.options())
	const why = "connection refused, with the token <token>"
	// Failures of cloud-init and of an extension on Windows are not reported.
	mustPut(t, cloud, vmID, created())
	mustPut(t, cloud, otherVMID, onNIC(nic2ID, "two", prepared()))
	mustPut(t, cloud, otherVMID+"/extensions/boot", windowsCommand(joinsOnWindows("two", "10.1.0.5")))
	for _, status := range mustMachines(t, cloud) {
		if status.Node != "" || status.NotJoined != why || status.Bootstrap != nil {
			t.Errorf("got %+v", status)
		}
	}
	// An extension of another kind does not matter.
	mustPut(t, cloud, vmID+"/extensions/monitor",
		extension("Microsoft.Azure.Monitor", "AzureMonitorLinuxAgent", "1.0", nil))
	_, err := cloud.Put(t.Context(), extensionID, linuxScript())
	wantError(t, err, linuxFailure(why))
	wantAt(t, mustGet(t, cloud, extensionID), map[string]any{"properties.provisioningState": "Failed"})
	if len(n.deleted) > 0 {
		t.Errorf("notified of %v", n.deleted)
	}
	n.fail, n.joins = nil, nil
	mustPut(t, cloud, extensionID, linuxScript())
	wantAt(t, mustGet(t, cloud, extensionID), map[string]any{"properties.provisioningState": "Succeeded"})
	mustPut(t, cloud, otherVMID, onNIC(nic2ID, "two", prepared()))
	if status := mustMachines(t, cloud); n.names() != "one two" || status[0].Node != "one" ||
		status[1].NotJoined != "" {
		t.Errorf("joined %s: %+v", n.names(), status)
	}
}

func TestTheClusterIsNotifiedOfDeletedMachines(t *testing.T) {
	t.Parallel()
	for name, remove := range map[string]func(*testing.T, *Cloud){
		"one by one": func(t *testing.T, c *Cloud) {
			t.Helper()
			mustDelete(t, c, vmID)
			mustDelete(t, c, otherVMID)
		},
		"with the group": func(t *testing.T, c *Cloud) {
			t.Helper()
			mustDelete(t, c, groupID)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			n := &nodes{}
			cloud := machineRoom(t, n.options())
			mustPut(t, cloud, vmID, created())
			mustPut(t, cloud, otherVMID, worker())
			remove(t, cloud)
			if got := strings.Join(n.deleted, " "); got != "one two" {
				t.Errorf("notified of %s", got)
			}
			if files := everything(t, cloud); len(files) != 2 {
				t.Errorf("the cloud still has %v", files)
			}
		})
	}
}

// A notification that failed is repeated with the next request.
func TestAFailedNotificationIsRepeated(t *testing.T) {
	t.Parallel()
	n := &nodes{}
	cloud := machineRoom(t, n.options())
	mustPut(t, cloud, vmID, created())
	n.fail = errors.New("no API server")
	want := &Error{
		Status: 200, Code: "InternalOperationError",
		Message: "The cluster was not notified of deleted machines: no API server",
	}
	wantError(t, cloud.Delete(t.Context(), vmID), want)
	_, err := cloud.Put(t.Context(), otherVMID, worker())
	wantError(t, err, want)
	if _, err := cloud.Get(t.Context(), otherVMID); err == nil {
		t.Error("a machine was made before")
	}
	n.fail, n.deleted = nil, nil
	mustDelete(t, cloud, vmID)
	mustDelete(t, cloud, vmID)
	if got := strings.Join(n.deleted, " "); got != "one" {
		t.Errorf("notified of %s", got)
	}
}

func TestFaultsOfMachines(t *testing.T) {
	t.Parallel()
	for kind, c := range map[FaultKind]struct {
		want  *Error
		state string
	}{
		FailedProvisioning: {errFailed, "Failed"}, FailAfter: {errCrashed, "Succeeded"},
	} {
		n := &nodes{}
		cloud := machineRoom(t, n.options())
		mustFault(t, cloud, Fault{Method: "PUT", Kind: kind}, Fault{Method: "PUT", ID: "extensions", Kind: kind})
		_, err := cloud.Put(t.Context(), vmID, created())
		wantError(t, err, c.want)
		wantAt(t, mustGet(t, cloud, vmID), map[string]any{"properties.provisioningState": c.state})
		if status := mustMachines(t, cloud); status[0].Node != "one" {
			t.Errorf("%s: the join is lost: %+v", kind, status)
		}
		if cp, err := cloud.ControlPlane(t.Context(), []string{nicID}); err != nil || cp == nil {
			t.Errorf("%s: the keys are lost: %v", kind, err)
		}
		_, err = cloud.Put(t.Context(), extensionID, linuxScript())
		wantError(t, err, c.want)
		wantAt(t, mustGet(t, cloud, extensionID), map[string]any{"properties.provisioningState": c.state})
		mustPut(t, cloud, vmID, created())
		mustPut(t, cloud, extensionID, linuxScript())
		wantAt(t, mustGet(t, cloud, vmID), map[string]any{"properties.provisioningState": "Succeeded"})
		if n.names() != "one" {
			t.Errorf("%s: joined %s", kind, n.names())
		}
		// Machines that are not deleted keep their nodes and their secrets.
		mustFault(t, cloud, Fault{Method: "DELETE", Kind: FailedProvisioning, Times: 2})
		wantError(t, cloud.Delete(t.Context(), extensionID), errFailed)
		wantError(t, cloud.Delete(t.Context(), vmID), errFailed)
		if len(n.deleted) > 0 || len(everything(t, cloud)) != 4 {
			t.Errorf("%s: notified of %v: %v", kind, n.deleted, everything(t, cloud))
		}
		mustPut(t, cloud, extensionID, linuxScript())
	}
}

func TestFaultsBeforeMachinesChangeNothing(t *testing.T) {
	t.Parallel()
	n := &nodes{}
	cloud := machineRoom(t, n.options())
	mustFault(t, cloud, Fault{Method: "PUT", Kind: Throttle})
	_, err := cloud.Put(t.Context(), vmID, created())
	wantError(t, err, errThrottled)
	if n.names() != "" || len(everything(t, cloud)) != 3 {
		t.Errorf("joined %s: %v", n.names(), everything(t, cloud))
	}
}

func TestCanceledJoinsAreNotRecorded(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cloud := machineRoom(t, Options{Join: func(ctx context.Context, _ Join) error {
		cancel()
		return ctx.Err()
	}})
	if _, err := cloud.Put(ctx, vmID, created()); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if machines := mustMachines(t, cloud); len(machines) > 0 {
		t.Errorf("there are %+v", machines)
	}
}

// A machine that is created again has a new disk.
func TestRecreatedMachinesJoinAgain(t *testing.T) {
	t.Parallel()
	n := &nodes{}
	cloud := machineRoom(t, n.options())
	mustPut(t, cloud, vmID, created())
	mustDelete(t, cloud, vmID)
	mustPut(t, cloud, vmID, created())
	if n.names() != "one one" || strings.Join(n.deleted, " ") != "one" {
		t.Errorf("joined %s, notified of %v", n.names(), n.deleted)
	}
}

func TestAddressOfThePrimaryInterface(t *testing.T) {
	t.Parallel()
	cloud := machineRoom(t, Options{})
	named := func(name string, primary bool) Body {
		one := configuration(map[string]any{"primary": primary})
		one["name"] = name
		return one
	}
	mustPut(t, cloud, nicID+"3",
		located(Body{"ipConfigurations": []any{named("first", false), named("primary", true), named("third", false)}}))
	mustPut(t, cloud, vmID, linuxMachine(map[string]any{"properties.networkProfile.networkInterfaces": []any{
		Body{"id": nicID},
		Body{"id": nicID + "3", "properties": Body{"primary": true}},
		Body{"id": nic2ID, "properties": Body{"primary": false}},
	}}))
	if got := mustMachines(t, cloud)[0].Machine.Address; got != netip.MustParseAddr("10.1.0.7") {
		t.Errorf("the address is %v", got)
	}
}
