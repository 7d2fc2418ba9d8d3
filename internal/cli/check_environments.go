package cli

import (
	"maps"
	"slices"

	"github.com/mixedkube/mixedkube/core/preflight"
	"github.com/mixedkube/mixedkube/internal/core/manifests/repository"
)

// againInClusters checks the objects again that other objects of their cluster concern, and combines what was found
// about a file in several clusters.
func (c *checking) againInClusters(in *input, looks []look) {
	for _, one := range c.used() {
		var own []*look
		for i := range looks {
			if looks[i].cluster == one {
				own = append(own, &looks[i])
			}
		}
		one.all = one.again(in, own)
	}
	if len(c.clusters) > 1 {
		mergeClusters(looks)
	}
}

// mergeClusters adds what was found in other clusters to the first look at each file.
func mergeClusters(looks []look) {
	for i := 0; i < len(looks); {
		n := 1
		for i+n < len(looks) && looks[i+n].again {
			n++
		}
		first, others := &looks[i], looks[i+1:i+n]
		i += n
		if len(others) == 0 {
			continue
		}
		for j := range first.objects {
			all := merged{places: map[string]int{}}
			all.addAll(first.objects[j].found)
			for _, l := range others {
				if j < len(l.objects) { // the file has changed otherwise
					all.addAll(l.objects[j].found)
				}
			}
			first.objects[j].found = all.found
		}
	}
}

// again checks the objects again that other objects of an environment concern, and returns all objects. A cluster with
// a name is one environment.
func (c *checkedCluster) again(in *input, looks []*look) *preflight.Collection {
	objects := 0
	for _, l := range looks {
		objects += len(l.objects)
	}
	gists := make([]*preflight.Gist, 0, objects)
	contents := make([]repository.Content, len(looks))
	for i, l := range looks {
		contents[i] = l.contributes
		contents[i].Path = shown(l.path)
		for _, one := range l.objects {
			gists = append(gists, one.gist)
		}
	}
	all := c.checker.Collect(gists)
	for i, dirs := range in.repository.DirsOf(contents) {
		if looks[i].aside != nil {
			looks[i].aside.left.resolve(dirs, in.hasDir(shown(looks[i].path)))
		}
	}
	environments := map[string][]*inEnvironment{}
	files := make([][]*inEnvironment, len(looks))
	namesOf := c.environmentsOf(in.repository, contents)
	touched := c.past.touches(c, looks, contents, namesOf)
	for i, names := range namesOf {
		for _, name := range names {
			if name != "" {
				looks[i].environments++
				looks[i].names = append(looks[i].names, name)
			}
			l := &inEnvironment{
				look: looks[i], name: name, touched: touched(name),
				gists: make([]*preflight.Gist, 0, len(looks[i].objects)),
			}
			for _, one := range looks[i].objects {
				gist := one.gist
				if len(names) > 1 {
					gist = gist.Clone()
				}
				l.gists = append(l.gists, gist)
			}
			environments[name] = append(environments[name], l)
			files[i] = append(files[i], l)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(environments)) {
		own := all
		if len(environments) > 1 {
			own = collected(c.checker, environments[name])
			own.KnowClasses(all)
		}
		again(in, own, environments[name])
	}
	for _, l := range files {
		merge(l)
	}
	return all
}

// environmentsOf returns the names of the environments of each file.
func (c *checkedCluster) environmentsOf(r *repository.Repository, files []repository.Content) [][]string {
	if c.name != "" {
		return slices.Repeat([][]string{{c.name}}, len(files))
	}
	return r.Environments(files)
}

func collected(checker *preflight.Checker, files []*inEnvironment) *preflight.Collection {
	var gists []*preflight.Gist
	for _, l := range files {
		gists = append(gists, l.gists...)
	}
	return checker.Collect(gists)
}

// again checks the objects of an environment again that others concern.
func again(in *input, all *preflight.Collection, files []*inEnvironment) {
	// Findings between pods and other objects come first: they decide the platform of the pods, which the others need.
	for _, pods := range [...]bool{true, false} {
		concerned := func(g *preflight.Gist) bool { return g.HasPods() == pods && all.Concerns(g) }
		inParallel(len(files), func(i int) { files[i].again(in, all, concerned) })
	}
}

// merge combines what was found about the objects of a file in each of its environments.
func merge(of []*inEnvironment) {
	if len(of) == 0 {
		return
	}
	for i := range of[0].objects {
		one := &of[0].objects[i]
		all := merged{places: map[string]int{}}
		for _, l := range of {
			found, again := l.found[i]
			if !again {
				found = one.found
			}
			if len(of) == 1 { // an object can have many findings, with long texts
				all.found = found.in(l)
				break
			}
			all.add(found, l)
		}
		one.found = all.found
	}
}

// in adds the environment of the file to the findings.
func (f *found) in(l *inEnvironment) *found {
	if f == nil {
		return nil
	}
	f.environments, f.shown = make([][]string, len(f.findings)), make([]bool, len(f.findings))
	for i := range f.findings {
		if l.name != "" {
			f.environments[i] = []string{l.name}
		}
		f.shown[i] = !l.unchanged || l.touched && f.shared[i]
	}
	return f
}

// merged has the findings of an object in several environments, each once.
type merged struct {
	found *found
	// places are the indexes of the findings.
	places map[string]int
}

// add adds what was found about the object in an environment.
func (m *merged) add(more *found, l *inEnvironment) {
	if more != nil {
		m.addAll(more.in(l))
	}
}

// addAll adds what was found about the object, with its environments.
func (m *merged) addAll(more *found) {
	if more == nil {
		return
	}
	if m.found == nil {
		m.found = &found{of: more.of, built: more.built, hook: more.hook}
	}
	all := m.found
	for i, finding := range more.findings {
		key := finding.Rule + string(finding.Severity) + finding.String()
		at, is := m.places[key]
		if !is {
			at = len(all.findings)
			m.places[key] = at
			all.findings, all.places = append(all.findings, finding), append(all.places, more.places[i])
			all.environments, all.shown = append(all.environments, nil), append(all.shown, false)
		}
		all.shown[at] = all.shown[at] || more.shown[i]
		all.environments[at] = append(all.environments[at], more.environments[i]...)
	}
}
