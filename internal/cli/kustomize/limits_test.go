package kustomize_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mixedkube/mixedkube/internal/cli/kustomize"
	"github.com/mixedkube/mixedkube/internal/system/disk"
)

// Kustomizations that include two others each, and a file with patches for many objects, end at a limit, not in hours.
func TestLimits(t *testing.T) {
	t.Parallel()
	doubled := map[string]string{}
	for i := range 30 {
		doubled[fmt.Sprintf("d%d/kustomization.yaml", i)] = fmt.Sprintf(
			"namePrefix: a\nresources: [../d%d, ../e%d]\n",
			i+1,
			i+1,
		)
		doubled[fmt.Sprintf("e%d/kustomization.yaml", i)] = fmt.Sprintf(
			"namePrefix: b\nresources: [../d%d, ../e%d]\n",
			i+1,
			i+1,
		)
	}
	for _, last := range []string{"d30", "e30"} {
		doubled[last+"/kustomization.yaml"] = "configMapGenerator: [{name: a, literals: [a=b]}]\n"
	}
	patch := "- {path: p.yaml, target: {kind: ConfigMap}}\n"
	for name, tt := range map[string]struct {
		files     map[string]string
		dir, want string
	}{
		"inclusions": {doubled, "d0", "d0: includes more than 1000 kustomizations"},
		"steps": {map[string]string{
			"d/kustomization.yaml": "patches:\n" + strings.Repeat(patch, 10_001), "d/p.yaml": "- {op: add, path: /a, " +
				"value: b}\n",
		}, "d", "d: its build has more than 10000 steps"},
		"size": {map[string]string{
			"d/kustomization.yaml": "configMapGenerator: [{name: a, files: [a, b=a, c=a, d=a, e=a]}]\n",
			"d/a":                  strings.Repeat("a", 8<<20),
		}, "d", "d: its build reads more than 32 MB"},
		"objects": {map[string]string{
			"d/kustomization.yaml": "resources: [a.yaml]\n",
			"d/a.yaml": strings.Repeat("---\n{kind: ConfigMap, apiVersion: v1, metadata: {name: "+
				"a}}\n", 10_001),
		}, "d", "d: its build has more than 10000 objects"},
		"few": {map[string]string{
			"d/kustomization.yaml": "resources: [../a, ../b]\n",
			"a/kustomization.yaml": "namePrefix: a\nresources: [../c]\n", "b/kustomization.yaml": "namePrefix: b\n" +
				"resources: [../c]\n",
			"c/kustomization.yaml": "configMapGenerator: [{name: a, literals: [a=b]}]\n",
		}, "d", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			root := write(t, tt.files)
			_, err := kustomize.NewReader(new(disk.Access)).Build(filepath.Join(root, tt.dir))
			got := ""
			if err != nil {
				got = strings.TrimPrefix(err.Error(), root+"/")
			}
			if got != tt.want {
				t.Errorf("%q, want %q", got, tt.want)
			}
		})
	}
}
