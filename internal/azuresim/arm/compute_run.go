package arm

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/mixedkube/mixedkube/internal/azuresim/machine"
)

// execution is the result of a run command in the form of its handler on the machine (internal/types/instanceview.go of
// https://github.com/Azure/run-command-handler-linux).
type execution struct {
	State    string `json:"executionState"`
	Message  string `json:"executionMessage"`
	Output   string `json:"output"`
	Error    string `json:"error"`
	ExitCode int    `json:"exitCode"`
	Start    string `json:"startTime"`
	End      string `json:"endTime"`
}

// execute runs the run command of the request, unless it has run before: then the result stays the same, even if it
// failed. The handler does not run it again (enablePre in internal/cmds/cmds.go).
func (r *request) execute() (failure *Error, err error) {
	command := r.runs
	if command == nil {
		return nil, nil
	}
	if command.Execution == nil {
		vm, begin := r.state.get(r.id.parent), time.Now()
		why, err := r.replaceKeys(vm, nameOf(command.ID))
		if err != nil {
			return nil, err
		}
		command.Execution = executed(why, begin)
		if err := r.loseNodes(vm); err != nil {
			return nil, err
		}
	}
	if command.Execution.State == succeeded || at(command.Body, "properties.asyncExecution") == true ||
		at(command.Body, "properties.treatFailureAsDeploymentFailure") != true {
		return nil, nil
	}
	return runCommandError(command), nil
}

// replaceKeys replaces the keys of a machine as the script of a run command does, and returns the reason if the script
// fails.
func (r *request) replaceKeys(vm *resource, name string) (why *machine.ScriptFailure, err error) {
	if r.faults[FailScript] {
		return machine.ScriptFails(1, "error: a fault of the simulated Azure ends the script"), nil
	}
	m, err := r.machine(vm)
	if err != nil {
		return nil, err
	}
	d, err := r.disk(vm)
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(m.RunCommands, func(c machine.RunCommand) bool { return strings.EqualFold(c.Name, name) })
	keys, why := m.Run(m.RunCommands[i], d.Bootstrap)
	if why != nil {
		return why, nil
	}
	return nil, r.changeDisk(vm, func(d *disk) {
		d.Bootstrap.Keys = keys
		vm.Joined.Identity = d.Bootstrap.Identity(nil)
	})
}

const succeeded = "Succeeded"

// executed returns the handler's report about a script that has ended.
func executed(why *machine.ScriptFailure, begin time.Time) *execution {
	e := &execution{
		State: succeeded, Message: "Execution completed",
		Start: begin.UTC().Format(time.RFC3339), End: time.Now().UTC().Format(time.RFC3339),
	}
	if why != nil {
		e.State, e.Message, e.ExitCode = "Failed", "Execution failed: "+why.Message, why.ExitCode
		e.Error = tail(why.Stderr, mostOutput)
	}
	return e
}

// mostOutput is the size in bytes of the part of an output that the instance view has.
const mostOutput = 4 << 10

func tail(text string, length int) string { return text[max(len(text)-length, 0):] }

// runCommandError is Azure's answer to a run command whose script fails, if such a failure fails the deployment. The
// handler's report is its message, as for an extension.
func runCommandError(command *resource) *Error {
	return operationFailed("VMExtensionProvisioningError",
		"VM has reported a failure when processing extension '%s' (publisher 'Microsoft.CPlat.Core' and type "+
			"'RunCommandHandlerLinux'). Error message: '%s'. More information on troubleshooting is available at "+
			"https://aka.ms/RunCommandManagedLinux.",
		nameOf(command.ID), text(json.Marshal(command.Execution)))
}

// InstanceView returns the result of the run command with an ID: the properties that GET returns only with
// $expand=instanceView.
func (c *Cloud) InstanceView(ctx context.Context, id string) (Body, error) {
	var answer Body
	err := c.look(ctx, func(s *state) error {
		found := s.get(id)
		if found == nil || found.Kind != kindRunCommand || found.Execution == nil {
			return notFound("NotFound", "Resource %s not found.", id)
		}
		var err error
		answer, err = asBody(found.Execution)
		return err
	})
	return answer, err
}

func asBody(value any) (Body, error) {
	data, err := json.Marshal(value)
	if err != nil {
		return nil, err
	}
	var body Body
	return body, json.Unmarshal(data, &body)
}

// loseNodes finds the nodes of a control-plane machine's cluster that no longer reach any API server, now that this
// machine has other keys.
func (r *request) loseNodes(changed *resource) error {
	if !changed.isControlPlane() {
		return nil
	}
	endpoint := changed.Joined.Bootstrap.Endpoint
	controlPlanes, err := r.controlPlanesOf(endpoint)
	if err != nil {
		return err
	}
	for _, vm := range r.state.all(kindMachine) {
		j := vm.Joined
		if j == nil || j.Node == "" || j.Lost != "" || !strings.EqualFold(j.Bootstrap.Endpoint, endpoint) {
			continue
		}
		if why := reachesNone(j.Identity, controlPlanes); why != nil {
			j.Lost = why.Error()
			r.state.Leaving = append(r.state.Leaving, j.Node)
		}
	}
	return nil
}

// reachesNone returns nil if a node reaches any machine of a control plane, otherwise the reason why it does not reach
// the first.
func reachesNone(i machine.Identity, controlPlanes []*machine.Bootstrap) error {
	var first error
	for _, b := range controlPlanes {
		why := i.Reaches(b.Keys)
		if why == nil {
			return nil
		}
		first = cmp.Or(first, why)
	}
	return first
}
