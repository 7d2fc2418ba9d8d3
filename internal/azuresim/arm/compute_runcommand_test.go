package arm

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/internal/azuresim/machine"
	"github.com/mixedkube/mixedkube/internal/azuresim/machine/machinetest"
	"github.com/mixedkube/mixedkube/machines/bootstrap"
)

const runCommandID = vmID + "/runCommands/keys-1"

// keysOf returns all keys of a control plane, with a mark, and a bundle of certificates.
func keysOf(mark string, certificates ...string) map[string]string {
	keys := map[string]string{}
	for _, name := range []string{
		"ca.key", "front-proxy-ca.crt", "front-proxy-ca.key", "etcd/ca.crt", "etcd/ca.key", "sa.pub", "sa.key",
	} {
		keys[name] = mark + " " + name
	}
	keys["ca.crt"] = strings.Join(certificates, "") + "# " + mark + "\n"
	return keys
}

// withKeys returns the customData of a control-plane machine whose keys can be replaced.
func withKeys(verb, configuration string, keys map[string]string) string {
	files := append(machinetest.Linux(verb), machinetest.LinuxConfiguration(configuration), machinetest.ReplaceKeys())
	for name, content := range keys {
		files = append(files, machinetest.LinuxKey(name, content))
	}
	return encodedText(bootstrap.CloudConfig(files))
}

// keysRoom has a machine of the control plane that has old keys.
func keysRoom(t *testing.T, o Options) *Cloud {
	t.Helper()
	cloud := machineRoom(t, o)
	mustPut(t, cloud, vmID, linuxMachine(map[string]any{
		"properties.osProfile.customData": withKeys("init", initText, keysOf("old")),
	}))
	return cloud
}

// runCommand returns a run command that brings keys, changed by the values at paths below its properties.
func runCommand(keys map[string]string, change map[string]any) Body {
	body := Body{"location": "West Europe", "properties": Body{
		"source": Body{"script": bootstrap.KeysScript()},
		"protectedParameters": []any{Body{
			"name": bootstrap.KeysParameter, "value": machinetest.KeysPayload(machinetest.PayloadKey(), keys),
		}},
		"treatFailureAsDeploymentFailure": true,
	}}
	apply(body["properties"].(Body), change)
	return body
}

func attempt(n string) map[string]any {
	return map[string]any{"parameters": []any{Body{"name": "ATTEMPT", "value": n}}}
}

// wantKeys compares the keys of a machine, found by one of its network interfaces.
func wantKeys(t *testing.T, c *Cloud, nic, mark string) {
	t.Helper()
	b, err := c.ControlPlane(t.Context(), []string{nic})
	if err != nil || b == nil {
		t.Fatalf("no control plane: %v", err)
	}
	if got := b.Keys["sa.key"]; got != mark+" sa.key" {
		t.Errorf("the machine has %q, want those of %s", got, mark)
	}
}

func mustInstanceView(t *testing.T, c *Cloud, id string) Body {
	t.Helper()
	view, err := c.InstanceView(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	return view
}

// Sources: https://learn.microsoft.com/azure/virtual-machines/linux/run-command-managed, and for the answer of GET
// https://github.com/Azure/azure-cli/issues/22654.
func TestRunCommandsThatAzureTakes(t *testing.T) {
	t.Parallel()
	cloud := keysRoom(t, Options{})
	made := mustPut(t, cloud, runCommandID, runCommand(keysOf("new"), attempt("1")))
	wantAt(t, made, map[string]any{
		"id": runCommandID, "name": "keys-1", "type": "Microsoft.Compute/virtualMachines/runCommands",
		"location": "westeurope", "properties.provisioningState": "Succeeded",
		"properties.source": Body{"script": bootstrap.KeysScript()}, "properties.protectedParameters": nil,
		"properties.parameters":   []any{Body{"name": "ATTEMPT", "value": "1"}},
		"properties.instanceView": nil, "properties.asyncExecution": false, "properties.timeoutInSeconds": 0.0,
	})
	if diff := cmp.Diff(made, mustGet(t, cloud, runCommandID)); diff != "" {
		t.Errorf("GET shows another one (-want +got):\n%s", diff)
	}
	wantKeys(t, cloud, nicID, "new")
	view := mustInstanceView(t, cloud, runCommandID)
	wantAt(t, view, map[string]any{
		"executionState": "Succeeded", "executionMessage": "Execution completed", "exitCode": 0.0, "output": "",
		"error": "",
	})
	if begin, end := textAt(view, "startTime"), textAt(view, "endTime"); begin == "" || end < begin {
		t.Errorf("it ran from %q to %q", begin, end)
	}
	if resources := at(mustGet(t, cloud, vmID), "resources"); resources != nil {
		t.Errorf("the machine has %v", resources)
	}
	mustDelete(t, cloud, runCommandID)
	wantKeys(t, cloud, nicID, "new")
	const missing = "Resource " + runCommandID + " not found."
	_, err := cloud.Get(t.Context(), runCommandID)
	wantError(t, err, &Error{Status: 404, Code: "NotFound", Message: missing})
	_, err = cloud.InstanceView(t.Context(), runCommandID)
	wantError(t, err, &Error{Status: 404, Code: "NotFound", Message: missing})
}

func TestRunCommandsThatAzureRefuses(t *testing.T) {
	t.Parallel()
	const noAgent = "properties.osProfile.linuxConfiguration.provisionVMAgent"
	disallowed := conflict409("OperationNotAllowed", "",
		"This operation cannot be performed when extension operations are disallowed. To allow, please ensure VM "+
			"Agent is installed on the VM and the osProfile.allowExtensionOperations property is true.")
	unread := func(message string) *Error {
		return &Error{
			Status: 501, Code: "NotSimulated",
			Message: message + ": see NOT_SIMULATED.md of the simulated Azure.",
		}
	}
	for name, c := range map[string]struct {
		machine Body
		id      string
		change  map[string]any
		want    *Error
	}{
		"no machine": {
			nil, vmID + "2/runCommands/keys-1", nil,
			&Error{
				Status: 404, Code: "ParentResourceNotFound",
				Message: "Failed to perform 'write' on resource(s) of type 'virtualMachines/runCommands', because " +
					"the parent resource '" + vmID + "2' could not be found.",
			},
		},
		"misspelled": {
			nil, runCommandID,
			map[string]any{"sources": Body{}},
			bad400("InvalidRequestContent", "properties.sources",
				"The request content was invalid and could not be deserialized: 'Could not find member 'sources' on "+
					"object of type 'VirtualMachineRunCommandProperties'. Path 'properties.sources'.'"),
		},
		"no source": {nil, runCommandID, map[string]any{"source": nil}, nullOf("source")},
		"a script of Azure": {
			nil, runCommandID,
			map[string]any{"source": Body{"commandId": "ifconfig"}},
			unsimulated("source.commandId", "A script of Azure's own"),
		},
		"an external one": {
			nil, runCommandID,
			map[string]any{"source": Body{"scriptUri": "https://example.com/a.sh"}},
			unsimulated("source.scriptUri", "An external script"),
		},
		"a blob": {
			nil, runCommandID,
			map[string]any{"errorBlobUri": "https://example.com/e"},
			unsimulated("errorBlobUri", "A blob for the output"),
		},
		"another user": {
			nil, runCommandID,
			map[string]any{"runAsUser": "operator"},
			unsimulated("runAsUser", "Another user than root"),
		},
		"a nameless value": {
			nil, runCommandID,
			map[string]any{"parameters": []any{Body{"name": "", "value": "x"}}},
			unsimulated("parameters[0].name", "An argument of a script"),
		},
		"without a value": {
			nil, runCommandID,
			map[string]any{"protectedParameters": []any{Body{"name": "X"}}},
			nullOf("protectedParameters[0].value"),
		},
		"on Windows": {
			windowsMachine(nil), runCommandID, nil, unsimulated("source.script", "A run command on Windows"),
		},
		"without the agent": {linuxMachine(map[string]any{noAgent: false}), runCommandID, nil, disallowed},
		"another script": {
			nil, runCommandID,
			map[string]any{"source.script": "#!/bin/zsh\n" + bootstrap.KeysScript()},
			unread("source.script: line 1 is not understood: bootstrap.KeysScript is the only script"),
		},
		"another secret": {
			nil, runCommandID,
			map[string]any{"protectedParameters": []any{Body{"name": "TOKEN", "value": password}}},
			unread(`protectedParameters: "TOKEN" is not understood: bootstrap.KeysScript reads only ` +
				"MIXEDKUBE_PAYLOAD"),
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cloud := keysRoom(t, Options{})
			if c.machine != nil {
				mustDelete(t, cloud, vmID)
				mustPut(t, cloud, vmID, c.machine)
			}
			_, err := cloud.Put(t.Context(), c.id, runCommand(keysOf("new"), c.change))
			wantError(t, err, c.want)
			if _, err := cloud.Get(t.Context(), c.id); err == nil {
				t.Error("the run command exists")
			}
			if c.machine == nil {
				wantKeys(t, cloud, nicID, "old")
			}
		})
	}
	cloud := keysRoom(t, Options{})
	body := runCommand(keysOf("new"), nil)
	delete(body, "location")
	_, err := cloud.Put(t.Context(), runCommandID, body)
	wantError(t, err, bad400("LocationRequired", "", "The location property is required for this definition."))
}

// scriptFailure is Azure's answer to a run command that ends with an exit code.
func scriptFailure(t *testing.T, c *Cloud, id string) *Error {
	t.Helper()
	view := mustInstanceView(t, c, id)
	text := fmt.Sprintf(`{"executionState":"Failed","executionMessage":%s,"output":"","error":%s,"exitCode":%v,`+
		`"startTime":%q,"endTime":%q}`, inJSON(t, view["executionMessage"]), inJSON(t, view["error"]), view["exitCode"],
		view["startTime"], view["endTime"])
	return operationFailed("VMExtensionProvisioningError", "VM has reported a failure when processing extension "+
		"'keys-1' (publisher 'Microsoft.CPlat.Core' and type 'RunCommandHandlerLinux'). Error message: '%s'. More "+
		"information on troubleshooting is available at https://aka.ms/RunCommandManagedLinux.", text)
}

func inJSON(t *testing.T, value any) string {
	t.Helper()
	data, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// Sources: the descriptions of treatFailureAsDeploymentFailure and asyncExecution in the API's specification, and
// ProcessHandlerCommandWithDetails of https://github.com/Azure/run-command-handler-linux (internal/commandProcessor).
func TestRunCommandsThatFailOnTheMachine(t *testing.T) {
	t.Parallel()
	forOther := machinetest.KeysPayload(bootstrap.NewPayloadKey([]byte("another machine's")), keysOf("new"))
	const mac = "error: the payload was not encrypted with this key, or it was changed\n"
	for name, c := range map[string]struct {
		change map[string]any
		fails  bool
	}{
		"a failure of the deployment":     {nil, true},
		"not a failure of the deployment": {map[string]any{"treatFailureAsDeploymentFailure": false}, false},
		"the default":                     {map[string]any{"treatFailureAsDeploymentFailure": nil}, false},
		"asynchronous":                    {map[string]any{"asyncExecution": true}, false},
		"everyone waits for the script":   {map[string]any{"asyncExecution": false}, true},
		"and it may take longer than now": {map[string]any{"timeoutInSeconds": 1800}, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cloud := keysRoom(t, Options{})
			body := runCommand(keysOf("new"), c.change)
			body["properties"].(Body)["protectedParameters"] = []any{
				Body{"name": "MIXEDKUBE_PAYLOAD", "value": forOther},
			}
			_, err := cloud.Put(t.Context(), runCommandID, body)
			wantAt(t, mustInstanceView(t, cloud, runCommandID), map[string]any{
				"executionState": "Failed", "exitCode": 1.0, "error": mac,
				"executionMessage": "Execution failed: command terminated with exit status=1",
			})
			state := "Succeeded"
			if c.fails {
				state = "Failed"
				wantError(t, err, scriptFailure(t, cloud, runCommandID))
			} else if err != nil {
				t.Fatal(err)
			}
			wantAt(t, mustGet(t, cloud, runCommandID), map[string]any{"properties.provisioningState": state})
			wantAt(t, mustGet(t, cloud, vmID), map[string]any{"properties.provisioningState": "Succeeded"})
			wantKeys(t, cloud, nicID, "old")
		})
	}
}

// Sources: https://github.com/Azure/azure-sdk-for-net/issues/47307, and for a failed run enablePre of
// https://github.com/Azure/run-command-handler-linux (internal/cmds): it "will not run again" what it has processed.
func TestARunCommandRunsOnceForEachDifference(t *testing.T) {
	t.Parallel()
	cloud := keysRoom(t, Options{})
	// From here, every run fails.
	broken := Fault{Method: "PUT", ID: "/runCommands/", Kind: FailScript, Times: Always}
	mustPut(t, cloud, runCommandID, runCommand(keysOf("new"), attempt("1")))
	mustFault(t, cloud, broken)
	tagged := runCommand(keysOf("new"), attempt("1"))
	tagged["tags"] = Body{"team": "web"}
	for _, again := range []Body{runCommand(keysOf("new"), attempt("1")), tagged} {
		wantAt(t, mustPut(t, cloud, runCommandID, again), map[string]any{"properties.provisioningState": "Succeeded"})
	}
	runs := func(body Body) {
		t.Helper()
		_, err := cloud.Put(t.Context(), runCommandID, body)
		if err == nil {
			t.Fatal("it does not run")
		}
		wantError(t, err, scriptFailure(t, cloud, runCommandID))
	}
	runs(runCommand(keysOf("new"), attempt("2")))
	runs(runCommand(keysOf("newer"), attempt("2")))
	mustFault(t, cloud)
	// It does not run again, so the failure stays.
	runs(runCommand(keysOf("newer"), attempt("2")))
	wantAt(t, mustGet(t, cloud, runCommandID), map[string]any{"properties.provisioningState": "Failed"})
	wantKeys(t, cloud, nicID, "new")
	mustPut(t, cloud, runCommandID, runCommand(keysOf("newer"), attempt("3")))
	wantKeys(t, cloud, nicID, "newer")
	wantAt(t, mustGet(t, cloud, runCommandID), map[string]any{"properties.provisioningState": "Succeeded"})
	// A different protected parameter is a difference as well.
	mustPut(t, cloud, runCommandID, runCommand(keysOf("secret"), attempt("3")))
	wantKeys(t, cloud, nicID, "secret")
	// A run command with another name, and one that is created again, are different ones.
	mustPut(t, cloud, vmID+"/runCommands/keys-2", runCommand(keysOf("newest"), nil))
	wantKeys(t, cloud, nicID, "newest")
	mustDelete(t, cloud, runCommandID)
	mustPut(t, cloud, runCommandID, runCommand(keysOf("newer"), attempt("3")))
	wantKeys(t, cloud, nicID, "newer")
}

func TestSecretsOfRunCommandsAreOnTheDiskOnly(t *testing.T) {
	t.Parallel()
	cloud := keysRoom(t, Options{})
	body := runCommand(keysOf("new"), nil)
	secret, _ := at(body["properties"].(Body)["protectedParameters"].([]any)[0].(Body), "value").(string)
	seen := []string{fmt.Sprint(mustPut(t, cloud, runCommandID, body), mustGet(t, cloud, runCommandID),
		mustInstanceView(t, cloud, runCommandID), mustGet(t, cloud, vmID), fmt.Sprintf("%+v", mustMachines(t, cloud)))}
	for name, content := range everything(t, cloud) {
		if onDisk := strings.HasPrefix(name, "disks/"); onDisk != strings.Contains(content, secret) {
			t.Errorf("%s has the payload: %t", name, !onDisk)
		}
		if !strings.HasPrefix(name, "disks/") {
			seen = append(seen, content)
		}
	}
	for _, text := range seen {
		for _, word := range []string{secret, "new sa.key"} {
			if strings.Contains(text, word) {
				t.Errorf("a secret is in %s", text)
			}
		}
	}
	// The machine gets it like the settings of extensions.
	state, err := cloud.Ask(t.Context(), vmID, machine.Pod{HostNetwork: true})
	if err != nil || len(state.RunCommands) != 1 || state.RunCommands[0].Protected["MIXEDKUBE_PAYLOAD"] != secret {
		t.Errorf("the WireServer hands out %+v (%v)", state, err)
	}
	mustDelete(t, cloud, runCommandID)
	for name, content := range everything(t, cloud) {
		if strings.Contains(content, secret) {
			t.Errorf("%s still has the payload", name)
		}
	}
}
