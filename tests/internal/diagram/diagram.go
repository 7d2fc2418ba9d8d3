// Package diagram draws the pictures of the documentation. Each picture is a golden file of the test that draws it.
package diagram

import (
	"math"
	"strings"
	"testing"

	"github.com/mixedkube/mixedkube/internal/svg"
	"github.com/mixedkube/mixedkube/internal/testkit/golden"
)

const (
	// Width is the width of every picture, which fits the column of a page on GitHub.
	Width = 800
	// Margin is the space at the edges.
	Margin = 24
	// LineHeight is the distance between the baselines of two lines.
	LineHeight = 18
)

// Diagram is a picture that is being drawn. A text that is too wide fails the test.
type Diagram struct {
	svg.Drawing
	tb testing.TB
}

// New returns an empty picture.
func New(tb testing.TB) *Diagram {
	tb.Helper()
	return &Diagram{tb: tb}
}

// Text draws a line of text with its baseline at y. It fails the test if the text is wider than room.
func (d *Diagram) Text(x, y float64, class, text string, room float64) {
	d.tb.Helper()
	if width := svg.Width(text, class); width > room {
		d.tb.Errorf("%q is %.0f wide, more than %.0f: shorten it, or make room", text, width, room)
	}
	d.Drawing.Text(x, y, class, text, room)
}

// Lines draws lines of text, the first one with its baseline at y.
func (d *Diagram) Lines(x, y float64, class string, lines []string) {
	for i, line := range lines {
		d.Drawing.Text(x, y+float64(i)*LineHeight, class, line, Width)
	}
}

// Wire draws a line through points: the x of each point, then its y.
func (d *Diagram) Wire(class string, points ...float64) {
	format := "M%s %s" + strings.Repeat(" L%s %s", len(points)/2-1)
	d.Path("wire "+class, format, points...)
}

// Arrow draws a wire with a tip at its end.
func (d *Diagram) Arrow(class string, points ...float64) {
	const back = 4
	n := len(points)
	x, y := points[n-2], points[n-1]
	along := math.Atan2(y-points[n-3], x-points[n-4])
	d.Wire(class, append(points[:n-2:n-2], x-back*math.Cos(along), y-back*math.Sin(along))...)
	d.tip(class, x, y, along)
}

// Curve draws an arrow from left to right whose ends are horizontal.
func (d *Diagram) Curve(class string, x, y, toX, toY float64) {
	middle := (x + toX) / 2
	d.Path("wire "+class, "M%s %s C%s %s %s %s %s %s", x, y, middle, y, middle, toY, toX-4, toY)
	d.tip(class, toX, toY, 0)
}

// tip draws the tip of an arrow that points in the direction along.
func (d *Diagram) tip(class string, x, y, along float64) {
	const length, spread = 8, 4.5
	sin, cos := math.Sincos(along)
	d.Path("tip "+class, "M%s %s L%s %s L%s %s Z", x, y, x-length*cos+spread*sin, y-length*sin-spread*cos,
		x-length*cos-spread*sin, y-length*sin+spread*cos)
}

// Golden compares the picture with its golden file, whose path is relative to the test's directory.
func (d *Diagram) Golden(t *testing.T, path, title, description string, height float64) {
	t.Helper()
	golden.Equal(t, path, d.Document(svg.Document{
		Title: title, Description: description, Width: Width, Height: height, Radius: 12,
	}))
}
