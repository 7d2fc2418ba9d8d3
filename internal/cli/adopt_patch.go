package cli

import (
	"bytes"
	"fmt"
	"maps"
	"path"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/mixedkube/mixedkube/internal/core/manifests"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
	"github.com/mixedkube/mixedkube/internal/system/disk"
)

// provePatches adds patches to the kustomizations, and gives up those that do not complete their object.
func (p *buildPlan) provePatches() {
	bases, changes := maps.Clone(p.after), maps.Clone(p.changes)
	for len(p.patched) > 0 {
		p.after, p.changes = maps.Clone(bases), maps.Clone(changes)
		p.patchRoots()
		wrong := p.wrong(func(o *builtObject) bool { return p.bases[o.from] != nil || slices.Contains(p.patched, o) })
		if len(wrong) == 0 {
			return
		}
		tried := false
		p.patched = slices.DeleteFunc(p.patched, func(o *builtObject) bool {
			if !slices.Contains(wrong, o) {
				return false
			}
			tried = true
			if !o.byOperations {
				o.byOperations = true
				return false
			}
			p.open = append(p.open, o)
			return true
		})
		if !tried { // another object has changed
			p.open, p.patched = append(p.open, p.patched...), nil
		}
	}
	p.after, p.changes = bases, changes
}

// patchRoots writes a patch for each object into the directory of its kustomization, which names it.
func (p *buildPlan) patchRoots() {
	byRoot := map[int][]*builtObject{}
	for _, o := range p.patched {
		byRoot[o.root] = append(byRoot[o.root], o)
	}
	for _, root := range slices.Sorted(maps.Keys(byRoot)) {
		file := p.builds.roots[root].File
		dir, list := path.Dir(file), []any(nil)
		for _, o := range byRoot[root] {
			name := p.patchName(dir, o)
			text, err := patchOf(o)
			if err != nil {
				continue
			}
			at := path.Join(dir, name)
			p.after[at], p.changes[at] = text, []manifests.Change{{Text: string(text)}}
			list = append(list, map[string]any{"path": name, "target": map[string]any{
				"kind": o.kind, "name": regexp.QuoteMeta(o.name),
			}})
		}
		text, err := manifests.NewText(p.text(file), file)
		if err != nil || len(text.Documents) != 1 {
			continue
		}
		if err := text.Edit(text.Documents[0], []tree.Edit{{Path: []string{"patches"}, Value: list}}); err == nil {
			p.after[file], p.changes[file] = text.Bytes(), text.Changes()
		}
	}
}

// patchName returns the name of a new file.
func (p *buildPlan) patchName(dir string, o *builtObject) string {
	name := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '-' || r == '.' {
			return r
		}
		return '-'
	}, strings.ToLower(fmt.Sprintf("adopt-%s-%s", o.kind, o.name)))
	for n := 1; ; n++ {
		file := name + ".yaml"
		if n > 1 {
			file = fmt.Sprintf("%s-%d.yaml", name, n)
		}
		if at := path.Join(dir, file); p.after[at] == nil && !disk.Exists(fromShown(at)) {
			return file
		}
	}
}

// operation is an operation of a JSON patch.
type operation struct {
	Op    string `yaml:"op"`
	Path  string `yaml:"path"`
	Value any    `yaml:"value,omitempty"`
}

// patchOf returns a patch that completes an object: a strategic merge patch, or a JSON patch (RFC 6902) if kustomize
// does not merge the object as the API server does.
func patchOf(o *builtObject) ([]byte, error) {
	var text bytes.Buffer
	encoder := yaml.NewEncoder(&text)
	encoder.SetIndent(2)
	var patch any = operations("", o.before, o.after)
	if !o.byOperations {
		merge := difference(o.before, o.after)
		merge["apiVersion"], merge["kind"] = o.before["apiVersion"], o.before["kind"]
		metadata := tree.Map(merge["metadata"])
		if metadata == nil {
			metadata = map[string]any{}
		}
		metadata["name"], merge["metadata"] = o.name, metadata
		patch = merge
	}
	err := encoder.Encode(patch)
	return text.Bytes(), err
}

// difference returns the keys of a map that another one does not have, or has with another value: nil for those that
// are removed. A list is a whole.
func difference(before, after map[string]any) map[string]any {
	all := map[string]any{}
	for key := range before {
		if _, stays := after[key]; !stays {
			all[key] = nil
		}
	}
	for key, value := range after {
		from, to := tree.Map(before[key]), tree.Map(value)
		switch {
		case reflect.DeepEqual(before[key], value):
		case from != nil && to != nil:
			all[key] = difference(from, to)
		default:
			all[key] = value
		}
	}
	return all
}

// operations returns what makes a value another one. Elements that are added to a list are added at its end.
func operations(at string, before, after any) (all []operation) {
	from, to := tree.Map(before), tree.Map(after)
	old, list := tree.List(before), tree.List(after)
	switch {
	case reflect.DeepEqual(before, after):
	case from != nil && to != nil:
		for _, key := range slices.Sorted(maps.Keys(from)) {
			if _, stays := to[key]; !stays {
				all = append(all, operation{Op: "remove", Path: at + pointer(key)})
			}
		}
		for _, key := range slices.Sorted(maps.Keys(to)) {
			if value, was := from[key]; was {
				all = append(all, operations(at+pointer(key), value, to[key])...)
			} else {
				all = append(all, operation{"add", at + pointer(key), to[key]})
			}
		}
	case len(old) > 0 && len(list) > len(old) && reflect.DeepEqual(list[:len(old)], old):
		for _, element := range list[len(old):] {
			all = append(all, operation{"add", at + "/-", element})
		}
	default:
		all = append(all, operation{"replace", at, after})
	}
	return all
}

// pointer returns a key as a part of a JSON pointer (RFC 6901).
func pointer(key string) string {
	return "/" + strings.ReplaceAll(strings.ReplaceAll(key, "~", "~0"), "/", "~1")
}
