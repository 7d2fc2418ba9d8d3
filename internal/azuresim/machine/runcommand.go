package machine

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/mixedkube/mixedkube/internal/payload"
)

// RunCommand is a managed run command of a machine. On Linux its parameters are environment
// variables of its script
// (https://learn.microsoft.com/azure/virtual-machines/linux/run-command-managed).
type RunCommand struct {
	Name string
	// Script is its source.
	Script string
	// Parameters and Protected are the values of its parameters by their names.
	Parameters, Protected map[string]string
}

// Check says what of a run command is not understood: it is for the script of
// components/bootstrap that replaces the keys of a control-plane machine. Public parameters,
// which that script does not read, can be any.
func (c RunCommand) Check() error {
	if line := firstDifference(c.Script, keysScript()); line > 0 {
		return fmt.Errorf("source.script: line %d is not understood: bootstrap.KeysScript is the only script", line)
	}
	if _, public := c.Parameters[keysParameter]; public {
		return fmt.Errorf("parameters: %s is not understood: it is for protectedParameters", keysParameter)
	}
	for _, name := range slices.Sorted(maps.Keys(c.Protected)) {
		if name != keysParameter {
			return fmt.Errorf("protectedParameters: %q is not understood: bootstrap.KeysScript reads %s alone", name,
				keysParameter)
		}
	}
	return nil
}

// mostOfAVariable is how long an environment variable may be, with its name and the NUL at its
// end (MAX_ARG_STRLEN, https://man7.org/linux/man-pages/man2/execve.2.html).
const mostOfAVariable = 128 << 10

// ErrTooLong says that the script is not started.
var ErrTooLong = errors.New("failed to execute command: fork/exec /bin/bash: argument list too long")

// Run is what a run command does on a machine that is a node with a bootstrap: the keys that
// the machine has afterwards. The error is [ErrTooLong], or what the script writes; nothing is
// replaced then. It has no secrets.
func (m Machine) Run(c RunCommand, b *Bootstrap) (keys map[string]string, err error) {
	for _, values := range []map[string]string{c.Parameters, c.Protected} {
		for name, value := range values {
			if len(name)+len("=")+len(value)+1 > mostOfAVariable {
				return nil, ErrTooLong
			}
		}
	}
	disk, err := readCustomData(m.Windows, m.CustomData)
	if err != nil {
		return nil, fmt.Errorf("customData: %w", err)
	}
	if !disk[keysProgram].executable {
		return nil, fmt.Errorf("error: %s is not a program on the machine: it was made by a release that does not "+
			"replace keys", keysProgram)
	}
	key, there := disk[linuxPayloadKey]
	if !there || b == nil || !b.hasGivenKeys() {
		return nil, fmt.Errorf("error: %s is not on the machine: only a control-plane machine with given keys "+
			"keeps it", linuxPayloadKey)
	}
	// The handler sets no variable that is empty.
	text := c.Protected[keysParameter]
	if text == "" {
		return nil, fmt.Errorf("error: %s is not set", keysParameter)
	}
	return replacement(text, key.content)
}

// replacement is the keys that a payload brings.
func replacement(text, key string) (map[string]string, error) {
	data, err := payload.Decrypt(text, key)
	if err != nil {
		return nil, fmt.Errorf("error: %s: %w", keysParameter, err)
	}
	brought, err := unpackTable(data)
	if err != nil {
		return nil, fmt.Errorf("error: %s: %w", keysParameter, err)
	}
	keys := brought.keys()
	for _, name := range keyFiles {
		if keys[name] == "" {
			return nil, fmt.Errorf("error: %s does not bring %s", keysParameter, linuxKeys+name)
		}
	}
	return keys, nil
}

// hasGivenKeys says whether the machine is one of a control plane that has all four pairs of
// keys from outside.
func (b Bootstrap) hasGivenKeys() bool {
	return b.ControlPlane && !slices.ContainsFunc(keyFiles, func(name string) bool {
		return strings.TrimSpace(b.Keys[name]) == ""
	})
}
