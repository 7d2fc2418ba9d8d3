package clustermap

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/mixedkube/mixedkube/internal/core/fielderrors"
	"github.com/mixedkube/mixedkube/internal/svg"
)

// Lengths of the picture, in its units, which are pixels unless it is scaled.
const (
	svgWidth  = 1200
	svgMargin = 40
	svgGap    = 14
	svgInner  = svgWidth - 2*svgMargin
	// cardPadding is the space around the content of a card, and lineHeight the distance between its lines.
	cardPadding, lineHeight = 16, 20
)

// SVG writes the map as one picture, with the same layout as [Map.HTML]: it counts the parts that need a click there.
func (m *Map) SVG(w io.Writer) error {
	l := m.lay()
	d := &drawing{y: svgMargin}
	d.head(l)
	d.problems(l)
	d.groups(l)
	d.notes(l)
	_, err := io.WriteString(w, d.Document(svg.Document{
		Title: l.Title + ": cluster map", Description: l.description(), Width: svgWidth, Height: d.y + svgMargin,
	}))
	return err
}

// description describes the picture in words.
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
	svg.Drawing
	// y is where the next element begins.
	y float64
}

// badge draws the mark of a platform.
func (d *drawing) badge(x, y float64, l Look) { d.Badge(x, y, l.Class, l.Mark, l.Round) }

func (d *drawing) head(l layout) {
	d.Text(svgMargin, d.y+10, "soft", "Cluster map", svgInner)
	d.Text(svgMargin, d.y+42, "title", l.Title, svgInner-400)
	d.Text(svgMargin, d.y+66, "soft", l.About, svgInner-400)
	x := float64(svgWidth - svgMargin)
	for _, t := range slices.Backward(l.Totals) {
		class := "big end"
		if t.Alarm {
			class += " warn"
		}
		d.Text(x, d.y+42, class, t.Value, 100)
		d.Text(x, d.y+66, "soft end", t.Name, 100)
		x -= 100
	}
	d.y += 92
	for _, p := range l.Mix {
		if width := p.Width*svgInner/100 - 2; width > 0 {
			d.Rect(svgMargin+p.From*svgInner/100, d.y, width, 10, 3, "fill "+p.Class)
		}
	}
	d.y += 26
	x = svgMargin
	for _, p := range l.Mix {
		d.badge(x, d.y, p.Look)
		name := svg.Width(p.Platform, "") + 8
		d.Text(x+28, d.y+14.5, "", p.Platform, svgInner)
		d.Text(x+28+name, d.y+14.5, "soft small", p.Nodes, svgInner)
		x += 28 + name + svg.Width(p.Nodes, "small") + 20
	}
	d.y += 20
}

func (d *drawing) heading(text string) {
	d.y += 44
	d.Text(svgMargin, d.y, "heading", text, svgInner)
	d.y += 18
}

func (d *drawing) problems(l layout) {
	if len(l.Problems) == 0 {
		return
	}
	d.heading(fmt.Sprintf("Pending: %d", l.Pending))
	const inside = svgInner - 2*cardPadding - 4
	for _, p := range l.Problems {
		lines := svg.Wrapped(p.Why, "", inside)
		for _, r := range p.Reasons {
			lines = append(lines, svg.Wrapped(r.Pools+": "+r.Text, "", inside)...)
		}
		if p.Summary != "" {
			lines = append(lines, p.Summary+": see the page.")
		}
		height := float64(2*cardPadding + lineHeight*len(lines) + lineHeight - 6)
		d.Rect(svgMargin, d.y, svgInner, height, 8, "alarm")
		d.Rect(svgMargin, d.y, 4, height, 2, "alarm-edge")
		x, y := float64(svgMargin+cardPadding+4), d.y+cardPadding+11
		d.Text(x, y, "strong", p.Title, inside/2)
		d.Text(x+min(svg.Width(p.Title, "strong"), inside/2)+12, y, "soft small", p.About, inside/2-12)
		for _, line := range lines {
			y += lineHeight
			d.Text(x, y, "", line, inside+20)
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
		d.badge(svgMargin, d.y, g.Look)
		d.Text(svgMargin+28, d.y+14.5, "strong", g.Platform, svgInner)
		d.Text(svgMargin+28+svg.Width(g.Platform, "strong")+14, d.y+14.5, "soft small", g.About, svgInner/2)
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

// mostNamed is how many workloads a card of the picture names.
const mostNamed = 6

// height returns the height of a card's content, line by line: see [drawing.card].
func (c card) height() float64 {
	lines := 2 + min(len(c.Facts), 1) + max(len(c.Meters), 1) + min(len(c.Entries), mostNamed)
	if c.rest() != "" {
		lines++
	}
	return float64(2*cardPadding+lineHeight*lines) + 26
}

// rest returns the number of workloads that are not named.
func (c card) rest() string {
	hidden := len(c.Later) + c.More
	if len(c.Entries) > mostNamed {
		hidden += len(c.Entries) - mostNamed
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
	d.Rect(x, d.y, room, height, 8, "card")
	d.Rect(x+0.5, d.y, room-1, 3, 1.5, "fill "+c.Class)
	left, right, inside := x+cardPadding, x+room-cardPadding, room-2*cardPadding
	y := d.y + cardPadding + 14
	d.badge(left, y-14.5, c.Look)
	nodes := svg.Width(c.Nodes, "soft small")
	d.Text(left+28, y, "strong", c.Name, inside-28-nodes-8)
	d.Text(right, y, "soft small end", c.Nodes, inside)
	y += lineHeight + 2
	facts := []string{c.Platform}
	if c.Build != "" {
		facts = append(facts, c.Build)
	}
	d.Text(left, y, "soft small", strings.Join(facts, " · "), inside)
	if len(c.Facts) > 0 {
		y += lineHeight - 2
		d.Text(left, y, "soft small", strings.Join(c.Facts, " · "), inside)
	}
	y += lineHeight
	if len(c.Taints) == 0 {
		d.Text(left, y, "soft small", "no taints", inside)
	} else {
		d.Text(left, y, "mono", strings.Join(c.Taints, "  "), inside)
	}
	if len(c.Meters) == 0 {
		y += lineHeight
		d.Text(left, y, "soft small", c.RoomNote, inside)
	}
	for _, m := range c.Meters {
		y += lineHeight
		d.meter(left, right, y, m, c.Look)
	}
	y += 6
	for _, e := range c.Entries[:min(len(c.Entries), mostNamed)] {
		y += lineHeight
		d.Text(left, y, "", e.Name, inside-svg.Width(e.Pods, "soft small")-10)
		d.Text(right, y, "soft small end", e.Pods, inside)
	}
	if text := c.rest(); text != "" {
		y += lineHeight
		d.Text(left, y, "soft small", text, inside)
	}
}

func (d *drawing) meter(left, right, y float64, m meter, l Look) {
	const label = 62
	amount := m.Used + " of " + m.Of
	class := "small end"
	if m.Over {
		class += " warn strong"
	}
	d.Text(left, y, "soft small", m.Name, label)
	d.Text(right, y, class, amount, right-left-label)
	const height = 7
	from := left + label
	length := max(right-from-svg.Width(amount, "small")-12, 20)
	d.Rect(from, y-height-1, length, height, height/2, "track")
	if fill := m.Fill * length / 100; fill > 0 {
		d.Rect(from, y-height-1, max(fill, 2), height, min(height/2, fill/2), "fill "+l.Class)
	}
	if m.Choice > 0 {
		d.Rect(from+m.Fill*length/100, y-height-1, m.Choice*length/100, height, 0, "choice "+l.Class)
	}
}

func (d *drawing) notes(l layout) {
	d.y += 20
	for _, note := range l.Notes {
		for _, line := range svg.Wrapped(note, "soft small", svgInner) {
			d.y += lineHeight
			d.Text(svgMargin, d.y, "soft small", line, svgInner)
		}
	}
}
