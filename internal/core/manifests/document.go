package manifests

import (
	"slices"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// Document is one object of a file, or another value in its place.
type Document struct {
	// Value is the tree. It shares nothing with the tree of another document.
	Value any
	// Duplicates are the keys that a mapping has more than once, in the order of the file. Only [ReadObjects] and
	// [NewText] allow them.
	Duplicates []Duplicate
	// Template is true if comments in the text are instructions of ytt, which decide what is in the document.
	Template bool

	// item is true for an item of a list.
	item   bool
	places []place
	// index finds places. It is nil for a document that was not read from a text.
	index *index
	// node is how the value is written, in source. Both are nil if the text is not edited, and node is nil for the
	// items of a list that a merge key adds.
	node   *yaml.Node
	source *source
}

// place is where a value is. The places of a document are in the order of the file, each value before its children, so
// that skipping a value is an addition; this costs a small part of the tree's memory, and of the memory of the parser's
// nodes.
type place struct {
	// key is the value's key in its mapping, empty in a list.
	key string
	// line is the line of the key, or of the value if there is no key.
	line int32
	// size counts the value and everything in it.
	size int32
}

// Line returns the line of the value at a path such as spec.template.spec.containers[0].image or
// metadata.labels[kubernetes.io/os], or of its key if it has one. If there is no such value, it is the line of the
// nearest parent; for the empty path, the first line of the document.
//
// The line of a value from a merge key or an alias is the line of its anchor.
func (d Document) Line(path string) int {
	if len(d.places) == 0 {
		return 0
	}
	at := 0
	for path != "" {
		key, rest := Step(path)
		child, ok := d.child(at, key)
		if !ok {
			break
		}
		at, path = child, rest
	}
	return int(d.places[at].line)
}

// Step cuts the first element off a path: see [Document.Line].
func Step(path string) (key, rest string) {
	path = strings.TrimPrefix(path, ".")
	if inside, ok := strings.CutPrefix(path, "["); ok {
		key, rest, _ = strings.Cut(inside, "]")
		return key, rest
	}
	if end := strings.IndexAny(path, ".["); end >= 0 {
		return path[:end], path[end:]
	}
	return path, ""
}

// child finds a key in a mapping, or an index in a list.
func (d Document) child(parent int, key string) (int, bool) {
	children := d.index.of(d, parent)
	if i, err := strconv.Atoi(key); err == nil && i >= 0 && i < len(children.all) {
		if at := children.all[i]; d.places[at].key == "" {
			return at, true
		}
	}
	at, ok := children.keys[key]
	return at, ok
}

// children returns the places of the direct children of a value.
func (d Document) children(parent int) func(yield func(int) bool) {
	return func(yield func(int) bool) {
		end := parent + int(d.places[parent].size)
		for at := parent + 1; at < end; at += int(d.places[at].size) {
			if !yield(at) {
				return
			}
		}
	}
}

// Detached returns the document without its place in a text that can be edited.
func (d Document) Detached() Document {
	d.node, d.source = nil, nil
	return d
}

// IsItem reports whether the document is an item of a list, such as a List.
func (d Document) IsItem() bool { return d.item }

// areObjects reports whether all values are objects of Kubernetes, and there are some. kubectl takes everything with
// items for a list, whatever its kind is: unstructuredJSONScheme.decode in pkg/apis/meta/v1/unstructured/helpers.go of
// k8s.io/apimachinery 0.36.3.
func areObjects(items []any) bool {
	return len(items) > 0 && !slices.ContainsFunc(items, func(item any) bool {
		object := tree.Map(item)
		return object["kind"] == nil || object["apiVersion"] == nil
	})
}

// flatten appends the items of lists, of any kind that ends in List or with objects as items, and other documents
// unchanged.
func (p *problems) flatten(d Document, docs []Document) []Document {
	object := tree.Map(d.Value)
	kind, _ := tree.Text(object["kind"])
	version, _ := tree.Text(object["apiVersion"])
	items, isList := object["items"].([]any)
	itemKind, endsInList := strings.CutSuffix(kind, "List")
	if !isList || version == "" || !endsInList && !areObjects(items) {
		return append(docs, d)
	}
	parent, _ := d.child(0, "items")
	var nodes []*yaml.Node
	if written := resolved(lookup(d.node, "items")); written != nil && len(written.Content) == len(items) {
		nodes = written.Content
	}
	for _, twice := range d.Duplicates {
		if !strings.HasPrefix(twice.Path, "items[") {
			p.add(twice.Line, "duplicate key in a %s: line %d has it already", kind, twice.Earlier)
		}
	}
	i := 0
	for at := range d.children(parent) {
		item := Document{
			item: true, Value: items[i], Duplicates: duplicatesOf(i, d.Duplicates),
			places: d.places[at : at+int(d.places[at].size)], index: new(index), source: d.source,
		}
		if nodes != nil {
			item.node = nodes[i]
		}
		object, ok := item.Value.(map[string]any)
		switch {
		case !ok:
			p.add(item.Line(""), "items[%d] of a %s must be an object", i, kind)
		default:
			// The items of a DeploymentList can omit their kind, Deployment.
			if object["kind"] == nil && object["apiVersion"] == nil && itemKind != "" {
				object["kind"], object["apiVersion"] = itemKind, version
			}
			docs = p.flatten(item, docs)
		}
		i++
	}
	return docs
}
