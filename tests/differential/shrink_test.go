package differential

import (
	"iter"
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// shrink returns the smallest object for which keeps is true.
func shrink(object map[string]any, keeps func(map[string]any) bool) map[string]any {
	for {
		next, found := firstSmaller(object, keeps)
		if !found {
			return object
		}
		object = next
	}
}

func firstSmaller(object map[string]any, keeps func(map[string]any) bool) (map[string]any, bool) {
	for candidate := range smaller(object) {
		if candidate := candidate.(map[string]any); keeps(candidate) {
			return candidate, true
		}
	}
	return nil, false
}

// smaller yields copies of a tree without one part: a field, an element of a list, or a part of a text. It removes
// large parts first. The copies share the values that do not change.
func smaller(value any) iter.Seq[any] {
	return func(yield func(any) bool) {
		switch value := value.(type) {
		case map[string]any:
			for _, key := range slices.Sorted(maps.Keys(value)) {
				without := maps.Clone(value)
				delete(without, key)
				if !yield(without) {
					return
				}
			}
			for _, key := range slices.Sorted(maps.Keys(value)) {
				for part := range smaller(value[key]) {
					with := maps.Clone(value)
					with[key] = part
					if !yield(with) {
						return
					}
				}
			}
		case []any:
			for i := range value {
				if !yield(slices.Delete(slices.Clone(value), i, i+1)) {
					return
				}
			}
			for i := range value {
				for part := range smaller(value[i]) {
					with := slices.Clone(value)
					with[i] = part
					if !yield(with) {
						return
					}
				}
			}
		case string:
			letters := []rune(value)
			for n := (len(letters) + 1) / 2; n > 0; n /= 2 {
				if !yield(string(letters[n:])) || !yield(string(letters[:len(letters)-n])) {
					return
				}
			}
		}
	}
}

func TestShrinkingRetainsRelevantFields(t *testing.T) {
	t.Parallel()
	whole := map[string]any{
		"kind": "Pod",
		"spec": map[string]any{
			"os":         map[string]any{"name": "windows"},
			"containers": []any{map[string]any{"name": "a"}, map[string]any{"name": "xxxxxbyyyyyyy", "image": "i"}},
			"hostPID":    nil,
		},
	}
	original := clone(whole)
	small := shrink(whole, func(object map[string]any) bool {
		spec, _ := object["spec"].(map[string]any)
		containers, _ := spec["containers"].([]any)
		return slices.ContainsFunc(containers, func(c any) bool {
			name, _ := c.(map[string]any)["name"].(string)
			return slices.Contains([]rune(name), 'b')
		})
	})
	want := map[string]any{"spec": map[string]any{"containers": []any{map[string]any{"name": "b"}}}}
	if diff := cmp.Diff(want, small); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if diff := cmp.Diff(original, any(whole)); diff != "" {
		t.Errorf("the object itself was changed: -want +got:\n%s", diff)
	}
}
