package architecture_test

import (
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// tables returns the rows of the tables of a page, by the heading of their first column.
func tables(page string) map[string][][]string {
	found := map[string][][]string{}
	var heading string
	for line := range strings.Lines(page) {
		line = strings.TrimSpace(line)
		if !strings.HasPrefix(line, "|") {
			heading = ""
			continue
		}
		cells := strings.Split(strings.Trim(line, "|"), "|")
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		switch {
		case heading == "":
			heading = cells[0]
		case !strings.HasPrefix(cells[0], "---"):
			found[heading] = append(found[heading], cells)
		}
	}
	return found
}

// codes matches the code spans of a cell, and linked the text of its first link.
var (
	codes  = regexp.MustCompile("`([^`]+)`")
	linked = regexp.MustCompile(`^\[([^\]]+)\]`)
)

func architecturePage(t *testing.T) map[string][][]string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, "ARCHITECTURE.md"))
	if err != nil {
		t.Fatal(err)
	}
	return tables(string(text))
}

func TestTheArchitecturePageHasTheFloors(t *testing.T) {
	t.Parallel()
	want := map[string][]string{}
	var order []string
	for _, f := range slices.Backward(floors) {
		order = append(order, f.name)
		want[f.name] = f.packages
	}
	compareRows(t, "floor", order, want)
}

func TestTheArchitecturePageHasTheRoomsOfTheCore(t *testing.T) {
	t.Parallel()
	g := load(t)
	want := map[string][]string{}
	for _, p := range g.own() {
		if f := floors[max(0, floorOf(floors, p.ImportPath))]; f.name == "core" {
			room := f.room(p.ImportPath)
			want[room] = append(want[room], relative(p.ImportPath))
		}
	}
	compareRows(t, "room of the core", slices.Sorted(maps.Keys(want)), want)
}

// compareRows compares the rows of a table with names and their packages. A row has a third cell that describes them.
func compareRows(t *testing.T, heading string, order []string, want map[string][]string) {
	t.Helper()
	got := map[string][]string{}
	var gotOrder []string
	for _, cells := range architecturePage(t)[heading] {
		if len(cells) != 3 || cells[2] == "" {
			t.Errorf("ARCHITECTURE.md: the row %q does not describe the %s", cells, heading)
		}
		var packages []string
		for _, code := range codes.FindAllStringSubmatch(cells[1], -1) {
			packages = append(packages, code[1])
		}
		got[cells[0]] = packages
		gotOrder = append(gotOrder, cells[0])
	}
	if diff := cmp.Diff(order, gotOrder); diff != "" {
		t.Errorf("ARCHITECTURE.md, the rows of the table %q (-module +page):\n%s", heading, diff)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("ARCHITECTURE.md, the packages in the table %q (-module +page):\n%s", heading, diff)
	}
}

func TestTheArchitecturePageHasTheModules(t *testing.T) {
	t.Parallel()
	want := slices.DeleteFunc(moduleDirs(t), func(dir string) bool {
		return strings.HasPrefix(dir, "/internal/lab/tools/")
	})
	var got []string
	for _, cells := range architecturePage(t)["module"] {
		name := linked.FindStringSubmatch(cells[0])
		if name == nil {
			t.Errorf("ARCHITECTURE.md: %q is not a link", cells[0])
			continue
		}
		if name[1] == "the root" {
			name[1] = ""
		}
		got = append(got, path.Join("/", name[1]))
	}
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the modules in ARCHITECTURE.md (-directories with a go.mod +page):\n%s", diff)
	}
}

// Readers do not find a record that the index does not list.
func TestTheIndexListsTheDecisions(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(root, "docs", "decisions")
	records, err := filepath.Glob(filepath.Join(dir, "[0-9]*.md"))
	if err != nil {
		t.Fatal(err)
	}
	index, err := os.ReadFile(filepath.Join(dir, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	var want, got []string
	for _, record := range records {
		name := filepath.Base(record)
		number, _, _ := strings.Cut(name, "-")
		want = append(want, "["+number+"]("+name+")")
		text, err := os.ReadFile(record)
		if err != nil {
			t.Fatal(err)
		}
		for _, part := range []string{
			"# " + number + ": ", "\nStatus: ", "\n## Context\n", "\n## Decision\n", "\n## Consequences\n",
			"\n## Alternatives\n",
		} {
			if !strings.Contains(string(text), part) {
				t.Errorf("%s has no %q", name, part)
			}
		}
	}
	for _, cells := range tables(string(index))["record"] {
		got = append(got, cells[0])
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("docs/decisions/README.md (-records +rows):\n%s", diff)
	}
}

func TestTables(t *testing.T) {
	t.Parallel()
	got := tables("text\n| a | b |\n|---|---|\n| `x` | y, z |\n\n| c |\n|---|\n| 1 |\n| 2 |\nend\n")
	want := map[string][][]string{"a": {{"`x`", "y, z"}}, "c": {{"1"}, {"2"}}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// issueForm has the fields that GitHub requires in an issue form.
type issueForm struct {
	Name        string `json:"name"`
	Description string `json:"description"`
	Body        []struct {
		Type       string `json:"type"`
		ID         string `json:"id"`
		Attributes struct {
			Label string `json:"label"`
			Value string `json:"value"`
		} `json:"attributes"`
	} `json:"body"`
}

func TestIssueFormsAreComplete(t *testing.T) {
	t.Parallel()
	forms, err := filepath.Glob(filepath.Join(root, ".github", "ISSUE_TEMPLATE", "*.yml"))
	if err != nil || len(forms) < 3 {
		t.Fatalf("there are %d forms: %v", len(forms), err)
	}
	for _, file := range forms {
		name := path.Join(".github/ISSUE_TEMPLATE", filepath.Base(file))
		var form issueForm
		readYAML(t, name, &form)
		if form.Name == "" || form.Description == "" || len(form.Body) == 0 {
			t.Errorf("%s needs a name, a description and a body", name)
		}
		ids := map[string]bool{}
		for i, part := range form.Body {
			switch {
			case part.Type == "markdown" && part.Attributes.Value != "":
			case !slices.Contains([]string{"input", "textarea"}, part.Type):
				t.Errorf("%s: body[%d] has the type %q", name, i, part.Type)
			case part.ID == "" || ids[part.ID] || part.Attributes.Label == "":
				t.Errorf("%s: body[%d] needs an ID of its own and a label", name, i)
			}
			ids[part.ID] = true
		}
	}
}
