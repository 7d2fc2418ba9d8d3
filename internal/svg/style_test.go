package svg

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestAnElementHasLightColorsAsAttributesAndDarkOnesAsARule(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ element, class, plain, dark string }{
		{"rect", "ground", ` class="ground" fill="#f5f6f8"`, "rect.ground { fill: #0e1218; }"},
		{"rect", "fill linux", ` class="fill linux" fill="#00705a"`, "rect.fill.linux { fill: #45c5a5; }"},
		{
			"rect", "choice other", ` class="choice other" fill="#4b5563" fill-opacity="0.35"`,
			"rect.choice.other { fill: #a7b2be; }",
		},
		{
			"path", "wire ", ` class="wire" fill="none" stroke="#868f9b" stroke-width="1.5"`,
			"path.wire { stroke: #727e8d; }",
		},
		{
			"path", "wire thick tinted linux dashed",
			` class="wire thick tinted linux dashed" fill="none" stroke="#00705a" stroke-width="2"` +
				` stroke-dasharray="5 4"`,
			"path.wire.thick.tinted.linux.dashed { stroke: #45c5a5; }",
		},
		{
			"path", "tip tinted windows-2022", ` class="tip tinted windows-2022" fill="#1550b8"`,
			"path.tip.tinted.windows-2022 { fill: #7db4ff; }",
		},
		{"text", "", ` fill="#17202b"`, "text { fill: #e7ecf2; }"},
		{
			"text", "soft small end", ` class="soft small end" fill="#56616e" font-size="12" text-anchor="end"`,
			"text.soft.small.end { fill: #9eabb9; }",
		},
		{"g", "", "", ""},
	} {
		got := []string{plain(tt.element, tt.class), dark(tt.element, tt.class)}
		if diff := cmp.Diff([]string{tt.plain, tt.dark}, got); diff != "" {
			t.Errorf("%s of the class %q (-want +got):\n%s", tt.element, tt.class, diff)
		}
	}
}

// A class or a value with a typing error would be ignored.
func TestEachColorOfAClassIsKnown(t *testing.T) {
	t.Parallel()
	for name, sets := range classes {
		for _, a := range sets {
			_, variable := variables()[a.value]
			_, known := named(a.value)
			_, sets := variables()[a.name]
			if (a.name == "fill" || a.name == "stroke" || sets) && !variable && !known && a.value != "none" {
				t.Errorf("%s: %s: there is no color %s", name, a.name, a.value)
			}
		}
	}
}
