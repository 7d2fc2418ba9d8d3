package tools

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"sync"
	"time"
)

// buildAll builds the tools with the source toBuild and compiles the programs. It
// records in located which tools another process has built in the meantime. It checks for
// problems that would affect every build before the first build.
func (c *Cache) buildAll(ctx context.Context, located []location, programs []Program) error {
	missing := from(toBuild, located)
	if len(missing) == 0 && len(programs) == 0 {
		return nil
	}
	p := c.progress()
	compiler := lookPath(c.environ, "go")
	if compiler == "" {
		return withoutGo(missing)
	}
	if len(missing) > 0 {
		if err := checkWritable(c.Dir); err != nil {
			return err
		}
		p.line("%d of %d to build, into %s%s: %s", len(missing), len(located), c.Dir, c.withoutArchive(),
			subjects(missing))
	}
	for _, at := range missing {
		if at.passedOver != "" {
			p.about(*at, "%s", at.passedOver)
		}
	}
	var builds []*build
	for _, b := range batches(missing, c.released()) {
		builds = append(builds, c.newBuild(compiler, b))
	}
	for _, program := range programs {
		builds = append(builds, c.newCompilation(compiler, program))
	}
	// Modules are fetched for the later builds while the first ones run.
	ctx, cancel := context.WithCancel(ctx)
	watch := newWatch(p)
	planAll := sync.OnceValue(func() error { return listAll(ctx, builds) })
	for _, b := range builds {
		b.watch, b.planAll = watch, planAll
		go b.prepare(ctx, len(missing) > 0)
	}
	defer func() {
		cancel()
		for _, b := range builds {
			<-b.ready
			b.clean()
		}
	}()
	defer watch.show(c.heartbeat)()
	for _, b := range builds {
		if err := b.do(ctx); err != nil {
			return err
		}
	}
	return nil
}

func withoutGo(missing []*location) error {
	if len(missing) == 0 {
		return errors.New("go is not on PATH: install Go")
	}
	return fmt.Errorf("build %s: go is not on PATH: install Go, or %s", missing[0].subject(), missing[0].alternative())
}

// checkWritable writes a file to find out, since neither mode bits nor mount options
// show every obstacle.
func checkWritable(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return cacheError(dir, err)
	}
	probe, err := os.CreateTemp(dir, ".probe-")
	if err != nil {
		return cacheError(dir, err)
	}
	_, err = probe.Write(make([]byte, 4096))
	if err := errors.Join(err, probe.Close(), os.Remove(probe.Name())); err != nil {
		return cacheError(dir, err)
	}
	return nil
}

// batch has the tools that one go command builds: it compiles shared packages once, and
// links some tools while it compiles others.
type batch struct {
	graph graph
	tools []*location
}

// batches groups tools by their graphs, in the table's order.
func batches(missing []*location, released bool) []batch {
	var all []batch
	for _, at := range missing {
		g := at.graph(released)
		i := slices.IndexFunc(all, func(b batch) bool { return b.graph == g })
		if i < 0 || g.work == "" {
			all = append(all, batch{graph: g, tools: []*location{at}})
			continue
		}
		all[i].tools = append(all[i].tools, at)
	}
	return all
}

// released reports whether the tools are built with the versions of their releases.
func (c *Cache) released() bool { return getenv(c.environ, VersionsVariable) == Released }

// dir returns the directory of the tools' modules.
func (c *Cache) dir() string { return filepath.Join(c.Root, "internal", "lab", "tools") }

// newBuild returns the build of a batch.
func (c *Cache) newBuild(compiler string, from batch) *build {
	b := &build{batch: from, cache: c, ready: make(chan struct{}), clean: func() {}}
	b.name = subjects(from.tools)
	b.cmd = goCommand{path: compiler, dir: filepath.Join(c.dir(), from.graph.dir), environ: c.environ}
	b.gowork = from.graph.environ(c.dir())
	if from.graph.modfile != "" {
		b.flags = append(b.flags, "-modfile", from.graph.modfile)
	}
	b.packages = b.ofTools()
	return b
}

// ofTools returns the packages of the tools.
func (b batch) ofTools() []string {
	var packages []string
	for _, at := range b.tools {
		packages = append(packages, at.pkg)
	}
	return packages
}

// build is one run of the go command: it builds tools, or compiles a program.
type build struct {
	batch
	cache *Cache
	watch *watch
	// name is the name of the build in messages.
	name     string
	cmd      goCommand
	gowork   string
	flags    []string
	packages []string

	// ready is closed when the following fields are set. clean removes the files that were created
	// for the build.
	ready  chan struct{}
	failed error
	plan   plan
	clean  func()
	// planAll finds out what all builds compile, if that is not known.
	planAll func() error
}

// prepare finds out what to compile; go fetches the modules for that.
func (b *build) prepare(ctx context.Context, planned bool) {
	defer close(b.ready)
	b.failed = func() error {
		cmd, err := b.cmd.forBuilds(ctx, b.gowork, b.cache.platform)
		if err != nil {
			return err
		}
		b.cmd = cmd
		for _, at := range b.tools {
			if at.embed.module == "" {
				continue
			}
			overlay, err := b.cmd.overlay(ctx, at.embed)
			if err != nil {
				return err
			}
			b.clean = func() { _ = os.Remove(overlay) }
			b.flags = append(b.flags, "-overlay", overlay)
		}
		if !planned {
			return nil
		}
		return b.list(ctx)
	}()
}

// listAll calls list for several builds.
func listAll(ctx context.Context, builds []*build) error {
	for _, b := range builds {
		<-b.ready
		if err := b.list(ctx); err != nil {
			return err
		}
	}
	return nil
}

// list finds out which packages the build consists of.
func (b *build) list(ctx context.Context) error {
	cmd := b.cmd
	cmd.line = b.watch.fetching
	listed, err := cmd.run(ctx, slices.Concat([]string{"list", "-deps", "-f", planFormat}, b.flags, b.packages)...)
	if err != nil {
		return err
	}
	b.plan = parsePlan(listed)
	b.watch.add(b.plan)
	return nil
}

// do builds the tools, except those that another process has built in the meantime.
func (b *build) do(ctx context.Context) error {
	<-b.ready
	if b.failed != nil {
		return b.failure(ctx, b.failed)
	}
	if b.tools == nil {
		return b.failure(ctx, b.compile(ctx))
	}
	// All processes take the locks in the table's order.
	for _, at := range b.tools {
		unlock, err := b.cache.lock(ctx, *at, b.watch.progress)
		if err != nil {
			return err
		}
		defer unlock()
	}
	b.tools = slices.DeleteFunc(b.tools, func(at *location) bool {
		fits, _ := verify(at.path)
		if fits {
			at.source = fromCache
			b.watch.about(*at, "built by another process")
		}
		return fits
	})
	if len(b.tools) == 0 {
		return nil
	}
	started := time.Now()
	if err := b.inScratch(ctx); err != nil {
		return err
	}
	b.watch.end(b.plan)
	b.watch.line("%s: built in %s", subjects(b.tools), duration(time.Since(started)))
	return nil
}

// lock takes the tool's lock.
func (c *Cache) lock(ctx context.Context, at location, p progress) (unlock func(), err error) {
	if err := os.MkdirAll(at.dir(), 0o755); err != nil {
		return nil, cacheError(c.Dir, err)
	}
	path := filepath.Join(at.dir(), ".lock")
	unlock, err = acquire(ctx, path, func() {
		p.about(at, "waiting for another build of it, which holds %s …", path)
	})
	if cause := context.Cause(ctx); err != nil && cause != nil {
		return nil, fmt.Errorf("build %s: interrupted: %w", at.subject(), cause)
	}
	if err != nil {
		return nil, cacheError(c.Dir, err)
	}
	return unlock, nil
}

// failure adds to an error what was built, and what else helps.
func (b *build) failure(ctx context.Context, err error) error {
	switch cause := context.Cause(ctx); {
	case err == nil:
		return nil
	case cause != nil:
		return fmt.Errorf("build %s: interrupted: %w", b.name, cause)
	case b.tools == nil:
		return fmt.Errorf("build %s: %w", b.name, err)
	}
	instead := "put tools of these versions on PATH"
	if len(b.tools) == 1 {
		instead = b.tools[0].alternative()
	}
	return fmt.Errorf("build %s: %w\nelse %s", b.name, err, instead)
}

// inScratch builds in a separate directory and moves each result to its place in
// one step, so that the cache has only complete tools. The caller holds the locks.
func (b *build) inScratch(ctx context.Context) error {
	var scratch string
	for _, at := range b.tools {
		made, err := newScratch(at.dir(), ".build-")
		if err != nil {
			return cacheError(b.cache.Dir, err)
		}
		defer removeAll(made)
		scratch = made
	}
	work, results := filepath.Join(scratch, "work"), filepath.Join(scratch, "results")
	if err := errors.Join(os.Mkdir(work, 0o755), os.Mkdir(results, 0o755)); err != nil {
		return cacheError(b.cache.Dir, err)
	}
	if err := b.link(ctx, work, results); err != nil {
		return b.failure(ctx, err)
	}
	for _, at := range b.tools {
		result := filepath.Join(scratch, at.name)
		if err := os.Mkdir(result, 0o755); err != nil {
			return cacheError(b.cache.Dir, err)
		}
		if err := os.Rename(filepath.Join(results, b.binary(at)), filepath.Join(result, at.name)); err != nil {
			return cacheError(b.cache.Dir, err)
		}
		if err := b.cmd.copyTo(ctx, at.siblings, result); err != nil {
			return b.failure(ctx, err)
		}
		if err := b.cache.place(result, *at); err != nil {
			return err
		}
	}
	return nil
}

// binary returns the name of the file that go creates for a tool.
func (b *build) binary(at *location) string {
	if len(b.tools) == 1 {
		return at.name
	}
	return path.Base(at.pkg)
}

// link creates the binaries; work is the directory for go's intermediate files.
func (b *build) link(ctx context.Context, work, results string) error {
	args, out := []string{"-v"}, results+string(filepath.Separator)
	for _, at := range b.tools {
		if len(b.tools) == 1 {
			args, out = append(args, "-ldflags", at.ldflags(at.pinned)), filepath.Join(results, at.name)
			continue
		}
		args = append(args, "-ldflags", at.pkg+"="+at.ldflags(at.pinned))
	}
	cmd := b.cmd
	cmd.environ = slices.Concat(cmd.environ, []string{"GOTMPDIR=" + work})
	cmd.line = func(line string) bool { return b.watch.begin(b.plan, line) || b.watch.fetching(line) }
	_, err := cmd.run(ctx, slices.Concat([]string{"build"}, args, b.flags, []string{"-o", out}, b.ofTools())...)
	return err
}

// flush writes the file to the disk: a binary that a power failure has emptied
// would count as built.
func flush(path string) error {
	file, err := os.OpenFile(path, flushMode, 0)
	if err != nil {
		return err
	}
	return errors.Join(file.Sync(), file.Close())
}
