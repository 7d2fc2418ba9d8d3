package tree_test

import (
	"errors"
	"net/netip"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

type word string

type part struct {
	Name word `json:"name" required:"say which"`
	Max  int  `json:"max,omitempty"`
}

type document struct {
	Text     string            `json:"text"`
	Number   int               `json:"number"`
	Fraction float64           `json:"fraction"`
	Flag     bool              `json:"flag"`
	Share    string            `json:"share" number:"a number or a percentage"`
	Words    []word            `json:"words"`
	ByName   map[word]part     `json:"byName"`
	Texts    map[string]string `json:"texts"`
	Part     *part             `json:"part"`
	Parts    []part            `json:"parts"`
	Range    netip.Prefix      `json:"range"`
	Any      any               `json:"any"`
	Untagged string
	Hidden   string `json:"-"`
}

func TestInto(t *testing.T) {
	t.Parallel()
	raw := map[string]any{
		"text": "a", "number": int64(2), "fraction": 1.5, "flag": true, "share": 3.0,
		"words":  []any{"a", "b"},
		"byName": map[string]any{"x": map[any]any{"name": "X", "max": 1.0}},
		"texts":  map[string]any{"k": "v"}, "part": map[string]any{"name": "p"},
		"parts": []any{map[string]any{"name": "q", "max": 2}}, "range": "10.0.0.0/8",
		"any": []any{1}, "Untagged": "u",
	}
	want := document{
		Text: "a", Number: 2, Fraction: 1.5, Flag: true, Share: "3", Words: []word{"a", "b"},
		ByName: map[word]part{"x": {"X", 1}}, Texts: map[string]string{"k": "v"}, Part: &part{Name: "p"},
		Parts: []part{{"q", 2}}, Range: netip.MustParsePrefix("10.0.0.0/8"), Any: []any{1}, Untagged: "u",
	}
	var got document
	if errs := tree.Decode(&got, raw, nil); len(errs) > 0 {
		t.Fatal(errs)
	}
	opts := cmp.Comparer(func(a, b netip.Prefix) bool { return a == b })
	if diff := cmp.Diff(want, got, opts); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A whole float is a number if it fits into an int.
func TestLargeNumbers(t *testing.T) {
	t.Parallel()
	var got document
	errs := tree.Decode(&got, map[string]any{"number": float64(1 << 60)}, nil)
	if len(errs) > 0 || got.Number != 1<<60 {
		t.Errorf("got %d, %v", got.Number, errs)
	}
	const want = "number: Invalid value: 9.223372036854776e+18: must be a whole number"
	if diff := cmp.Diff(want, lines(tree.Decode(&got, map[string]any{"number": float64(1 << 63)}, nil))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A field whose key is missing or has no value stays unchanged, and so does the field of an empty list.
func TestFieldsThatAreNotSetStayUnchanged(t *testing.T) {
	t.Parallel()
	got := document{Text: "before", Words: nil, Number: 3}
	raw := map[string]any{"text": nil, "words": []any{}, "part": nil}
	if errs := tree.Decode(&got, raw, nil); len(errs) > 0 {
		t.Fatal(errs)
	}
	if got.Text != "before" || got.Number != 3 || got.Words != nil || got.Part != nil {
		t.Errorf("got %+v", got)
	}
}

func TestAllErrorsAreReported(t *testing.T) {
	t.Parallel()
	raw := map[string]any{
		"text": 1.5, "number": "2", "fraction": "x", "flag": "yes", "share": true,
		"words":  []any{"a", 2, nil, []any{}},
		"byName": map[any]any{"x": map[string]any{"nam": "X"}, 5: "five"},
		"texts":  "none", "part": []any{}, "parts": map[string]any{},
		"range": "10.0.0.0", "txet": "a", "Hidden": "h",
	}
	var got document
	const keys = " (use text, number, fraction, flag, share, words, byName, texts, part, parts, range, any or " +
		"Untagged)"
	want := strings.TrimSpace(`
root.text: Invalid value: 1.5: must be a string: write it in quotes, as a number loses its last zeros (1.30 is 1.3)
root.number: Invalid value: "2": must be a whole number
root.fraction: Invalid value: "x": must be a number
root.flag: Invalid value: "yes": must be true or false
root.share: Invalid value: true: must be a number or a percentage
root.words[1]: Invalid value: 2: must be a string: write it in quotes
root.words[2]: Invalid value: null: must be a string: write "" for an empty one
root.words[3]: Invalid value: "a list": must be a string
root.byName[5]: Invalid value: 5: must be a string, like all keys: write it in quotes
root.byName[x].name: Required value: say which
root.byName[x].nam: Invalid value: "nam": unknown key: did you mean "name"? (use name or max)
root.texts: Invalid value: "none": must be an object
root.part: Invalid value: "a list": must be an object
root.parts: Invalid value: "an object": must be a list
root.range: Invalid value: "10.0.0.0": must be a CIDR, 10.240.0.0/24 for example
root.Hidden: Invalid value: "Hidden": unknown key` + keys + `
root.txet: Invalid value: "txet": unknown key: did you mean "text"?` + keys)
	if diff := cmp.Diff(want, lines(tree.Decode(&got, raw, field.NewPath("root")))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]word{"a", "", "", ""}, got.Words); diff != "" {
		t.Errorf("the indexes of the words (-want +got):\n%s", diff)
	}
}

func lines(errs field.ErrorList) string {
	var texts []string
	for _, err := range errs {
		texts = append(texts, err.Error())
	}
	return strings.Join(texts, "\n")
}

func TestText(t *testing.T) {
	t.Parallel()
	upper := tree.TextAs(func(text string) (word, error) {
		if text == "" {
			return "", errors.New("must not be empty")
		}
		return word(strings.ToUpper(text)), nil
	})
	var got document
	errs := tree.Decode(&got, map[string]any{"words": []any{"a", "", 1}}, nil, upper)
	want := "words[1]: Invalid value: \"\": must not be empty\n" +
		"words[2]: Invalid value: 1: must be a string: write it in quotes"
	if diff := cmp.Diff(want, lines(errs)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]word{"A", "", ""}, got.Words); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestHiddenShowsNoValue(t *testing.T) {
	t.Parallel()
	const secret = "correct-horse"
	raw := map[string]any{
		"text": []any{secret}, "number": secret, "flag": secret, "range": secret, "parts": secret,
		"texts": map[string]any{"k": 7331}, "part": map[string]any{"name": "", "max": secret},
	}
	var got document
	errs := tree.Decode(&got, raw, nil, tree.Hidden, tree.TextAs(func(string) (netip.Prefix, error) {
		return netip.Prefix{}, errors.New("must be a range")
	}))
	if len(errs) != 8 {
		t.Errorf("%d errors, want 8:\n%s", len(errs), lines(errs))
	}
	if text := lines(errs); strings.Contains(text, secret) || strings.Contains(text, "7331") {
		t.Errorf("a value is shown:\n%s", text)
	}
}

// Decoding any input ends, and every error has its path.
func FuzzInto(f *testing.F) {
	f.Add("text", "a", 1.0, true)
	f.Add("parts", "", -1.5, false)
	f.Add("byName", "x", 1e300, false)
	f.Fuzz(func(t *testing.T, key, text string, number float64, nested bool) {
		var raw any = map[string]any{key: number, text: []any{text, number, nil}, "name": text}
		if nested {
			raw = map[string]any{"parts": []any{raw, text}, "byName": map[any]any{text: raw, number: text}, "any": raw}
		}
		for _, err := range tree.Decode(new(document), raw, field.NewPath("root")) {
			if !strings.HasPrefix(err.Field, "root") || err.Detail == "" {
				t.Errorf("%v", err)
			}
		}
	})
}

// A command gets a wrong file, which can have a secret.
func TestAWholeDocumentIsNotShown(t *testing.T) {
	t.Parallel()
	var out struct{ A string }
	errs := tree.Decode(&out, "hunter2", nil)
	if len(errs) != 1 || strings.Contains(errs[0].Error(), "hunter2") ||
		!strings.Contains(errs[0].Error(), "must be an object") {
		t.Errorf("got %v", errs)
	}
}
