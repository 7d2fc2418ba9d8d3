package conversion

import (
	"maps"
	"slices"

	"github.com/mixedkube/mixedkube/core/preflight"
	"github.com/mixedkube/mixedkube/internal/core/manifests/repository"
	"github.com/mixedkube/mixedkube/internal/core/pods"
)

// across returns the findings between objects: those of each environment of the repository, each once.
func (c *converter) across() map[*item][]preflight.Finding {
	members := map[string][]*item{"": c.items()}
	if c.options.repository != nil {
		members = c.environments()
	}
	found := map[*item][]preflight.Finding{}
	type place struct {
		of      *item
		finding string
	}
	known := map[place]bool{}
	for _, name := range slices.Sorted(maps.Keys(members)) {
		objects := make([]*pods.Object, len(members[name]))
		for i, it := range members[name] {
			objects[i] = it.pods
		}
		for i, findings := range c.checker.AcrossObjects(objects) {
			it := members[name][i]
			for _, f := range findings {
				at := place{it, f.Rule + string(f.Severity) + f.String()}
				if !known[at] {
					known[at] = true
					found[it] = append(found[it], f)
				}
			}
		}
	}
	return found
}

// environments returns the objects of each environment of the repository.
func (c *converter) environments() map[string][]*item {
	contents := make([]repository.Content, len(c.sources))
	for i, s := range c.sources {
		s.content.Path = s.file.Name
		for _, o := range s.objects {
			s.content.Add(o.Tree)
		}
		contents[i] = s.content
	}
	members := map[string][]*item{}
	for i, names := range c.options.repository.Environments(contents) {
		for _, name := range names {
			members[name] = append(members[name], c.sources[i].objects...)
		}
	}
	return members
}
