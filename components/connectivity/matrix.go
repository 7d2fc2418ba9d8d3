package connectivity

import (
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/mixedkube/mixedkube/components/platform"
)

// ok is what a check says that has found nothing wrong. There is nothing else in a
// matrix: what fails, fails the update.
const ok = "ok"

// matrix is what has been checked, once all Jobs have succeeded: pair → check → "ok".
// That a pod is running is between nobody and its platform.
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

// table is the same to look at: a line for each check and source, a column for each
// target.
func table(platforms []platform.Platform, pairs []pair) string {
	var text strings.Builder
	w := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
	row := func(cells ...string) { _, _ = w.Write([]byte(strings.Join(cells, "\t") + "\n")) } // a Builder takes all
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
	_ = w.Flush() // a Builder takes all
	if note := leftOut(pairs); note != "" {
		text.WriteString(note + "\n")
	}
	return text.String()
}

// leftOut says what is not checked because not every network can do it, "" for nothing.
func leftOut(pairs []pair) string {
	if !slices.ContainsFunc(pairs, func(p pair) bool { return p.sameNode }) {
		return ""
	}
	return string(NodeToPod) +
		" asks Windows nodes for a pod on their own node only: not every network lets them reach others " +
		"(remotePodsFromWindowsNodes)"
}

// sourcesOf are those that do a check, each once.
func sourcesOf(c Check, pairs []pair) []source {
	var sources []source
	for _, p := range pairs {
		if slices.Contains(p.checks, c) && !slices.Contains(sources, p.source) {
			sources = append(sources, p.source)
		}
	}
	return sources
}
