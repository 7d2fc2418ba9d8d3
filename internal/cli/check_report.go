package cli

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/mixedkube/mixedkube/components/preflight"
	"github.com/mixedkube/mixedkube/components/report"
)

// checked is what a run has to say.
type checked struct {
	report.Report
	// files were checked, others are documents that are not objects.
	files    int
	others   others
	baseline *report.Baseline
	config   configuration
}

// check reads and checks everything that the command line names, with all processors.
func (c *checking) check(ctx context.Context, in *input, stderr io.Writer) checked {
	p := started(stderr, "reading "+shownAll(c.paths))
	defer p.end()
	problems := c.charts.render(ctx, c.paths, cmp.Or(c.options.KubernetesVersion, c.options.Topology.KubernetesVersion))
	in.charts = &c.charts
	files, more := in.listed(c.paths, c.files.skips(&c.charts))
	r := checked{
		Report: report.Report{Problems: append(problems, more...)},
		files:  len(files), baseline: c.known, config: c.config,
	}

	type result struct {
		objects  []object
		findings [][]preflight.Finding
		others   others
		problems []error
	}
	results := make([]result, len(files))
	p.say("reading %s", many(len(files), "file"))
	inParallel(len(files), func(i int) {
		one := &results[i]
		one.objects, one.others, one.problems = in.objects(files[i])
	})

	var trees []map[string]any
	for _, one := range results {
		for _, o := range one.objects {
			trees = append(trees, o.tree)
		}
	}
	p.end()
	r.Problems = append(r.Problems, c.images.complete(ctx, in, referencesOf(trees), stderr)...)
	c.options.Images = c.images.lock
	checking := started(stderr, "checking "+many(len(trees), "object"))
	defer checking.end()
	checker := preflight.New(c.options)
	inParallel(len(files), func(i int) {
		one := &results[i]
		for _, o := range one.objects {
			one.findings = append(one.findings,
				append(checker.Check(o.tree), checker.DuplicateKeys(o.tree, o.doc.Duplicates)...))
		}
	})
	across := checker.Across(trees)
	policy := c.config.policy(c.known)
	if c.writeBaseline {
		policy.Learn(c.baseline)
	}
	for _, one := range results {
		r.Problems = append(r.Problems, one.problems...)
		r.others.add(one.others)
		for i, o := range one.objects {
			r.add(o, preflight.Join(one.findings[i], across[r.Objects]), c.config.Severities, policy)
			if c.lists {
				r.Checked = append(r.Checked, report.Checked{Object: report.ObjectOf(o.tree), File: o.file})
			}
			r.Objects++
		}
	}
	// A build that has failed pipes nothing: that is not a success. A chart may be all off.
	if r.Objects == 0 && len(r.Problems) == 0 && len(c.charts.done) == 0 {
		r.Problems = append(r.Problems, fmt.Errorf("%s: no Kubernetes object to check", shownAll(c.paths)))
	}
	r.Fixed = policy.Fixed(c.known)
	if c.writeBaseline {
		r.baseline = report.BaselineOf(c.baseline, r.Findings)
	}
	if c.strict {
		r.takeWarningsAsErrors()
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
func (r *checked) add(
	o object, found []preflight.Finding, severities report.Severities, policy *report.Policy,
) {
	of := report.ObjectOf(o.tree)
	for _, f := range found {
		inHook(&f, strings.Join(hookEvents(o.tree), ", "))
		judged := policy.Judge(of, severities.Apply(f))
		judged.File, judged.Line = o.file, max(1, o.doc.Line(f.Path))
		if o.rendered {
			judged.Line = 1 // the lines of a template are others
		}
		r.Findings = append(r.Findings, judged)
	}
}

func (r *checked) takeWarningsAsErrors() {
	for i := range r.Findings {
		if r.Findings[i].Severity == preflight.Warning {
			r.Findings[i].Severity = preflight.Error
		}
	}
}

func (r *checked) fails() bool { return len(r.Blocking()) > 0 }

// summary tells people what was looked at, so that a run over nothing is seen.
func (r *checked) summary() string {
	counts := map[string]int{}
	for _, f := range r.Findings {
		counts[severity(f)]++
	}
	var b strings.Builder
	b.WriteString(r.others.String())
	for _, k := range r.Fixed {
		fmt.Fprintf(&b, "fixed, remove from %s: %s\n", oneLine(filepath.ToSlash(r.baseline.Path)), oneLine(k.String()))
	}
	fmt.Fprintf(&b, "checked: %s in %s", many(r.Objects, "object"), many(r.files, "file"))
	for _, s := range []preflight.Severity{preflight.Error, preflight.Warning, preflight.Info} {
		if n := counts[string(s)]; n > 0 {
			fmt.Fprintf(&b, ", %s", many(n, string(s)))
		}
	}
	if n := r.known(); n > 0 {
		fmt.Fprintf(&b, ", %d known", n)
	}
	b.WriteString(r.config.String() + "\n")
	return b.String()
}

// known counts the findings that the baseline silences.
func (r *checked) known() int {
	n := 0
	for _, f := range r.Findings {
		if f.SilencedBy == report.ByBaseline {
			n++
		}
	}
	return n
}
