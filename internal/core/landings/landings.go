// Package landings describes where the pods of workloads can run: package guard shows it for a whole program, and
// package workload for one workload.
package landings

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/mixedkube/mixedkube/internal/core/pods"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// Heading is above a [Table].
const Heading = "where the pods can land:"

// Line is a workload, and where its pods can run.
type Line struct{ Workload, Text string }

// Workload returns the name of an object, with its namespace if it has one; or the name of its resource if Kubernetes'
// name is not known.
func Workload(o *pods.Object, resource string) string {
	metadata := tree.Map(o.Tree["metadata"])
	name, ok := tree.Text(metadata["name"])
	if _, secret := metadata["name"].(tree.Secret); !ok || secret {
		return resource
	}
	if namespace, _ := metadata["namespace"].(string); namespace != "" && namespace != "default" {
		return namespace + "/" + name
	}
	return name
}

// longest is how many workloads have a line each. With more, the ones with the same pools share a line, so that the
// others are visible.
const longest = 20

// Table has a line for each workload, or for each landing if there are many.
func Table(all []Line) string {
	lines := all
	if len(all) > longest {
		lines = together(all)
	}
	width := 0
	for _, l := range lines {
		width = max(width, utf8.RuneCountInString(l.Workload))
	}
	var text strings.Builder
	for _, l := range lines {
		fill := strings.Repeat(" ", width-utf8.RuneCountInString(l.Workload))
		text.WriteString("\n  " + l.Workload + fill + " → " + l.Text)
	}
	return text.String()
}

// together has a line for each landing.
func together(all []Line) []Line {
	names := map[string][]string{}
	for _, l := range all {
		names[l.Text] = append(names[l.Text], l.Workload)
	}
	var lines []Line
	for text, of := range names {
		lines = append(lines, Line{first(of), text})
	}
	slices.SortFunc(lines, func(a, b Line) int {
		return cmp.Or(cmp.Compare(len(names[a.Text]), len(names[b.Text])), cmp.Compare(a.Workload, b.Workload))
	})
	return lines
}

// first names workloads in a line: the first of many, and the number of others.
func first(names []string) string {
	const most = 3
	if len(names) <= most+1 {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d others", strings.Join(names[:most], ", "), len(names)-most)
}
