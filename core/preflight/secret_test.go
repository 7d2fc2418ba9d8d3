package preflight_test

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/mixedkube/mixedkube/core/preflight"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// ownWords are words that messages contain for any object.
var ownWords = []string{
	"os", "linux", "windows", "restricted", "baseline", "NoSchedule", "Service", "RuntimeClass",
	"DaemonSet", "StorageClass", "PersistentVolume", "IPv6", "VerticalPodAutoscaler",
}

// No message shows any part of a secret: neither as the value nor in the text. So no value is shown, no secret text is
// in a message, and a message stays the same if a secret changes: this finds numbers, and texts that are derived from a
// secret.
func TestSecretsAreNotShown(t *testing.T) {
	t.Parallel()
	dirs, err := filepath.Glob(filepath.Join(exampleDir, "MK*"))
	if err != nil || len(dirs) == 0 {
		t.Fatalf("%d directories, %v", len(dirs), err)
	}
	for _, dir := range dirs {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			t.Parallel()
			checker := preflight.New(exampleOptions(t, dir))
			objects := exampleObjects(t, filepath.Join(dir, "bad.yaml"))
			secrets := map[any]bool{}
			for _, object := range objects {
				leaves(object, secrets)
			}
			found := findingsInSecrets(checker, objects, nil, nil)
			if len(found) == 0 {
				t.Error("nothing is found in secret objects")
			}
			for at, f := range found {
				if showsValue(f) {
					t.Errorf("shows the value of %s: %s", at, f)
				}
				for secret := range secrets {
					text, _ := secret.(string)
					if shows(f.Message(), text) && !slices.Contains(ownWords, text) {
						t.Errorf("shows %q: %s", text, f)
					}
				}
			}
			for secret := range secrets {
				other := another(secret)
				for at, f := range findingsInSecrets(checker, objects, secret, other) {
					// If the rule no longer applies, there is nothing to compare.
					if before, ok := found[at]; ok && f.Message() != before.Message() {
						t.Errorf("with %v in place of %v:\n%s\nand not\n%s", other, secret, f, before)
					}
				}
			}
		})
	}
}

// findingsInSecrets returns the findings of the objects when all their values are secret and one value is replaced
// everywhere, so that names still match each other. The keys are rules and paths.
func findingsInSecrets(
	checker *preflight.Checker, objects []map[string]any, old, other any,
) map[string]preflight.Finding {
	sealed := make([]map[string]any, len(objects))
	for i := range objects {
		sealed[i] = tree.Map(tree.Seal(replaced(tree.Normalize(objects[i]), old, other)))
	}
	across := checker.Across(sealed)
	found := map[string]preflight.Finding{}
	for i := range sealed {
		for n, f := range slices.Concat(checker.Check(sealed[i]), across[i]) {
			at := fmt.Sprintf("object %d, %s, %s, %s", i, f.Path, f.Rule, string(f.Type))
			if _, again := found[at]; again {
				at += fmt.Sprint(", ", n)
			}
			found[at] = f
		}
	}
	return found
}

// showsValue reports whether a finding shows a value. The text of the finding shows true, false and empty anyway, and
// field names, which are in the path, are not secret.
func showsValue(f preflight.Finding) bool {
	switch v := f.Value.(type) {
	case nil, bool, preflight.Secret, preflight.Unknown:
		return false
	default:
		return v != "" && !strings.Contains(f.Path, fmt.Sprintf("[%v]", v))
	}
}

// shows reports whether a text is in a message. A short text counts only as a word, because it can be part of others by
// chance.
func shows(message, text string) bool {
	if len(text) > 6 {
		return strings.Contains(message, text)
	}
	words := strings.FieldsFunc(message, func(r rune) bool { return strings.ContainsRune(` :,;"()=`, r) })
	return len(text) > 1 && slices.Contains(words, text)
}

var quantity = regexp.MustCompile("^[0-9.]+[A-Za-z]+$")

// another returns a replacement for a secret with which many rules still apply.
func another(secret any) any {
	switch v := secret.(type) {
	case string:
		if quantity.MatchString(v) {
			return "1" + v
		}
		return v + "0"
	case int64:
		return v + 1
	case float64:
		return v + 1
	}
	return secret
}

func replaced(v, old, other any) any {
	switch v := v.(type) {
	case []any:
		for i := range v {
			v[i] = replaced(v[i], old, other)
		}
	case map[string]any:
		for key := range v {
			v[key] = replaced(v[key], old, other)
		}
	default:
		if v == old && v != nil {
			return other
		}
	}
	return v
}

func leaves(v any, all map[any]bool) {
	switch v := v.(type) {
	case []any:
		for _, element := range v {
			leaves(element, all)
		}
	case map[string]any:
		for _, element := range v {
			leaves(element, all)
		}
	default:
		all[v] = true
	}
}

func TestASecretAnnotationIsNotShown(t *testing.T) {
	t.Parallel()
	pod := fromYAML(t, "{kind: Pod, metadata: {annotations: {mixedkube.dev/ignore: $secret-MK51}}, spec: "+
		"{containers: [{name: shop}]}}")[0]
	want := []string{"error metadata.annotations[mixedkube.dev/ignore]: [secret]: is not a rule: use an ID from " +
		"https://github.com/mixedkube/mixedkube/blob/main/docs/rules/README.md, or remove it (MK901)"}
	diffFindings(t, want, texts(preflight.Check(pod, v136)))
}
