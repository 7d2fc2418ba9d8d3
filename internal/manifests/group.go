package manifests

import (
	"maps"
	"slices"
)

// group is what is added at one place.
type group[T any] struct {
	// sibling is the index of the entry before it, or after it if before is true; -1 for the beginning of a mapping and
	// the end of a list.
	sibling int
	before  bool
	added   T
}

// groups returns the places for new entries of a mapping: in the order of their keys among the entries that were added
// again, because these entries were added together at first. So, there and back is the same text. Without such entries,
// it is the beginning of the mapping.
func (c *change) groups(added map[string]any, index map[string]int, removed []int) []group[map[string]any] {
	var anchors []string
	for _, name := range slices.Sorted(maps.Keys(c.entries)) {
		i, written := index[name]
		if child := c.entries[name]; written && child.onlyAgain() && !slices.Contains(removed, i) {
			anchors = append(anchors, name)
		}
	}
	if !slices.IsSortedFunc(anchors, func(a, b string) int { return index[a] - index[b] }) {
		anchors = nil // people have sorted them in another way
	}
	var groups []group[map[string]any]
	for _, name := range slices.Sorted(maps.Keys(added)) {
		next := group[map[string]any]{sibling: -1}
		if len(anchors) > 0 {
			after, _ := slices.BinarySearch(anchors, name)
			next.before = after == 0
			next.sibling = index[anchors[max(after-1, 0)]]
		}
		last := len(groups) - 1
		if last < 0 || groups[last].sibling != next.sibling || groups[last].before != next.before {
			next.added = map[string]any{}
			groups = append(groups, next)
		}
		groups[len(groups)-1].added[name] = added[name]
	}
	return groups
}

// texts writes the entries of groups in brackets.
func (e *editor) texts(groups []group[map[string]any]) []group[[]string] {
	var texts []group[[]string]
	for _, g := range groups {
		texts = append(texts, group[[]string]{sibling: g.sibling, before: g.before, added: e.entries(g.added)})
	}
	return texts
}
