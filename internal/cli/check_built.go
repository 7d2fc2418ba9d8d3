package cli

import (
	"cmp"
	"slices"

	"github.com/mixedkube/mixedkube/core/report"
	"github.com/mixedkube/mixedkube/core/rule"
)

// builtFindings are the findings about objects that kustomizations build. Kustomizations that share a file share its
// findings: each is reported once.
type builtFindings struct {
	all []report.Finding
	// at has the index of each.
	at map[builtKey]int
	// environments are the names of those that get each file.
	environments map[string]map[string]bool
}

// builtKey is what findings have in common that are reported once.
type builtKey struct {
	file             string
	line             int
	object           string
	rule             string
	severity         rule.Severity
	text, suppressed string
}

// add adds a finding, or its environments to the one that is known.
func (b *builtFindings) add(f report.Finding) {
	key := builtKey{
		f.File, f.Line, f.Key(), f.Rule, f.Severity, f.String(), string(f.SuppressedBy) + f.Reason,
	}
	i, is := b.at[key]
	if !is {
		if b.at == nil {
			b.at = map[builtKey]int{}
		}
		b.at[key] = len(b.all)
		b.all = append(b.all, f)
		return
	}
	known := &b.all[i]
	for _, name := range f.Environments {
		if !slices.Contains(known.Environments, name) {
			known.Environments = append(slices.Clip(known.Environments), name)
		}
	}
	slices.Sort(known.Environments)
	for _, place := range f.Also {
		if !slices.Contains(known.Also, place) {
			known.Also = append(slices.Clip(known.Also), place)
		}
	}
}

// reads records the environments that get the files of a build.
func (b *builtFindings) reads(l *look) {
	if b.environments == nil {
		b.environments = map[string]map[string]bool{}
	}
	for _, file := range l.reads {
		if b.environments[file] == nil {
			b.environments[file] = map[string]bool{}
		}
		for _, name := range l.names {
			b.environments[file][name] = true
		}
	}
}

// addBuilt adds the findings about what was built to those about files, which begin at an index, and sorts them by
// files.
func (r *checked) addBuilt(begin int) {
	for i := range r.built.all {
		f := &r.built.all[i]
		f.InSome = len(f.Environments) < len(r.built.environments[f.File])
	}
	slices.SortStableFunc(r.built.all, func(a, b report.Finding) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Path, b.Path), cmp.Compare(a.Rule, b.Rule))
	})
	r.Findings = append(r.Findings, r.built.all...)
	index := func(file string) int {
		if i, is := r.order[file]; is {
			return i
		}
		return len(r.order) // the kustomization names a file outside of the paths
	}
	slices.SortStableFunc(r.Findings[begin:], func(a, b report.Finding) int {
		return cmp.Or(cmp.Compare(index(a.File), index(b.File)), cmp.Compare(a.File, b.File))
	})
}

// orderOf returns the index of each file by its name.
func orderOf(files []string) map[string]int {
	order := make(map[string]int, len(files))
	for i, file := range files {
		order[shown(file)] = i
	}
	return order
}
