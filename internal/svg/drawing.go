package svg

import (
	"encoding/xml"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/mixedkube/mixedkube/internal/core/fielderrors/escape"
)

// Drawing collects the elements of a picture. The zero value is empty. The classes of elements are those of this
// package; an element can have several.
type Drawing struct {
	b strings.Builder
	// dark are the rules for the dark theme, in the order in which elements need them.
	dark []string
}

// look returns the attributes of an element.
func (d *Drawing) look(element, class string) string {
	if rule := dark(element, class); rule != "" && !slices.Contains(d.dark, rule) {
		d.dark = append(d.dark, rule)
	}
	return plain(element, class)
}

// Text draws a line of text with its baseline at y, cut to room if it is wider.
func (d *Drawing) Text(x, y float64, class, text string, room float64) {
	shown, cut := fitted(text, class, room)
	title := ""
	if cut {
		title = "<title>" + escaped(text) + "</title>"
	}
	fmt.Fprintf(&d.b, `<text x="%s" y="%s"%s>%s%s</text>`+"\n", Number(x), Number(y), d.look("text", class),
		title, escaped(shown))
}

// Rect draws a rectangle.
func (d *Drawing) Rect(x, y, width, height, radius float64, class string) {
	fmt.Fprintf(&d.b, `<rect x="%s" y="%s" width="%s" height="%s" rx="%s"%s/>`+"\n", Number(x), Number(y),
		Number(width), Number(height), Number(radius), d.look("rect", class))
}

// Path draws a path: the format is the attribute d, with a %s for each of the numbers.
func (d *Drawing) Path(class, format string, points ...float64) {
	shown := make([]any, len(points))
	for i, p := range points {
		shown[i] = Number(p)
	}
	fmt.Fprintf(&d.b, `<path d="%s"%s/>`+"\n", fmt.Sprintf(format, shown...), d.look("path", class))
}

// BadgeSize is the width and the height of a badge.
const BadgeSize = 20

// Badge draws a mark of one or two letters on the color of a class.
func (d *Drawing) Badge(x, y float64, class, mark string, round bool) {
	radius := 5.0
	if round {
		radius = BadgeSize / 2
	}
	d.Rect(x, y, BadgeSize, BadgeSize, radius, "fill "+class)
	d.Text(x+BadgeSize/2, y+13.8, "mark", mark, BadgeSize)
}

// Document is the file of a drawing.
type Document struct {
	// Title and Description are for screen readers.
	Title, Description string
	// Width and Height are in pixels.
	Width, Height float64
	// Radius rounds the corners of the background. The default is 0.
	Radius float64
}

// Document returns the file. Its elements have the light colors as attributes, and a style has the dark ones.
func (d *Drawing) Document(p Document) string {
	width, height := Number(p.Width), Number(p.Height)
	ground := `<rect width="` + width + `" height="` + height + `"`
	if p.Radius > 0 {
		ground += ` rx="` + Number(p.Radius) + `"`
	}
	ground += d.look("rect", "ground") + "/>\n"
	return escape.XML(Visible(`<svg xmlns="http://www.w3.org/2000/svg" width="` + width + `" height="` + height +
		`" viewBox="0 0 ` + width + " " + height + `" font-family="` + sans + `" font-size="13"` +
		` role="img" aria-labelledby="title description">` + "\n" +
		`<title id="title">` + escaped(p.Title) + "</title>\n" +
		`<desc id="description">` + escaped(p.Description) + "</desc>\n" +
		"<style>\n:root { color-scheme: light dark; }\ntext { font-variant-numeric: tabular-nums; }\n" +
		inDark("\t"+strings.Join(d.dark, "\n\t")+"\n") + "</style>\n" +
		ground + d.b.String() + "</svg>\n"))
}

func escaped(text string) string {
	var b strings.Builder
	// A strings.Builder accepts all writes.
	_ = xml.EscapeText(&b, []byte(text))
	return b.String()
}

// Number formats a length with at most two decimals.
func Number(n float64) string { return strconv.FormatFloat(math.Round(n*100)/100, 'f', -1, 64) }

// Visible replaces characters that are invisible or change the direction of text: names can have them,
// and XML cannot.
func Visible(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) || r == '\n' || r == '\t' {
			return r
		}
		return unicode.ReplacementChar
	}, text)
}
