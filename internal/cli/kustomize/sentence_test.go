package kustomize_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/mixedkube/mixedkube/internal/cli/kustomize"
	"github.com/mixedkube/mixedkube/internal/system/disk"
)

// An error of the library names the reason, not the directories that it went through, nor where they are.
func TestErrorsOfTheLibrary(t *testing.T) {
	t.Parallel()
	const (
		object = "{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}\n"
		twice  = "d/kustomization.yaml: merging resources from 'b.yaml': may not add resource with an already " +
			"registered id: ConfigMap.v1.[noGrp]/a.[noNs]"
	)
	for name, tt := range map[string]struct{ d, e, want string }{
		"an object twice":           {"resources: [a.yaml, b.yaml]\n", "", twice},
		"an object twice in a base": {"resources: [../e]\n", "resources: [a.yaml, b.yaml]\n", twice},
		"no object": {
			"resources: [a.yaml]\nreplacements: [{source: {kind: Secret, name: b}, " +
				"targets: [{select: {kind: ConfigMap}, fieldPaths: [data.a]}]}]\n", "",
			"d/kustomization.yaml: nothing selected by Secret.[noVer].[noGrp]/b.[noNs]",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			root := write(t, map[string]string{
				"d/kustomization.yaml": tt.d, "d/a.yaml": object, "d/b.yaml": object,
				"e/kustomization.yaml": tt.e, "e/a.yaml": object, "e/b.yaml": object,
			})
			_, err := kustomize.NewReader(new(disk.Access)).Build(filepath.Join(root, "d"))
			if err == nil || strings.TrimPrefix(err.Error(), root+"/") != tt.want {
				t.Errorf("%v, want %q", err, tt.want)
			}
		})
	}
}
