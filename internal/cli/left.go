package cli

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/mixedkube/mixedkube/core/conversion"
	"github.com/mixedkube/mixedkube/core/report"
	"github.com/mixedkube/mixedkube/internal/core/manifests"
	"github.com/mixedkube/mixedkube/internal/core/manifests/repository"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// left are the documents that are not manifests, and left alone.
type left struct {
	counts map[repository.Kind]int
	// files has an entry for each file and kind, except for kinds that the file's name tells.
	files []report.LeftAlone
	// partial warns of documents that may be incomplete objects.
	partial []conversion.Finding
}

// add adds a document of a file.
func (l *left) add(file string, doc manifests.Document, kind repository.Kind, by string) {
	l.count(kind, 1)
	line := max(1, doc.Line(""))
	if kind != repository.Other {
		one := report.LeftAlone{File: file, Line: line, Kind: string(kind), By: by, Why: kind.Why()}
		if n := len(l.files); n == 0 || l.files[n-1].Kind != one.Kind {
			l.files = append(l.files, one)
		}
		return
	}
	if object, is := conversion.PartialObject(file, line, tree.Map(doc.Value)); is {
		l.partial = append(l.partial, object)
	}
}

func (l *left) count(kind repository.Kind, n int) {
	if l.counts == nil {
		l.counts = map[repository.Kind]int{}
	}
	l.counts[kind] += n
}

func (l *left) merge(more left) {
	for kind, n := range more.counts {
		l.count(kind, n)
	}
	l.files, l.partial = append(l.files, more.files...), append(l.partial, more.partial...)
}

// String returns a line about each file with documents that may be objects, and one about each kind, "" if there are
// none.
func (l *left) String() string {
	var lines strings.Builder
	firstOfGroups(l.partial, func(f conversion.Finding) groupKey { return groupKey{f.File, f.Detail} },
		func(f conversion.Finding, more string) { lines.WriteString(adoptLine(f, false, more) + "\n") })
	for _, kind := range slices.Sorted(maps.Keys(l.counts)) {
		fmt.Fprintf(&lines, "left alone: %s: %s\n", kind.Count(l.counts[kind]), kind.Why())
	}
	return lines.String()
}
