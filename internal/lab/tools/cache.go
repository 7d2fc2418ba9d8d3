package tools

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

// Cache finds tools, and fetches or builds missing ones. Create a cache with
// New or FromRoot. Several caches may work on the same directory at once, in one process or
// in many.
type Cache struct {
	// Dir is the directory of the built tools. The default is mixedkube/tools in the user's cache
	// directory. Change it only before the first call.
	Dir string
	// Root is the checkout whose modules pin the tools.
	Root string
	// Out gets the progress, a line at a time. Nil discards it.
	Out io.Writer

	table []tool
	// platform is the platform to build for.
	platform platform
	// environ is the environment in which tools are found and built.
	environ []string
	// askTimeout limits how long a tool may take to print its version.
	askTimeout time.Duration
	// heartbeat is the time between two signs of life of a build, except on a terminal.
	heartbeat time.Duration
	// timeouts limits the waits for an archive.
	timeouts timeouts
}

// New is FromRoot for the checkout that contains the current directory. It fails
// outside of a checkout.
func New(out io.Writer) (*Cache, error) {
	dir, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	root, err := findRoot(dir)
	if err != nil {
		return nil, err
	}
	return FromRoot(root, out)
}

// FromRoot returns the user's tool cache for the checkout in root; out gets the
// progress. It fails if root is not a checkout, or if the environment names neither a
// cache directory nor a home directory of the user.
func FromRoot(root string, out io.Writer) (*Cache, error) {
	root, err := filepath.Abs(root)
	if err != nil {
		return nil, err
	}
	if !isRoot(root) {
		return nil, fmt.Errorf("%s is not a checkout of mixedkube: it has no go.mod of the module %s", root, modulePath)
	}
	user, err := os.UserCacheDir()
	if err != nil {
		return nil, fmt.Errorf("tool cache: %w: %s", err, moveCache())
	}
	return &Cache{
		Dir:        filepath.Join(user, "mixedkube", "tools"),
		Root:       root,
		Out:        out,
		table:      table(),
		platform:   host(),
		environ:    os.Environ(),
		askTimeout: 10 * time.Second,
		heartbeat:  time.Minute,
		timeouts:   timeouts{answer: 3 * time.Second, silence: 30 * time.Second, beat: 10 * time.Second},
	}, nil
}

// Names lists all tools.
func Names() []string {
	return names(table())
}

func names(table []tool) []string {
	var names []string
	for _, t := range table {
		names = append(names, t.name)
	}
	return names
}

// Ensure returns the absolute path of each of the named tools. It fetches or builds tools
// that are neither found nor cached, which takes minutes. It ignores all other tools:
// without names it does nothing.
//
// It fails, before anything is built, for a name that is not a tool's, for a cache
// that cannot be written and without Go; and at the first build that fails. The
// error contains the fix. If ctx is done, Ensure stops the running build and removes
// its files, and the error wraps the context's. Finished tools stay in the cache, and
// compiled packages in go's cache: the next build continues from there.
func (c *Cache) Ensure(ctx context.Context, names ...string) (map[string]string, error) {
	started := time.Now()
	located, err := c.provide(ctx, names)
	if err != nil {
		return nil, err
	}
	if len(located) > 0 {
		c.progress().line("%s", summary(located, time.Since(started)))
	}
	paths := make(map[string]string, len(located))
	for _, at := range located {
		paths[at.name] = at.path
	}
	return paths, nil
}

// Prepare does what Ensure does, and compiles programs of the checkout as well. It
// prints nothing if everything exists.
func (c *Cache) Prepare(ctx context.Context, names []string, programs ...Program) error {
	_, err := c.provide(ctx, names, programs...)
	return err
}

// provide does what Prepare does, and returns where each tool is.
func (c *Cache) provide(ctx context.Context, names []string, programs ...Program) ([]location, error) {
	located, err := c.locate(ctx, names)
	if err != nil {
		return nil, err
	}
	if err := c.fetch(ctx, located); err != nil {
		return nil, err
	}
	return located, c.buildAll(ctx, located, programs)
}

// source is where a tool comes from.
type source int

const (
	toBuild source = iota
	fromPath
	fromPlugins
	fromCache
	fromArchive
)

func (s source) String() string {
	return [...]string{"to build", "PATH", "Pulumi's plugins", "cache", "archive"}[s]
}

// location is a tool, and where it is or will be.
type location struct {
	tool
	// pinned is the version to build, version the version that is used.
	pinned, version string
	// key is the key of the recipe, for a tool that is not found outside of the cache.
	key    string
	source source
	path   string
	// passedOver is why the tools found on PATH and in the cache are not used.
	passedOver string
}

// dir returns the directory with everything that the cache has of the tool.
func (at location) dir() string { return filepath.Dir(filepath.Dir(at.path)) }

// locate finds out where each of the named tools comes from.
func (c *Cache) locate(ctx context.Context, names []string) ([]location, error) {
	chosen, err := c.choose(names)
	if err != nil {
		return nil, err
	}
	located := make([]location, len(chosen))
	failed := make([]error, len(chosen))
	var all sync.WaitGroup
	for i, t := range chosen {
		all.Go(func() { located[i], failed[i] = c.locateOne(ctx, t) })
	}
	all.Wait()
	if err := errors.Join(failed...); err != nil {
		return nil, err
	}
	// A tool that was interrupted before it printed its version looks like one that does not fit.
	if err := context.Cause(ctx); err != nil {
		return nil, fmt.Errorf("looking for the tools: interrupted: %w", err)
	}
	return located, c.lookIntoArchive(located)
}

// choose returns the named tools, each once, in the table's order.
func (c *Cache) choose(requested []string) ([]tool, error) {
	var chosen []tool
	for _, t := range c.table {
		if slices.Contains(requested, t.name) {
			chosen = append(chosen, t)
		}
	}
	var unknown []string
	for _, name := range requested {
		if !slices.Contains(names(c.table), name) {
			unknown = append(unknown, fmt.Sprintf("%q", name))
		}
	}
	if unknown != nil {
		return nil, fmt.Errorf("unknown tool %s: the tools are %s",
			strings.Join(unknown, ", "), strings.Join(names(c.table), ", "))
	}
	return chosen, nil
}

func (c *Cache) locateOne(ctx context.Context, t tool) (location, error) {
	pinned, err := t.pinned(c.Root)
	if err != nil {
		return location{}, err
	}
	where := surroundings{environ: c.environ, root: c.Root, table: c.table, timeout: c.askTimeout}
	outside := t.find(ctx, where, t, pinned)
	if outside.path != "" {
		return location{
			tool: t, pinned: pinned, version: outside.version,
			source: outside.source, path: outside.path,
		}, nil
	}
	key, err := t.recipeKey(pinned, c.platform, c.released(), os.DirFS(c.dir()))
	if err != nil {
		return location{}, err
	}
	dir, err := filepath.Abs(c.Dir)
	if err != nil {
		return location{}, err
	}
	at := location{
		tool: t, pinned: pinned, version: pinned, key: key, passedOver: outside.passedOver,
		path: filepath.Join(dir, t.name, pinned+"-"+key, t.name),
	}
	fits, why := verify(at.path)
	switch {
	case fits:
		at.source = fromCache
	case why != "":
		at.passedOver = strings.TrimPrefix(at.passedOver+"; "+why, "; ")
	}
	return at, nil
}

func (c *Cache) progress() progress { return progress{out: newScreen(c.Out)} }
