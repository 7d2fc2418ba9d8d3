package tree

import (
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/api/resource"
)

// An exponent of nine digits is a number with a billion digits, in a comparison for example.
func TestParseQuantity(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"500m": true, "2Gi": true, "1E": true, "1Ei": true, "1e3": true, "1E3": true, "1e-3": true, "+1e+100": true,
		"0":                      true,
		strings.Repeat("9", 100): true, strings.Repeat("9", 101): false, "0." + strings.Repeat("9", 99) + "Ei": false,
		"1e101": false, "1e-101": false, "1E999999999": false, "1e99999999999999999999": false,
		"1e-99999999999999999999": false, "": false, "e": false, "1x": false, "1e": false, "1e1e1": false,
	} {
		got, err := ParseQuantity(text)
		if (err == nil) != want {
			t.Errorf("%.20s: %v", text, err)
			continue
		}
		if want && got.Cmp(resource.MustParse(text)) != 0 {
			t.Errorf("%s became %v", text, got)
		}
	}
}
