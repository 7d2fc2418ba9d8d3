package repositories_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"path"
	"slices"
	"strings"
)

// kustomizeTree is a repository of kustomize that is made up: bases, components, and overlays that include them.
type kustomizeTree struct {
	random *rand.Rand
	dirs   []*kustomizeDir
	// files are the other files by their paths.
	files map[string]string
	// number makes each value the only one.
	number int
}

// kustomizeDir is a directory with a kustomization.
type kustomizeDir struct {
	name, kind string
	resources  []string
	components []string
	units      []*unit
	// root is true if no other directory includes it.
	root bool
	// objects are the workloads of the build.
	objects []workload
}

// workload is an object of a base with pods.
type workload struct{ kind, name string }

// unit is an element of a list in a kustomization, or a field with one value. A tree without one unit is the oracle of
// what the unit writes.
type unit struct {
	// field is the field of the kustomization, and text its value, or an element of it: indented lines.
	field, text string
	isList      bool
	// file has the content of a patch, "" if that is in the kustomization.
	file string
	// first and last are its lines in the kustomization, once that is written.
	first, last int
}

// next returns a number that no other value of the tree has.
func (t *kustomizeTree) next() int {
	t.number++
	return 1000 + t.number
}

// growKustomize returns a tree with one or two bases, which have objects of examples, too.
func growKustomize(random *rand.Rand, examples []example) *kustomizeTree {
	t := &kustomizeTree{random: random, files: map[string]string{".git/HEAD": ""}}
	var level []*kustomizeDir
	for i := range 1 + random.IntN(2) {
		level = append(level, t.base(fmt.Sprintf("bases/b%d", i), examples))
	}
	var components []string
	if random.IntN(2) == 0 {
		d := t.dir("parts/p", "Component")
		d.objects = level[0].objects
		t.change(d, 1+random.IntN(2))
		components = []string{d.name}
	}
	if random.IntN(3) == 0 { // a level between bases and overlays
		d := t.dir("middle/m", "Kustomization")
		d.include(level[0])
		t.change(d, 1+random.IntN(3))
		level[0] = d
	}
	for i := range 1 + random.IntN(3) {
		d := t.dir(fmt.Sprintf("overlays/o%d", i), "Kustomization")
		d.root = true
		d.include(level[0])
		if len(level) > 1 && random.IntN(2) == 0 {
			d.include(level[1])
		}
		if random.IntN(2) == 0 {
			d.components = components
		}
		t.change(d, 1+random.IntN(5))
	}
	for _, d := range t.dirs {
		d.root = !slices.ContainsFunc(t.dirs, func(o *kustomizeDir) bool {
			return slices.Contains(o.resources, d.name) || slices.Contains(o.components, d.name)
		}) && d.kind != "Component"
	}
	return t
}

func (t *kustomizeTree) dir(name, kind string) *kustomizeDir {
	d := &kustomizeDir{name: name, kind: kind}
	t.dirs = append(t.dirs, d)
	return d
}

func (d *kustomizeDir) include(o *kustomizeDir) {
	d.resources, d.objects = append(d.resources, o.name), append(d.objects, o.objects...)
}

// base writes workloads, and the objects of an example.
func (t *kustomizeTree) base(dir string, examples []example) *kustomizeDir {
	d := t.dir(dir, "Kustomization")
	var docs []string
	for i := range 1 + t.random.IntN(3) {
		w := workload{
			pick(t.random, "Deployment", "StatefulSet", "DaemonSet"),
			fmt.Sprintf("%s-w%d", path.Base(dir), i),
		}
		d.objects = append(d.objects, w)
		docs = append(docs, t.manifest(w))
		if len(docs) == 2 || t.random.IntN(2) == 0 {
			t.resource(d, fmt.Sprintf("w%d.yaml", i), strings.Join(docs, "---\n"))
			docs = nil
		}
	}
	if docs != nil {
		t.resource(d, "w.yaml", strings.Join(docs, "---\n"))
	}
	if e := pick(t.random, examples...); t.random.IntN(2) == 0 {
		objects := strings.Join(pick(t.random, e.bad, e.good), "---\n")
		t.resource(d, "example.yaml", strings.ReplaceAll(objects, "shop", path.Base(dir)))
	}
	if t.random.IntN(3) == 0 {
		t.change(d, 1)
	}
	return d
}

func (t *kustomizeTree) resource(d *kustomizeDir, name, text string) {
	t.files[d.name+"/"+name] = text
	d.resources = append(d.resources, d.name+"/"+name)
}

// manifest returns a workload for Windows, with values that no other object has, and some mistakes.
func (t *kustomizeTree) manifest(w workload) string {
	var b strings.Builder
	fmt.Fprintf(
		&b,
		"apiVersion: apps/v1\nkind: %s\nmetadata:\n  name: %s\n  labels: {app: %s}\nspec:\n",
		w.kind,
		w.name,
		w.name,
	)
	if w.kind == "StatefulSet" {
		b.WriteString("  serviceName: a\n")
	}
	fmt.Fprintf(
		&b,
		"  selector:\n    matchLabels: {app: %s}\n  template:\n    metadata:\n      labels: {app: %s}\n",
		w.name,
		w.name,
	)
	b.WriteString("    spec:\n      os: {name: windows}\n      nodeSelector:\n        kubernetes.io/os: windows\n")
	if t.random.IntN(3) == 0 {
		b.WriteString("      hostPID: true\n")
	}
	if t.random.IntN(3) == 0 {
		fmt.Fprintf(&b, "      securityContext:\n        fsGroup: %d\n", t.next())
	}
	if t.random.IntN(3) == 0 {
		fmt.Fprintf(&b, "      terminationGracePeriodSeconds: %d\n", t.next())
	}
	b.WriteString("      containers:\n")
	for i := range 1 + t.random.IntN(2) {
		fmt.Fprintf(&b, "        - name: c%d\n          image: registry.example.com/c%d:%d\n", i, i, t.next())
		if t.random.IntN(2) == 0 {
			fmt.Fprintf(&b, "          resources:\n            limits: {memory: %dMi}\n", t.next())
		}
		if t.random.IntN(3) == 0 {
			fmt.Fprintf(&b, "          securityContext:\n            runAsUser: %d\n", t.next())
		}
		if t.random.IntN(3) == 0 {
			fmt.Fprintf(&b, "          ports:\n            - containerPort: %d\n", t.next())
		}
	}
	return b.String()
}

// write returns all files.
func (t *kustomizeTree) write() map[string]string {
	files := maps.Clone(t.files)
	for _, d := range t.dirs {
		files[d.name+"/kustomization.yaml"] = d.text()
	}
	return files
}

// text returns the kustomization, and sets the lines of its units.
func (d *kustomizeDir) text() string {
	var lines []string
	add := func(text string) { lines = append(lines, strings.Split(strings.TrimSuffix(text, "\n"), "\n")...) }
	if d.kind == "Component" {
		add("apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component")
	}
	for _, list := range []struct {
		field string
		names []string
	}{{"resources", d.resources}, {"components", d.components}} {
		if len(list.names) > 0 {
			add(list.field + ":")
		}
		for _, name := range list.names {
			add("  - " + relative(d.name, name))
		}
	}
	fields := map[string]bool{}
	for _, u := range d.units {
		if fields[u.field] {
			continue
		}
		fields[u.field] = true
		if !u.isList {
			u.first, u.last = len(lines)+1, len(lines)+1
			add(u.field + ": " + u.text)
			continue
		}
		add(u.field + ":")
		for _, one := range d.units {
			if one.field == u.field {
				one.first = len(lines) + 1
				add(one.text)
				one.last = len(lines)
			}
		}
	}
	return strings.Join(lines, "\n") + "\n"
}

// without returns the tree without a unit of a directory.
func (t *kustomizeTree) without(d *kustomizeDir, u *unit) *kustomizeTree {
	less := &kustomizeTree{files: t.files}
	for _, one := range t.dirs {
		if one == d {
			without := *d
			without.units = slices.DeleteFunc(slices.Clone(d.units), func(o *unit) bool { return o == u })
			one = &without
		}
		less.dirs = append(less.dirs, one)
	}
	return less
}

// indented indents the lines of a text.
func indented(text, by string) string {
	return by + strings.ReplaceAll(strings.TrimSuffix(text, "\n"), "\n", "\n"+by) + "\n"
}
