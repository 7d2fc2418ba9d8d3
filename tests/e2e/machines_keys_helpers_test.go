package e2e

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"
	"time"

	"github.com/mixedkube/mixedkube/components/kubeadm/pki"
	"github.com/mixedkube/mixedkube/internal/lab/deploy"
)

// origins are the names of the resources that keep what keys are made from.
var origins = regexp.MustCompile(`-keys-(\d+)$`)

// stackKeys are the keys of a cluster, of each generation that its stack remembers; the first
// signs.
type stackKeys struct {
	pki.Keys
	// drawn is what they are made from.
	drawn []string
}

// keysOf reads the state of a stack that has made a cluster.
func keysOf(t *testing.T, stack *deploy.Stack) stackKeys {
	t.Helper()
	k, kept := keptKeys(t, stack)
	if !kept {
		t.Fatal("the state has no keys")
	}
	return k
}

// keptKeys reads the state of a stack, if it has keys.
func keptKeys(t *testing.T, stack *deploy.Stack) (k stackKeys, kept bool) {
	t.Helper()
	outputs := map[int]json.RawMessage{}
	for _, r := range stateOf(t, stack) {
		name := origins.FindStringSubmatch(r.URN)
		if name == nil || r.Type != "pulumi:index:Stash" {
			continue
		}
		number, err := strconv.Atoi(name[1])
		check(t, err)
		outputs[number] = r.Outputs["output"]
	}
	for i := range len(outputs) {
		k.add(t, outputs[i])
	}
	return k, len(outputs) > 0
}

// add adds the keys that a resource keeps.
func (k *stackKeys) add(t *testing.T, output json.RawMessage) {
	t.Helper()
	var origin struct{ Drawn, Created string }
	check(t, json.Unmarshal(plaintext(t, output), &origin))
	s, err := pki.Drawn(origin.Drawn, machinesStack)
	check(t, err)
	created, err := time.Parse(time.DateOnly, origin.Created)
	check(t, err)
	k.drawn = append(k.drawn, origin.Drawn)
	k.Generations = append(k.Generations, pki.Generation{Secret: s, Created: created})
}

// editState brings the state of a stack back with another text, as whoever edits it does.
func editState(t *testing.T, stack *deploy.Stack, edit func(string) string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "state")
	check(t, stack.Export(t.Context(), file))
	before, err := os.ReadFile(file)
	check(t, err)
	check(t, os.WriteFile(file, []byte(edit(string(before))), 0o600))
	cmd := exec.CommandContext(t.Context(), stack.Tools["pulumi"], "stack", "import", "--stack", stack.Name,
		"--file", file)
	cmd.Dir, cmd.Env = stack.Project.Dir, stack.Environ()
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}

// stateResource is a resource in a state.
type stateResource struct {
	URN, Type string
	Outputs   map[string]json.RawMessage
}

// stateOf are the resources in the state of a stack, with secrets.
func stateOf(t *testing.T, stack *deploy.Stack) []stateResource {
	t.Helper()
	file := filepath.Join(t.TempDir(), "state")
	check(t, stack.Export(t.Context(), file))
	text, err := os.ReadFile(file)
	check(t, err)
	var state struct {
		Deployment struct{ Resources []stateResource }
	}
	check(t, json.Unmarshal(text, &state))
	return state.Deployment.Resources
}

// plaintext is the JSON in a secret of Pulumi's.
func plaintext(t *testing.T, output json.RawMessage) []byte {
	t.Helper()
	var secret struct{ Plaintext string }
	check(t, json.Unmarshal(output, &secret))
	return []byte(secret.Plaintext)
}

// exported is a text that a stack exports as a secret.
func exported(t *testing.T, stack *deploy.Stack, name string) string {
	t.Helper()
	for _, r := range stateOf(t, stack) {
		if r.Type == "pulumi:pulumi:Stack" {
			var text string
			check(t, json.Unmarshal(plaintext(t, r.Outputs[name]), &text))
			return text
		}
	}
	t.Fatalf("the stack does not export %s", name)
	return ""
}
