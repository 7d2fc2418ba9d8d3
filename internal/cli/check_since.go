package cli

import (
	"hash/fnv"
	"slices"
	"strings"

	"github.com/mixedkube/mixedkube/internal/core/manifests/repository"
)

// past is what the rules between objects need to know of the files as they were before a change. It is nil if everything
// counts as changed.
type past struct {
	repository *repository.Repository
	// files are those that have changed or do not exist any more, in the form that they had.
	files []pastFile
}

// pastFile is a file as it was.
type pastFile struct {
	contributes repository.Content
	// hasObjects is true if rules compared its objects with others.
	hasObjects bool
}

// compare finds out which files have changed since the commit of the flag --since.
func (c *checking) compare(in *input, looks []look) {
	var existed []string
	if c.since.ref != "" {
		for i := range looks {
			if l := &looks[i]; !l.again && c.since.existed(l.path) {
				existed = append(existed, l.path)
			}
		}
		existed = append(existed, c.since.deleted(c.paths)...)
		c.past = &past{repository: in.surveyed(existed, c.since.open)}
	}
	everything := c.past == nil || c.since.changedConfiguration() || slices.ContainsFunc(
		[]string{c.config.name, c.images.file, c.baseline}, c.since.changedInput)
	for _, one := range c.clusters {
		one.changed = everything || c.since.changedInput(one.topology.file.Name) ||
			c.since.changedInput(one.plan.file.Name)
	}
	charts := c.changedTemplates()
	before := map[string]bool{}
	for i := range looks {
		l := &looks[i]
		name := shown(l.path)
		_, rendered := in.rendered(l.path)
		switch {
		case l.cluster.changed:
			l.changed = true
		case rendered:
			l.changed = charts[l.path]
		default:
			l.changed = c.since.changed(l.path) ||
				c.past.repository.Treatment(name) != in.repository.Treatment(name)
		}
		if !l.changed {
			before[l.path] = true
		}
	}
	if c.past != nil {
		c.past.read(&c.since, in, slices.DeleteFunc(existed, func(file string) bool { return before[file] }))
	}
}

// changedTemplates returns the templates of charts that have changed, or whose values have.
func (c *checking) changedTemplates() map[string]bool {
	changed := map[string]bool{}
	for chart, one := range c.charts.done {
		if c.past != nil && (c.since.changedChart(chart) || slices.ContainsFunc(c.charts.values, c.since.changedInput)) {
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
	c.touched = c.changed
	if c.changed {
		return func(string) bool { return true }
	}
	now, then := signatures{}, signatures{}
	var old []repository.Content
	var of []bool
	var classes, oldClasses []string
	for i, l := range looks {
		if !l.changed {
			old, of = append(old, contents[i]), append(of, len(l.objects) > 0)
		} else {
			classes = append(classes, classesOf(contents[i])...)
		}
		if len(l.objects) > 0 {
			now.add(names[i], contents[i].Path, l.changed)
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
	known := map[string]bool{}
	for _, sum := range then {
		known[string(sum)] = true
	}
	slices.Sort(classes)
	slices.Sort(oldClasses)
	c.touched = !slices.Equal(slices.Compact(classes), slices.Compact(oldClasses))
	return func(environment string) bool { return c.touched || !known[string(now[environment])] }
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

// signatures identify the files of environments, in their order.
type signatures map[string][]byte

// add adds a file to environments. A file that has changed has a different signature before and after.
func (s signatures) add(environments []string, file string, changed bool) {
	for _, name := range environments {
		sum := fnv.New128a()
		_, _ = sum.Write(s[name])
		_, _ = sum.Write([]byte(file))
		if changed {
			_, _ = sum.Write([]byte{0})
		}
		s[name] = sum.Sum(nil)
	}
}
