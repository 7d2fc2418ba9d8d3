package kustomize

import (
	"reflect"
	"strconv"
	"strings"

	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// child returns the value of a key or of an index, nil if there is none.
func child(v any, key string) any {
	if list := tree.List(v); list != nil {
		if i, err := strconv.Atoi(key); err == nil && i >= 0 && i < len(list) {
			return list[i]
		}
		return nil
	}
	return tree.Map(v)[key]
}

// at returns the value at a path, false if there is none.
func at(v any, path []string) (any, bool) {
	for _, key := range path {
		if v = child(v, key); v == nil {
			return nil, false
		}
	}
	return v, true
}

// back returns a path in an object as the path of the same value in an earlier form of it: a change can move the
// elements of a list. It is false if an element of a list does not exist there.
func back(after, before any, path []string) ([]string, bool) {
	earlier, found := make([]string, 0, len(path)), true
	for _, key := range path {
		list := tree.List(after)
		after = child(after, key)
		if list != nil {
			i, is := counterpart(after, key, tree.List(before))
			if !is {
				found, key = false, missing
			} else {
				key = strconv.Itoa(i)
			}
		}
		before = child(before, key)
		earlier = append(earlier, key)
	}
	return earlier, found
}

// missing is the index of an element that a list does not have.
const missing = "-"

// mergeKeys are the keys by which a strategic merge patch tells the elements of lists apart in the objects that rules
// look at: x-kubernetes-patch-merge-key in api/openapi-spec/swagger.json of Kubernetes 1.36.3.
var mergeKeys = []string{
	"name", "mountPath", "devicePath", "containerPort", "port", "ip", "topologyKey", "type", "uid", "key", "image",
}

// counterpart returns the index of an element in another form of its list: the one that is equal, or else has the same
// merge key.
func counterpart(element any, index string, in []any) (int, bool) {
	i, err := strconv.Atoi(index)
	if err == nil && i >= 0 && i < len(in) && reflect.DeepEqual(in[i], element) {
		return i, true
	}
	for j, other := range in {
		if reflect.DeepEqual(other, element) {
			return j, true
		}
	}
	object := tree.Map(element)
	for _, key := range mergeKeys {
		if object[key] == nil || isCompound(object[key]) {
			continue
		}
		for j, other := range in {
			if reflect.DeepEqual(tree.Map(other)[key], object[key]) {
				return j, true
			}
		}
		return 0, false
	}
	return i, err == nil && i >= 0 && i < len(in) && object != nil
}

// pathIn returns a path of an object as a path of a patch that it has, joined: an element of a list can have another
// index there.
func pathIn(patch any, path []string, object any) string {
	in, _ := back(object, patch, path)
	return joined(in)
}

// belowPointer returns the rest of a path below the pointer of a JSON patch; false if it is not below it.
func belowPointer(pointer string, path []string) ([]string, bool) {
	keys := strings.Split(strings.TrimPrefix(pointer, "/"), "/")
	if pointer == "" {
		keys = nil
	}
	for i, key := range keys {
		key = strings.ReplaceAll(strings.ReplaceAll(key, "~1", "/"), "~0", "~")
		if i == len(path) || key != path[i] && (key != "-" || !isIndex(path[i])) {
			return nil, false
		}
	}
	return path[len(keys):], true
}

func isIndex(key string) bool {
	_, err := strconv.Atoi(key)
	return err == nil
}
