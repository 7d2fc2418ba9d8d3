package kustomize

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/kustomize/kyaml/resid"
	"sigs.k8s.io/kustomize/kyaml/utils"

	"github.com/mixedkube/mixedkube/internal/core/manifests"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// replacementStep copies values of other objects. It is not repeated for one object, but it says itself what it writes.
type replacementStep struct {
	types.ReplacementField

	kustomization *kustomization
}

func (*replacementStep) parts(*reader) []part { return nil }

// writes reports whether the step writes a path of an object with one of the IDs, and where. keeps is true if it writes
// a part of the value.
func (s *replacementStep) writes(
	r *reader, field string, ids []resid.ResId, path []string, object any,
) (at position, keeps, is bool) {
	all := []types.Replacement{s.Replacement}
	line := func(_, target int) position {
		at := fmt.Sprintf("%s.targets[%d]", field, target)
		return position{file: r.shown(s.kustomization.file), line: s.kustomization.line(at)}
	}
	if s.Path != "" {
		var docs []manifests.Document
		all, docs = s.inFile(r)
		line = func(i, target int) position {
			at := position{file: r.shown(r.files.stat(s.kustomization.path(s.Path)).at), line: 1}
			if len(docs) == 1 {
				at.line = max(1, docs[0].Line(fmt.Sprintf("[%d].targets[%d]", i, target)))
			}
			return at
		}
	}
	for i, one := range all {
		for j, target := range one.Targets {
			if target == nil || target.Select == nil || !selects(target, ids) {
				continue
			}
			fields := target.FieldPaths
			if len(fields) == 0 {
				fields = []string{types.DefaultReplacementFieldPath}
			}
			for _, field := range fields {
				if covers(utils.SmarterPathSplitter(field, "."), path, object) {
					return line(i, j), target.Options != nil && target.Options.Delimiter != "", true
				}
			}
		}
	}
	return position{}, false, false
}

// inFile returns the replacements of a file: a list or one.
func (s *replacementStep) inFile(r *reader) (all []types.Replacement, docs []manifests.Document) {
	text, err := r.files.read(s.kustomization.path(s.Path))
	if err != nil {
		return nil, nil
	}
	docs, _ = manifests.ReadObjects(bytes.NewReader(text), "replacements")
	for _, doc := range docs {
		list := tree.List(doc.Value)
		if list == nil {
			list = []any{doc.Value}
		}
		for _, one := range list {
			var replacement types.Replacement
			if text, err := json.Marshal(one); err == nil && json.Unmarshal(text, &replacement) == nil {
				all = append(all, replacement)
			}
		}
	}
	return all, docs
}

func selects(target *types.TargetSelector, ids []resid.ResId) bool {
	regex, err := types.NewTargetSelectorRegex(target)
	if err != nil || regex.RejectsAny(ids) {
		return false
	}
	return slices.ContainsFunc(ids, regex.Selects)
}

// covers reports whether a field path of a replacement is a path of an object, or one above or below it.
func covers(field, path []string, object any) bool {
	for i, key := range path {
		if i == len(field) {
			return true
		}
		element := tree.List(object)
		index, err := strconv.Atoi(key)
		isElement := element != nil && err == nil && index >= 0 && index < len(element)
		switch want, condition := strings.CutPrefix(field[i], "["); {
		case isElement && condition:
			name, value, _ := strings.Cut(strings.TrimSuffix(want, "]"), "=")
			if text, _ := tree.Text(tree.Map(element[index])[name]); text != value {
				return false
			}
		case field[i] != "*" && field[i] != key:
			return false
		}
		object = child(object, key)
	}
	return true
}
