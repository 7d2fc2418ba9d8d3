package tree_test

import (
	"fmt"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// Decode fills a struct, and reports every error with its path.
func ExampleDecode() {
	var pool struct {
		Name  string `json:"name"  required:"the name of the pool"`
		Count int    `json:"count"`
	}
	raw := map[string]any{"cuont": 3, "count": "three"}
	for _, err := range tree.Decode(&pool, raw, field.NewPath("pools").Index(0)) {
		fmt.Println(err)
	}
	// Output:
	// pools[0].name: Required value: the name of the pool
	// pools[0].count: Invalid value: "three": must be a whole number
	// pools[0].cuont: Invalid value: "cuont": unknown key: did you mean "count"? (use name or count)
}

// Values that are not known yet stay in their places.
func Example() {
	object := map[string]any{"spec": map[string]any{"nodeName": tree.Unknown{}, "hostPID": true}}
	fmt.Println(tree.IsUnknown(tree.At(object, "spec", "nodeName")))
	hostPID, known := tree.Bool(tree.At(object, "spec", "hostPID"))
	fmt.Println(hostPID, known)
	fmt.Println(tree.With(object, []string{"spec", "os", "name"}, "windows"))
	// Output:
	// true
	// true true
	// map[spec:map[hostPID:true nodeName:[unknown] os:map[name:windows]]]
}
