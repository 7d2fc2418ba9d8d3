package cli

import (
	"bytes"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mixedkube/mixedkube/core/report"
	"github.com/mixedkube/mixedkube/internal/cli/kustomize"
	"github.com/mixedkube/mixedkube/internal/core/fielderrors"
	"github.com/mixedkube/mixedkube/internal/core/manifests"
	"github.com/mixedkube/mixedkube/internal/core/manifests/repository"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// builds are the kustomizations that the command has built: a cluster gets what they build, and not the files that they
// read.
type builds struct {
	// done are the builds by the paths of their kustomizations, which are opened as if they were files. roots are in
	// the order of their directories.
	done  map[string]*kustomize.Build
	roots []repository.Root
	// reads are the files that builds have read.
	reads map[string]bool
	// not are the kustomizations that were not built.
	not []notBuilt
}

// notBuilt is a kustomization with the reason why it was not built.
type notBuilt struct {
	root repository.Root
	err  error
}

// The limits of the builds of a run, for repositories of strangers. The number of objects has a limit of its own.
const (
	// maxBuilds is how many kustomizations are built.
	maxBuilds = 2000
	// maxBuilt is how many bytes all that is built may have together.
	maxBuilt = 256 << 20
)

// build builds the kustomizations among the files that clusters get: see [repository.Repository.Roots].
func (in *input) build(files []string, mostBuilds int) *builds {
	b := &builds{done: map[string]*kustomize.Build{}, reads: map[string]bool{}}
	listed, walked := map[string]bool{}, map[string]bool{}
	contents := make([]repository.Content, len(files))
	for i, file := range files {
		name := shown(file)
		listed[name], contents[i].Path = true, name
		if !in.isNamed(file) {
			walked[path.Dir(name)] = true
		}
	}
	if in.repository.HasIncluded() {
		in.readDeployed(files, contents)
	}
	reader, size := kustomize.NewReader(&in.access), 0
	for _, root := range in.repository.Roots(contents) {
		// A kustomization without an extension is not listed.
		if !listed[root.File] && (path.Ext(root.File) != "" || !walked[root.Dir]) {
			continue
		}
		if len(b.roots) == mostBuilds || size > maxBuilt {
			b.not = append(b.not, notBuilt{root, fmt.Errorf("%s: more than %d kustomizations or %d MB are built: "+
				"name fewer paths at once", root.File, mostBuilds, maxBuilt>>20)})
			continue
		}
		one, err := reader.Build(filepath.FromSlash(root.Dir))
		if err != nil {
			b.not = append(b.not, notBuilt{root, err})
			continue
		}
		size += len(one.Text)
		b.done[fromShown(root.File)] = one
		b.roots = append(b.roots, root)
		for _, file := range one.Files {
			b.reads[file] = true
		}
	}
	in.repository.Built = map[string]bool{}
	for _, root := range b.roots {
		in.repository.Built[root.Dir] = true
	}
	in.builds = b
	return b
}

// readDeployed adds what the objects of GitOps tools in the files deploy.
func (in *input) readDeployed(files []string, contents []repository.Content) {
	for i, file := range files {
		text := in.regular(file)
		if !bytes.Contains(text, []byte("fluxcd.io")) && !bytes.Contains(text, []byte("argoproj.io")) {
			continue
		}
		for _, doc := range documentsIn(text, shown(file)) {
			contents[i].Deploys = append(contents[i].Deploys, repository.DeploysOf(tree.Map(doc.Value))...)
		}
	}
}

// regular returns the content of a regular file, nil if it is something else, or cannot be read: reading it later
// reports that.
func (in *input) regular(file string) []byte {
	if _, rendered := in.rendered(file); rendered || file == stdinPath {
		return nil
	}
	if info, err := in.access.Stat(file); err != nil || !info.Mode().IsRegular() {
		return nil
	}
	text, err := in.access.ReadFile(file, manifests.MaxFileSize)
	if err != nil {
		return nil
	}
	return text
}

// built returns the build of a kustomization, nil if the path is something else.
func (in *input) built(path string) *kustomize.Build {
	if in.builds == nil {
		return nil
	}
	return in.builds.done[path]
}

// covers reports whether builds have all that clusters get of a file.
func (b *builds) covers(r *repository.Repository, file string) bool {
	if !b.reads[file] {
		return false
	}
	return len(r.Above(file)) == 0 || r.IsBuilt(file)
}

// failed reports whether a file is a kustomization that could not be built: a line of its own says why.
func (b *builds) failed(file string) bool {
	return b != nil && slices.ContainsFunc(b.not, func(n notBuilt) bool { return n.root.File == file })
}

// files returns the files to check: a kustomization in place of what its build reads.
func (b *builds) files(r *repository.Repository, files []string) (checked []string) {
	roots := map[string]bool{}
	for _, root := range b.roots {
		roots[fromShown(root.File)] = true
	}
	for _, file := range files {
		if roots[file] {
			delete(roots, file)
		} else if b.covers(r, shown(file)) {
			continue
		}
		checked = append(checked, file)
	}
	for _, root := range b.roots {
		if file := fromShown(root.File); roots[file] { // without an extension
			checked = append(checked, file)
		}
	}
	return checked
}

// rootOf returns the directory of a kustomization that was built, "" for other files.
func (in *input) rootOf(file string) string {
	if in.built(file) == nil {
		return ""
	}
	return path.Dir(shown(file))
}

// left returns the kustomizations that were not built, and the charts that were not rendered.
func (b *builds) left() (all []report.LeftAlone) {
	for _, one := range b.not {
		file, line, why := one.place()
		all = append(all, report.LeftAlone{
			File: file, Line: line, Kind: string(repository.Kustomization), Why: "not built: " + why,
		})
	}
	for _, chart := range b.charts() {
		all = append(all, report.LeftAlone{
			File: chart.File, Line: chart.Line, Kind: string(repository.Chart),
			Why: "not rendered: " + chart.Name +
				": run helm template, or check what kustomize build --enable-helm prints",
		})
	}
	return all
}

// place returns the file and the line that are the reason, and the reason.
func (n notBuilt) place() (file string, line int, why string) {
	if r, is := errors.AsType[*kustomize.RefusedError](n.err); is {
		return r.File, r.Line, r.Detail
	}
	return n.root.File, 1, strings.TrimPrefix(n.err.Error(), n.root.File+": ")
}

// charts returns the charts that were not rendered, each once.
func (b *builds) charts() (all []kustomize.Chart) {
	for _, root := range b.roots {
		for _, chart := range b.done[fromShown(root.File)].Charts {
			if !slices.Contains(all, chart) {
				all = append(all, chart)
			}
		}
	}
	return all
}

// String returns a line about the kustomizations that were built, one about each that was not built, and one about the
// charts that were not rendered.
func (b *builds) String() string {
	var lines strings.Builder
	if b == nil {
		return ""
	}
	if n := len(b.roots); n > 0 {
		names := make([]string, n)
		for i, root := range b.roots {
			names[i] = root.Dir
		}
		fmt.Fprintf(&lines, "built: %s: %s\n", repository.Kustomization.Count(n), firstOf(names))
	}
	for i, one := range b.not {
		if i == mostUnread {
			fmt.Fprintf(&lines, "not built: %s\n", fielderrors.Count(len(b.not)-i, "more kustomization"))
			break
		}
		_, _, why := one.place()
		if text := one.err.Error(); !strings.HasPrefix(text, one.root.File) {
			why = text // the reason is in what it includes
		}
		fmt.Fprintf(&lines, "not built: %s: %s\n", one.root.Dir, why)
	}
	if charts := b.charts(); len(charts) > 0 {
		names := make([]string, len(charts))
		for i, chart := range charts {
			names[i] = fmt.Sprintf("%s (%s:%d)", chart.Name, chart.File, chart.Line)
		}
		fmt.Fprintf(&lines, "not rendered: %s of kustomizations: %s\n",
			repository.Chart.Count(len(charts)), firstOf(names))
	}
	return lines.String()
}

// placed is where a finding stands. The file is "" for the file that is checked.
type placed struct {
	file string
	line int
	// also are further places that have written a part of the value.
	also []string
}

// traced finds the places of values in an object that a kustomization has built.
type traced struct {
	build  *kustomize.Build
	object map[string]any
	// root is the kustomization.
	root string
	// found is what happened to the object, once it is needed. It is nil if it is not known where the object comes
	// from.
	found    *kustomize.Trace
	isTraced bool
}

// traceOf returns the trace of an object that the kustomization at a path has built.
func (in *input) traceOf(path string, object map[string]any) *traced {
	return &traced{build: in.built(path), object: object, root: shown(path)}
}

func (t *traced) trace() *kustomize.Trace {
	if !t.isTraced { // most objects have no finding
		t.isTraced, t.found = true, t.build.Trace(t.object)
	}
	return t.found
}

// at returns the place of the value at a path.
func (t *traced) at(path string) placed {
	trace := t.trace()
	if trace == nil {
		return placed{file: t.root, line: 1}
	}
	p := trace.Place(path)
	return placed{p.File, p.Line, p.Also}
}

// written returns the object as it is written, before any change. It is nil if that is not known.
func (t *traced) written() map[string]any {
	trace := t.trace()
	if trace == nil {
		return nil
	}
	return trace.Written()
}
