package cli

import (
	"crypto/sha256"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mixedkube/mixedkube/internal/core/manifests/repository"
)

// past is the part of the files before a change that the rules between objects need.
type past struct {
	repository *repository.Repository
	// files have changed, or no longer exist: each in its earlier form.
	files []pastFile
}

// pastFile is a file as it was.
type pastFile struct {
	contributes repository.Content
	// hasObjects is true if rules compared its objects with others.
	hasObjects bool
}

// compare finds out which files have changed since the commit of the flag --since.
func (c *checking) compare(in *input, files []string, looks []look) {
	if c.since.ref == "" || c.since.changedConfiguration() || slices.ContainsFunc(
		[]string{c.config.name, c.images.file, c.baseline}, c.since.changedInput) {
		return
	}
	existed := c.since.deleted(c.paths)
	for _, file := range files {
		if c.since.existed(file) {
			existed = append(existed, file)
		}
	}
	then := &past{repository: in.surveyed(existed, c.since.open)}
	for _, one := range c.clusters {
		if !c.since.changedInput(one.topology.file.Name) && !c.since.changedInput(one.plan.file.Name) {
			one.past = then
		}
	}
	templates, unchanged := c.changedTemplates(), map[string]bool{}
	for i := range looks {
		l := &looks[i]
		changed := templates[l.path]
		if in.built(l.path) != nil {
			changed = c.changedBuild(in, then.repository, l)
		} else if _, rendered := in.rendered(l.path); !rendered {
			changed = c.changedFile(in, then.repository, l.path)
		}
		unchanged[l.path], l.unchanged = !changed, !changed && l.cluster.past != nil
	}
	for _, file := range files {
		if _, known := unchanged[file]; !known { // only builds have it
			unchanged[file] = !c.changedFile(in, then.repository, file)
		}
	}
	then.read(&c.since, in, slices.DeleteFunc(existed, func(file string) bool { return unchanged[file] }))
}

// changedFile reports whether a file that is checked as it is written means something else than before.
func (c *checking) changedFile(in *input, then *repository.Repository, file string) bool {
	name := shown(file)
	return c.since.changed(file) || then.Treatment(name) != in.repository.Treatment(name) || c.changedAbove(in, name)
}

// changedBuild reports whether a kustomization may build something else than before: a file that it reads has changed, or
// another kustomization included it.
func (c *checking) changedBuild(in *input, then *repository.Repository, l *look) bool {
	dir := in.rootOf(l.path)
	return then.IsIncluded(dir) || in.repository.IsIncluded(dir) || // an object that names it may be new
		slices.ContainsFunc(l.reads, func(file string) bool { return c.since.changed(filepath.FromSlash(file)) })
}

// changedAbove reports whether a kustomization may have been built before from a file that is checked as it is written:
// then the findings about what it built were others.
func (c *checking) changedAbove(in *input, file string) bool {
	for _, above := range in.repository.Above(file) {
		for _, dir := range in.repository.Reached(path.Dir(above)) {
			if c.since.changedIn(filepath.FromSlash(dir)) {
				return true
			}
		}
	}
	return false
}

// changedTemplates returns the templates of charts that have changed, or whose values have.
func (c *checking) changedTemplates() map[string]bool {
	changed := map[string]bool{}
	for chart, one := range c.charts.done {
		if c.since.changedChart(chart) || slices.ContainsFunc(c.charts.values, c.since.changedInput) {
			for _, name := range one.names {
				changed[name] = true
			}
		}
	}
	return changed
}

// read reads files as they were.
func (p *past) read(s *since, in *input, files []string) {
	then := &input{named: in.named, repository: p.repository}
	for _, file := range files {
		one := pastFile{contributes: repository.Content{Path: shown(file)}}
		if r, err := s.open(file); err == nil {
			objects, rest, _ := then.objectsIn(r, file)
			_ = r.Close()
			one.contributes.Deploys, one.hasObjects = rest.content.Deploys, len(objects) > 0
			for _, o := range objects {
				one.contributes.Add(o.tree)
			}
		}
		p.files = append(p.files, one)
	}
}

// touches returns a function that reports whether a change touches an environment of a cluster. It does not if an
// environment had the same files with objects before, and none of them has changed: then no finding between its objects
// is new. A RuntimeClass is known in all environments.
func (p *past) touches(
	c *checkedCluster, looks []*look, contents []repository.Content, names [][]string,
) func(environment string) bool {
	if p == nil {
		c.touched = true
		return func(string) bool { return true }
	}
	now, then := signatures{}, signatures{}
	var old []repository.Content
	var of []bool
	var classes, oldClasses []string
	for i, l := range looks {
		if l.unchanged {
			old, of = append(old, contents[i]), append(of, len(l.objects) > 0)
		} else {
			classes = append(classes, classesOf(contents[i])...)
		}
		if len(l.objects) > 0 {
			now.add(names[i], contents[i].Path, !l.unchanged)
		}
	}
	unchanged := len(old)
	for _, file := range p.files {
		if c.hasFile(p.repository, file.contributes.Path) {
			old, of = append(old, file.contributes), append(of, file.hasObjects)
			oldClasses = append(oldClasses, classesOf(file.contributes)...)
		}
	}
	for i, names := range c.environmentsOf(p.repository, old) {
		if of[i] {
			then.add(names, old[i].Path, i >= unchanged)
		}
	}
	known := map[signature]bool{}
	for _, one := range then {
		known[one] = !one.changed
	}
	slices.Sort(classes)
	slices.Sort(oldClasses)
	c.touched = !slices.Equal(slices.Compact(classes), slices.Compact(oldClasses))
	return func(environment string) bool { return c.touched || !known[now[environment]] }
}

// hasFile reports whether the cluster is one of those of a file.
func (c *checkedCluster) hasFile(r *repository.Repository, file string) bool {
	var names []string
	if r.Named != nil {
		names = r.Named(file)
	}
	return slices.Contains(names, c.name) || len(names) == 0 && c.name == ""
}

// classesOf returns the RuntimeClasses of a file.
func classesOf(content repository.Content) []string {
	return slices.DeleteFunc(slices.Clone(content.Names), func(name string) bool {
		return !strings.HasPrefix(name, "RuntimeClass/")
	})
}

// signature identifies the files of an environment that have not changed, in their order.
type signature struct {
	sum [sha256.Size]byte
	// changed is true if the environment has a file that has changed, too.
	changed bool
}

// signatures have the signature of each environment.
type signatures map[string]signature

// add adds a file to environments.
func (s signatures) add(environments []string, file string, changed bool) {
	for _, name := range environments {
		one := s[name]
		one.changed = one.changed || changed
		if !changed {
			one.sum = sha256.Sum256(fmt.Appendf(nil, "%x %s", one.sum, file))
		}
		s[name] = one
	}
}
