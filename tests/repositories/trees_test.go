package repositories_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/internal/cli"
	"github.com/mixedkube/mixedkube/tests/internal/sample"
)

// example are the objects of the example of a rule.
type example struct {
	rule      string
	bad, good []string
}

// readExamples returns the examples of rules that need no topology.
func readExamples(t *testing.T) (all []example) {
	t.Helper()
	const dir = "../../internal/core/preflight/examples"
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	read := func(file string) []string {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		return strings.Split(string(text), "\n---\n")
	}
	for _, entry := range entries {
		at := filepath.Join(dir, entry.Name())
		if files, _ := os.ReadDir(at); !entry.IsDir() || len(files) != 2 {
			continue
		}
		all = append(all, example{
			entry.Name(), ended(read(filepath.Join(at, "bad.yaml"))), ended(read(filepath.Join(at, "good.yaml"))),
		})
	}
	return all
}

// ended returns texts that end with a line.
func ended(objects []string) []string {
	for i, o := range objects {
		objects[i] = strings.TrimRight(o, "\n") + "\n"
	}
	return objects
}

// findings runs check, and returns its findings about objects, without files that are left alone.
func findings(tb testing.TB, args ...string) []finding {
	tb.Helper()
	code, found := parsed(tb, args...)
	if code == 2 {
		tb.Errorf("%v: exit 2", args)
	}
	// Each cluster of a repository may have the RuntimeClasses of all others: they come from other tools too.
	return slices.DeleteFunc(found, func(f finding) bool { return f.Rule == "" || f.Rule == "MK401" })
}

// parsed runs check, and returns its exit code and what it finds.
func parsed(tb testing.TB, args ...string) (code int, found []finding) {
	tb.Helper()
	var stdout, stderr bytes.Buffer
	args = append([]string{"check", "--format", "json"}, args...)
	code = cli.Run(tb.Context(), args, strings.NewReader(""), &stdout, &stderr)
	if err := json.Unmarshal(stdout.Bytes(), &found); err != nil {
		tb.Fatalf("%v: %v in %s%s", args, err, &stdout, &stderr)
	}
	return code, found
}

// finding is the part of a finding that is the same in each form of a repository.
type finding struct {
	File         string
	Environments []string

	Severity, Kind, Namespace, Name, Rule, Path, Message string
}

func (f finding) String() string {
	return fmt.Sprintf("%s %s %s/%s/%s %s: %s", f.Rule, f.Severity, f.Kind, f.Namespace, f.Name, f.Path,
		lineFormat.ReplaceAllString(f.Message, "line …"))
}

var lineFormat = regexp.MustCompile(`line \d+`)

// grow returns a tree with a layout: up to four clusters with objects of examples, and shared ones.
func grow(random *rand.Rand, l layout, examples []example) *tree {
	t := &tree{
		random: random, layout: l.name, files: map[string]string{".git/HEAD": ""}, own: map[string][]string{},
		received: map[string][]string{},
	}
	t.clusters = []string{"production", "staging", "test", "development"}[:1+random.IntN(4)]
	if l.single {
		t.clusters = t.clusters[:1]
	} else if len(t.clusters) == 1 {
		t.clusters = []string{"production", "staging"}
	}
	objects := func(most int) (objects []string) {
		for range random.IntN(most + 1) {
			e := pick(random, examples...)
			// Half of the objects are right.
			objects = append(objects, pick(random, e.bad, e.good)...)
		}
		return objects
	}
	for _, cluster := range t.clusters {
		t.own[cluster] = append(objects(3), wellKnown...)
	}
	own := names(slices.Concat(slices.Collect(maps.Values(t.own))...))
	for _, o := range objects(2) {
		// No cluster has two objects with the same name, and a repeated name divides directories.
		o = strings.ReplaceAll(o, "shop", "mall")
		if !slices.ContainsFunc(names([]string{o}), func(name string) bool { return slices.Contains(own, name) }) {
			t.shared = append(t.shared, o)
		}
	}
	l.build(t)
	return t
}

// wellKnown are objects without findings, so that no directory is empty.
var wellKnown = []string{`apiVersion: v1
kind: ServiceAccount
metadata: {name: web, namespace: shop}
`}

// addNoise adds files without findings, most of which are not manifests. A chart has its own directory.
func (t *tree) addNoise(n int) {
	dirs := map[string]bool{}
	for file := range t.files {
		dirs[path.Dir(file)] = true
	}
	delete(dirs, ".git")
	all := slices.Sorted(maps.Keys(dirs))
	// Each comes once: a repeated name would divide directories.
	for _, i := range t.random.Perm(len(noise))[:n] {
		add := noise[i]
		file := path.Join(pick(t.random, all...), add.name)
		if add.name == "Chart.yaml" {
			file = "charts/shop/Chart.yaml"
			t.files["charts/shop/templates/pod.yaml"] = "{{- if .Values.on }}\nkind: Pod\n{{- end }}\n"
			t.files["charts/shop/values.yaml"] = "on: true\n"
		}
		if t.files[file] == "" {
			t.files[file] = add.text
		}
	}
}

// write writes the files into a directory.
func (t *tree) write(tb testing.TB, dir string) {
	tb.Helper()
	for name, text := range t.files {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			tb.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			tb.Fatal(err)
		}
	}
}

// found returns the findings in the tree for each cluster, and in files that no cluster receives.
func (t *tree) found(tb testing.TB, l layout) (of map[string][]string, other []string) {
	tb.Helper()
	dir := tb.TempDir()
	t.write(tb, dir)
	config := "off"
	if t.files[cli.ConfigFile] != "" {
		config = filepath.Join(dir, cli.ConfigFile)
	}
	of = map[string][]string{}
	for _, f := range findings(tb, "--config", config, dir) {
		file, _ := filepath.Rel(dir, f.File)
		file = filepath.ToSlash(file)
		received := false
		for _, cluster := range t.clusters {
			if !slices.Contains(t.received[cluster], file) {
				continue
			}
			received = true
			environment := ""
			if l.environment != nil {
				environment = l.environment(cluster)
			}
			in := len(f.Environments) == 0 || l.single
			for _, name := range f.Environments {
				in = in || strings.TrimPrefix(name, filepath.ToSlash(dir)+"/") == environment
			}
			if in {
				of[cluster] = append(of[cluster], f.String())
			}
		}
		if !received {
			other = append(other, file+": "+f.String())
		}
	}
	return of, other
}

// desired returns the findings about what each cluster receives, as one stream.
func (t *tree) desired(tb testing.TB) map[string][]string {
	tb.Helper()
	of := map[string][]string{}
	for _, cluster := range t.clusters {
		var objects []string
		for _, file := range t.received[cluster] {
			objects = append(objects, t.files[file])
		}
		stream := filepath.Join(tb.TempDir(), cluster+".yaml")
		if err := os.WriteFile(stream, []byte(strings.Join(objects, "---\n")), 0o600); err != nil {
			tb.Fatal(err)
		}
		for _, f := range findings(tb, "--config", "off", stream) {
			of[cluster] = append(of[cluster], f.String())
		}
	}
	return of
}

// compare compares what check finds in the tree with what it finds in the objects that each cluster receives.
func (t *tree) compare(tb testing.TB, l layout) (found map[string][]string) {
	tb.Helper()
	found, other := t.found(tb, l)
	if len(other) > 0 {
		tb.Errorf("%s: findings in files that no cluster receives:\n%s", l.name, strings.Join(other, "\n"))
	}
	want := t.desired(tb)
	for _, cluster := range t.clusters {
		slices.Sort(found[cluster])
		slices.Sort(want[cluster])
		if diff := cmp.Diff(slices.Compact(want[cluster]), slices.Compact(found[cluster])); diff != "" {
			tb.Errorf("%s, %s (-stream +repository):\n%s\n%s", l.name, cluster, diff, t.outline())
		}
	}
	return found
}

// outline lists the files.
func (t *tree) outline() string { return strings.Join(slices.Sorted(maps.Keys(t.files)), "\n") }

// A repository has the findings that the objects of each of its clusters have together, whatever its form is.
func TestRepositoriesHaveTheFindingsOfTheirClusters(t *testing.T) {
	t.Parallel()
	examples := readExamples(t)
	n := 100
	if sample.All() {
		n = 2000
	}
	seen := 0
	for i := range n {
		random := rand.New(rand.NewPCG(sample.Seed(), uint64(i)))
		l := layouts[i%len(layouts)]
		t.Run(fmt.Sprint(i, " ", l.name), func(t *testing.T) {
			repository := grow(random, l, examples)
			repository.addNoise(random.IntN(8))
			for _, of := range repository.compare(t, l) {
				seen += len(of)
			}
		})
	}
	t.Logf("%d findings in %d repositories", seen, n)
	if seen < n {
		t.Errorf("only %d findings in %d repositories", seen, n)
	}
}

// among returns the examples of rules between objects: all of them break the rule, and none does so alone.
func among(t *testing.T, examples []example) (found []example) {
	t.Helper()
	for _, e := range examples {
		alone := false
		for _, o := range e.bad {
			alone = alone || slices.Contains(rulesIn(t, o), e.rule)
		}
		if !alone && slices.Contains(rulesIn(t, strings.Join(e.bad, "---\n")), e.rule) {
			found = append(found, e)
		}
	}
	return found
}

// rulesIn returns the rules that a text with objects breaks.
func rulesIn(t *testing.T, text string) (rules []string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "a.yaml")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, f := range findings(t, "--config", "off", file) {
		rules = append(rules, f.Rule)
	}
	return rules
}

// A rule between objects speaks if they are for the same cluster, in files and directories of their own, and is silent
// in a cluster that has only some of them.
func TestRulesBetweenObjectsOfACluster(t *testing.T) {
	t.Parallel()
	examples := among(t, readExamples(t))
	forms := slices.DeleteFunc(slices.Clone(layouts), func(l layout) bool { return l.single })
	n := 60
	if sample.All() {
		n = 500
	}
	if len(examples) < 15 {
		t.Fatalf("only %d examples have a rule between objects", len(examples))
	}
	for i := range n {
		random := rand.New(rand.NewPCG(sample.Seed(), uint64(i)))
		e, l := examples[i%len(examples)], forms[i/len(examples)%len(forms)]
		t.Run(fmt.Sprint(i, " ", e.rule, " ", l.name), func(t *testing.T) {
			repository := &tree{
				random: random, layout: l.name, files: map[string]string{".git/HEAD": ""}, alone: true,
				clusters: []string{"production", "staging"}, received: map[string][]string{},
			}
			objects := slices.Clone(e.bad)
			random.Shuffle(len(objects), func(i, j int) { objects[i], objects[j] = objects[j], objects[i] })
			// All clusters get some objects, and production the others.
			some := random.IntN(len(objects))
			repository.shared = objects[:some]
			repository.own = map[string][]string{
				"production": append(objects[some:], wellKnown...), "staging": wellKnown,
			}
			l.build(repository)
			repository.addNoise(random.IntN(4))
			found := repository.compare(t, l)
			if !slices.ContainsFunc(
				found["production"],
				func(f string) bool { return strings.HasPrefix(f, e.rule+" ") },
			) {
				t.Errorf("%s is not among %q", e.rule, found["production"])
			}
			if slices.ContainsFunc(found["staging"], func(f string) bool { return strings.HasPrefix(f, e.rule+" ") }) &&
				!slices.Contains(rulesIn(t, strings.Join(repository.shared, "---\n")), e.rule) {
				t.Errorf("%s is among %q", e.rule, found["staging"])
			}
		})
	}
}
