package tree

import (
	"maps"
	"slices"
	"strconv"
)

// With returns a copy of a tree in which another value stands at a path: keys of maps, and
// in lists the index. Maps that are not there are made; where the path leads through
// something else, or behind the end of a list, the tree stays as it is.
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
