package manifests_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/internal/core/manifests"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// writer writes a document in one of many layouts. Each text in it is unique, and so is each comment: # own N is in a
// line of its own, and # N is in the line of the text vN.
type writer struct {
	data  []byte
	count int
	json  bool
	// full leaves out values that are empty or null, and commas that JSON does not have: additions fill them.
	full bool
	strings.Builder
}

// of chooses one of n.
func (w *writer) of(n int) int {
	if len(w.data) == 0 {
		return 0
	}
	first := w.data[0]
	w.data = w.data[1:]
	return int(first) % n
}

func (w *writer) next() int { w.count++; return w.count }

// document writes a mapping at the root.
func (w *writer) document() string {
	w.json = w.of(5) == 0
	switch {
	case w.json && w.of(2) == 0:
		w.oneLine("", 4, true)
		w.WriteString("\n")
	case w.json:
		w.manyLines("", 4, true)
		w.WriteString("\n")
	default:
		w.mapping("", 4)
	}
	text := w.String()
	if w.of(4) == 0 {
		text = strings.TrimRight(text, "\n")
	}
	if w.of(2) == 0 {
		text = strings.ReplaceAll(text, "\n", "\r\n")
	}
	return text
}

// own writes comments in lines of their own, and empty lines.
func (w *writer) own(indent string) {
	if w.json {
		return
	}
	for w.of(6) == 5 {
		if w.of(3) == 0 {
			w.WriteString("\n")
			continue
		}
		fmt.Fprintf(w, "%s# own %d\n", indent, w.next())
	}
}

// ends ends a line, sometimes with a comment.
func (w *writer) ends(value int) {
	if !w.json && value > 0 && w.of(3) == 0 {
		fmt.Fprintf(w, " # %d", value)
	}
	w.WriteString("\n")
}

func (w *writer) name() string {
	if w.json || w.of(6) > 0 {
		return ""
	}
	return fmt.Sprintf("&n%d ", w.next())
}

var keys = []string{"a", "b", "node.kubernetes.io/windows-build", "d", "e"}

// mapping writes entries in lines of their own.
func (w *writer) mapping(indent string, depth int) {
	first := w.of(len(keys))
	for i := range 1 + w.of(4) {
		if i > 0 || !strings.HasSuffix(w.String(), "- ") {
			w.own(indent)
			w.WriteString(indent)
		}
		key := keys[(first+i)%len(keys)]
		w.WriteString([]string{key, `"` + key + `"`, "'" + key + "'"}[w.of(8)/3%3] + ":")
		w.value(indent, depth-1)
	}
}

// value writes a value after a key.
func (w *writer) value(indent string, depth int) {
	if depth <= 0 || w.of(3) == 0 {
		w.scalar(indent, true)
		return
	}
	switch w.of(5) {
	case 0:
		w.WriteString(" " + w.name())
		w.oneLine(indent, depth, w.of(2) == 0)
		w.ends(0)
	case 1:
		w.WriteString(" " + w.name())
		w.manyLines(indent, depth, w.of(2) == 0)
		w.ends(0)
	case 2, 3:
		w.WriteString(strings.TrimRight(" "+w.name(), " "))
		w.WriteString("\n")
		w.mapping(indent+[]string{"  ", "    "}[w.of(2)], depth)
	default:
		w.WriteString(strings.TrimRight(" "+w.name(), " "))
		w.WriteString("\n")
		w.list(indent+[]string{"", "  "}[w.of(2)], depth)
	}
}

// list writes elements in lines of their own.
func (w *writer) list(indent string, depth int) {
	for range 1 + w.of(3) {
		w.own(indent)
		w.WriteString(indent + "-")
		switch kind := w.of(4); {
		case kind == 0 || depth <= 1:
			w.scalar(indent, true)
		case kind == 1:
			w.WriteString(" " + w.name())
			w.oneLine(indent, depth-1, true)
			w.ends(0)
		case kind == 2 && w.of(3) == 0:
			w.WriteString("\n")
			w.mapping(indent+"  ", depth-1)
		default:
			w.WriteString(" ")
			w.mapping(indent+"  ", depth-1)
		}
	}
}

// scalar writes a value in the rest of a line, or in several lines.
func (w *writer) scalar(indent string, lines bool) {
	n := w.next()
	space := " "
	if strings.HasSuffix(w.String(), " ") {
		space = ""
	}
	switch kind := w.of(12); {
	case kind == 0:
		fmt.Fprintf(w, "%s%s\"v%d\"", space, w.name(), n)
	case kind == 1 && !w.json:
		fmt.Fprintf(w, "%s%s'v%d # it''s'", space, w.name(), n)
	case kind == 2:
		fmt.Fprintf(w, "%s%d", space, n)
	case kind == 3 && !w.full:
		w.WriteString(space + []string{"null", "[]", "{}"}[w.of(3)])
	case kind == 4 && !w.full && !w.json && lines:
	case kind == 5 && !w.json && lines:
		fmt.Fprintf(w, "%s%s|-\n%s  # v%d\n\n%s    v", space, w.name(), indent, n, indent)
		w.ends(0)
		return
	case kind == 6 && !w.json && lines:
		fmt.Fprintf(w, "%s%sv%d and\n%s  more", space, w.name(), n, indent)
	case kind == 7 && !w.json && lines:
		fmt.Fprintf(w, "%s\"v%d\n%s  # no comment\n\n%s  end\"", space, n, indent, indent)
	case w.json:
		fmt.Fprintf(w, "%s\"v%d, ]}\"", space, n)
	default:
		fmt.Fprintf(w, "%s%sv%d", space, w.name(), n)
	}
	if lines {
		w.ends(n)
	}
}

// oneLine writes a mapping or a list in brackets in one line.
func (w *writer) oneLine(indent string, depth int, isMap bool) {
	brackets, first := "[]", w.of(len(keys))
	if isMap {
		brackets = "{}"
	}
	pad := []string{"", " "}[w.of(2)]
	w.WriteString(brackets[:1] + pad)
	for i := range 1 + w.of(3) {
		if i > 0 {
			w.WriteString(", ")
		}
		w.part(indent, depth, isMap, keys[(first+i)%len(keys)])
	}
	if !w.json && w.of(6) == 0 {
		w.WriteString(",")
	}
	w.WriteString(pad + brackets[1:])
}

// part writes an entry or an element in brackets.
func (w *writer) part(indent string, depth int, isMap bool, key string) {
	if isMap && (w.json || w.of(4) == 0) {
		w.WriteString(strconv.Quote(key) + ": ")
	} else if isMap {
		w.WriteString(key + ": ")
	}
	if depth > 1 && w.of(3) == 0 {
		w.oneLine(indent, depth-1, w.of(3) > 0)
		return
	}
	w.scalar(indent, false)
}

// manyLines writes a mapping or a list in brackets in several lines.
func (w *writer) manyLines(indent string, depth int, isMap bool) {
	brackets, first := "[]", w.of(len(keys))
	if isMap {
		brackets = "{}"
	}
	own := indent + "  "
	w.WriteString(brackets[:1] + "\n")
	size := 1 + w.of(3)
	for i := range size {
		w.own(own)
		w.WriteString(own)
		before := w.count
		w.part(own, depth, isMap, keys[(first+i)%len(keys)])
		if i < size-1 || !w.json && w.of(3) == 0 {
			w.WriteString(",")
		}
		if w.count != before+1 {
			before = -1
		}
		w.ends(before + 1)
	}
	w.own(own)
	w.WriteString(indent + brackets[1:])
}

// paths returns the paths of all values of a tree.
func paths(v any, at ...string) (all [][]string) {
	if len(at) > 0 {
		all = append(all, at)
	}
	switch v := v.(type) {
	case m:
		for _, key := range keys {
			if child, exists := v[key]; exists {
				all = append(all, paths(child, append(slices.Clone(at), key)...)...)
			}
		}
	case []any:
		if len(v) > 0 {
			all = append(all, paths(v[0], append(slices.Clone(at), tree.Each)...)...)
		}
	}
	return all
}

// valueAt returns the value at a path, the first element for each of a list.
func valueAt(v any, path []string) any {
	for _, key := range path {
		if key == tree.Each {
			v = tree.List(v)[0]
			continue
		}
		v = tree.Map(v)[key]
	}
	return v
}

// edit returns an edit of a document.
func (w *writer) edit(document m) tree.Edit {
	all := paths(document)
	path := all[w.of(len(all))]
	at := valueAt(document, path)
	list, isList := at.([]any)
	added := []any{
		fmt.Sprintf("new %d", w.next()), m{"x": "new", "y": m{"z": []any{"10.1"}}}, []any{"new"}, int64(7), true,
	}[w.of(5)]
	_, isMap := at.(m)
	if !w.full && w.of(8) == 0 {
		// A map or list that is empty then stays.
		switch {
		case isMap:
			return tree.Edit{Path: path, Value: m{}}
		case isList:
			return tree.Edit{Path: path, Value: []any{}}
		}
	}
	switch w.of(6) {
	case 0:
		return tree.Edit{Path: path, Remove: true}
	case 1:
		if isList && len(list) > 0 {
			return tree.Edit{Path: path, Value: list[w.of(len(list)):][:1], Remove: true}
		}
		return tree.Edit{Path: path, Value: at, Remove: true}
	case 2:
		return tree.Edit{Path: path, Value: added}
	case 3:
		if isList {
			return tree.Edit{Path: path, Value: []any{added}}
		}
		return tree.Edit{Path: append(slices.Clone(path), "x", "y")[:len(path)+1+w.of(2)], Value: added}
	default:
		key := keys[w.of(len(keys))]
		if isMap {
			return tree.Edit{Path: append(slices.Clone(path), key), Value: added}
		}
		return tree.Edit{Path: path, Value: added}
	}
}

// FuzzEdit compares edited texts with the edited tree, and what stays of the text with the text before.
func FuzzEdit(f *testing.F) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 3000 {
		data := make([]byte, 100)
		for i := range data {
			data[i] = byte(random.Uint32())
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		w := &writer{data: data}
		text := w.document()
		document := mustRead(t, text)[0].Value.(m)
		var edits []tree.Edit
		onlyRemoves := true
		for range 1 + w.of(4) {
			e := w.edit(document)
			edits = append(edits, e)
			onlyRemoves = onlyRemoves && e.Remove
		}
		want := tree.Edited(document, edits)
		after, err := edited(text, edits...)
		if len(want) == 0 && err != nil {
			return
		}
		if err != nil {
			t.Fatalf("%v: %v in\n%s", edits, err, text)
		}
		docs, err := manifests.ReadYAML(strings.NewReader(after), "a.yaml")
		if err != nil || len(docs) != 1 {
			t.Fatalf("%d documents, %v: %v in\n%s\n----\n%s", len(docs), err, edits, text, after)
		}
		if diff := cmp.Diff(any(want), docs[0].Value); diff != "" {
			t.Fatalf("%v (-edited value +value of the edited text):\n%s\n%s\n----\n%s", edits, diff, text, after)
		}
		if lost := lostComments(text, after); lost != "" {
			t.Fatalf("%v: the comment %q is lost:\n%s\n----\n%s", edits, lost, text, after)
		}
		if onlyRemoves && !isPart(after, text) {
			t.Fatalf("%v adds something:\n%s\n----\n%s", edits, text, after)
		}
		if cmp.Equal(tree.Edited(want, edits), want) {
			if again, err := edited(after, edits...); err != nil || again != after {
				t.Fatalf("%v, made again: %v\n%s\n----\n%s\n----\n%s", edits, err, text, after, again)
			}
		}
	})
}

// lostComments returns a comment that should have stayed, "" if there is none: one in its own line, or of a text that
// stays.
func lostComments(before, after string) string {
	for line := range strings.Lines(before) {
		line = strings.TrimRight(line, "\r\n")
		_, comment, _ := strings.Cut(line, "# ")
		number, isOwn := strings.CutPrefix(comment, "own ")
		if _, err := strconv.Atoi(number); err != nil {
			continue
		}
		value := "v" + number
		for _, end := range []string{"\"", " ", ",", "\n", "\r"} {
			if isOwn || strings.Contains(after+"\n", value+end) {
				if !strings.Contains(after+"\n", "# "+comment+"\n") && !strings.Contains(after, "# "+comment+"\r") {
					return comment
				}
			}
		}
	}
	return ""
}

// isPart reports whether a text has the letters of another one, in their order.
func isPart(part, of string) bool {
	for _, b := range []byte(part) {
		i := strings.IndexByte(of, b)
		if i < 0 {
			return false
		}
		of = of[i+1:]
	}
	return true
}

// FuzzAddAndRemove removes what was added: then the text is the one before, byte for byte.
func FuzzAddAndRemove(f *testing.F) {
	random := rand.New(rand.NewPCG(3, 4))
	for range 3000 {
		data := make([]byte, 100)
		for i := range data {
			data[i] = byte(random.Uint32())
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		w := &writer{data: data, full: true}
		text := w.document()
		document := mustRead(t, text)[0].Value.(m)
		var added, removed []tree.Edit
		for range 1 + w.of(4) {
			e := w.edit(document)
			if e.Remove || slices.Contains(e.Path, tree.Each) {
				continue
			}
			before := tree.Edited(document, added)
			added = append(added, e)
			if after := tree.Edited(document, added); cmp.Equal(before, after) {
				added = added[:len(added)-1]
				continue
			}
			e.Remove = true
			removed = slices.Insert(removed, 0, e)
		}
		between, err := edited(text, added...)
		if err != nil {
			t.Fatalf("%v: %v in\n%s", added, err, text)
		}
		if after, err := edited(between, removed...); err != nil || after != text {
			t.Fatalf("%v: %v\n%s\n----\n%s\n----\n%s", removed, err, text, between, after)
		}
	})
}
