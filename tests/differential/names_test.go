package differential

import (
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/mixedkube/mixedkube/core/preflight"
)

// Names and values of labels with each character, at an end and inside, are judged as the API server judges them.
func TestEachCharacterInANameAndALabel(t *testing.T) {
	long := strings.Repeat("a", validation.DNS1123LabelMaxLength)
	for _, form := range []string{"?", "?a", "a?", "a?b", "a-?", long[1:] + "?", long + "?"} {
		for c := range 128 {
			text := strings.ReplaceAll(form, "?", string(rune(c)))
			object := map[string]any{"apiVersion": "v1", "kind": "Service", "metadata": map[string]any{
				"name": text, "labels": map[string]any{"a": text},
			}}
			found := preflight.Check(object, preflight.Options{})
			for path, wrong := range map[string][]string{
				"metadata.name":      validation.IsDNS1123Label(text),
				"metadata.labels[a]": validation.IsValidLabelValue(text),
			} {
				got := slices.ContainsFunc(found, func(f preflight.Finding) bool {
					return f.Rule == "MK177" && f.Path == path
				})
				if want := len(wrong) > 0; got != want {
					t.Errorf("%s %q: found %t, want %t", path, text, got, want)
				}
			}
		}
	}
}
