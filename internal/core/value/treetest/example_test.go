package treetest_test

import (
	"fmt"

	"github.com/mixedkube/mixedkube/internal/core/value/tree"
	"github.com/mixedkube/mixedkube/internal/core/value/treetest"
)

func ExampleMarked() {
	texts := []any{"$unknown", "$secret-s3cret", "$secret-true", "$secret-false", "unknown", int64(1)}
	for _, v := range treetest.Marked(map[string]any{"args": texts}).(map[string]any)["args"].([]any) {
		fmt.Printf("%v %#v\n", v, tree.Reveal(v))
	}
	// Output:
	// [unknown] value.Unknown{}
	// [secret] "s3cret"
	// [secret] true
	// [secret] false
	// unknown "unknown"
	// 1 1
}
