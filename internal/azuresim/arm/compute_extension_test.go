package arm

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mixedkube/mixedkube/internal/azuresim/machine/machinetest"
)

func TestExtensionsThatAzureTakes(t *testing.T) {
	t.Parallel()
	cloud := machineRoom(t, Options{})
	mustPut(t, cloud, vmID, created())
	body := linuxScript(machinetest.LinuxKey("sa.key", password))
	delete(body, "location")
	made := mustPut(t, cloud, extensionID, body)
	wantAt(t, made, map[string]any{
		"id": extensionID, "name": "boot", "type": "Microsoft.Compute/virtualMachines/extensions",
		"location":                     "westeurope",
		"properties.provisioningState": "Succeeded", "properties.protectedSettings": nil,
		"properties.autoUpgradeMinorVersion": false,
	})
	monitor := mustPut(t, cloud, vmID+"/extensions/monitor",
		extension("microsoft.azure.monitor", "azuremonitorlinuxagent", "1.33",
			map[string]any{"settings": Body{"timestamp": 1.0}}))
	wantAt(t, monitor, map[string]any{"properties.settings": Body{"timestamp": 1.0}})
	resources, _ := at(mustGet(t, cloud, vmID), "resources").([]any)
	if len(resources) != 2 || !same(resources[0], made) {
		t.Errorf("the machine has %v", resources)
	}
	mustDelete(t, cloud, extensionID)
	mustPut(t, cloud, vmID+"/extensions/again", linuxScript())
}

func TestExtensionsThatAzureRefuses(t *testing.T) {
	t.Parallel()
	command := func(change map[string]any) Body {
		body := linuxScript()
		apply(body["properties"].(Body), change)
		return body
	}
	missing := func(publisher, kind, version string) *Error {
		return &Error{
			Status: 404, Code: "ArtifactNotFound",
			Message: "Extension with publisher '" + publisher + "', type '" + kind + "', and type handler version '" +
				version + "' could not be found in the extension repository.",
		}
	}
	noAgent := conflict409("OperationNotAllowed", "",
		"This operation cannot be performed when extension operations are disallowed. To allow, please ensure VM "+
			"Agent is installed on the VM and the osProfile.allowExtensionOperations property is true.")
	for name, c := range map[string]struct {
		machine Body
		id      string
		body    Body
		want    *Error
	}{
		"no machine": {
			linuxMachine(nil), vmID + "2/extensions/boot", command(nil),
			&Error{
				Status: 404, Code: "ParentResourceNotFound",
				Message: "Failed to perform 'write' on resource(s) of type 'virtualMachines/extensions', because the " +
					"parent resource '" + vmID + "2' could not be found.",
			},
		},
		"misspelled": {
			linuxMachine(nil), extensionID, command(map[string]any{"setting": Body{}}),
			bad400("InvalidRequestContent", "properties.setting",
				"The request content was invalid and could not be deserialized: 'Could not find member 'setting' on "+
					"object of type 'VirtualMachineExtensionProperties'. Path 'properties.setting'.'"),
		},

		"no properties": {
			linuxMachine(nil), extensionID,
			Body{"location": "westeurope"},
			nullOf("publisher"),
		},
		"no publisher": {
			linuxMachine(nil), extensionID, command(map[string]any{"publisher": nil}),
			nullOf("publisher"),
		},
		"no type": {
			linuxMachine(nil), extensionID, command(map[string]any{"type": nil}),
			nullOf("type"),
		},
		"no version": {
			linuxMachine(nil), extensionID, command(map[string]any{"typeHandlerVersion": nil}),
			nullOf("typeHandlerVersion"),
		},
		"a whole version": {
			linuxMachine(nil), extensionID,
			command(map[string]any{"typeHandlerVersion": "2.1.6"}), badOf("typeHandlerVersion"),
		},
		"an unknown version": {
			linuxMachine(nil), extensionID,
			command(map[string]any{"typeHandlerVersion": "1.10"}),
			missing("Microsoft.Azure.Extensions", "CustomScript", "1.10"),
		},
		"an unknown type": {
			linuxMachine(nil), extensionID, command(map[string]any{"type": "CustomScripts"}),
			missing("Microsoft.Azure.Extensions", "CustomScripts", "2.1"),
		},
		"an unknown publisher": {
			linuxMachine(nil), extensionID, command(map[string]any{"publisher": "Microsoft"}),
			missing("Microsoft", "CustomScript", "2.1"),
		},
		"settings as a text": {
			linuxMachine(nil), extensionID, command(map[string]any{"settings": "{}"}),
			badOf("settings"),
		},
		"secrets as a list": {
			linuxMachine(nil), extensionID,
			command(map[string]any{"protectedSettings": []any{}}), badOf("protectedSettings"),
		},
		"a key vault": {linuxMachine(nil), extensionID, command(map[string]any{"protectedSettingsFromKeyVault": Body{"secretUrl": "https://x", "sourceVault": Body{}}}), unsimulated("protectedSettingsFromKeyVault", "A key vault")},
		"the extension of Windows": {
			linuxMachine(nil), extensionID, windowsCommand(),
			conflict409("OperationNotAllowed", "",
				"Publisher 'Microsoft.Compute' and type 'CustomScriptExtension' are not supported for OS type "+
					"'Linux'. Please use publisher 'Microsoft.Azure.Extensions' and type 'CustomScript' instead."),
		},
		"the extension of Linux": {
			windowsMachine(nil), extensionID, linuxScript(),
			conflict409("OperationNotAllowed", "",
				"Publisher 'Microsoft.Azure.Extensions' and type 'CustomScript' are not supported for OS type "+
					"'Windows'. Please use publisher 'Microsoft.Compute' and type 'CustomScriptExtension' instead."),
		},
		"one more": {
			created(), vmID + "/extensions/second", command(nil),
			bad400("BadRequest", "",
				"Multiple VMExtensions per handler not supported for OS type 'Linux'. VMExtension 'first' with "+
					"handler 'Microsoft.Azure.Extensions.CustomScript' already added or specified in input."),
		},
		"another type": {
			created(), vmID + "/extensions/first",
			extension("Microsoft.Azure.Monitor", "AzureMonitorLinuxAgent", "1.0", nil), changeNotAllowed409("type"),
		},
		"not allowed": {
			linuxMachine(map[string]any{"properties.osProfile.allowExtensionOperations": false}), extensionID,
			command(nil), noAgent,
		},
		"no agent on Linux": {
			linuxMachine(map[string]any{"properties.osProfile.linuxConfiguration.provisionVMAgent": false}),
			extensionID, command(nil), noAgent,
		},
		"no agent on Windows": {
			windowsMachine(map[string]any{"properties.osProfile.windowsConfiguration.provisionVMAgent": false}),
			extensionID, windowsCommand(), noAgent,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cloud := machineRoom(t, Options{})
			mustPut(t, cloud, vmID, c.machine)
			if strings.HasSuffix(c.id, "second") || strings.HasSuffix(c.id, "first") {
				mustPut(t, cloud, vmID+"/extensions/first", command(nil))
			}
			_, err := cloud.Put(t.Context(), c.id, c.body)
			wantError(t, err, c.want)
			if _, err := cloud.Get(t.Context(), c.id); err == nil && !strings.HasSuffix(c.id, "first") {
				t.Error("the extension exists")
			}
		})
	}
}

func provisioning(publisher, kind, why, guide string) *Error {
	return operationFailed("VMExtensionProvisioningError", "VM has reported a failure when processing extension 'boot' (publisher '%s' and type '%s'). Error message: '%s'. More information on troubleshooting is available at https://aka.ms/%s.", publisher, kind, why, guide)
}

func linuxFailure(why string) *Error {
	return provisioning("Microsoft.Azure.Extensions", "CustomScript", "Enable failed: "+why,
		"VMExtensionCSELinuxTroubleshoot")
}

// The machine reports the failure, so the extension exists by then.
func TestExtensionsThatFailOnTheMachine(t *testing.T) {
	t.Parallel()
	settings := func(public, protected Body) Body {
		return extension("Microsoft.Azure.Extensions", "CustomScript", "2.1",
			map[string]any{"settings": public, "protectedSettings": protected})
	}
	command := Body{"commandToExecute": "true"}
	for name, c := range map[string]struct {
		machine, body Body
		want          *Error
	}{
		"no command": {
			linuxMachine(nil), settings(Body{}, nil),
			linuxFailure("invalid configuration: 'commandToExecute' is not specified"),
		},
		"two commands": {
			linuxMachine(nil), settings(command, command),
			linuxFailure(
				"invalid configuration: 'commandToExecute' was specified both in public and protected settings; it " +
					"must be specified only once",
			),
		},
		"an invalid script": {
			linuxMachine(nil), settings(Body{"script": "?"}, nil),
			linuxFailure("failed to decode script: illegal base64 data"),
		},
		"no command on Windows": {
			windowsMachine(nil), anyWindowsCommand(""),
			provisioning("Microsoft.Compute", "CustomScriptExtension",
				"Invalid Configuration - CommandToExecute is not specified in the configuration; it must be "+
					"specified in either the protected or public configuration section",
				"VMExtensionCSEWindowsTroubleshoot"),
		},
		"a script that does not wait": {
			linuxMachine(nil), linuxScript(),
			linuxFailure("after 30 minutes the machine is not a node: no customData starts its bootstrap"),
		},
		"the same, suppressed": {
			linuxMachine(nil),
			extension("Microsoft.Azure.Extensions", "CustomScript", "2.1", map[string]any{"suppressFailures": true}),
			nil,
		},
		"a command for other customData": {windowsMachine(nil), windowsCommand(), nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cloud := machineRoom(t, Options{})
			mustPut(t, cloud, vmID, c.machine)
			_, err := cloud.Put(t.Context(), extensionID, c.body)
			state := "Succeeded"
			if c.want != nil {
				wantError(t, err, c.want)
				state = "Failed"
			} else if err != nil {
				t.Fatal(err)
			}
			wantAt(t, mustGet(t, cloud, extensionID), map[string]any{"properties.provisioningState": state})
			wantAt(t, mustGet(t, cloud, vmID), map[string]any{"properties.provisioningState": "Succeeded"})
			if machines := mustMachines(t, cloud); machines[0].NotJoined == "" {
				t.Error("NotJoined is not set")
			}
		})
	}
}

// Azure accepts all of these, and the machine would run them. This simulation does not know what they do.
func TestUnknownScriptsOfMachinesAreRefused(t *testing.T) {
	t.Parallel()
	unread := func(message string) *Error {
		return &Error{
			Status: 501, Code: "NotSimulated",
			Message: message + ": see NOT_SIMULATED.md of the simulated Azure.",
		}
	}
	linuxCommand := extension("Microsoft.Azure.Extensions", "CustomScript", "2.1",
		map[string]any{"protectedSettings.commandToExecute": "kubeadm join --token " + testToken})
	for name, c := range map[string]struct {
		machine, extension Body
		want               *Error
	}{
		"customData": {
			windowsMachine(map[string]any{"properties.osProfile.customData": encodedText("exit 0\r\n")}), nil,
			unread("customData: line 1 is not understood: bootstrap.WindowsScript writes \"# Writes the files of a " +
				"node and starts the task that sets up the node from them. It neither\" there"),
		},
		"a command": {
			waiting("join"), linuxCommand,
			unread("protectedSettings.commandToExecute is not understood: bootstrap uses only " +
				"protectedSettings.script"),
		},
		"a command on a node": {
			created(), linuxCommand,
			unread("protectedSettings.commandToExecute is not understood: bootstrap uses only " +
				"protectedSettings.script"),
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cloud, id := machineRoom(t, Options{}), vmID
			_, err := cloud.Put(t.Context(), vmID, c.machine)
			if c.extension != nil {
				if err != nil {
					t.Fatal(err)
				}
				id = extensionID
				_, err = cloud.Put(t.Context(), extensionID, c.extension)
			}
			wantError(t, err, c.want)
			if _, err := cloud.Get(t.Context(), id); err == nil {
				t.Error("it exists")
			}
		})
	}
}

// everything returns all files that the cloud has written, by their names.
func everything(t *testing.T, c *Cloud) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(c.dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		name, _ := filepath.Rel(c.dir, path)
		want := fs.FileMode(0o600)
		if entry.IsDir() {
			want = fs.ModeDir | 0o700
		}
		if strings.HasPrefix(name, "disks") && info.Mode() != want {
			t.Errorf("%s has mode %v", name, info.Mode())
		}
		if entry.IsDir() {
			return nil
		}
		data, err := os.ReadFile(path)
		files[name] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func TestSecretsOfMachinesAreOnTheirDisksOnly(t *testing.T) {
	t.Parallel()
	const secret = "Correct-Horse-43"
	n := &nodes{}
	cloud := machineRoom(t, n.options())
	machine := prepared()
	setAt(machine, "properties.osProfile.adminPassword", secret)
	seen := []string{fmt.Sprint(mustPut(t, cloud, vmID, machine))}
	const monitorID = vmID + "/extensions/monitor"
	monitor := extension("Microsoft.Azure.Monitor", "AzureMonitorWindowsAgent", "1.0",
		map[string]any{"protectedSettings": Body{"one": secret, "other": password}})
	seen = append(seen, fmt.Sprint(mustPut(t, cloud, extensionID, windowsCommand(joinsOnWindows("one", "10.1.0.4"))),
		mustPut(t, cloud, monitorID, monitor), mustGet(t, cloud, vmID), mustGet(t, cloud, extensionID),
		mustGet(t, cloud, monitorID), fmt.Sprintf("%+v", mustMachines(t, cloud))))
	_, err := cloud.Put(t.Context(), vmID, prepared())
	wantError(t, err, changeNotAllowed409("osProfile.adminPassword"))
	files := everything(t, cloud)
	disks := 0
	for name, content := range files {
		if !strings.HasPrefix(name, "disks/") {
			seen = append(seen, content)
			continue
		}
		disks++
		if !strings.Contains(content, password) || !strings.Contains(content, testToken) {
			t.Errorf("the disk has %s", content)
		}
		if strings.Count(content, secret) != 1 {
			t.Errorf("the password is on the disk: %s", content)
		}
	}
	if disks != 1 || n.names() != "one" {
		t.Errorf("%d disks, joined %q", disks, n.names())
	}
	for _, text := range seen {
		for _, word := range []string{password, secret, testToken} {
			if strings.Contains(text, word) {
				t.Errorf("a secret is in %s", text)
			}
		}
	}
	mustDelete(t, cloud, monitorID)
	for name, content := range everything(t, cloud) {
		if strings.Contains(content, secret) {
			t.Errorf("%s still has %s", name, content)
		}
	}
	mustDelete(t, cloud, vmID)
	if files := everything(t, cloud); len(files) != 2 {
		t.Errorf("the cloud still has %v", files)
	}
}

func mustMachines(t *testing.T, c *Cloud) []Status {
	t.Helper()
	list, err := c.Machines(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return list
}
