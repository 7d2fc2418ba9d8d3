package fielderrors_test

import (
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/internal/core/fielderrors"
)

func TestPrintable(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"a label's value": "a label's value", "größe 日本": "größe 日本", "": "",
		"a\nb": `a\nb`, "a\r\tb": `a\r\tb`, "a\x00b\x1b[31m": `a\x00b\x1b[31m`, "a\u2028b\u202ec": `a\u2028b\u202ec`,
		"see " + strings.Repeat("x", 501) + " there": "see " + strings.Repeat("x", 100) + "… (501 bytes) there",
		strings.Repeat("word ", 200):                 strings.Repeat("word ", 200),
	} {
		if got := fielderrors.Printable(text); got != want {
			t.Errorf("Printable(%q) = %q, want %q", text, got, want)
		}
	}
}

// A key or a value of the user never looks like another error.
func TestJoinIsLegible(t *testing.T) {
	t.Parallel()
	type mode string
	labels := field.NewPath("labels")
	err := fielderrors.Join("pool", field.ErrorList{
		field.Invalid(labels.Key("a\nlabels[b]: Required value: forged"), "c\nd", "not e\x1b[0m: use f"),
		field.Invalid(field.NewPath("mode"), mode("\u202e"), "valid modes are User, System"),
		field.Invalid(field.NewPath("name"), strings.Repeat("n", 9000), "use less"),
	})
	want := `pool:
  labels[a\nlabels[b]: Required value: forged]: Invalid value: "c\nd": not e\x1b[0m: use f
  mode: Invalid value: "\u202e": valid modes are User, System
  name: Invalid value: "` + strings.Repeat("n", 100) + `… (9000 bytes)": use less`
	if err.Error() != want {
		t.Errorf("the error is\n%s\nwant\n%s", err, want)
	}
}
