package manifests

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
)

// Duplicate is a key that a mapping has more than once. The last value is the document's.
type Duplicate struct {
	// Path is the path of the value, for [Document.Line].
	Path string
	// Line is the line of the key whose value counts, and Earlier the line of the key before it.
	Line, Earlier int
	// Same is true if the two values are equal.
	Same bool
}

// trail is the reader's position in a document, from its root.
type trail []element

// element is a key of a mapping, or an index in a list if the key is empty.
type element struct {
	key   string
	index int
}

func (t trail) String() string {
	var b strings.Builder
	for _, e := range t {
		switch {
		case e.key == "":
			b.WriteString("[" + strconv.Itoa(e.index) + "]")
		case strings.ContainsFunc(e.key, inBrackets):
			b.WriteString("[" + e.key + "]")
		case b.Len() > 0:
			b.WriteString("." + e.key)
		default:
			b.WriteString(e.key)
		}
	}
	return b.String()
}

// inBrackets reports whether a path has a key with the letter in brackets.
func inBrackets(r rune) bool {
	return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '-' && r != '_' && r != '$'
}

// notes collects the duplicate keys of a document while it is read.
type notes struct {
	at    trail
	found []Duplicate
}

// enter descends into a value, leave returns from it.
func (n *notes) enter(key string, index int) { n.at = append(n.at, element{key, index}) }

func (n *notes) leave() { n.at = n.at[:len(n.at)-1] }

// duplicate records that the value at the reader's position, with its key in a line, replaces an earlier one, or
// reports it as an error if duplicate keys are not allowed.
func (p *problems) duplicate(n *notes, line, earlier int, same bool) {
	switch {
	case !p.lenient:
		p.add(line, "duplicate key %q: line %d has it already", shown(n.at[len(n.at)-1].key), earlier)
	case len(n.found) < MaxErrors:
		n.found = append(n.found, Duplicate{Path: n.at.String(), Line: line, Earlier: earlier, Same: same})
	}
}

// duplicatesOf returns the duplicate keys of an item of a list.
func duplicatesOf(i int, all []Duplicate) (inItem []Duplicate) {
	for _, d := range all {
		if rest, ok := strings.CutPrefix(d.Path, fmt.Sprintf("items[%d]", i)); ok && rest != "" {
			d.Path = strings.TrimPrefix(rest, ".")
			inItem = append(inItem, d)
		}
	}
	return inItem
}
