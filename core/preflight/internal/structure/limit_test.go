package structure

import (
	"fmt"
	"strings"
	"testing"
)

// schemaWith returns a definition whose schema has a property with a key, and n texts of the wrong type below it.
func schemaWith(key string, n int) map[string]any {
	required := make([]any, n)
	for i := range required {
		required[i] = int64(1)
	}
	version := map[string]any{"name": "v1", "served": true, "storage": true, "schema": map[string]any{
		"openAPIV3Schema": map[string]any{"properties": map[string]any{key: map[string]any{"required": required}}},
	}}
	return map[string]any{"spec": map[string]any{"versions": []any{version}}}
}

func TestThePathsOfProblemsAreLimitedTogether(t *testing.T) {
	t.Parallel()
	kind := Find("apiextensions.k8s.io/v1", "CustomResourceDefinition")
	const size = 1 << 20
	long := kind.Check(schemaWith(strings.Repeat("k", size), 1000), 0)
	if n := maxPaths / size; len(long) != n+1 {
		t.Fatalf("%d problems, want %d and one about the others", len(long), n)
	}
	got := long[len(long)-1]
	want := Problem{
		Fault: WrongType, Detail: fmt.Sprintf("has %d more problems, whose paths are too long to list them",
			1000-maxPaths/size), Fix: "fix the others first", Certain: true,
	}
	if got != want {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	if short := kind.Check(schemaWith("k", 10_000), 0); len(short) != 10_000 {
		t.Errorf("%d problems with short paths, want all 10000", len(short))
	}
}
