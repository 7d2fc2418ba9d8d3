package clustermap

import (
	_ "embed" // the style
	"encoding/xml"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/mixedkube/mixedkube/internal/fielderrors"
)

//go:embed svg.css
var svgCSS string

// Lengths of the picture, in its units, which are pixels unless it is scaled.
const (
	svgWidth  = 1200
	svgMargin = 40
	svgGap    = 14
	svgInner  = svgWidth - 2*svgMargin
	// cardPadding is around what is in a card, lineHeight from one line of it to the next.
	cardPadding, lineHeight = 16, 20
)

// SVG writes the map as one picture, with the same layout as [Map.HTML]: what needs a click there is
// only counted here.
func (m *Map) SVG(w io.Writer) error {
	l := m.lay()
	d := &drawing{y: svgMargin}
	d.head(l)
	d.problems(l)
	d.groups(l)
	d.notes(l)
	height := d.y + svgMargin
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%s" viewBox="0 0 %d %s" role="img" `+
		`aria-labelledby="title description">`+"\n", svgWidth, number(height), svgWidth, number(height))
	b.WriteString(`<title id="title">` + escaped(l.Title+": cluster map") + "</title>\n")
	b.WriteString(`<desc id="description">` + escaped(l.description()) + "</desc>\n")
	b.WriteString("<style>\n" + palette + svgCSS + "</style>\n")
	fmt.Fprintf(&b, `<rect class="ground" width="%d" height="%s"/>`+"\n", svgWidth, number(height))
	b.WriteString(d.b.String() + "</svg>\n")
	_, err := io.WriteString(w, visible(b.String()))
	return err
}

// description says in words what the picture shows.
func (l layout) description() string {
	var lines []string
	for _, t := range l.Totals {
		lines = append(lines, t.Value+" "+strings.ToLower(t.Name))
	}
	var text strings.Builder
	text.WriteString(strings.Join(lines, ", ") + ".")
	for _, p := range l.Problems {
		fmt.Fprintf(&text, "\nPending: %s (%s). %s", p.Title, p.About, p.Why)
	}
	for _, g := range l.Groups {
		for _, c := range g.Cards {
			facts := append([]string{c.Platform, c.Nodes}, c.Facts...)
			fmt.Fprintf(&text, "\nPool %s: %s", c.Name, strings.Join(facts, ", "))
			for _, m := range c.Meters {
				fmt.Fprintf(&text, ", %s %s of %s", m.Name, m.Used, m.Of)
			}
			text.WriteString(".")
		}
	}
	return text.String()
}

// drawing is a picture that grows downwards.
type drawing struct {
	b strings.Builder
	// y is where what comes next begins.
	y float64
}

func escaped(text string) string {
	var b strings.Builder
	// A builder takes everything.
	_ = xml.EscapeText(&b, []byte(text))
	return b.String()
}

// text draws a line of text, cut to the room that it has.
func (d *drawing) text(x, y float64, class, text string, room float64) {
	shown, cut := fitted(text, class, room)
	title := ""
	if cut {
		title = "<title>" + escaped(text) + "</title>"
	}
	fmt.Fprintf(&d.b, `<text x="%s" y="%s" class="%s">%s%s</text>`+"\n", number(x), number(y), class, title,
		escaped(shown))
}

func (d *drawing) rect(x, y, width, height, radius float64, class string) {
	fmt.Fprintf(&d.b, `<rect x="%s" y="%s" width="%s" height="%s" rx="%s" class="%s"/>`+"\n", number(x), number(y),
		number(width), number(height), number(radius), class)
}

// badge draws the mark of a platform.
func (d *drawing) badge(x, y float64, l look) {
	const size = 20
	radius := 5.0
	if l.Round {
		radius = size / 2
	}
	d.rect(x, y, size, size, radius, "fill "+l.Class)
	d.text(x+size/2, y+13.8, "mark", l.Mark, size)
}

func (d *drawing) head(l layout) {
	d.text(svgMargin, d.y+10, "soft", "Cluster map", svgInner)
	d.text(svgMargin, d.y+42, "title", l.Title, svgInner-400)
	d.text(svgMargin, d.y+66, "soft", l.About, svgInner-400)
	x := float64(svgWidth - svgMargin)
	for _, t := range slices.Backward(l.Totals) {
		class := "big end"
		if t.Alarm {
			class += " warn"
		}
		d.text(x, d.y+42, class, t.Value, 100)
		d.text(x, d.y+66, "soft end", t.Name, 100)
		x -= 100
	}
	d.y += 92
	for _, p := range l.Mix {
		if width := p.Width*svgInner/100 - 2; width > 0 {
			d.rect(svgMargin+p.From*svgInner/100, d.y, width, 10, 3, "fill "+p.Class)
		}
	}
	d.y += 26
	x = svgMargin
	for _, p := range l.Mix {
		d.badge(x, d.y, p.look)
		name := width(p.Platform, "") + 8
		d.text(x+28, d.y+14.5, "", p.Platform, svgInner)
		d.text(x+28+name, d.y+14.5, "soft small", p.Nodes, svgInner)
		x += 28 + name + width(p.Nodes, "small") + 20
	}
	d.y += 20
}

func (d *drawing) heading(text string) {
	d.y += 44
	d.text(svgMargin, d.y, "heading", text, svgInner)
	d.y += 18
}

func (d *drawing) problems(l layout) {
	if len(l.Problems) == 0 {
		return
	}
	d.heading(fmt.Sprintf("Pending: %d", l.Pending))
	const inside = svgInner - 2*cardPadding - 4
	for _, p := range l.Problems {
		lines := wrapped(p.Why, "", inside)
		for _, r := range p.Reasons {
			lines = append(lines, wrapped(r.Pools+": "+r.Text, "", inside)...)
		}
		if p.Summary != "" {
			lines = append(lines, p.Summary+": see the page.")
		}
		height := float64(2*cardPadding + lineHeight*len(lines) + lineHeight - 6)
		d.rect(svgMargin, d.y, svgInner, height, 8, "alarm")
		d.rect(svgMargin, d.y, 4, height, 2, "alarm-edge")
		x, y := float64(svgMargin+cardPadding+4), d.y+cardPadding+11
		d.text(x, y, "strong", p.Title, inside/2)
		d.text(x+min(width(p.Title, "strong"), inside/2)+12, y, "soft small", p.About, inside/2-12)
		for _, line := range lines {
			y += lineHeight
			d.text(x, y, "", line, inside+20)
		}
		d.y += height + svgGap
	}
	d.y -= svgGap
}

func (d *drawing) groups(l layout) {
	d.heading("Pools")
	columns := 3
	if l.Grouped {
		columns = 4
	}
	if !l.Grouped {
		var all []card
		for _, g := range l.Groups {
			all = append(all, g.Cards...)
		}
		d.cards(all, columns)
		return
	}
	for i, g := range l.Groups {
		if i > 0 {
			d.y += 22
		}
		d.badge(svgMargin, d.y, g.look)
		d.text(svgMargin+28, d.y+14.5, "strong", g.Platform, svgInner)
		d.text(svgMargin+28+width(g.Platform, "strong")+14, d.y+14.5, "soft small", g.About, svgInner/2)
		d.y += 32
		d.cards(g.Cards, columns)
	}
}

func (d *drawing) cards(all []card, columns int) {
	each := float64(svgInner-svgGap*(columns-1)) / float64(columns)
	for from := 0; from < len(all); from += columns {
		row := all[from:min(from+columns, len(all))]
		height := 0.0
		for _, c := range row {
			height = max(height, c.height())
		}
		for i, c := range row {
			d.card(svgMargin+float64(i)*(each+svgGap), each, height, c)
		}
		d.y += height + svgGap
	}
	d.y -= svgGap
}

// mostDrawn is how many workloads a card of the picture names.
const mostDrawn = 6

// height is what is in a card, line by line: see [drawing.card].
func (c card) height() float64 {
	lines := 2 + min(len(c.Facts), 1) + max(len(c.Meters), 1) + min(len(c.Entries), mostDrawn)
	if c.rest() != "" {
		lines++
	}
	return float64(2*cardPadding+lineHeight*lines) + 26
}

// rest counts the workloads that are not named.
func (c card) rest() string {
	hidden := len(c.Later) + c.More
	if len(c.Entries) > mostDrawn {
		hidden += len(c.Entries) - mostDrawn
	}
	switch {
	case hidden == 0 && len(c.Entries) == 0:
		return "no workloads"
	case hidden == 0:
		return ""
	case len(c.Entries) == 0:
		return fielderrors.Count(hidden, "workload")
	default:
		return fmt.Sprintf("%d more", hidden)
	}
}

func (d *drawing) card(x, room, height float64, c card) {
	d.rect(x, d.y, room, height, 8, "card")
	d.rect(x+0.5, d.y, room-1, 3, 1.5, "fill "+c.Class)
	left, right, inside := x+cardPadding, x+room-cardPadding, room-2*cardPadding
	y := d.y + cardPadding + 14
	d.badge(left, y-14.5, c.look)
	nodes := width(c.Nodes, "soft small")
	d.text(left+28, y, "strong", c.Name, inside-28-nodes-8)
	d.text(right, y, "soft small end", c.Nodes, inside)
	y += lineHeight + 2
	facts := []string{c.Platform}
	if c.Build != "" {
		facts = append(facts, c.Build)
	}
	d.text(left, y, "soft small", strings.Join(facts, " · "), inside)
	if len(c.Facts) > 0 {
		y += lineHeight - 2
		d.text(left, y, "soft small", strings.Join(c.Facts, " · "), inside)
	}
	y += lineHeight
	if len(c.Taints) == 0 {
		d.text(left, y, "soft small", "no taints", inside)
	} else {
		d.text(left, y, "mono", strings.Join(c.Taints, "  "), inside)
	}
	if len(c.Meters) == 0 {
		y += lineHeight
		d.text(left, y, "soft small", c.RoomNote, inside)
	}
	for _, m := range c.Meters {
		y += lineHeight
		d.meter(left, right, y, m, c.look)
	}
	y += 6
	for _, e := range c.Entries[:min(len(c.Entries), mostDrawn)] {
		y += lineHeight
		d.text(left, y, "", e.Name, inside-width(e.Pods, "soft small")-10)
		d.text(right, y, "soft small end", e.Pods, inside)
	}
	if text := c.rest(); text != "" {
		y += lineHeight
		d.text(left, y, "soft small", text, inside)
	}
}

func (d *drawing) meter(left, right, y float64, m meter, l look) {
	const label = 62
	amount := m.Used + " of " + m.Of
	class := "small end"
	if m.Over {
		class += " warn strong"
	}
	d.text(left, y, "soft small", m.Name, label)
	d.text(right, y, class, amount, right-left-label)
	const height = 7
	from := left + label
	length := max(right-from-width(amount, "small")-12, 20)
	d.rect(from, y-height-1, length, height, height/2, "track")
	if fill := m.Fill * length / 100; fill > 0 {
		d.rect(from, y-height-1, max(fill, 2), height, min(height/2, fill/2), "fill "+l.Class)
	}
	if m.Choice > 0 {
		d.rect(from+m.Fill*length/100, y-height-1, m.Choice*length/100, height, 0, "choice "+l.Class)
	}
}

func (d *drawing) notes(l layout) {
	d.y += 20
	for _, note := range l.Notes {
		for _, line := range wrapped(note, "soft small", svgInner) {
			d.y += lineHeight
			d.text(svgMargin, d.y, "soft small", line, svgInner)
		}
	}
}
