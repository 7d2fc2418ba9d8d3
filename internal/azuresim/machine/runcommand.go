package machine

import (
	"fmt"
	"maps"
	"slices"

	"github.com/mixedkube/mixedkube/internal/testkit/payload"
	"github.com/mixedkube/mixedkube/machines/bootstrap"
)

// RunCommand is a managed run command of a machine. On Linux its parameters are environment variables of its script
// (https://learn.microsoft.com/azure/virtual-machines/linux/run-command-managed).
type RunCommand struct {
	Name string
	// Script is its source.
	Script string
	// Parameters and Protected are the values of its parameters by their names.
	Parameters, Protected map[string]string
}

// Check returns an error that names the part of a run command that is not understood. Only machines/bootstrap's
// script that replaces the keys of a control-plane machine is. Public parameters, which that script does not read, can
// have any value.
func (c RunCommand) Check() error {
	if line := firstDifference(c.Script, bootstrap.KeysScript()); line > 0 {
		return fmt.Errorf("source.script: line %d is not understood: bootstrap.KeysScript is the only script", line)
	}
	if _, public := c.Parameters[bootstrap.KeysParameter]; public {
		return fmt.Errorf("parameters: %s is not understood: set it in protectedParameters", bootstrap.KeysParameter)
	}
	for _, name := range slices.Sorted(maps.Keys(c.Protected)) {
		if name != bootstrap.KeysParameter {
			return fmt.Errorf("protectedParameters: %q is not understood: bootstrap.KeysScript reads only %s", name,
				bootstrap.KeysParameter)
		}
	}
	return nil
}

// mostOfAVariable is the longest environment variable, with its name and the NUL at its end (MAX_ARG_STRLEN,
// https://man7.org/linux/man-pages/man2/execve.2.html).
const mostOfAVariable = 128 << 10

// ScriptFailure is the failure of a run command as its handler reports it (internal/exec/exec.go of
// https://github.com/Azure/run-command-handler-linux). It contains no secrets.
type ScriptFailure struct {
	// Message is the handler's message.
	Message string
	// ExitCode is the script's exit code, and Stderr the end of its error output. They are 0 and "" if the script was
	// not started.
	ExitCode int
	Stderr   string
}

// ScriptFails returns the failure of a script that ends with an exit code.
func ScriptFails(code int, format string, args ...any) *ScriptFailure {
	return &ScriptFailure{
		Message:  fmt.Sprintf("command terminated with exit status=%d", code),
		ExitCode: code, Stderr: fmt.Sprintf(format, args...) + "\n",
	}
}

// Run returns the keys that a machine has after a run command. b is the bootstrap that created its node, nil if the
// machine has no node. If the script fails, no key is replaced.
func (m Machine) Run(c RunCommand, b *Bootstrap) (map[string]string, *ScriptFailure) {
	for _, values := range []map[string]string{c.Parameters, c.Protected} {
		for name, value := range values {
			if len(name+"="+value)+1 > mostOfAVariable {
				return nil, &ScriptFailure{
					Message: "failed to execute command: fork/exec /bin/bash: argument list too long",
				}
			}
		}
	}
	disk, err := readCustomData(m.Windows, m.CustomData)
	if err != nil {
		return nil, ScriptFails(1, "error: customData: %v", err)
	}
	key, exists := disk[linuxPayloadKey]
	if !exists || b == nil || !b.hasSharedKeys() {
		return nil, ScriptFails(1, "error: there is no %s on this machine: it was not created with keys that can be "+
			"replaced", linuxPayloadKey)
	}
	keys, err := replacement(c.Protected[bootstrap.KeysParameter], key.content)
	if err != nil {
		return nil, ScriptFails(1, "error: %v", err)
	}
	if !disk[keysProgram].executable {
		return nil, ScriptFails(127, "%s: No such file or directory", keysProgram)
	}
	return keys, nil
}

// replacement returns the keys that a payload brings.
func replacement(text, key string) (map[string]string, error) {
	data, err := payload.Decrypt(text, key)
	if err != nil {
		return nil, err
	}
	brought, err := unpackTable(data)
	if err != nil {
		return nil, err
	}
	keys := brought.keysIn(keysDir)
	for _, name := range keyFiles {
		if keys[name] == "" {
			return nil, fmt.Errorf("the payload does not bring %s: bootstrap.KeysPayload has all four pairs",
				keysDir+name)
		}
	}
	return keys, nil
}

// hasSharedKeys reports whether all four pairs of keys came with the machine: only then the bootstrap leaves the
// payload key on it.
func (b Bootstrap) hasSharedKeys() bool {
	return !slices.ContainsFunc(keyFiles, func(name string) bool { return b.Keys[name] == "" })
}
