package credspec_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/internal/core/preflight/credspec"
)

// FuzzDecode: no text ends in a panic, and one that is taken says the same to
// encoding/json, before and after it is written again.
func FuzzDecode(f *testing.F) {
	for _, name := range []string{"plain.json", "plugin.json"} {
		text, err := os.ReadFile(filepath.Join("..", "..", "..", "..", "components", "gmsa", "testdata", name))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(text))
		f.Add("\uFEFF" + strings.ReplaceAll(string(text), "\n", "\r\n"))
		f.Add(strings.ReplaceAll(string(text), "CONTOSO", `\u0043\u00d6ntoso\ud83d`))
		f.Add(string(text[:len(text)/2]))
	}
	for _, text := range []string{
		"", "null", "[]", "{}", `{"CmsPlugins":["ActiveDirectory",null]}`, `{"a":1e400}`,
		"{\"a\":\"\xff\"}", `{"kind":"XList","apiVersion":"v1","items":[{},{}]}`, "---\n{}",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s, errs := credspec.Decode(text, field.NewPath("json"))
		if len(errs) > 0 {
			for _, err := range errs {
				if !strings.HasPrefix(err.Field, "json") || !strings.HasPrefix(err.Detail, "line ") {
					t.Errorf("an error without its place: %v", err)
				}
			}
			return
		}
		written, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		again, errs := credspec.Decode(string(written), field.NewPath("json"))
		if len(errs) > 0 {
			t.Fatalf("refuses what it has taken: %v", errs)
		}
		if diff := cmp.Diff(s, again); diff != "" {
			t.Errorf("taken again (-first +second):\n%s", diff)
		}
		var before, after map[string]any
		if err := json.Unmarshal([]byte(strings.TrimPrefix(text, "\uFEFF")), &before); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(written, &after); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(before, after); diff != "" {
			t.Errorf("the specification (-given +written):\n%s", diff)
		}
	})
}
