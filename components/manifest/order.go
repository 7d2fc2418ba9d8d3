package manifest

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/mixedkube/mixedkube/internal/core/pods"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// node is an object with the indexes of those that it waits for.
type node struct {
	index  int
	object Object
	needs  []int
}

// reference names an object in the same way as the annotation depends-on.
type reference struct{ group, kind, namespace, name string }

const dependsOn = "config.kubernetes.io/depends-on"

// ordered sorts objects behind those that they wait for. The errors are about objects that cannot be registered.
func ordered(objects []Object) ([]node, []error) {
	s := sorter{objects: objects, byName: map[reference]int{}, definitions: map[reference]int{}, state: map[int]int{}}
	for i, o := range objects {
		s.index(i, o)
	}
	s.nodes = make([]node, len(objects))
	for i, o := range objects {
		s.nodes[i] = node{i, o, s.needs(o)}
	}
	if len(s.errs) > 0 {
		return nil, s.errs
	}
	for i := range objects {
		s.visit(i, nil)
	}
	return s.order, s.errs
}

type sorter struct {
	objects     []Object
	byName      map[reference]int
	definitions map[reference]int // by the group and kind that they define
	nodes       []node
	state       map[int]int // 1 while its needs are visited, 2 when it is sorted
	order       []node
	errs        []error
}

func groupOf(o Object) string {
	group, _, grouped := strings.Cut(o.APIVersion, "/")
	if !grouped {
		return ""
	}
	return group
}

func (s *sorter) fail(o Object, format string, args ...any) {
	s.errs = append(s.errs, fmt.Errorf("%s:%d: %s: %s", o.File, o.Line, o.Key(), fmt.Sprintf(format, args...)))
}

func (s *sorter) index(i int, o Object) {
	if name, _ := tree.Text(tree.At(o.Tree, "metadata", "name")); name == "" {
		s.fail(o, "metadata.name: Required value: resources are named by it")
		return
	}
	own := reference{groupOf(o), o.Kind, o.Namespace, o.Name}
	if first, twice := s.byName[own]; twice {
		s.fail(o, "%s:%d has this object already: remove one of the two", s.objects[first].File, s.objects[first].Line)
		return
	}
	s.byName[own] = i
	if o.Kind == "CustomResourceDefinition" {
		group, _ := tree.Text(tree.At(o.Tree, "spec", "group"))
		kind, _ := tree.Text(tree.At(o.Tree, "spec", "names", "kind"))
		s.definitions[reference{group: group, kind: kind}] = i
	}
}

// needs returns the objects of the group that an object waits for.
func (s *sorter) needs(o Object) []int {
	var needs []int
	add := func(i int, ok bool) {
		if ok && !slices.Contains(needs, i) {
			needs = append(needs, i)
		}
	}
	i, ok := s.definitions[reference{group: groupOf(o), kind: o.Kind}]
	add(i, ok)
	if o.Namespace != "" {
		i, ok := s.byName[reference{kind: "Namespace", name: o.Namespace}]
		add(i, ok)
	}
	if p, ok := pods.Read(o.Tree); ok && p.ClassName() != "" {
		i, ok := s.byName[reference{group: "node.k8s.io", kind: "RuntimeClass", name: p.ClassName()}]
		add(i, ok)
	}
	annotation, _ := tree.Text(tree.At(o.Tree, "metadata", "annotations", dependsOn))
	for text := range strings.SplitSeq(annotation, ",") {
		if text = strings.TrimSpace(text); text == "" {
			continue
		}
		other, ok := parseReference(text)
		if !ok {
			s.fail(
				o, "metadata.annotations[%s]: Invalid value: %q: write group/kind/name or "+
					"group/namespaces/namespace/kind/name", dependsOn, text,
			)
			continue
		}
		i, ok := s.byName[other]
		if !ok {
			s.fail(
				o, "metadata.annotations[%s]: Invalid value: %q: the group has no such object: add it, or remove the "+
					"reference", dependsOn, text,
			)
			continue
		}
		add(i, true)
	}
	slices.SortFunc(needs, cmp.Compare[int])
	return needs
}

// parseReference reads group/kind/name and group/namespaces/namespace/kind/name. The group of Kubernetes' core kinds is
// empty.
func parseReference(text string) (reference, bool) {
	switch parts := strings.Split(text, "/"); {
	case len(parts) == 3:
		return reference{group: parts[0], kind: parts[1], name: parts[2]}, true
	case len(parts) == 5 && parts[1] == "namespaces":
		return reference{parts[0], parts[3], parts[2], parts[4]}, true
	default:
		return reference{}, false
	}
}

// visit appends an object to the order, after its needs. The path leads to it.
func (s *sorter) visit(i int, path []int) {
	switch s.state[i] {
	case 2:
		return
	case 1:
		circle := slices.Concat(path[slices.Index(path, i):], []int{i})
		names := make([]string, len(circle))
		for at, index := range circle {
			names[at] = s.objects[index].Key()
		}
		s.fail(s.objects[i], "waits for itself: %s: remove one of the references", strings.Join(names, " → "))
		return
	}
	s.state[i] = 1
	for _, need := range s.nodes[i].needs {
		s.visit(need, append(slices.Clip(path), i))
	}
	s.state[i] = 2
	s.order = append(s.order, s.nodes[i])
}
