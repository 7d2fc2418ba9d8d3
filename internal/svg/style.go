package svg

import (
	"fmt"
	"slices"
	"strings"
)

// An attribute of an element. The value of fill and of stroke is the name of a color or of a variable, or "none".
type attribute struct{ name, value string }

// variables are set by classes and used by other ones: the ink is the color of a line and of its tip, the hue that of a
// platform. These are their values if no class sets them.
func variables() map[string]string { return map[string]string{"ink": "edge", "hue": "other"} }

// classes lists what each class sets, and "text" what each text has. The class of a platform sets the hue.
var classes = map[string][]attribute{
	"text": {{"fill", "text"}},

	// Boxes.
	"ground":     {{"fill", "ground"}},
	"card":       {{"fill", "surface"}, {"stroke", "line"}},
	"edged":      {{"fill", "surface"}, {"stroke", "edge"}},
	"hollow":     {{"fill", "surface"}, {"stroke", "hue"}, {"stroke-width", "1.5"}},
	"frame":      {{"fill", "none"}, {"stroke", "edge"}},
	"chip":       {{"fill", "sunk"}, {"stroke", "line"}},
	"pipe":       {{"fill", "sunk"}},
	"alarm":      {{"fill", "warn-ground"}, {"stroke", "warn-line"}},
	"alarm-edge": {{"fill", "warn"}},
	"fill":       {{"fill", "hue"}},
	"track":      {{"fill", "sunk"}, {"stroke", "edge"}},
	"choice":     {{"fill", "hue"}, {"fill-opacity", "0.35"}},

	// Lines.
	"wire":       {{"fill", "none"}, {"stroke", "ink"}, {"stroke-width", "1.5"}},
	"tip":        {{"fill", "ink"}},
	"tinted":     {{"ink", "hue"}},
	"alarm-wire": {{"ink", "warn"}},
	"thick":      {{"stroke-width", "2"}},
	"dashed":     {{"stroke-dasharray", "5 4"}},

	// Texts.
	"soft":    {{"fill", "soft"}},
	"warn":    {{"fill", "warn"}},
	"small":   {{"font-size", "12"}},
	"strong":  {{"font-weight", "600"}},
	"title":   {{"font-size", "26"}, {"font-weight", "700"}, {"letter-spacing", "-0.4"}},
	"big":     {{"font-size", "26"}, {"font-weight", "600"}, {"letter-spacing", "-0.5"}},
	"heading": {{"font-size", "17"}, {"font-weight", "600"}},
	"mark":    {{"fill", "on"}, {"font-size", "10.5"}, {"font-weight", "700"}, {"text-anchor", "middle"}},
	"mono":    {{"font-family", mono}, {"font-size", "11.5"}},
	"middle":  {{"text-anchor", "middle"}},
	"end":     {{"text-anchor", "end"}},
}

// look returns the attributes of an element. If several classes set an attribute, the last one counts.
func look(element, class string) []attribute {
	var all []attribute
	values := variables()
	for _, word := range append([]string{element}, strings.Fields(class)...) {
		sets := classes[word]
		if slices.ContainsFunc(hues, func(c color) bool { return c.name == word }) {
			sets = []attribute{{"hue", word}}
		}
		for _, a := range sets {
			at := slices.IndexFunc(all, func(b attribute) bool { return b.name == a.name })
			switch _, variable := values[a.name]; {
			case variable:
				values[a.name] = a.value
			case at >= 0:
				all[at] = a
			default:
				all = append(all, a)
			}
		}
	}
	for i, a := range all {
		for value, variable := values[a.value]; variable; value, variable = values[a.value] {
			a.value = value
		}
		all[i] = a
	}
	return all
}

// plain returns an element's class and its attributes as XML, in light colors: not every viewer applies CSS.
func plain(element, class string) string {
	var b strings.Builder
	if words := strings.Fields(class); len(words) > 0 {
		fmt.Fprintf(&b, ` class="%s"`, strings.Join(words, " "))
	}
	for _, a := range look(element, class) {
		if c, ok := named(a.value); ok {
			a.value = c.light
		}
		fmt.Fprintf(&b, ` %s="%s"`, a.name, a.value)
	}
	return b.String()
}

// dark returns the rule of CSS that replaces the colors of an element in the dark theme, or "" if it has none.
func dark(element, class string) string {
	var b strings.Builder
	for _, a := range look(element, class) {
		if c, ok := named(a.value); ok {
			fmt.Fprintf(&b, " %s: %s;", a.name, c.dark)
		}
	}
	if b.Len() == 0 {
		return ""
	}
	return strings.Join(append([]string{element}, strings.Fields(class)...), ".") + " {" + b.String() + " }"
}
