// Package treetest writes trees in tests as texts, with the marks of package value.
package treetest

import (
	"strings"

	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// Marked replaces the texts in a tree that stand for marks: "$unknown" is a value that is not known yet, and "$secret-x"
// is a secret with the value x, which is a boolean if x is true or false.
func Marked(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for key := range v {
			v[key] = Marked(v[key])
		}
	case []any:
		for i := range v {
			v[i] = Marked(v[i])
		}
	case string:
		text, secret := strings.CutPrefix(v, "$secret-")
		switch {
		case v == "$unknown":
			return tree.Unknown{}
		case secret && (text == "true" || text == "false"):
			return tree.Secret{Value: text == "true"}
		case secret:
			return tree.Secret{Value: text}
		}
	}
	return v
}
