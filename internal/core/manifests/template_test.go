package manifests

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Each text cannot be read.
func TestTextsThatLookLikeTemplates(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"a: {{ .x }}\nb: [":                     true,
		"a:\n{{- if .x }}\n  b: c\nb: [":        true,
		"{% if x %}\na: b\n{% endif %}":         true,
		"a: @X@":                                true,
		"a: @":                                  false,
		"- %X%":                                 true,
		"a: %":                                  false,
		"image: {registry}/{project}:{version}": true,
		"image: {registry}":                     false,
		"image: [your name]/app\n":              true,
		"a: [b] c":                              false,
		"<% x %>: [":                            true,
		"# {{ .x }}\na: [":                      false,
		"a: '{{ x }}'\nb: [":                    false,
		"a: \"{{ x }}\"\nb: [":                  false,
		"a: |\n  {{ x }}\n  @X@\nb: [":          false,
		"a: |\n  text\n{{ x }}\nb: [":           true,
		"- >-\n  {{ x }}\n\n  y\n- [":           false,
		`{"a": {{ .x }}}`:                       true,
		`{"a": "{{ x }}", }`:                    false,
		"a: b\n${MORE}\n":                       true, "a:\n  <more>\n": true, "__MORE__\n": true, "((more))\n": true,
		"ports: [{containerPort: ${PORT}}]\n": true, "args: [--name, ${NAME}]\n": true, "a: {b: ${X}}\n": true,
		"a: [x${X}]\n": false, "a: ['${X}', \"${X}\"]\nb: [": false, "a: ${X} ${Y}\nb: [": false,
		"a: ${X}\nb: [": false,
		"<<: a\n":       false,
		"a: @@X@@\n":    true, "a: %{x}\n": true, "a: |\n  ${MORE}\n": false,
	} {
		if got := isTemplate([]byte(text)); got != want {
			t.Errorf("%q: %t, want %t", text, got, want)
		}
	}
}

func TestBackslashesInDoubleQuotes(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`a: "C:\inetpub"`: `a:1: found unknown escape character: \ begins an escape in double quotes: ` +
			`use single quotes, or write \\ for each \`,
		`a: "C:\users"`: `a:1: did not find expected hexdecimal number: \ begins an escape in double quotes: ` +
			`use single quotes, or write \\ for each \`,
		`{"a": "C:\inetpub"}`: `a:1: not JSON: invalid character 'i' in string escape code: ` +
			`\ begins an escape: write \\ for each \`,
		`{"a": "C:\users"}`: `a:1: not JSON: invalid character 's' in \u hexadecimal character escape: ` +
			`\ begins an escape: write \\ for each \`,
		`a: 'C:\inetpub'`:  "",
		`a: "C:\\inetpub"`: "",
		`a: C:\inetpub`:    "",
	} {
		_, err := ReadObjects(strings.NewReader(text), "a")
		got := ""
		if err != nil {
			got = err.Error()
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", text, diff)
		}
	}
}
