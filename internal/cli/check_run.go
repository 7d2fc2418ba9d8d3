package cli

import (
	"cmp"
	"context"
	"io"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/mixedkube/mixedkube/core/preflight"
	"github.com/mixedkube/mixedkube/core/report"
	"github.com/mixedkube/mixedkube/internal/core/fielderrors"
	"github.com/mixedkube/mixedkube/internal/core/manifests"
)

// check reads and checks everything that the command line names, with all processors.
func (c *checking) check(ctx context.Context, in *input, stderr io.Writer) checked {
	p := started(stderr, "reading "+shownAll(c.paths))
	version := cmp.Or(c.options.KubernetesVersion, c.clusters[0].options.Topology.KubernetesVersion)
	problems := c.charts.render(ctx, in, c.paths, version)
	in.charts = &c.charts
	files, more := in.listed(c.paths, c.files.skips(in, &c.charts))
	in.survey(files)
	r := checked{
		Report: report.Report{Problems: append(problems, more...), NotRead: in.notRead},
		files:  len(files), baseline: c.known, config: c.config, since: c.since.ref,
	}
	r.order = orderOf(files)
	r.builds = in.build(files, maxBuilds)
	listed := files
	files = r.builds.files(in.repository, files)
	looks, names := c.looksAt(in, files), make([]string, len(files))
	c.compare(in, listed, looks)
	for i, path := range files {
		names[i] = shown(path)
	}
	in.watch.readsOnly(names...)
	used := newReferences()
	p.say("reading %s", fielderrors.Count(len(files), "file"))
	if c.images.look { // which changes what is known, so it comes before the checks
		inParallel(len(looks), func(i int) {
			objects, _, _ := looks[i].read(in)
			used.add(treesOf(objects)...)
		})
		p.end()
		r.Problems = append(r.Problems, c.images.complete(ctx, in, used.sorted(), stderr)...)
		p = started(stderr, "checking "+fielderrors.Count(len(files), "file"))
	}
	for _, one := range c.used() {
		one.options.Images = c.images.lock
		one.checker = preflight.New(one.options)
		one.alone = one.checker.Collect(nil)
	}
	limit := objectLimit{most: cmp.Or(c.mostObjects, manifests.MaxObjects)}
	inParallel(len(looks), func(i int) {
		name := shown(looks[i].path)
		if limit.reached(name) {
			return
		}
		looks[i].first(in, c.lists, func(o object) {
			if !c.images.look && c.images.needed() {
				used.add(o.tree)
			}
		})
		limit.add(len(looks[i].objects))
		in.watch.hasRead(name)
	})
	p.end()
	r.Problems = append(r.Problems, limit.problems()...)
	if !c.images.look {
		r.Problems = append(r.Problems, c.images.complete(ctx, in, used.sorted(), stderr)...)
	}
	c.againInClusters(in, looks)
	c.judge(&r, looks, names)
	if r.Objects > 0 && len(limit.unread) == 0 {
		r.Problems = append(r.Problems, c.withoutObjects(in, listed, looks)...)
	} else if r.Objects == 0 && len(r.Problems) == 0 && len(c.charts.done) == 0 {
		r.Problems = append(r.Problems, noObject(shownAll(c.paths)))
	}
	return r
}

// judge adds what was found, judged by the configuration. names are those of the files.
func (c *checking) judge(r *checked, looks []look, names []string) {
	policy := c.config.policy(c.known)
	if c.writeBaseline {
		policy.Learn(c.baseline)
	}
	for i := range looks {
		looks[i].cluster.needs |= looks[i].needs
	}
	for _, one := range c.used() {
		for _, f := range c.ofCluster(one, policy) {
			if !one.touched && f.Kind == report.TopologyOf("").Kind {
				r.leftOut++
				continue
			}
			r.Findings = append(r.Findings, f)
		}
	}
	for i := range r.Findings {
		if r.Findings[i].File == "" { // without a topology, old facts are shown at the first file
			r.Findings[i].File = names[0]
		}
	}
	found := len(r.Findings)
	for i := range looks {
		r.add(&looks[i], c.config.Severities, policy)
	}
	r.left.merge(c.charts.below)
	r.addBuilt(found)
	r.Left, r.environments = slices.Concat(r.left.files, r.builds.left()), c.describe()
	r.Fixed = policy.Fixed(c.known)
	if c.writeBaseline {
		r.baseline = report.BaselineOf(c.baseline, r.Findings)
	}
	if c.strict {
		r.takeWarningsAsErrors()
	}
}

// add adds the findings of a file.
func (r *checked) add(l *look, severities report.Severities, policy *report.Policy) {
	if l.again { // the first look has the findings of the others
		return
	}
	if l.aside != nil {
		r.Problems = append(r.Problems, l.aside.problems...)
		if l.unchanged {
			l.aside.left.files, l.aside.left.partial = nil, nil
		}
		r.left.merge(l.aside.left)
	}
	r.Objects += len(l.objects)
	for _, one := range l.objects {
		if one.listed != nil && !l.unchanged && (l.contributes.Root == "" || !slices.Contains(r.Checked, *one.listed)) {
			r.Checked = append(r.Checked, *one.listed)
		}
		if one.found == nil {
			continue
		}
		for i, f := range one.found.findings {
			inHook(&f, one.found.hook)
			judged := one.found.judged(severities.Apply(f), policy)
			if !one.found.shown[i] {
				r.leftOut++
				continue
			}
			at := one.found.places[i]
			judged.File, judged.Line, judged.Also = cmp.Or(at.file, shown(l.path)), at.line, at.also
			judged.Environments = one.found.environments[i]
			judged.InSome = l.cluster.name != "" || len(judged.Environments) < l.environments
			if l.contributes.Root != "" {
				r.built.add(judged)
				continue
			}
			r.Findings = append(r.Findings, judged)
		}
	}
	if l.contributes.Root != "" {
		r.built.reads(l)
	}
}

// judged returns a finding as it is judged for the object as it is written, and else for the object as it was built.
func (f *found) judged(one preflight.Finding, policy *report.Policy) report.Finding {
	judged := policy.Judge(f.of, one)
	if f.built == nil || judged.Suppressed {
		return judged
	}
	as := policy.Judge(*f.built, one)
	as.Object = f.of
	return as
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
