package tools

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// lookIntoArchive sets the source of the tools to build that are in the
// recorded archive. It sends no request.
func (c *Cache) lookIntoArchive(located []location) error {
	missing := from(toBuild, located)
	if len(missing) == 0 {
		return nil
	}
	recorded, err := c.recorded()
	for _, at := range missing {
		if recorded.has(*at) {
			at.source = fromArchive
		}
	}
	return err
}

// from returns the tools that come from a source.
func from(s source, located []location) []*location {
	var these []*location
	for i := range located {
		if located[i].source == s {
			these = append(these, &located[i])
		}
	}
	return these
}

// fetch puts the tools with the source fromArchive into the cache. If the archive
// cannot be used, it prints why, and changes their source to toBuild. It fails
// only if a build would fail, too: if the cache cannot be written, or if ctx is
// done.
func (c *Cache) fetch(ctx context.Context, located []location) error {
	recorded, err := c.recorded()
	if err != nil {
		return err
	}
	p := c.progress()
	var others []string
	for _, at := range from(toBuild, located) {
		if _, ok := recorded.named(at.name); ok {
			others = append(others, at.name)
		}
	}
	if others != nil {
		p.line("the release %s has other builds of %s", recorded.Release, strings.Join(others, ", "))
	}
	toFetch := from(fromArchive, located)
	if len(toFetch) == 0 {
		return nil
	}
	if err := checkWritable(c.Dir); err != nil {
		return err
	}
	address, err := recorded.address(c.environ)
	if err != nil {
		return err
	}
	err = fetching{cache: c, archive: recorded, address: address, progress: p}.do(ctx, toFetch)
	var reason unusableError
	switch {
	case err == nil:
		return nil
	case context.Cause(ctx) != nil:
		return fmt.Errorf("fetch the tools: interrupted: %w", context.Cause(ctx))
	case !errors.As(err, &reason):
		return err
	}
	p.line("the archive is not used: %v", reason)
	for _, at := range toFetch {
		at.source = toBuild
	}
	return nil
}

// fetching fetches an archive.
type fetching struct {
	cache    *Cache
	archive  archive
	address  *url.URL
	progress progress
}

func (f fetching) do(ctx context.Context, toFetch []*location) error {
	started, dir := time.Now(), f.cache.Dir
	lock := filepath.Join(dir, ".fetch.lock")
	unlock, err := acquire(ctx, lock, func() {
		f.progress.line("waiting for another process that fetches tools, which holds %s …", lock)
	})
	if err != nil {
		return cacheError(dir, err)
	}
	defer unlock()
	if toFetch = stillMissing(toFetch); len(toFetch) == 0 {
		f.progress.line("fetched by another process")
		return nil
	}
	scratch, err := newScratch(dir, ".fetch-")
	if err != nil {
		return cacheError(dir, err)
	}
	defer removeAll(scratch)
	for _, at := range toFetch {
		if at.passedOver != "" {
			f.progress.about(*at, "%s", at.passedOver)
		}
	}
	f.progress.line("fetching %s (%s) …", f.address.Redacted(), amount(f.archive.Size))
	if err := f.into(ctx, scratch, toFetch, started); err != nil {
		if errors.As(err, new(unusableError)) {
			return err
		}
		return cacheError(dir, err)
	}
	for _, at := range toFetch {
		if err := f.place(ctx, at, filepath.Join(scratch, at.name)); err != nil {
			return err
		}
	}
	f.progress.line("fetched in %s", duration(time.Since(started)))
	return nil
}

// stillMissing leaves out tools that another process has put into the cache in the
// meantime, and sets their source to fromCache.
func stillMissing(toFetch []*location) []*location {
	return slices.DeleteFunc(slices.Clone(toFetch), func(at *location) bool {
		fits, _ := verify(at.path)
		if fits {
			at.source = fromCache
		}
		return fits
	})
}

// into fetches the archive and unpacks the tools to fetch into scratch.
func (f fetching) into(ctx context.Context, scratch string, toFetch []*location, started time.Time) error {
	file, err := os.Create(filepath.Join(scratch, f.archive.file()))
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }()
	err = download{
		timeouts: f.cache.timeouts, address: f.address, sum: f.archive.SHA256, size: f.archive.Size,
		progress: func(received int64) {
			f.progress.line("fetched %s of %s after %s …", amount(received), amount(f.archive.Size),
				duration(time.Since(started)))
		},
	}.to(ctx, file)
	if err != nil {
		return err
	}
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return err
	}
	names := map[string]bool{}
	for _, at := range toFetch {
		names[at.name] = true
	}
	return f.archive.unpack(ctx, file, names, scratch)
}

// place moves the directory with the tool's binary into the cache, unless another
// process has just built the tool.
func (f fetching) place(ctx context.Context, at *location, dir string) error {
	unlock, err := f.cache.lock(ctx, *at, f.progress)
	if err != nil {
		return err
	}
	defer unlock()
	if len(stillMissing([]*location{at})) == 0 {
		return nil
	}
	return f.cache.place(dir, *at)
}
