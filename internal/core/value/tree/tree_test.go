package tree_test

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gopkg.in/yaml.v3"

	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

func TestNoFormatShowsSecrets(t *testing.T) {
	t.Parallel()
	secret := tree.Secret{Value: "hunter2"}
	for _, v := range []any{
		secret, &secret,
		map[string]any{"password": secret},
		[]any{secret},
		tree.Secret{Value: secret},
	} {
		asJSON, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		asYAML, err := yaml.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		shown := fmt.Sprintf("%v %+v %#v %s %q %d %x %s %s", v, v, v, v, v, v, v, asJSON, asYAML)
		if strings.Contains(shown, "hunter2") || strings.Contains(shown, hex.EncodeToString([]byte("hunter2"))) {
			t.Errorf("a %T is shown as %s", v, shown)
		}
	}
}

func TestMarksAreReadable(t *testing.T) {
	t.Parallel()
	marks := map[string]any{"a": tree.Secret{Value: 1}, "b": tree.Unknown{}}
	asJSON, err := json.Marshal(marks)
	if err != nil {
		t.Fatal(err)
	}
	const want = `map[a:[secret] b:[unknown]] "[secret]" {"a":"[secret]","b":"[unknown]"}`
	if got := fmt.Sprintf("%v %q %s", marks, marks["a"], asJSON); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestAtListAndIsUnknown(t *testing.T) {
	t.Parallel()
	object := map[string]any{"spec": tree.Secret{Value: map[string]any{
		"replicas": int64(3), "paused": tree.Secret{Value: true}, "image": tree.Unknown{}, "args": []any{"a"},
		"name": "web",
	}}, "status": tree.Unknown{}}
	for _, tt := range []struct {
		name      string
		got, want any
	}{
		{"a value in a secret is secret", tree.At(object, "spec", "name"), tree.Secret{Value: "web"}},
		{"a missing value", tree.At(object, "spec", "none", "deeper"), nil},
		{"a value below an unknown one", tree.At(object, "status", "phase"), tree.Unknown{}},
		{"a value below a scalar", tree.At(object, "spec", "name", "deeper"), nil},
		{"no keys at all", tree.At("web"), "web"},
		{"a known map is not unknown", tree.IsUnknown(tree.At(object, "spec")), false},
		{"a secret can be unknown", tree.IsUnknown(tree.Secret{Value: tree.Unknown{}}), true},
		{"a list in a secret", tree.List(tree.At(object, "spec", "args")), []any{tree.Secret{Value: "a"}}},
		{"a list", tree.List([]any{"a"}), []any{"a"}},
		{"a secret list", tree.List(tree.Secret{Value: []any{"a", nil}}), []any{tree.Secret{Value: "a"}, nil}},
		{"a value that was read is unchanged", object["spec"].(tree.Secret).Value.(map[string]any)["name"], "web"},
		{"a map is not a list", tree.List(object), []any(nil)},
		{"a list is not a map", tree.Map([]any{}), map[string]any(nil)},
		{"a secret in a secret", tree.Reveal(tree.Secret{Value: tree.Secret{Value: "a"}}), "a"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tt.want, tt.got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
	if text, ok := tree.Text(tree.Secret{Value: "a"}); text != "a" || !ok {
		t.Errorf("Text of a secret = %q, %t", text, ok)
	}
	if text, ok := tree.Text(int64(3)); text != "" || ok {
		t.Errorf("Text of a number = %q, %t", text, ok)
	}
	if i, ok := tree.Int(tree.Secret{Value: int64(3)}); i != 3 || !ok {
		t.Errorf("Int of a secret = %d, %t", i, ok)
	}
	if b, ok := tree.Bool(tree.Unknown{}); b || ok {
		t.Errorf("Bool of an unknown value = %t, %t", b, ok)
	}
}
