package preflight_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/components/preflight"
	"github.com/mixedkube/mixedkube/internal/tree"
)

// spoken are texts that messages say of themselves, whatever the object holds.
var spoken = []string{"windows", "restricted", "baseline", "NoSchedule", "Service", "RuntimeClass", "DaemonSet"}

// No message shows anything that is taken out of a secret: neither as the value
// nor in what is said about it.
func TestSecretsAreNotShown(t *testing.T) {
	t.Parallel()
	folders, err := filepath.Glob(filepath.Join("testdata", "rules", "*"))
	if err != nil || len(folders) == 0 {
		t.Fatalf("%d folders, %v", len(folders), err)
	}
	for _, folder := range folders {
		t.Run(filepath.Base(folder), func(t *testing.T) {
			t.Parallel()
			checker := preflight.New(preflight.Options{KubernetesVersion: "1.36", Topology: exampleTopology(t, folder)})
			objects := exampleObjects(t, filepath.Join(folder, "bad.yaml"))
			var texts []string
			for i := range objects {
				texts = append(texts, leaves(objects[i])...)
				objects[i] = tree.Map(tree.Seal(tree.Normalize(objects[i])))
			}
			var found []preflight.Finding
			for i := range objects {
				found = append(found, checker.Check(objects[i])...)
			}
			for _, across := range checker.Across(objects) {
				found = append(found, across...)
			}
			if len(found) == 0 {
				t.Error("nothing is found in secret objects")
			}
			for _, f := range found {
				for _, text := range texts {
					if len(text) > 6 && !slices.Contains(spoken, text) && strings.Contains(f.Message(), text) {
						t.Errorf("shows %q: %s", text, f)
					}
				}
			}
		})
	}
}

func leaves(v any) []string {
	var all []string
	switch v := v.(type) {
	case string:
		all = append(all, v)
	case []any:
		for _, element := range v {
			all = append(all, leaves(element)...)
		}
	case map[string]any:
		for _, element := range v {
			all = append(all, leaves(element)...)
		}
	}
	return all
}

func TestASecretAnnotationIsNotShown(t *testing.T) {
	t.Parallel()
	pod := fromYAML(t, "{kind: Pod, metadata: {annotations: {mixedkube.dev/ignore: $secret-MK51}}, spec: {}}")[0]
	want := []string{"error metadata.annotations[mixedkube.dev/ignore]: [secret]: there is no such rule: use an ID of RULES.md, or remove it (MK901)"}
	if diff := cmp.Diff(want, texts(preflight.Check(pod, v136))); diff != "" {
		t.Errorf("Check() (-want +got):\n%s", diff)
	}
}
