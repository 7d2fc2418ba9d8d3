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

	"github.com/mixedkube/mixedkube/internal/lab/deploy"
	"github.com/mixedkube/mixedkube/machines/kubeadm/pki"
)

// origins matches the names of the resources with the secrets that keys are derived from.
var origins = regexp.MustCompile(`-keys-(\d+)$`)

// stackKeys are the keys of a cluster, of each generation in its stack. The keys of the first generation sign.
type stackKeys struct {
	pki.Keys
	// generated are the random secrets that the keys are derived from.
	generated []string
}

// keysOf reads the keys in the state of a stack. The stack must have created its cluster.
func keysOf(t *testing.T, stack *deploy.Stack) stackKeys {
	t.Helper()
	k, found := storedKeys(t, stack)
	if !found {
		t.Fatal("the state has no keys")
	}
	return k
}

// storedKeys reads the keys in the state of a stack, if it has any.
func storedKeys(t *testing.T, stack *deploy.Stack) (k stackKeys, found bool) {
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

// add adds the keys that are derived from a resource.
func (k *stackKeys) add(t *testing.T, output json.RawMessage) {
	t.Helper()
	var origin struct {
		Generated string `json:"drawn"`
		Salt      string
		Created   string
	}
	check(t, json.Unmarshal(plaintext(t, output), &origin))
	s, err := pki.Generated(origin.Generated, origin.Salt)
	check(t, err)
	created, err := time.Parse(time.DateOnly, origin.Created)
	check(t, err)
	k.generated = append(k.generated, origin.Generated)
	k.Generations = append(k.Generations, pki.Generation{Secret: s, Created: created})
}

// renameStack renames a stack, and the file with its salt.
func renameStack(t *testing.T, stack *deploy.Stack, name string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), stack.Tools["pulumi"], "stack", "rename", name, "--stack", stack.Name,
		"--cwd", filepath.Join(stack.Dir, "init"))
	cmd.Env = stack.Environ()
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}

// editState exports the state of a stack, edits it and imports it.
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

// stateOf returns the resources in the state of a stack, with plain secrets.
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

// plaintext returns the JSON in a Pulumi secret.
func plaintext(t *testing.T, output json.RawMessage) []byte {
	t.Helper()
	var secret struct{ Plaintext string }
	check(t, json.Unmarshal(output, &secret))
	return []byte(secret.Plaintext)
}

// exported returns a text that a stack exports as a secret.
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
