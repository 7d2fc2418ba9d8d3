package manifests

import (
	"strings"
	"testing"

	"gopkg.in/yaml.v3"
)

// plain must quote what yaml.Marshal quotes, although it calls it for few texts.
func TestPlainQuotesWhatYAMLQuotes(t *testing.T) {
	t.Parallel()
	words := strings.FieldsSeq(
		"a y n Y N yes no on off Yes NO On OFF true false True FALSE null Null NULL nan NaN inf Inf " +
			"e1 x10 web kubernetes.io/os 1 1.0 0x1f 0o17 1e3 2001-01-01 2001-01-01-a 1.36.0 1-a 08 0b1 t f T F",
	)
	for text := range words {
		marshaled, err := yaml.Marshal(text)
		if err != nil {
			t.Fatal(err)
		}
		want := text
		if string(marshaled) != text+"\n" {
			want = `"` + text + `"`
		}
		if got := plain(text); got != want {
			t.Errorf("plain(%q) is %s, want %s", text, got, want)
		}
	}
}
