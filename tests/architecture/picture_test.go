package architecture_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/mixedkube/mixedkube/internal/svg"
	"github.com/mixedkube/mixedkube/tests/internal/diagram"
)

// A card is a group of floors that the picture draws together.
type card struct {
	name, about string
	floors      []string
}

// cards have all floors, from the highest to the lowest.
var cards = []card{
	{"Stacks, examples", "programs with Pulumi, main.go", []string{"main", "examples", "stacks"}},
	{"Programs", "command, policy pack, map", []string{"programs"}},
	{"Components", "what registers resources", []string{"components"}},
	{"System", "files, addresses, the clock", []string{"system"}},
	{"Machines", "how machines become nodes", []string{"machines"}},
	{
		"Core", "decides: what pods are these, where can they run, what is wrong, what is missing",
		[]string{"core"},
	},
	{"Test kit", "helpers of tests", []string{"testkit"}},
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
	var onCards, want []string
	for _, c := range cards {
		onCards = append(onCards, c.floors...)
	}
	for _, f := range slices.Backward(floors) {
		want = append(want, f.name)
	}
	if !slices.Equal(want, onCards) {
		t.Fatalf("the cards have the floors %q, and the rules %q: add each floor to a card, in order", onCards, want)
	}
	d := diagram.New(t)
	d.Text(diagram.Margin, 40, "heading",
		"The floors of the module: a package imports from its own and from lower ones", innerWidth)
	y := drawDoors(d, 58)
	var words strings.Builder
	words.WriteString("Three ways in:")
	for _, door := range doors {
		words.WriteString("\n" + door.name + " (" + door.code + "): " + door.about + ".")
	}
	words.WriteString("\nThe floors, from the highest to the lowest:")
	for _, c := range cards {
		var named []string
		y, named = g.draw(d, y, c)
		words.WriteString("\n" + c.name + " (" + c.about + "): " + strings.Join(named, ", ") + ".")
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

// draw draws a card, and returns its lower edge and the names of its packages.
func (g graph) draw(d *diagram.Diagram, y float64, c card) (bottom float64, named []string) {
	type chip struct {
		name, class string
		pulumi      bool
		x, y, width float64
	}
	var chips []chip
	x, down := chipsLeft, y+floorPadding
	for _, p := range g.of(c) {
		next := chip{name: shown(p.ImportPath), class: "edged", pulumi: g.chain(p.ImportPath, sdk) != nil}
		if slices.Contains(named, next.name) {
			continue
		}
		named = append(named, next.name)
		if strings.Contains(p.ImportPath, "/internal/") {
			next.class = "chip"
		}
		next.width = math.Ceil(svg.Width(next.name, "small")) + 2*chipPadding // edges between pixels are blurred
		if next.pulumi {
			next.width += dotRoom
		}
		if x+next.width > chipsLeft+chipsRoom {
			x, down = chipsLeft, down+chipHeight+chipGap
		}
		next.x, next.y = x, down
		x += next.width + chipGap
		chips = append(chips, next)
	}
	about := svg.Wrapped(c.about, "soft small", labelRoom)
	rows := down + chipHeight + floorPadding - y
	height := max(rows, 40+diagram.LineHeight*float64(len(about)))
	d.Rect(diagram.Margin, y, innerWidth, height, 6, "card")
	d.Text(diagram.Margin+14, y+24, "strong", c.name, labelRoom)
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

// of returns the packages with code on the floors of a card, the highest floor first, by their rooms.
func (g graph) of(c card) []goPackage {
	var all []goPackage
	for _, name := range c.floors {
		at := slices.IndexFunc(floors, func(f floor) bool { return f.name == name })
		onFloor := slices.DeleteFunc(g.own(), func(p goPackage) bool {
			return floorOf(floors, p.ImportPath) != at || len(p.Imports) == 0
		})
		slices.SortStableFunc(onFloor, func(a, b goPackage) int {
			return strings.Compare(floors[at].room(a.ImportPath), floors[at].room(b.ImportPath))
		})
		all = append(all, onFloor...)
	}
	return all
}

// shown returns the short name of a package. All examples share one name.
func shown(path string) string {
	name := relative(path)
	switch {
	case name == ".":
		return "main.go"
	case strings.HasPrefix(name, "examples/"):
		return "examples/…"
	}
	for _, f := range floors {
		for _, pattern := range f.packages {
			dir := strings.TrimSuffix(pattern, "...")
			if below, ok := strings.CutPrefix(name, dir); ok && dir != "stacks/" {
				return strings.ReplaceAll(below, "/internal/", "/")
			}
		}
	}
	return name
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
