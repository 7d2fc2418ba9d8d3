package cli

import (
	"bytes"
	"io"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mixedkube/mixedkube/core/conversion"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/system/disk"
)

// writePlan writes the files of the plan, and with --out all files that builds read. The problems are files that have
// changed since they were read: these are not written.
func (a *adoption) writePlan(p *buildPlan, stdout io.Writer) (problems []error, err error) {
	if p == nil {
		return nil, nil
	}
	written := map[string]bool{}
	for _, t := range a.covered {
		name := shown(t.path)
		written[name] = true
		if p.after[name] == nil && a.dir == "" {
			continue
		}
		before := p.text(name)
		if now := p.in.regular(t.path); before == nil || !bytes.Equal(now, before) {
			problems = append(problems, disk.Named(name, errChanged))
			continue
		}
		if err := a.writeText(0, t, before, p.changes[name], stdout); err != nil {
			return problems, err
		}
	}
	for _, name := range slices.Sorted(maps.Keys(p.after)) {
		if written[name] {
			continue
		}
		t := target{path: fromShown(name), mode: 0o644, to: a.outOf(name)}
		if err := a.writeText(0, t, p.text(name), p.changes[name], stdout); err != nil {
			return problems, err
		}
	}
	return problems, nil
}

// outOf returns the path of a new file in the directory of --out: next to a covered file of its directory.
func (a *adoption) outOf(name string) string {
	for _, t := range a.covered {
		if path.Dir(shown(t.path)) == path.Dir(name) {
			return filepath.Join(filepath.Dir(t.to), path.Base(name))
		}
	}
	return fromShown(name)
}

// questions returns questions about the objects that are not completed where they are written. written is true if the
// patches are written.
func (p *buildPlan) questions(written bool) (all []message) {
	if p == nil {
		return nil
	}
	if !written {
		all = p.ask(p.patched, "not every kustomization that includes it needs the same fields, or the file is not "+
			"among the paths", "complete it with a patch in each: add --write-patches")
	}
	return append(all, p.ask(p.open,
		"its kustomization changes the fields that place its pods, and neither an edit of the file nor a patch "+
			"completes it",
		"write os.name, node selector and tolerations where the kustomization sets them")...)
}

// ask returns a question for each document, with the kustomizations.
func (p *buildPlan) ask(objects []*builtObject, detail, fix string) (all []message) {
	at := map[sourceDocument]int{}
	roots := map[int][]string{}
	for _, o := range objects {
		i, known := at[o.from]
		if !known || o.from.file == "" {
			i = len(all)
			at[o.from] = i
			all = append(all, message{Finding: conversion.Finding{
				Finding: rule.Finding{Severity: rule.Warning, Detail: detail, Fix: fix},
				File:    o.at.file, Line: o.at.line, Kind: o.kind, Name: o.name, Question: true,
			}})
		}
		if root := p.builds.roots[o.root].Dir; !slices.Contains(roots[i], root) {
			roots[i] = append(roots[i], root)
		}
	}
	for i := range all {
		all[i].where = " [in " + strings.Join(roots[i], ", ") + "]"
	}
	return all
}
