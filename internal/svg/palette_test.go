package svg

import (
	"math"
	"slices"
	"strconv"
	"testing"
)

// themes returns the colors, by theme and name.
func themes() map[string]map[string]string {
	all := map[string]map[string]string{"light": {}, "dark": {}}
	for _, c := range slices.Concat(colors, hues) {
		all["light"][c.name], all["dark"][c.name] = c.light, c.dark
	}
	return all
}

// luminance and contrast are defined in WCAG 2.2 (https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio).
func luminance(tb testing.TB, color string) float64 {
	tb.Helper()
	sum := 0.0
	for i, weight := range []float64{0.2126, 0.7152, 0.0722} {
		n, err := strconv.ParseUint(color[1+2*i:3+2*i], 16, 8)
		if err != nil {
			tb.Fatal(err)
		}
		c := float64(n) / 255
		if c <= 0.04045 {
			c /= 12.92
		} else {
			c = math.Pow((c+0.055)/1.055, 2.4)
		}
		sum += weight * c
	}
	return sum
}

func contrast(tb testing.TB, a, b string) float64 {
	tb.Helper()
	x, y := luminance(tb, a), luminance(tb, b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

// Texts have the contrast of level AA, and edges and colors with a meaning have the contrast of level AA for graphics
// (https://www.w3.org/TR/WCAG22/#contrast-minimum, #non-text-contrast).
func TestContrastInBothThemes(t *testing.T) {
	t.Parallel()
	const forText, forGraphics = 4.5, 3
	type pair struct {
		front, back string
		least       float64
	}
	var pairs []pair
	for _, back := range []string{"ground", "surface", "sunk", "warn-ground"} {
		for _, front := range []string{"text", "soft", "warn"} {
			pairs = append(pairs, pair{front, back, forText})
		}
	}
	pairs = append(pairs, pair{"on", "warn", forText})
	for _, front := range []string{"edge", "focus"} {
		pairs = append(pairs, pair{front, "surface", forGraphics}, pair{front, "ground", forGraphics})
	}
	for _, hue := range hues {
		p := hue.name
		pairs = append(pairs, pair{"on", p, forText}, pair{p, "surface", forGraphics}, pair{p, "ground", forGraphics},
			pair{p, "sunk", forGraphics})
	}
	for theme, colors := range themes() {
		for _, p := range pairs {
			if colors[p.front] == "" || colors[p.back] == "" {
				t.Errorf("%s: there is no color %s or %s", theme, p.front, p.back)
				continue
			}
			if got := contrast(t, colors[p.front], colors[p.back]); got < p.least {
				t.Errorf("%s: %s on %s has a contrast of %.2f, less than %.1f", theme, p.front, p.back, got, p.least)
			}
		}
	}
}
