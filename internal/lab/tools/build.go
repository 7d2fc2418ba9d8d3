package tools

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// buildAll builds what is to be built, and notes in located what another process
// has built meanwhile. What would stop every build stops it before the first.
func (c *Cache) buildAll(ctx context.Context, located []location) error {
	p := c.progress()
	var missing []*location
	for i := range located {
		if at := &located[i]; at.source == toBuild {
			missing = append(missing, at)
			p.width = max(p.width, len(at.subject()))
		}
	}
	if len(missing) == 0 {
		return nil
	}
	compiler := lookPath(c.environ, "go")
	if compiler == "" {
		return fmt.Errorf("build %s: go is not on PATH: install Go, or %s", missing[0].subject(), missing[0].alternative())
	}
	if err := checkWritable(c.Dir); err != nil {
		return err
	}
	p.line("%d of %d to build, into %s", len(missing), len(located), c.Dir)
	for i, at := range missing {
		b := build{location: *at, cache: c, progress: p, compiler: compiler, turn: fmt.Sprintf("%d of %d", i+1, len(missing))}
		built, err := b.do(ctx)
		if err != nil {
			return err
		}
		if !built {
			at.source = fromCache
		}
	}
	return nil
}

// checkWritable finds out by writing, since neither mode bits nor mount options
// tell all.
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

// build is the building of one tool.
type build struct {
	location
	cache    *Cache
	progress progress
	compiler string
	turn     string
}

// do builds the tool, unless another process has just done so.
func (b build) do(ctx context.Context) (built bool, err error) {
	unlock, err := b.lock(ctx)
	if err != nil {
		return false, err
	}
	defer unlock()
	if fits, _ := verify(b.path); fits {
		b.progress.about(b.location, "built by another process")
		return false, nil
	}
	why := ""
	if b.passedOver != "" {
		why = b.passedOver + ": "
	}
	b.progress.about(b.location, "%sbuilding (%s) …", why, b.turn)
	started := time.Now()
	if err := b.inScratch(ctx, started); err != nil {
		return false, err
	}
	b.progress.about(b.location, "built in %s", duration(time.Since(started)))
	return true, nil
}

// lock takes the tool's lock.
func (b build) lock(ctx context.Context) (unlock func(), err error) {
	dir := b.folder()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, cacheError(b.cache.Dir, err)
	}
	path := filepath.Join(dir, ".lock")
	unlock, err = acquire(ctx, path, func() {
		b.progress.about(b.location, "waiting for another build of it, which holds %s …", path)
	})
	if cause := context.Cause(ctx); err != nil && cause != nil {
		return nil, b.interrupted(cause)
	}
	if err != nil {
		return nil, cacheError(b.cache.Dir, err)
	}
	return unlock, nil
}

// inScratch builds in a folder of its own and moves the result to its place in
// one step, so that what is there is whole. The caller holds the lock.
func (b build) inScratch(ctx context.Context, started time.Time) error {
	scratch, err := newScratch(b.folder(), ".build-")
	if err != nil {
		return cacheError(b.cache.Dir, err)
	}
	defer removeAll(scratch)
	work, result := filepath.Join(scratch, "work"), filepath.Join(scratch, "result")
	if err := errors.Join(os.Mkdir(work, 0o755), os.Mkdir(result, 0o755)); err != nil {
		return cacheError(b.cache.Dir, err)
	}
	if err := b.compile(ctx, work, filepath.Join(result, b.name), started); err != nil {
		if cause := context.Cause(ctx); cause != nil {
			return b.interrupted(cause)
		}
		return fmt.Errorf("build %s: %w\nelse %s", b.subject(), err, b.alternative())
	}
	return b.cache.place(result, b.location)
}

func (b build) interrupted(cause error) error {
	return fmt.Errorf("build %s: interrupted: %w", b.subject(), cause)
}

// flush brings the file to the disk: a binary that a power failure has emptied
// would be taken for a built one for ever.
func flush(path string) error {
	file, err := os.OpenFile(path, flushMode, 0)
	if err != nil {
		return err
	}
	return errors.Join(file.Sync(), file.Close())
}

// compile runs go build; work is for what it has half done.
func (b build) compile(ctx context.Context, work, binary string, started time.Time) error {
	cmd := goCommand{
		path: b.compiler, dir: b.moduleFolder(b.cache.Root), environ: b.cache.environ,
		heartbeat: b.cache.heartbeat,
		beat: func() {
			b.progress.about(b.location, "still building after %s …", duration(time.Since(started)))
		},
	}
	goflags, err := cmd.run(ctx, "env", "GOFLAGS")
	if err != nil {
		return err
	}
	cmd.environ = buildEnviron(cmd.environ, goflags, work, b.cache.platform)
	args := []string{"build", "-ldflags", b.ldflags(b.pinned)}
	if b.modfile != "" {
		args = append(args, "-modfile", b.modfile)
	}
	if b.embed.module != "" {
		overlay, err := b.overlay(ctx, cmd, work)
		if err != nil {
			return err
		}
		args = append(args, "-overlay", overlay)
	}
	_, err = cmd.run(ctx, append(args, "-o", binary, b.pkg)...)
	return err
}

// overlay writes a file that makes go see the embedded files in the tool's own
// folder, though they lie in the module that it requires.
func (b build) overlay(ctx context.Context, cmd goCommand, work string) (string, error) {
	if _, err := cmd.run(ctx, "mod", "download", b.embed.module); err != nil {
		return "", err
	}
	module, err := cmd.run(ctx, "list", "-m", "-f", "{{.Dir}}", b.embed.module)
	if err != nil {
		return "", err
	}
	replace := map[string]string{}
	for _, name := range b.embed.files {
		replace[filepath.Join(cmd.dir, name)] = filepath.Join(module, filepath.FromSlash(b.embed.folder), name)
	}
	content, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	path := filepath.Join(work, "overlay.json")
	if err := os.WriteFile(path, content, 0o644); err != nil {
		return "", cacheError(b.cache.Dir, err)
	}
	return path, nil
}
