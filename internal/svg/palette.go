package svg

import (
	"fmt"
	"slices"
	"strings"
)

// A color is a name with the color in light and in dark pictures.
type color struct{ name, light, dark string }

// colors are the colors of all pictures and of the page of a map.
var colors = []color{
	{"ground", "#f5f6f8", "#0e1218"},
	{"surface", "#ffffff", "#161c24"},
	{"sunk", "#f0f2f5", "#1d2530"},
	{"line", "#dde2e8", "#29323e"},
	{"edge", "#868f9b", "#727e8d"},
	{"text", "#17202b", "#e7ecf2"},
	{"soft", "#56616e", "#9eabb9"},
	{"focus", "#1456c4", "#7fb4ff"},
	{"warn", "#a8320b", "#ffa37a"},
	{"warn-ground", "#fff4ee", "#241812"},
	{"warn-line", "#f0c3ad", "#5c3421"},
	{"on", "#ffffff", "#0e1218"},
}

// hues tell the platforms apart. Their names are classes. A mark beside the color tells the same without it.
var hues = []color{
	{"linux", "#00705a", "#45c5a5"},
	{"windows-2019", "#8d2f70", "#e391c8"},
	{"windows-2022", "#1550b8", "#7db4ff"},
	{"windows-2025", "#5c6900", "#b9cc5c"},
	{"other", "#4b5563", "#a7b2be"},
}

// The fonts are those of the system.
const (
	sans = "Inter, system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', 'Noto Sans', 'DejaVu Sans', " +
		"sans-serif"
	mono = "ui-monospace, 'SF Mono', 'Cascadia Mono', 'JetBrains Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace"
)

// Properties returns the colors and the fonts as properties of CSS, for a page. The property --hue is the color of the
// platform whose class an element has.
func Properties() string {
	var light, lightHues, dark, darkHues strings.Builder
	for _, c := range colors {
		fmt.Fprintf(&light, "\t--%s: %s;\n", c.name, c.light)
		fmt.Fprintf(&dark, "\t\t--%s: %s;\n", c.name, c.dark)
	}
	for _, c := range hues {
		fmt.Fprintf(&lightHues, ".%s { --hue: %s; }\n", c.name, c.light)
		fmt.Fprintf(&darkHues, "\t.%s { --hue: %s; }\n", c.name, c.dark)
	}
	return ":root {\n\tcolor-scheme: light dark;\n" + light.String() + "\t--sans: " + sans + ";\n\t--mono: " + mono +
		";\n}\n\n" + lightHues.String() + "\n" + inDark("\t:root {\n"+dark.String()+"\t}\n"+darkHues.String())
}

// inDark returns rules of CSS for the dark theme only.
func inDark(rules string) string { return "@media (prefers-color-scheme: dark) {\n" + rules + "}\n" }

// named returns the color with a name.
func named(name string) (color, bool) {
	for _, c := range slices.Concat(colors, hues) {
		if c.name == name {
			return c, true
		}
	}
	return color{}, false
}
