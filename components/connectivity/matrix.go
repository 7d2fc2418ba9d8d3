package connectivity

import (
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/mixedkube/mixedkube/core/platform"
)

// ok is the result of a check that passes. A matrix has no other result: a check that fails, fails the update.
const ok = "ok"

// matrix returns the results when all Jobs have succeeded: pair → check → "ok". The check that a pod is running has no
// source: its key is the platform of the pod.
func matrix(platforms []platform.Platform, pairs []pair) map[string]map[string]string {
	all := map[string]map[string]string{}
	for _, p := range platforms {
		all[p.String()] = map[string]string{string(PodRunning): ok}
	}
	for _, p := range pairs {
		checks := map[string]string{}
		for _, c := range p.checks {
			checks[string(c)] = ok
		}
		all[p.name()] = checks
	}
	return all
}

// table returns the same results as text: a line for each check and source, a column for each target.
func table(platforms []platform.Platform, pairs []pair) string {
	var text strings.Builder
	w := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
	row := func(cells ...string) { _, _ = w.Write([]byte(strings.Join(cells, "\t") + "\n")) } // a Builder never fails
	targets := append(slices.Clone(platforms), outside)
	head := []string{"CHECK", "FROM"}
	for _, t := range targets {
		head = append(head, t.String())
	}
	row(head...)
	for _, c := range Checks() {
		first := string(c)
		if c == PodRunning {
			row(slices.Concat([]string{first, "-"}, slices.Repeat([]string{ok}, len(platforms)), []string{"-"})...)
			continue
		}
		for _, s := range sourcesOf(c, pairs) {
			line := []string{first, s.String()}
			for _, t := range targets {
				done := slices.ContainsFunc(pairs,
					func(p pair) bool { return p.source == s && p.target == t && slices.Contains(p.checks, c) })
				line = append(line, map[bool]string{true: ok, false: "-"}[done])
			}
			row(line...)
			first = ""
		}
		if first != "" {
			row(slices.Concat([]string{first, "skipped"}, slices.Repeat([]string{"-"}, len(targets)))...)
		}
	}
	_ = w.Flush() // a Builder never fails
	if note := leftOut(pairs); note != "" {
		text.WriteString(note + "\n")
	}
	return text.String()
}

// leftOut returns a note about requests that are not checked because they do not work on every network, or "" if there
// are none.
func leftOut(pairs []pair) string {
	if !slices.ContainsFunc(pairs, func(p pair) bool { return p.sameNode }) {
		return ""
	}
	return string(NodeToPod) +
		" checks Windows nodes with a pod on their own node only: not every network lets them reach others " +
		"(remotePodsFromWindowsNodes)"
}

// sourcesOf returns the sources that do a check, each once.
func sourcesOf(c Check, pairs []pair) []source {
	var sources []source
	for _, p := range pairs {
		if slices.Contains(p.checks, c) && !slices.Contains(sources, p.source) {
			sources = append(sources, p.source)
		}
	}
	return sources
}
