package seeds

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mixedkube/mixedkube/core/conversion"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/preflight"
	"github.com/mixedkube/mixedkube/core/rule/ruletest"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/manifests"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
	"github.com/mixedkube/mixedkube/internal/testkit/golden"
)

// seedManifests is manifests.yaml.
type seedManifests struct {
	Manifests []struct {
		Name    string   `json:"name"`
		Seeds   []string `json:"seeds"`
		Rows    []int    `json:"rows"`
		Objects []string `json:"objects"`
		// Platforms and Refused, here and below, are for TestSeedManifests in tests/e2e.
		Platforms map[string]string `json:"platforms,omitempty"`
		Outdated  []outdated        `json:"outdated,omitempty"`
	} `json:"manifests"`
	Together []struct {
		Seeds   []string `json:"seeds"`
		Names   []string `json:"names"`
		Refused bool     `json:"refused,omitempty"`
	} `json:"together"`
	Snippets []struct {
		Name     string   `json:"name"`
		Seeds    []string `json:"seeds"`
		Rows     []int    `json:"rows"`
		Outdated []struct {
			Field     string `json:"field"`
			Value     string `json:"value"`
			Successor string `json:"successor"`
			// Page documents the successor with Words, as a snippet has no findings.
			Page  string `json:"page"`
			Words string `json:"words"`
		} `json:"outdated,omitempty"`
	} `json:"snippets"`
}

// outdated is an outdated value, and the words of the finding that name its successor.
type outdated struct {
	Object    string `json:"object"`
	Field     string `json:"field"`
	Value     string `json:"value"`
	Rule      string `json:"rule"`
	Successor string `json:"successor"`
	Source    string `json:"source"`
}

// mixed returns a topology with a pool of each platform, with or without the default taint.
func mixed(taints bool) topology.Topology {
	t := topology.Topology{KubernetesVersion: "1.36", Pools: []topology.Pool{
		{Name: "linux", Platform: platform.Linux, Count: 2},
		{Name: "win19", Platform: platform.WindowsServer2019, Count: 2},
		{Name: "win22", Platform: platform.WindowsServer2022, Count: 2},
		{Name: "win25", Platform: platform.WindowsServer2025, Count: 2},
	}}
	for i := range t.Pools {
		t.Pools[i].Untainted = !taints
	}
	return t
}

// object is an object of a manifest.
type object struct {
	key  string
	tree map[string]any
}

func objectsOf(t *testing.T, names ...string) []object {
	t.Helper()
	var all []object
	for _, name := range names {
		docs, err := manifests.ReadYAML(strings.NewReader(read(t, "testdata", "manifests", name)), name)
		if err != nil {
			t.Fatal(err)
		}
		for _, doc := range docs {
			o := tree.Map(doc.Value)
			kind, _ := tree.Text(o["kind"])
			name, _ := tree.Text(tree.Map(o["metadata"])["name"])
			all = append(all, object{kind + "/" + name, o})
		}
	}
	return all
}

// found returns the findings of objects, one line each, which begins with the object.
func found(objects []object, options preflight.Options, show func(preflight.Finding) string) []string {
	checker := preflight.New(options)
	trees := make([]map[string]any, len(objects))
	for i, o := range objects {
		trees[i] = o.tree
	}
	across := checker.Across(trees)
	var lines []string
	for i, o := range objects {
		for _, f := range preflight.Join(checker.Check(o.tree), across[i]) {
			lines = append(lines, fmt.Sprintf("%s: %s: %s", o.key, f.Severity, show(f)))
		}
	}
	return lines
}

// TestManifests records the findings in the manifests of the seeds, and how mixedkube adopt
// completes them. TestSeedManifests in tests/e2e records where they land in a cluster.
func TestManifests(t *testing.T) {
	t.Parallel()
	all := load[seedManifests](t, "manifests.yaml")
	groups := map[string][]string{}
	for _, m := range all.Manifests {
		groups[strings.TrimSuffix(m.Name, ".yaml")] = []string{m.Name}
	}
	for _, g := range all.Together {
		groups[strings.ReplaceAll(strings.Join(g.Names, " with "), ".yaml", "")] = g.Names
	}
	for name, files := range groups {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			objects := objectsOf(t, files...)
			brief := func(o preflight.Options) []string { return found(objects, o, ruletest.Brief) }
			var b strings.Builder
			section := func(title string, lines []string) {
				fmt.Fprintf(&b, "# %s\n", title)
				for _, line := range lines {
					b.WriteString(line + "\n")
				}
				b.WriteString("\n")
			}
			section("on Kubernetes 1.36", brief(preflight.Options{KubernetesVersion: "1.36"}))
			section("on Windows nodes with the default taint", brief(preflight.Options{Topology: mixed(true)}))
			section("on Windows nodes without a taint", brief(preflight.Options{Topology: mixed(false)}))
			bare := mixed(true)
			bare.MissingFeatures = topology.Features()
			section("on self-managed machines, without the features of a cloud",
				brief(preflight.Options{Topology: bare}))
			section("completed", completed(t, files))
			golden.Equal(t, filepath.Join("testdata", "golden", strings.ReplaceAll(name, " ", "-")+".txt"),
				strings.TrimRight(b.String(), "\n")+"\n")
		})
	}
}

// completed returns the changes to manifests that a mixed cluster adopts, and the
// questions.
func completed(t *testing.T, names []string) []string {
	t.Helper()
	var files []conversion.File
	for _, name := range names {
		files = append(files, conversion.File{Name: name, Text: []byte(read(t, "testdata", "manifests", name))})
	}
	result, errs := conversion.Convert(files, conversion.Options{Topology: mixed(true)})
	var lines []string
	for _, err := range errs {
		lines = append(lines, "error: "+err.Error())
	}
	for _, f := range result.Files {
		for _, err := range f.Problems {
			lines = append(lines, "error: "+err.Error())
		}
	}
	for _, f := range result.Findings {
		lines = append(lines, fmt.Sprintf("%s: %s:%d: %s: %s", f.Severity, f.File, f.Line, f.Subject(),
			ruletest.Brief(f.Finding)))
	}
	for i, f := range result.Files {
		if !f.Changed() {
			continue
		}
		lines = append(lines, "--- "+f.Name)
		before := strings.Split(string(files[i].Text), "\n")
		for line := range strings.SplitSeq(strings.TrimRight(string(f.Text), "\n"), "\n") {
			mark := "+ "
			if len(before) > 0 && before[0] == line {
				mark, before = "  ", before[1:]
			}
			lines = append(lines, mark+line)
		}
	}
	return lines
}

// Outdated values in a manifest are findings on a current cluster.
func TestOutdatedValuesAreFound(t *testing.T) {
	t.Parallel()
	checked := 0
	for _, m := range load[seedManifests](t, "manifests.yaml").Manifests {
		objects := objectsOf(t, m.Name)
		var keys []string
		for _, o := range objects {
			keys = append(keys, o.key)
		}
		if strings.Join(keys, " ") != strings.Join(m.Objects, " ") {
			t.Errorf("%s has %v, want %v", m.Name, keys, m.Objects)
		}
		lines := found(objects, preflight.Options{KubernetesVersion: "1.36"}, preflight.Finding.String)
		for _, o := range m.Outdated {
			checked++
			if o.Successor == "" || o.Source == "" {
				t.Errorf("%s: %s has no successor or no source", m.Name, o.Field)
			}
			if !slices.ContainsFunc(lines, func(line string) bool {
				return strings.HasPrefix(line, o.Object+": ") && strings.Contains(line, o.Field+": ") &&
					strings.Contains(line, o.Value) &&
					strings.Contains(line, o.Successor) && strings.HasSuffix(line, "("+o.Rule+")")
			}) {
				t.Errorf("%s: no finding of %s about %s of %s has the value %s and the successor %s:\n%s",
					m.Name, o.Rule, o.Field, o.Object, o.Value, o.Successor, strings.Join(lines, "\n"))
			}
		}
	}
	if checked < 15 {
		t.Errorf("only %d values are outdated", checked)
	}
}

// A page documents the outdated values in each snippet of configuration.
func TestOutdatedValuesInSnippetsAreDocumented(t *testing.T) {
	t.Parallel()
	checked := 0
	for _, piece := range load[seedManifests](t, "manifests.yaml").Snippets {
		text := plain(read(t, "testdata", "snippets", piece.Name))
		for _, o := range piece.Outdated {
			checked++
			name := o.Field[strings.LastIndex(o.Field, ".")+1:]
			if !strings.Contains(text, plain(o.Value)) && !strings.Contains(text, plain(name)) {
				t.Errorf("%s has neither %s nor %s", piece.Name, o.Field, o.Value)
			}
			if page := plain(read(t, root, "docs", o.Page)); o.Successor == "" || o.Words == "" ||
				!strings.Contains(page, plain(o.Words)) {
				t.Errorf("%s: %s does not contain %q", piece.Name, o.Page, o.Words)
			}
		}
	}
	if checked < 14 {
		t.Errorf("only %d values are outdated", checked)
	}
}
