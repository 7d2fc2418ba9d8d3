package tree

import (
	"maps"
	"slices"
	"strconv"
)

// With returns a copy of a tree with another value at a path, which consists of keys of maps and
// indexes of lists. It adds missing maps. If the path leads through a value of another type, or past
// the end of a list, it returns the tree unchanged.
func With(in any, path []string, value any) any {
	if len(path) == 0 {
		return value
	}
	switch in := in.(type) {
	case nil, Unknown:
		return map[string]any{path[0]: With(nil, path[1:], value)}
	case map[string]any:
		out := maps.Clone(in)
		out[path[0]] = With(in[path[0]], path[1:], value)
		return out
	case []any:
		i, err := strconv.Atoi(path[0])
		if err != nil || i < 0 || i >= len(in) {
			return in
		}
		out := slices.Clone(in)
		out[i] = With(in[i], path[1:], value)
		return out
	default:
		return in
	}
}
