package arm

import (
	"context"
	"encoding/base64"
	"strings"
	"testing"

	"github.com/mixedkube/mixedkube/internal/azuresim/machine/machinetest"
	"github.com/mixedkube/mixedkube/machines/bootstrap"
)

const (
	computeID   = groupID + "/providers/Microsoft.Compute/"
	vmID        = computeID + "virtualMachines/one"
	otherVMID   = computeID + "virtualMachines/two"
	extensionID = vmID + "/extensions/boot"
	scaleSetID  = computeID + "virtualMachineScaleSets/set"
	// natAddressID is the address of the machines' outbound traffic.
	natAddressID = inNetworkProvider + "publicIPAddresses/out"

	testToken = machinetest.Token
	testKey   = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIKoxPZVXJ8wGtPYPjBVVkDDyYDn5qjyR5+dVqvv2ErB8 operator@example.com"
)

// machineRoom has two network interfaces, 10.1.0.4 and 10.1.0.5, with a route to the internet.
func machineRoom(t *testing.T, o Options) *Cloud {
	t.Helper()
	c := emptyCloud(t, o)
	putAll(t, c, natAddressID, addressBody(), natID, natBody(natAddressID), networkID, networkBody())
	putAll(t, c, withSubnet(map[string]any{"natGateway": ref(natID)})...)
	putAll(t, c, nicID, nicBody(nil), nic2ID, nicBody(nil))
	return c
}

// linuxMachine returns a valid machine, changed by the values at paths. nil removes a property.
func linuxMachine(change map[string]any) Body {
	body := Body{
		"location": "West Europe",
		"properties": Body{
			"hardwareProfile": Body{"vmSize": "Standard_D4s_v5"},
			"storageProfile": Body{
				"imageReference": Body{
					"publisher": "Canonical", "offer": "ubuntu-24_04-lts", "sku": "server",
					"version": "latest",
				},
				"osDisk": Body{
					"createOption": "FromImage",
					"managedDisk":  Body{"storageAccountType": "Premium_LRS"},
				},
			},
			"osProfile": Body{
				"computerName": "one", "adminUsername": "operator",
				"linuxConfiguration": Body{
					"disablePasswordAuthentication": true,
					"ssh": Body{
						"publicKeys": []any{Body{"path": "/home/operator/.ssh/authorized_keys", "keyData": testKey}},
					},
				},
			},
			"networkProfile": Body{"networkInterfaces": []any{Body{"id": nicID}}},
		},
	}
	apply(body, change)
	return body
}

func windowsMachine(change map[string]any) Body {
	body := linuxMachine(map[string]any{
		"properties.storageProfile.imageReference": Body{
			"publisher": "MicrosoftWindowsServer",
			"offer":     "WindowsServer", "sku": "2022-datacenter-core-g2", "version": "latest",
		},
		"properties.osProfile": Body{
			"computerName": "one", "adminUsername": "operator",
			"adminPassword": password,
		},
	})
	apply(body, change)
	return body
}

// onNIC moves a machine to another network interface, with another name.
func onNIC(id, name string, body Body) Body {
	setAt(body, "properties.networkProfile.networkInterfaces", []any{Body{"id": id}})
	setAt(body, "properties.osProfile.computerName", name)
	return body
}

func extension(publisher, kind, version string, change map[string]any) Body {
	body := Body{
		"location":   "westeurope",
		"properties": Body{"publisher": publisher, "type": kind, "typeHandlerVersion": version},
	}
	apply(body["properties"].(Body), change)
	return body
}

// linuxScript returns the extension of Linux with a script that brings files.
func linuxScript(files ...bootstrap.File) Body {
	return extension("Microsoft.Azure.Extensions", "CustomScript", "2.1",
		map[string]any{"protectedSettings.script": encodedText(bootstrap.LinuxScript(files, machinetest.PayloadKey()))})
}

// windowsCommand returns the extension of Windows with a command that runs the customData of prepared, with more files.
func windowsCommand(files ...bootstrap.File) Body {
	command, err := bootstrap.WindowsCommand(bootstrap.WindowsScript(machinetest.Windows()), files,
		machinetest.PayloadKey())
	if err != nil {
		panic(err)
	}
	return anyWindowsCommand(command)
}

func anyWindowsCommand(command string) Body {
	return extension("Microsoft.Compute", "CustomScriptExtension", "1.10",
		map[string]any{"protectedSettings.commandToExecute": command})
}

func encodedText(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) }

// joinText returns a configuration of kubeadm for a node that joins 10.1.0.4.
func joinText(name, address, more string) string {
	return machinetest.Join(name, address, "10.1.0.4:6443", more)
}

var initText = machinetest.Init("one", "10.1.0.4:6443")

// byName replaces the address of the API server with a name that the cloud cannot resolve.
func byName(configuration string) string {
	return strings.ReplaceAll(configuration, "10.1.0.4:6443", "api.example.com:6443")
}

// joinsOnWindows returns the configuration of a Windows machine for that API server.
func joinsOnWindows(name, address string) bootstrap.File {
	return machinetest.WindowsConfiguration(machinetest.JoinOnWindows(name, address, "api.example.com:6443"))
}

// bootData returns the customData of a machine of the control plane, with a key.
func bootData(verb, configuration string) string {
	return encodedText(bootstrap.CloudConfig(append(machinetest.Linux(verb),
		machinetest.LinuxConfiguration(configuration), machinetest.LinuxKey("ca.key", "the key of the cluster"))))
}

// waiting returns a Linux machine that waits for the configuration of kubeadm.
func waiting(verb string) Body {
	return linuxMachine(map[string]any{
		"properties.osProfile.customData": encodedText(bootstrap.CloudConfig(machinetest.Linux(verb))),
	})
}

// prepared returns a Windows machine that waits for a windowsCommand.
func prepared() Body {
	return windowsMachine(map[string]any{
		"properties.osProfile.customData": encodedText(bootstrap.WindowsScript(machinetest.Windows())),
	})
}

// nodes records the calls of a cloud's options.
type nodes struct {
	joins   []Join
	deleted []string
	fail    error
}

func (n *nodes) options() Options {
	return Options{
		Join: func(_ context.Context, j Join) error {
			n.joins = append(n.joins, j)
			return n.fail
		},
		NodesDeleted: func(_ context.Context, names []string) error {
			n.deleted = append(n.deleted, names...)
			return n.fail
		},
	}
}

func (n *nodes) names() string {
	var names []string
	for _, j := range n.joins {
		names = append(names, j.Bootstrap.NodeName)
	}
	return strings.Join(names, " ")
}

// nullOf, badOf, changeNotAllowed409, unsimulated, noReference and conflict409 are the answers of Microsoft.Compute.
func nullOf(name string) *Error {
	return bad400("InvalidParameter", name, "Required parameter '"+name+"' is missing (null).")
}

func badOf(name string) *Error {
	return bad400("InvalidParameter", name, "The value of parameter "+name+" is invalid.")
}

func changeNotAllowed409(name string) *Error {
	return &Error{
		Status: 409, Code: "PropertyChangeNotAllowed", Target: name,
		Message: "Changing property '" + name + "' is not allowed.",
	}
}

func unsimulated(target, what string) *Error {
	return &Error{
		Status: 501, Code: "NotSimulated", Target: target,
		Message: what + " is not simulated: see NOT_SIMULATED.md of the simulated Azure.",
	}
}

func conflict409(code, target, message string) *Error {
	return &Error{Status: 409, Code: code, Target: target, Message: message}
}
