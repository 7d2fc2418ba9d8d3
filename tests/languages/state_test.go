package languages

import (
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/internal/lab/deploy"
)

// deploymentURN is the URN of the Deployment in the stack.
const deploymentURN = "urn:pulumi:dev::same::mixedkube:workload:Deployment$kubernetes:apps/v1:Deployment::" +
	"web-deployment"

// state is what Pulumi keeps of the resources of a stack, by their URNs, with the secrets in plain text,
// marked as such. Where in which program a resource comes from, and when, is left out.
type state map[string]map[string]any

// exported is the state of a stack.
func exported(t *testing.T, stack *deploy.Stack) state {
	t.Helper()
	var document struct {
		Deployment struct {
			Resources []map[string]any
		}
	}
	export(t, stack, &document, "--show-secrets")
	found := state{}
	for _, r := range document.Deployment.Resources {
		for _, key := range []string{"created", "modified", "sourcePosition", "stackTrace"} {
			delete(r, key)
		}
		found[r["urn"].(string)] = r
	}
	return found
}

// export reads what Pulumi exports of a stack.
func export(t *testing.T, stack *deploy.Stack, into any, args ...string) {
	t.Helper()
	cmd := command(t.Context(), stack, append([]string{"stack", "export"}, args...)...)
	cmd.Stdout = nil
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(out, into); err != nil {
		t.Fatal(err)
	}
}

// checkSecrets fails if a secret of the configuration is in what Pulumi keeps.
func (s *same) checkSecrets(t *testing.T, stack *deploy.Stack) {
	t.Helper()
	var document any
	export(t, stack, &document)
	texts := 0
	each(document, "", func(path string, v any) {
		text, ok := v.(string)
		if !ok {
			return
		}
		texts++
		for key, secret := range s.secrets {
			if strings.Contains(text, secret) {
				t.Errorf("%s is in %s", key, path)
			}
		}
	})
	if texts < 100 {
		t.Errorf("the state has %d texts only", texts)
	}
}

// each visits what is in a document.
func each(v any, path string, visit func(path string, v any)) {
	visit(path, v)
	switch v := v.(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			each(v[key], path+"."+key, visit)
		}
	case []any:
		for _, element := range v {
			each(element, path+"[]", visit)
		}
	}
}

// withoutDefaults is the state without the providers that the engine adds for the plugin: the plugin's own,
// and that of the engine's functions, by which the plugin reads the provider that a program gives to a
// component.
func (s state) withoutDefaults() state {
	others := maps.Clone(s)
	maps.DeleteFunc(others, func(_ string, r map[string]any) bool {
		return slices.Contains([]any{"pulumi:providers:mixedkube", "pulumi:providers:pulumi"}, r["type"])
	})
	return others
}

// checkGoneOn fails unless a state is this one, after an update in another language that changed nothing.
//
// The components themselves may depend on more: an SDK tells the engine what their arguments depend on, and
// a component that they depend on where a program in Go names the children. To the engine that is the same.
func (s state) checkGoneOn(t *testing.T, after state) {
	t.Helper()
	want, got := s.copied(t), after.withoutDefaults().copied(t)
	for urn, r := range got {
		if before, ok := want[urn]; ok && isComponent(r) {
			have := after.expand(r["dependencies"])
			for dependency := range s.expand(before["dependencies"]) {
				if !have[dependency] {
					t.Errorf("%s does not depend on %s, but on %v", urn, dependency, have)
				}
			}
			delete(r, "dependencies")
			delete(before, "dependencies")
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the state (-go +now):\n%s", diff)
	}
}

func isComponent(r map[string]any) bool { return strings.HasPrefix(r["type"].(string), "mixedkube:") }

// copied is a copy that can be changed.
func (s state) copied(t *testing.T) state {
	t.Helper()
	content, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	var copied state
	if err := json.Unmarshal(content, &copied); err != nil {
		t.Fatal(err)
	}
	return copied
}

// expand are the URNs of a list, and those of the children of the components in it.
func (s state) expand(list any) map[string]bool {
	found := map[string]bool{}
	urns, _ := list.([]any)
	for _, urn := range urns {
		found[urn.(string)] = true
		for child, r := range s {
			if r["parent"] == urn && isComponent(s[urn.(string)]) {
				found[child] = true
			}
		}
	}
	return found
}

// random matches what is another text each time that the stack is made: IDs of providers, and names that
// Pulumi makes.
var random = regexp.MustCompile(`[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|\bsettings-[0-9a-f]{8}\b`)

// secretKey marks a secret in a state.
const secretKey = "4dabf18193072939515e22adb298388d"

// lasting is what is the same each time that the stack is made. The outputs of resources in Kubernetes are
// the cluster's, with times and versions: which of them are secret stays.
func (s state) lasting(t *testing.T) state {
	t.Helper()
	copied := s.copied(t)
	for _, r := range copied {
		if isComponent(r) {
			delete(r, "dependencies")
		}
		outputs, _ := r["outputs"].(map[string]any)
		if _, inKubernetes := outputs["__inputs"]; !inKubernetes {
			continue
		}
		secrets := map[string]bool{}
		each(outputs, "", func(path string, v any) {
			object, _ := v.(map[string]any)
			if _, secret := object[secretKey]; secret {
				secrets[path] = true
			}
		})
		r["outputs"] = map[string]any{"secrets": secrets}
	}
	content, err := json.Marshal(copied)
	if err != nil {
		t.Fatal(err)
	}
	var found state
	if err := json.Unmarshal(random.ReplaceAll(content, []byte("RANDOM")), &found); err != nil {
		t.Fatal(err)
	}
	return found
}
