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

// state has the resources in the state of a stack, by their URNs, with the secrets in plain text and marked
// as secrets. It leaves out the times, and the position in the program that created a resource.
type state map[string]map[string]any

// exported returns the state of a stack.
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

// export reads the output of pulumi stack export for a stack.
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

// checkSecrets fails if the state contains a secret of the configuration.
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
		t.Errorf("the state has only %d texts", texts)
	}
}

// each visits all values in a document.
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

// withoutDefaults returns the state without the providers that the engine adds for the plugin: the plugin's
// provider, and the provider of the engine's functions. With these functions the plugin reads the provider
// that a program passes to a component.
func (s state) withoutDefaults() state {
	others := maps.Clone(s)
	maps.DeleteFunc(others, func(_ string, r map[string]any) bool {
		return slices.Contains([]any{"pulumi:providers:mixedkube", "pulumi:providers:pulumi"}, r["type"])
	})
	return others
}

// checkUnchanged fails unless an update in another language, which changed nothing, left the same state.
//
// The components themselves may have more dependencies: an SDK sends the dependencies of their arguments to
// the engine. It also sends a component that they depend on, for which a program in Go sends the children.
// The engine treats both in the same way.
func (s state) checkUnchanged(t *testing.T, after state) {
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

// copied returns a deep copy.
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

// expand returns the URNs of a list, and the URNs of the children of the components in it.
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

// random matches the texts that differ each time that the stack is deployed: IDs of providers, and names that
// Pulumi generates.
var random = regexp.MustCompile(`[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|\bsettings-[0-9a-f]{8}\b`)

// secretKey marks a secret in a state.
const secretKey = "4dabf18193072939515e22adb298388d"

// lasting returns the part of the state that is the same each time that the stack is deployed. It replaces the
// outputs of resources in Kubernetes, which have times and versions of the cluster, by the paths of the secrets.
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
