package architecture_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/mixedkube/mixedkube/internal/svg"
	"github.com/mixedkube/mixedkube/tests/internal/diagram"
)

// A floor is a group of layers that the picture draws together.
type floor struct {
	name, about string
	layers      []string
}

// floors lists all layers, from the highest to the lowest.
var floors = []floor{
	{
		"Programs", "the command, and stacks",
		[]string{"entry point", "programs", "tests of examples", "stacks' program", "stacks' configuration"},
	},
	{"Components", "Pulumi resources", []string{"components"}},
	{
		"Command", "mixedkube, policy pack",
		[]string{"commands", "policy pack", "sources of commands", "registries", "maps"},
	},
	{
		"Answers", "findings, edits, reports",
		[]string{"reports", "refusal", "inputs", "landings", "mutation"},
	},
	{"Rules", "What is wrong?", []string{"examples of rules", "rules", "structure of objects"}},
	{
		"Nodes", "how machines join",
		[]string{"work in the cluster", "API client", "keys", "bootstrap", "pod network"},
	},
	{
		"Pods", "What pods are these? Where can they run?",
		[]string{"pods", "placement", "images", "users' files", "manifests"},
	},
	{"Cluster", "pools and platforms", []string{"support of clouds", "topology", "platform"}},
	{
		"Foundation", "facts, trees, values",
		[]string{
			"rule tests", "rule engine", "mocks", "providers' rules", "facts", "trees", "connections",
			"foundation", "escapes",
			"values",
		},
	},
}

// doors are the entry points, and the packages behind them.
var doors = []struct{ name, code, about string }{
	{"Check", "mixedkube check deploy/", "manifests and charts: internal/cli"},
	{"Guard", "guard.Run, --policy-pack", "programs: guard, internal/policy"},
	{"Build", "aks.NewCluster, …", "clusters, workloads: components"},
}

// sdk matches the packages of Pulumi's SDK.
var sdk = below("github.com/pulumi/pulumi/sdk/v3/go")

const (
	innerWidth = diagram.Width - 2*diagram.Margin
	labelRoom  = 192.0
	// The packages of a floor.
	chipsLeft, chipsRoom             = diagram.Margin + 212.0, innerWidth - 212 - 10
	chipHeight, chipGap, chipPadding = 24.0, 6.0, 9.0
	dotRoom, floorPadding, floorGap  = 11.0, 12.0, 6.0
)

func TestGeneratedPictureOfTheArchitecture(t *testing.T) {
	t.Parallel()
	g := load(t)
	var onFloors []string
	for _, f := range floors {
		onFloors = append(onFloors, f.layers...)
	}
	var want []string
	for _, l := range slices.Backward(layers) {
		want = append(want, l.name)
	}
	if !slices.Equal(want, onFloors) {
		t.Fatalf("the groups have the layers %q, and the rules %q: add each layer to a group, in order", onFloors, want)
	}
	d := diagram.New(t)
	d.Text(diagram.Margin, 40, "heading", "The layers of the module: a package imports from lower layers only",
		innerWidth)
	y := drawDoors(d, 58)
	var words strings.Builder
	words.WriteString("Three ways in:")
	for _, door := range doors {
		words.WriteString("\n" + door.name + " (" + door.code + "): " + door.about + ".")
	}
	words.WriteString("\nThe groups of layers, from the highest to the lowest:")
	for _, f := range floors {
		var named []string
		y, named = g.draw(d, y, f)
		words.WriteString("\n" + f.name + " (" + f.about + "): " + strings.Join(named, ", ") + ".")
	}
	y = drawLegend(d, y)
	y, modules := drawModules(t, d, y)
	words.WriteString("\nSeparate modules, which importers of a component do not get: " +
		strings.Join(modules, ", ") + ".")
	d.Golden(t, "../../docs/pictures/architecture.svg", "The architecture of mixedkube", words.String(),
		y+diagram.Margin)
}

func drawDoors(d *diagram.Diagram, y float64) float64 {
	const height, gap = 76.0, 12.0
	room := (innerWidth - gap*float64(len(doors)-1)) / float64(len(doors))
	for i, door := range doors {
		x := diagram.Margin + float64(i)*(room+gap)
		d.Rect(x, y, room, height, 8, "edged")
		d.Text(x+room/2, y+24, "strong middle", door.name, room-16)
		d.Text(x+room/2, y+44, "mono middle", door.code, room-16)
		d.Text(x+room/2, y+63, "soft small middle", door.about, room-12)
		d.Arrow("", x+room/2, y+height, x+room/2, y+height+22)
	}
	return y + height + 24
}

// draw draws a floor, and returns its lower edge and the names of its packages.
func (g graph) draw(d *diagram.Diagram, y float64, f floor) (bottom float64, named []string) {
	type chip struct {
		name, class string
		pulumi      bool
		x, y, width float64
	}
	var chips []chip
	x, down := chipsLeft, y+floorPadding
	for _, p := range g.of(f) {
		c := chip{name: shown(p.ImportPath), class: "edged", pulumi: g.chain(p.ImportPath, sdk) != nil}
		if slices.Contains(named, c.name) {
			continue
		}
		named = append(named, c.name)
		if strings.Contains(p.ImportPath, "/internal/") {
			c.class = "chip"
		}
		c.width = svg.Width(c.name, "small") + 2*chipPadding
		if c.pulumi {
			c.width += dotRoom
		}
		if x+c.width > chipsLeft+chipsRoom {
			x, down = chipsLeft, down+chipHeight+chipGap
		}
		c.x, c.y = x, down
		x += c.width + chipGap
		chips = append(chips, c)
	}
	about := svg.Wrapped(f.about, "soft small", labelRoom)
	rows := down + chipHeight + floorPadding - y
	height := max(rows, 40+diagram.LineHeight*float64(len(about)))
	d.Rect(diagram.Margin, y, innerWidth, height, 6, "card")
	d.Text(diagram.Margin+14, y+24, "strong", f.name, labelRoom)
	d.Lines(diagram.Margin+14, y+43, "soft small", about)
	for _, c := range chips {
		drawChip(d, c.x, c.y+(height-rows)/2, c.width, c.name, c.class, c.pulumi)
	}
	return y + height + floorGap, named
}

func drawChip(d *diagram.Diagram, x, y, width float64, name, class string, pulumi bool) {
	d.Rect(x, y, width, chipHeight, 6, class)
	if pulumi {
		d.Rect(x+chipPadding, y+chipHeight/2-3.5, 7, 7, 3.5, "fill windows-2022")
		x, width = x+dotRoom, width-dotRoom
	}
	d.Text(x+width/2, y+16, "small middle", name, width)
}

// of returns the packages of a floor, starting with the highest layer.
func (g graph) of(f floor) []goPackage {
	var all []goPackage
	for _, name := range f.layers {
		for _, p := range g.own() {
			if at := layerOf(layers, p.ImportPath); at >= 0 && layers[at].name == name && len(p.Imports) > 0 {
				all = append(all, p)
			}
		}
	}
	return all
}

// shown is the short name of a package. All examples share one name.
func shown(path string) string {
	name := relative(path)
	switch {
	case name == ".":
		return "main.go"
	case strings.HasPrefix(name, "examples/"):
		return "examples/…"
	}
	name = strings.TrimPrefix(strings.TrimPrefix(name, "components/"), "internal/")
	return strings.ReplaceAll(name, "/internal/", "/")
}

func drawLegend(d *diagram.Diagram, y float64) float64 {
	x := float64(diagram.Margin)
	for _, entry := range []struct {
		name, class, means string
		pulumi             bool
	}{
		{"package", "edged", "public", false},
		{"package", "chip", "internal", false},
		{"package", "edged", "imports Pulumi's SDK; the others work without it", true},
	} {
		width := svg.Width(entry.name, "small") + 2*chipPadding
		if entry.pulumi {
			width += dotRoom
		}
		drawChip(d, x, y+8, width, entry.name, entry.class, entry.pulumi)
		d.Text(x+width+8, y+24, "soft small", entry.means, 400)
		x += width + 8 + svg.Width(entry.means, "small") + 24
	}
	return y + 44
}

// drawModules draws the nested modules.
func drawModules(t *testing.T, d *diagram.Diagram, y float64) (bottom float64, modules []string) {
	t.Helper()
	const height = 62
	d.Rect(diagram.Margin, y, innerWidth, height, 6, "frame dashed")
	d.Text(diagram.Margin+14, y+25, "strong", "Separate modules", labelRoom)
	d.Text(diagram.Margin+14, y+44, "soft small", "importers do not get them", labelRoom)
	x := chipsLeft
	for _, dir := range moduleDirs(t) {
		name := strings.TrimPrefix(dir, "/")
		if name == "" || strings.Count(name, "/") > 1 {
			continue
		}
		modules = append(modules, name)
		name = strings.TrimPrefix(name, "internal/")
		width := svg.Width(name, "small") + 2*chipPadding
		drawChip(d, x, y+(height-chipHeight)/2, width, name, "chip", false)
		x += width + chipGap
	}
	return y + height, modules
}
