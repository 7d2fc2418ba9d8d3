package conversion

import (
	"maps"
	"slices"

	"github.com/mixedkube/mixedkube/core/preflight"
	"github.com/mixedkube/mixedkube/internal/core/manifests/repository"
	"github.com/mixedkube/mixedkube/internal/core/pods"
)

// across returns the findings between objects: those of each environment of the repository, each once.
func (c *Converter) across(sources []*source) map[*item][]preflight.Finding {
	members := map[string][]*item{}
	for i, names := range c.environments(sources) {
		for _, name := range names {
			members[name] = append(members[name], sources[i].objects...)
		}
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

// environments returns the names of the environments of each file. Without a repository there is one.
func (c *Converter) environments(sources []*source) [][]string {
	if c.options.repository == nil {
		return slices.Repeat([][]string{{""}}, len(sources))
	}
	contents := make([]repository.Content, len(sources))
	for i, s := range sources {
		s.content.Path = s.file.Name
		for _, it := range s.objects {
			s.content.Add(it.Tree)
		}
		contents[i] = s.content
	}
	return c.options.repository.Environments(contents)
}
