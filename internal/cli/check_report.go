package cli

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/mixedkube/mixedkube/components/manifest/conversion"
	"github.com/mixedkube/mixedkube/components/preflight"
)

// report is what a run has to say.
type report struct {
	// findings are in the order of the files, and of the objects in them.
	findings []conversion.Finding
	// problems say what could not be read.
	problems []error
	// files and objects were checked, others are documents that are no objects.
	files, objects, others int
}

// check reads and checks everything that the command line names, with all processors.
func (c checking) check(in *input) report {
	files, problems := listed(c.paths)
	r := report{problems: problems, files: len(files)}
	checker := preflight.New(c.options)

	type result struct {
		objects  []object
		findings [][]preflight.Finding
		others   int
		problems []error
	}
	results := make([]result, len(files))
	inParallel(len(files), func(i int) {
		one := &results[i]
		one.objects, one.others, one.problems = in.objects(files[i])
		for _, o := range one.objects {
			one.findings = append(one.findings, checker.Check(o.tree))
		}
	})

	var trees []map[string]any
	for _, one := range results {
		for _, o := range one.objects {
			trees = append(trees, o.tree)
		}
	}
	across := checker.Across(trees)
	for _, one := range results {
		r.problems = append(r.problems, one.problems...)
		r.others += one.others
		for i, o := range one.objects {
			r.add(o, preflight.Join(one.findings[i], across[r.objects]), c.strict)
			r.objects++
		}
	}
	return r
}

// inParallel calls f for 0 to n-1.
func inParallel(n int, f func(i int)) {
	var next atomic.Int64
	var workers sync.WaitGroup
	for range min(n, runtime.GOMAXPROCS(0)) {
		workers.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				f(i)
			}
		})
	}
	workers.Wait()
}

// add places the findings of an object.
func (r *report) add(o object, found []preflight.Finding, strict bool) {
	kind, namespace, name := conversion.Names(o.tree)
	for _, f := range found {
		if strict && f.Severity == preflight.Warning {
			f.Severity = preflight.Error
		}
		r.findings = append(r.findings, conversion.Finding{
			Finding: f, File: o.file, Line: max(1, o.doc.Line(f.Path)),
			Kind: kind, Namespace: namespace, Name: name,
		})
	}
}

func (r report) fails() bool {
	return slices.ContainsFunc(r.findings, func(f conversion.Finding) bool { return f.Blocks() })
}

// summary tells people what was looked at, so that a run over nothing is seen.
func (r report) summary() string {
	counts := map[string]int{}
	for _, f := range r.findings {
		counts[severity(f)]++
	}
	var b strings.Builder
	if r.others > 0 {
		fmt.Fprintf(&b, "skipped: %s without apiVersion or kind\n", many(r.others, "document"))
	}
	fmt.Fprintf(&b, "checked: %s in %s", many(r.objects, "object"), many(r.files, "file"))
	for _, s := range []preflight.Severity{preflight.Error, preflight.Warning, preflight.Info} {
		if n := counts[string(s)]; n > 0 {
			fmt.Fprintf(&b, ", %s", many(n, string(s)))
		}
	}
	b.WriteString("\n")
	return b.String()
}
