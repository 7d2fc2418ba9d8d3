package main

import (
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/mixedkube/mixedkube/components/preflight"
)

// finding is one of preflight's, and where it is.
type finding struct {
	preflight.Finding

	File string
	Line int

	Kind, Namespace, Name string
}

// subject is the object as people call it.
func (f finding) subject() string {
	if f.Name == "" {
		return f.Kind
	}
	return f.Kind + "/" + f.Name
}

// report is what a run has to say.
type report struct {
	// findings are in the order of the files, and of the objects in them.
	findings []finding
	// problems say what could not be read.
	problems []error
	// files and objects were checked, others are documents that are no objects.
	files, objects, others int
}

// check reads and checks everything that the settings name, with all processors.
func check(s settings, stdin io.Reader) report {
	files, problems := sources(s.paths, stdin)
	r := report{problems: problems, files: len(files)}
	checker := preflight.New(s.options)

	type result struct {
		objects  []object
		findings [][]preflight.Finding
		others   int
		problems []error
	}
	results := make([]result, len(files))
	inParallel(len(files), func(i int) {
		one := &results[i]
		one.objects, one.others, one.problems = files[i].read()
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
			r.add(o, preflight.Join(one.findings[i], across[r.objects]), s.strict)
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
	kind, namespace, name := o.names()
	for _, f := range found {
		if strict && f.Severity == preflight.Warning {
			f.Severity = preflight.Error
		}
		r.findings = append(r.findings, finding{f, o.file, max(1, o.doc.Line(f.Path)), kind, namespace, name})
	}
}

func (r report) fails() bool {
	return slices.ContainsFunc(r.findings, func(f finding) bool { return f.Blocks() })
}

// summary tells people what was looked at, so that a run over nothing is seen.
func (r report) summary() string {
	counts := map[string]int{}
	for _, f := range r.findings {
		counts[severity(f.Finding)]++
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

func many(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// severity is shown to people.
func severity(f preflight.Finding) string {
	if f.Silenced {
		return string(f.Severity) + " (silenced)"
	}
	return string(f.Severity)
}
