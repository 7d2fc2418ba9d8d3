package cli

import (
	"maps"
	"path/filepath"
	"reflect"
	"slices"

	"github.com/mixedkube/mixedkube/core/conversion"
	"github.com/mixedkube/mixedkube/internal/cli/kustomize"
	"github.com/mixedkube/mixedkube/internal/core/manifests"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// buildPlan is what adopt writes so that kustomizations build completed objects: edits of the documents of bases, and
// patches in overlays. It is proved by builds with the new files.
type buildPlan struct {
	in        *input
	converter *conversion.Converter
	builds    *builds
	objects   []builtObject
	// editable are the files in which documents may be edited, by their names.
	editable map[string]target
	// bases are the documents that are edited.
	bases map[sourceDocument][]tree.Edit
	// patched has the objects that get a patch, and open those for which there is no way.
	patched, open []*builtObject
	// texts are the contents of files, before and after.
	before, after map[string][]byte
	changes       map[string][]manifests.Change
}

// plannedBuilds plans how the objects of kustomizations get what they need, nil if there is none.
func (a *adoption) plannedBuilds(in *input, converter *conversion.Converter, built []*adoptedFile) *buildPlan {
	if len(built) == 0 {
		return nil
	}
	p := &buildPlan{
		in: in, converter: converter, builds: a.builds, editable: map[string]target{},
		bases: map[sourceDocument][]tree.Edit{}, before: map[string][]byte{}, after: map[string][]byte{},
		changes: map[string][]manifests.Change{},
	}
	for _, t := range a.covered {
		p.editable[shown(t.path)] = t
	}
	for _, f := range built {
		if !f.failed() {
			p.objects = append(p.objects, f.built...)
		}
	}
	p.chooseBases(a)
	p.proveBases()
	for i := range p.objects {
		if o := &p.objects[i]; len(o.edits) > 0 && p.bases[o.from] == nil {
			p.patched = append(p.patched, o)
		}
	}
	bases, changes := p.after, p.changes
	p.provePatches()
	if !a.patches {
		p.after, p.changes = bases, changes
	}
	return p
}

// chooseBases chooses the documents of which all builds need the same edits. A base is also for kustomizations that are
// not built or not named, and for those of another cluster: then it stays as it is.
func (p *buildPlan) chooseBases(a *adoption) {
	members := map[sourceDocument][]*builtObject{}
	for i := range p.objects {
		o := &p.objects[i]
		members[o.from] = append(members[o.from], o)
	}
	for from, of := range members {
		if _, is := p.editable[from.file]; !is || len(of[0].edits) == 0 || !p.in.repository.IsBuilt(from.file) {
			continue
		}
		same := true
		for _, o := range of[1:] {
			same = same && reflect.DeepEqual(o.edits, of[0].edits) && a.sameCluster(p.rootOf(o), p.rootOf(of[0]))
		}
		docs := documentsIn(p.text(from.file), from.file)
		if same && from.index < len(docs) && !isFragment(p.in, from.file, docs[from.index]) {
			p.bases[from] = of[0].edits
		}
	}
}

func (p *buildPlan) rootOf(o *builtObject) string { return p.builds.roots[o.root].File }

// sameCluster reports whether two kustomizations are for the same topology.
func (a *adoption) sameCluster(one, other string) bool {
	of := a.config.environmentsOf()
	return one == other || of == nil || !a.config.hasTopologies() || slices.Equal(of(one), of(other))
}

// text returns the content of a file, nil if it cannot be read.
func (p *buildPlan) text(name string) []byte {
	text, known := p.before[name]
	if !known {
		text = p.in.regular(fromShown(name))
		p.before[name] = text
	}
	return text
}

// proveBases edits the bases, and gives up those whose edits do not complete each of their objects in each build.
func (p *buildPlan) proveBases() {
	for len(p.bases) > 0 {
		p.editBases()
		wrong := p.wrong(func(o *builtObject) bool { return p.bases[o.from] != nil })
		if len(wrong) == 0 {
			return
		}
		before := len(p.bases)
		for _, o := range wrong {
			delete(p.bases, o.from)
		}
		if len(p.bases) == before { // another object has changed, which no edit is about
			clear(p.bases)
		}
	}
	p.editBases()
}

// editBases writes the edits of the bases into texts. A document that cannot be edited is no longer a base.
func (p *buildPlan) editBases() {
	byFile := map[string]map[int][]tree.Edit{}
	for from, edits := range p.bases {
		if byFile[from.file] == nil {
			byFile[from.file] = map[int][]tree.Edit{}
		}
		byFile[from.file][from.index] = edits
	}
	clear(p.after)
	clear(p.changes)
	for file, edits := range byFile {
		f := p.converter.Edit(conversion.File{Name: file, Text: p.text(file)}, edits)
		if len(f.Problems) > 0 {
			for index := range edits {
				delete(p.bases, sourceDocument{file, index})
			}
			continue
		}
		p.after[file], p.changes[file] = f.Text, f.Changes
	}
}

// wrong builds with the new texts, and returns the objects that differ from what they should be. isCompleted says which
// should be completed.
func (p *buildPlan) wrong(isCompleted func(*builtObject) bool) (wrong []*builtObject) {
	reader := kustomize.NewReader(&p.in.access)
	for _, name := range slices.Sorted(maps.Keys(p.after)) {
		if err := reader.Replace(fromShown(name), p.after[name]); err != nil {
			return p.all(isCompleted, -1)
		}
	}
	for i, root := range p.builds.roots {
		if !p.touches(i) {
			continue
		}
		b, err := reader.Build(filepath.FromSlash(root.Dir))
		if err != nil {
			wrong = append(wrong, p.all(isCompleted, i)...)
			continue
		}
		docs := documentsIn(b.Text, root.File)
		trees := make([]map[string]any, len(docs))
		for j, doc := range docs {
			trees[j] = tree.Map(doc.Value)
		}
		wrong = append(wrong, p.different(i, trees, isCompleted)...)
	}
	return wrong
}

// touches reports whether a build reads a file with a new text.
func (p *buildPlan) touches(root int) bool {
	reads := p.builds.done[fromShown(p.builds.roots[root].File)].Files
	return slices.ContainsFunc(reads, func(file string) bool { return p.after[file] != nil })
}

// all returns the objects of a build that should be completed, or those of all builds for -1.
func (p *buildPlan) all(isCompleted func(*builtObject) bool, root int) (found []*builtObject) {
	for i := range p.objects {
		if o := &p.objects[i]; (root < 0 || o.root == root) && len(o.edits) > 0 && isCompleted(o) {
			found = append(found, o)
		}
	}
	return found
}

// different returns the objects of a build that are not what they should be.
func (p *buildPlan) different(
	root int, built []map[string]any, isCompleted func(*builtObject) bool,
) (wrong []*builtObject) {
	// A build also has documents that the rules do not look at, such as policies.
	next := 0
	for i := range p.objects {
		o := &p.objects[i]
		if o.root != root {
			continue
		}
		want := o.before
		if len(o.edits) > 0 && isCompleted(o) {
			want = o.after
		}
		at := slices.IndexFunc(built[next:], func(object map[string]any) bool { return isSame(object, o.before) })
		if at < 0 {
			wrong = append(wrong, o)
			continue
		}
		if next += at; !reflect.DeepEqual(built[next], want) {
			wrong = append(wrong, o)
		}
		next++
	}
	return wrong
}

// isSame reports whether two objects have the same kind and names.
func isSame(one, other map[string]any) bool {
	kind, namespace, name := conversion.Names(one)
	otherKind, otherNamespace, otherName := conversion.Names(other)
	return kind == otherKind && namespace == otherNamespace && name == otherName
}
