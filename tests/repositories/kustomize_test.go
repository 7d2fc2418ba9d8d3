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
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/api/resmap"
	"sigs.k8s.io/kustomize/kyaml/filesys"

	"github.com/mixedkube/mixedkube/internal/cli/kustomize"
	coretree "github.com/mixedkube/mixedkube/internal/core/value/tree"
	"github.com/mixedkube/mixedkube/internal/system/disk"
	"github.com/mixedkube/mixedkube/tests/internal/sample"
)

// built builds a directory of a tree with the library of kustomize.
func (t *kustomizeTree) built(dir string) (resmap.ResMap, error) {
	files := filesys.MakeFsInMemory()
	for name, text := range t.write() {
		if err := files.WriteFile("/"+name, []byte(text)); err != nil {
			return nil, err
		}
	}
	stderr := os.Stderr
	os.Stderr = nil // the library warns of deprecated fields
	defer func() { os.Stderr = stderr }()
	built, err := krusty.MakeKustomizer(krusty.MakeDefaultOptions()).Run(files, "/"+dir)
	if err == nil {
		_, err = built.AsYaml() // a duplicate key is an error only there
	}
	return built, err
}

// on writes the tree into a directory.
func (t *kustomizeTree) on(tb testing.TB) (dir string) {
	tb.Helper()
	dir = tb.TempDir()
	(&tree{files: t.write()}).write(tb, dir)
	return dir
}

// brief is the part of a finding that is the same for an object as it is built and as it is written.
func (f finding) brief() string {
	return fmt.Sprintf(
		"%s %s %s %s: %s",
		f.Rule,
		f.Severity,
		f.Kind,
		f.Path,
		lineFormat.ReplaceAllString(f.Message, "line …"),
	)
}

// check finds in each overlay what it finds in the output of the library.
func TestKustomizationsHaveTheFindingsOfTheirBuilds(t *testing.T) {
	examples := readExamples(t)
	n := 50
	if sample.All() {
		n = 2000
	}
	builds, failed, seen := 0, 0, 0
	for i := range n {
		random := rand.New(rand.NewPCG(sample.Seed(), uint64(i)))
		t.Run(strconv.Itoa(i), func(t *testing.T) {
			tree := growKustomize(random, examples)
			dir := tree.on(t)
			found := map[string][]string{}
			for _, f := range findings(t, "--config", "off", dir) {
				for _, name := range f.Environments {
					below, _ := filepath.Rel(dir, filepath.FromSlash(name))
					found[filepath.ToSlash(below)] = append(found[filepath.ToSlash(below)], f.brief())
				}
			}
			for _, d := range tree.dirs {
				if !d.root {
					continue
				}
				output, err := tree.built(d.name)
				if err != nil {
					failed++
					continue
				}
				builds++
				text, err := output.AsYaml()
				if err != nil {
					t.Fatal(err)
				}
				stream := filepath.Join(t.TempDir(), "stream.yaml")
				if err := os.WriteFile(stream, text, 0o600); err != nil {
					t.Fatal(err)
				}
				var want []string
				for _, f := range findings(t, "--config", "off", stream) {
					want = append(want, f.brief())
				}
				got := found[d.name]
				slices.Sort(want)
				slices.Sort(got)
				if diff := cmp.Diff(slices.Compact(want), slices.Compact(got)); diff != "" {
					t.Errorf("%s (-stream +repository):\n%s\n%s", d.name, diff, d.text())
				}
				seen += len(want)
			}
		})
	}
	t.Logf("%d findings in %d builds; %d fail", seen, builds, failed)
	if seen < builds || failed > builds {
		t.Errorf("only %d findings in %d builds, %d fail", seen, builds, failed)
	}
}

// value is a scalar of an object, with its path and one in which elements of lists have their names.
type value struct {
	path, named string
	scalar      any
}

// valuesOf returns the scalars of an object.
func valuesOf(v any, path, named string) (all []value) {
	switch v := v.(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			at := "[" + key + "]"
			all = append(all, valuesOf(v[key], path+at, named+at)...)
		}
	case []any:
		for i, element := range v {
			name := strconv.Itoa(i)
			if object, is := element.(map[string]any); is && object["name"] != nil {
				name = fmt.Sprint("name=", object["name"])
			}
			all = append(all, valuesOf(element, fmt.Sprintf("%s[%d]", path, i), named+"["+name+"]")...)
		}
	default:
		all = append(all, value{path, named, v})
	}
	return all
}

// namedValues returns the scalars of an object by their named paths.
func namedValues(object map[string]any) map[string]any {
	values := map[string]any{}
	for _, one := range valuesOf(object, "", "") {
		values[one.named] = one.scalar
	}
	return values
}

// asObject returns the values of the object of a workload by their named paths, nil if a build does not have it.
func asObject(objects []map[string]any, w workload) (values map[string]any) {
	for _, o := range objects {
		metadata, _ := o["metadata"].(map[string]any)
		name, _ := metadata["name"].(string)
		if o["kind"] == w.kind && strings.Contains(name, w.name) {
			values = namedValues(o)
		}
	}
	return values
}

func objectsOf(tb testing.TB, text []byte) (objects []map[string]any) {
	tb.Helper()
	for line := range bytes.Lines(text) {
		var object map[string]any
		if err := json.Unmarshal(line, &object); err != nil {
			tb.Fatal(err)
		}
		objects = append(objects, coretree.Map(coretree.Normalize(object)))
	}
	return objects
}

// asJSON returns the objects of a build of the library.
func asJSON(tb testing.TB, built resmap.ResMap) (objects []map[string]any) {
	tb.Helper()
	for _, one := range built.Resources() {
		text, err := one.MarshalJSON()
		if err != nil {
			tb.Fatal(err)
		}
		objects = append(objects, objectsOf(tb, text)...)
	}
	return objects
}

// reached returns the directories of a build.
func (t *kustomizeTree) reached(d *kustomizeDir) (dirs []*kustomizeDir) {
	dirs = []*kustomizeDir{d}
	for _, name := range slices.Concat(d.resources, d.components) {
		for _, o := range t.dirs {
			if o.name == name {
				dirs = append(dirs, t.reached(o)...)
			}
		}
	}
	return dirs
}

// oracle says which units change a value: those without which a build has another value, or none.
type oracle struct {
	units []*unit
	of    map[*unit]*kustomizeDir
	// objects are what is built without each unit. A unit is missing if the build fails without it.
	objects map[*unit][]map[string]any
}

func (t *kustomizeTree) oracle(tb testing.TB, root *kustomizeDir) oracle {
	tb.Helper()
	o := oracle{of: map[*unit]*kustomizeDir{}, objects: map[*unit][]map[string]any{}}
	for _, d := range t.reached(root) {
		for _, u := range d.units {
			if o.of[u] != nil {
				continue
			}
			o.units, o.of[u] = append(o.units, u), d
			if built, err := t.without(d, u).built(root.name); err == nil {
				o.objects[u] = asJSON(tb, built)
			}
		}
	}
	return o
}

// at returns the unit at a place, nil if it is in none.
func (o oracle) at(file string, line int) *unit {
	for _, u := range o.units {
		if u.file == file || file == o.of[u].name+"/kustomization.yaml" && u.first <= line && line <= u.last {
			return u
		}
	}
	return nil
}

// writers returns the units that change a value of a workload.
func (o oracle) writers(w workload, v value) (writers []*unit) {
	for _, u := range o.units {
		without, known := o.objects[u]
		if known && !cmp.Equal(asObject(without, w)[v.named], v.scalar) {
			writers = append(writers, u)
		}
	}
	return writers
}

// tally counts the places of a test.
type tally struct{ values, written, wrongLine, notExact int }

// compare compares the place of a value with the units that change it.
func (o oracle) compare(
	tb testing.TB,
	t *kustomizeTree,
	w workload,
	v value,
	trace *kustomize.Trace,
	dir string,
	sum *tally,
) {
	tb.Helper()
	place := trace.Place(v.path)
	file := strings.TrimPrefix(place.File, filepath.ToSlash(dir)+"/")
	places := []*unit{o.at(file, place.Line)}
	for _, also := range place.Also {
		also = strings.TrimPrefix(also, filepath.ToSlash(dir)+"/")
		name, line, _ := strings.Cut(also, ":")
		n, _ := strconv.Atoi(line)
		places = append(places, o.at(name, n))
	}
	writers := o.writers(w, v)
	sum.values++
	if len(writers) > 0 {
		sum.written++
	}
	_, isKnown := o.objects[places[0]]
	key := v.path[strings.LastIndex(v.path, "[")+1 : len(v.path)-1]
	switch {
	case places[0] != nil && !isKnown: // the build fails without it
	case slices.Contains(writers, places[0]):
	case len(writers) == 0 && places[0] == nil:
	case (len(writers) == 0 || places[0] != nil) && o.repeats(t, key): // several units write the same value
	case strings.Contains(v.named, "[containers]") && o.indexes(t): // another unit changes what an index means
	default:
		tb.Errorf(
			"%s/%s %s = %v: is at %s:%d, and these write it:%s",
			w.kind,
			w.name,
			v.path,
			v.scalar,
			file,
			place.Line,
			o.describe(writers),
		)
	}
	if len(writers) == 1 && !slices.Contains(places, writers[0]) && isKnown && !o.indexes(t) {
		tb.Errorf(
			"%s/%s %s = %v: is at %s:%d %v, and this writes it:%s",
			w.kind,
			w.name,
			v.path,
			v.scalar,
			file,
			place.Line,
			place.Also,
			o.describe(writers),
		)
	}
	if !place.Exact {
		sum.notExact++
	}
	lines := strings.Split(t.write()[file], "\n")
	line := lines[min(place.Line, len(lines))-1]
	if u := places[0]; (u == nil || strings.HasPrefix(u.field, "patches")) &&
		!strings.Contains(line, key) && !strings.Contains(line, fmt.Sprint(v.scalar)) {
		sum.wrongLine++
		tb.Errorf("%s/%s %s = %v: is at %s:%d, which is %q", w.kind, w.name, v.path, v.scalar, file, place.Line, line)
	}
}

// repeats reports whether more than one unit has a key.
func (o oracle) repeats(t *kustomizeTree, key string) bool {
	n := 0
	for _, u := range o.units {
		if strings.Contains(u.text+t.files[u.file], key) {
			n++
		}
	}
	return n > 1
}

// indexes reports whether a JSON patch has the index of a container.
func (o oracle) indexes(t *kustomizeTree) bool {
	return slices.ContainsFunc(
		o.units,
		func(u *unit) bool { return strings.Contains(u.text+t.files[u.file], "/containers/") },
	)
}

func (o oracle) describe(units []*unit) string {
	var b strings.Builder
	for _, u := range units {
		fmt.Fprintf(&b, "\n%s:%d-%d %s:\n%s", o.of[u].name, u.first, u.last, u.field, u.text)
	}
	return b.String()
}

// A value is at the place of the unit without which a build has another value.
func TestPlacesOfBuiltValues(t *testing.T) {
	examples := readExamples(t)
	n := 50
	if sample.All() {
		n = 2000
	}
	var sum tally
	for i := range n {
		random := rand.New(rand.NewPCG(sample.Seed(), uint64(i)))
		t.Run(strconv.Itoa(i), func(t *testing.T) {
			tree := growKustomize(random, examples)
			dir := tree.on(t)
			reader := kustomize.NewReader(new(disk.Access))
			for _, d := range tree.dirs {
				if !d.root {
					continue
				}
				b, err := reader.Build(filepath.Join(dir, filepath.FromSlash(d.name)))
				if _, wrong := tree.built(d.name); (err == nil) != (wrong == nil) {
					t.Errorf("%s: %v, and the library: %v", d.name, err, wrong)
				}
				if err != nil {
					continue
				}
				o := tree.oracle(t, d)
				for _, object := range objectsOf(t, b.Text) {
					w, is := tree.workloadOf(object)
					if !is {
						continue
					}
					trace := b.Trace(object)
					if trace == nil {
						t.Errorf("%s: %s/%s comes from nowhere", d.name, w.kind, w.name)
						continue
					}
					if got := fmt.Sprint(trace.Written()["metadata"].(map[string]any)["name"]); got != w.name {
						t.Errorf("%s comes from %s", w.name, got)
					}
					for _, v := range valuesOf(object, "", "") {
						o.compare(t, tree, w, v, trace, dir, &sum)
					}
				}
			}
		})
	}
	t.Logf("%+v", sum)
	if sum.written < 10*n || sum.notExact > sum.values/20 {
		t.Errorf("too few: %+v", sum)
	}
}

// workloadOf returns the workload that an object is.
func (t *kustomizeTree) workloadOf(object map[string]any) (workload, bool) {
	metadata, _ := object["metadata"].(map[string]any)
	name, _ := metadata["name"].(string)
	for _, d := range t.dirs {
		for _, w := range d.objects {
			if object["kind"] == w.kind && strings.Contains(name, w.name) && path.Dir(d.name) == "bases" {
				return w, true
			}
		}
	}
	return workload{}, false
}
