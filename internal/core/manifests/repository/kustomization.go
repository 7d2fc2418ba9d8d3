package repository

import (
	"path"
	"strings"

	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// lists are the fields of a kustomization that name files, with what these are. A path of a field is divided by dots;
// [] stands for the elements of a list. Source: sigs.k8s.io/kustomize/api v0.21, types.Kustomization.
var lists = []struct {
	field string
	kind  Kind
}{
	{"patches[].path", Patch},
	{"patchesStrategicMerge[]", Patch},
	{"patchesJson6902[].path", Patch},
	{"replacements[].path", Input},
	{"generators[]", Input},
	{"transformers[]", Input},
	{"validators[]", Input},
	{"configurations[]", Input},
	{"openapi.path", Input},
	{"helmCharts[].valuesFile", Values},
	{"helmCharts[].additionalValuesFiles[]", Values},
	{"helmChartInflationGenerator[].values", Values},
	{"configMapGenerator[].files[]", Input},
	{"configMapGenerator[].envs[]", Input},
	{"configMapGenerator[].env", Input},
	{"secretGenerator[].files[]", Input},
	{"secretGenerator[].envs[]", Input},
	{"secretGenerator[].env", Input},
}

// resources are the fields that name manifests, and directories with other kustomizations.
var resources = []string{"resources[]", "bases[]", "components[]", "crds[]"}

// kustomization is a kustomization of the repository.
type kustomization struct {
	// file is its path, and dir its directory.
	file, dir string
	content   map[string]any
}

// named returns the paths that a field names, in the repository.
func (k *kustomization) named(field string) []string {
	var found []string
	for _, text := range texts(k.content, strings.Split(field, ".")) {
		// A generator may name the key of a file: key=path.
		if strings.HasSuffix(field, "files[]") {
			if _, file, is := strings.Cut(text, "="); is {
				text = file
			}
		}
		if text == "" || strings.Contains(text, "\n") || strings.Contains(text, "://") || path.IsAbs(text) {
			continue // written in place, or not in the repository
		}
		found = append(found, path.Join(k.dir, text))
	}
	return found
}

// texts returns the texts at a path of keys, in which a key that ends with [] is a list.
func texts(value any, keys []string) []string {
	if len(keys) == 0 {
		if text, ok := tree.Text(value); ok {
			return []string{text}
		}
		return nil
	}
	key, isList := strings.CutSuffix(keys[0], "[]")
	value = tree.Map(value)[key]
	if !isList {
		return texts(value, keys[1:])
	}
	var found []string
	for _, v := range tree.List(value) {
		found = append(found, texts(v, keys[1:])...)
	}
	return found
}
