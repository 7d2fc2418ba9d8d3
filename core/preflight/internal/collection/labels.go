package collection

import (
	"slices"
	"strings"
	"unique"

	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// label is a label of pods, and labelSet are all known labels, sorted by key. It takes less memory than a map.
type (
	label    struct{ key, value string }
	labelSet []label
)

// labelsOf omits unknown labels: pods have at least the other ones.
func labelsOf(m map[string]any) labelSet {
	set := make(labelSet, 0, len(m))
	for key, v := range m {
		if text, ok := tree.Text(v); ok {
			set = append(set, label{pooled(key), text})
		}
	}
	slices.SortFunc(set, func(a, b label) int { return strings.Compare(a.key, b.key) })
	return set
}

// pooled returns the same text, stored once for all objects that have it.
func pooled(text string) string { return unique.Make(text).Value() }

// id identifies the set.
func (s labelSet) id() string {
	var b strings.Builder
	for _, l := range s {
		b.WriteString(l.key + "\x00" + l.value + "\x00")
	}
	return b.String()
}

// Lookup, Has and Get implement the interface that selectors select from.
func (s labelSet) Lookup(key string) (value string, has bool) {
	i := slices.IndexFunc(s, func(l label) bool { return l.key == key })
	if i < 0 {
		return "", false
	}
	return s[i].value, true
}

// Has reports whether there is a label.
func (s labelSet) Has(key string) bool {
	_, has := s.Lookup(key)
	return has
}

// Get returns the value of a label, "" if there is none.
func (s labelSet) Get(key string) string {
	value, _ := s.Lookup(key)
	return value
}

// match reports whether the set contains all labels of a selector.
func (s labelSet) match(selector labelSet) bool {
	return !slices.ContainsFunc(selector, func(l label) bool { return !slices.Contains(s, l) })
}
