package pictures

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/mixedkube/mixedkube/core/preflight"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/tests/internal/diagram"
)

// box is a titled box.
type box struct{ title, about, code string }

// The first and the last row of the flow.
var (
	findingSources = []box{
		{"Go program", "Pulumi, with the guard", "guard.Run"},
		{"Any program", "Pulumi, any language", "--policy-pack"},
		{"Manifests", "files, directories, pipes", "mixedkube check"},
		{"Helm chart", "rendered, hooks included", "mixedkube check"},
	}
	findingResults = []box{
		{"The preview fails", "before anything is deployed", "pulumi preview"},
		{"The CI job reports", "text, JSON, SARIF, JUnit, GitLab", "mixedkube check --report"},
		{"The policy is violated", "mandatory or advisory", "pulumi preview --policy-pack"},
	}
)

const (
	inside     = diagram.Width - 2*diagram.Margin
	center     = diagram.Width / 2
	boxGap     = 12
	boxHeight  = 72.0
	coreRoom   = 344.0
	coreHeight = 58.0
	sideRoom   = 176.0
)

func TestGeneratedPictureOfAFinding(t *testing.T) {
	t.Parallel()
	object := objects(t, "../../internal/core/preflight/examples/MK306/bad.yaml")[0]
	findings := preflight.Check(object, preflight.Options{Topology: cluster()})
	example := slices.IndexFunc(findings, func(f rule.Finding) bool { return f.Rule == "MK306" })
	if example < 0 {
		t.Fatalf("the example has the findings %v", findings)
	}
	d := diagram.New(t)
	d.Text(diagram.Margin, 40, "heading", "From what you write to a finding", inside)
	d.Text(diagram.Margin, 62, "soft", "Every way in leads to the same rules: the same object gets the same findings.",
		inside)
	y := 84.0
	centers := boxes(d, y, findingSources)
	y += boxHeight
	const join = 18
	for _, x := range centers {
		d.Wire("", x, y, x, y+join)
	}
	d.Wire("", centers[0], y+join, centers[len(centers)-1], y+join)
	d.Arrow("", center, y+join, center, y+join+22)
	y += join + 22
	core(d, y, box{title: "Tree", about: "one form: values, lines, unknowns, secrets"})
	y += coreHeight
	d.Arrow("", center, y, center, y+26)
	y += 26
	core(d, y, box{title: "Rules", about: "each with severity, reason and source"})
	facts(d, y)
	y += coreHeight
	d.Arrow("", center, y, center, y+26)
	y = finding(d, y+26, findings[example])
	centers = spread(len(findingResults))
	d.Wire("", center, y, center, y+18)
	d.Wire("", centers[0], y+18, centers[len(centers)-1], y+18)
	for _, x := range centers {
		d.Arrow("", x, y+18, x, y+40)
	}
	boxes(d, y+40, findingResults)
	d.Golden(t, dir+"finding.svg", "From what you write to a finding", flow(findings[example]),
		y+40+boxHeight+diagram.Margin)
}

// spread returns the centers of n boxes side by side.
func spread(n int) []float64 {
	room := (inside - boxGap*float64(n-1)) / float64(n)
	all := make([]float64, n)
	for i := range all {
		all[i] = diagram.Margin + room/2 + float64(i)*(room+boxGap)
	}
	return all
}

// boxes draws boxes side by side, and returns their centers.
func boxes(d *diagram.Diagram, y float64, all []box) []float64 {
	room := (inside - boxGap*float64(len(all)-1)) / float64(len(all))
	centers := spread(len(all))
	for i, b := range all {
		left := centers[i] - room/2
		d.Rect(left, y, room, boxHeight, 8, "card")
		d.Text(centers[i], y+23, "strong middle", b.title, room-12)
		d.Text(centers[i], y+41, "soft small middle", b.about, room-8)
		d.Text(centers[i], y+60, "mono middle", b.code, room-12)
	}
	return centers
}

// core draws a box in the middle.
func core(d *diagram.Diagram, y float64, b box) {
	d.Rect(center-coreRoom/2, y, coreRoom, coreHeight, 8, "edged")
	d.Text(center, y+25, "strong middle", b.title, coreRoom-20)
	d.Text(center, y+44, "soft small middle", b.about, coreRoom-12)
}

// facts draws the other inputs of the rules.
func facts(d *diagram.Diagram, y float64) {
	for i, b := range []box{
		{title: "Topology", about: "pools, taints, versions"},
		{title: "Image lock", about: "facts from registries"},
	} {
		left, from, to := float64(diagram.Margin), diagram.Margin+sideRoom, center-coreRoom/2
		if i == 1 {
			left, to = diagram.Width-diagram.Margin-sideRoom, center+coreRoom/2
			from = left
		}
		d.Rect(left, y, sideRoom, coreHeight, 8, "chip")
		d.Text(left+sideRoom/2, y+25, "strong middle", b.title, sideRoom-20)
		d.Text(left+sideRoom/2, y+44, "soft small middle", b.about, sideRoom-12)
		d.Arrow("", from, y+coreHeight/2, to, y+coreHeight/2)
	}
}

// part is a part of a finding, with its name.
type part struct{ name, text string }

func parts(f rule.Finding) []part {
	return []part{
		{"path", f.Path},
		{"value", fmt.Sprintf("%q", f.Value)},
		{"what is wrong", f.Detail},
		{"fix", f.Fix},
		{"rule", f.Rule + ", " + string(f.Severity)},
	}
}

// finding draws a finding, and returns its lower edge.
func finding(d *diagram.Diagram, y float64, f rule.Finding) float64 {
	all := parts(f)
	const left, names = 104.0, 112.0
	height := 44 + float64(len(all))*20
	room := diagram.Width - 2*left
	d.Rect(left, y, room, height, 8, "alarm")
	d.Rect(left, y, 4, height, 2, "alarm-edge")
	d.Text(left+22, y+26, "strong warn", "Finding", room)
	for i, p := range all {
		line := y + 50 + float64(i)*20
		d.Text(left+22, line, "soft small", p.name, names)
		d.Text(left+22+names, line, "mono", p.text, room-names-36)
	}
	return y + height
}

// flow describes the picture for screen readers.
func flow(f rule.Finding) string {
	var text strings.Builder
	list := func(intro string, all []box) {
		text.WriteString(intro)
		for _, b := range all {
			text.WriteString("\n" + b.title + " (" + b.code + "): " + b.about + ".")
		}
	}
	list("Inputs:", findingSources)
	text.WriteString("\nAll of it becomes a tree, one form with values, lines, unknowns and secrets. The " +
		"rules check the tree; they know the topology of the cluster and the image lock. An example of a finding:")
	for _, p := range parts(f) {
		text.WriteString("\n" + p.name + ": " + p.text)
	}
	list("\nOutputs:", findingResults)
	return text.String()
}
