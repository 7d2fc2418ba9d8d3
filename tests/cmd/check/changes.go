package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// upstreams are the branches that a pull request goes to, in the order in which they are looked up: of the repository
// that a fork comes from, of the clone, and local.
var upstreams = []string{"upstream/main", "origin/main", "main"}

// repository is a checkout.
type repository struct{ dir string }

// base is the commit that the checkout is compared with, and a phrase about it.
type base struct{ commit, name string }

// base returns the merge base of HEAD and a revision, or of HEAD and the upstream branch. If there is nothing to
// compare with that one, because everything is in it, it is the parent of HEAD.
func (r repository) base(ctx context.Context, since string) (base, error) {
	names := upstreams
	if since != "" {
		names = []string{since}
	}
	for _, name := range names {
		if _, err := r.git(ctx, "rev-parse", "--verify", "--quiet", name+"^{commit}"); err != nil {
			continue
		}
		commit, err := r.git(ctx, "merge-base", name, "HEAD")
		if err != nil {
			return base{}, err
		}
		b := base{strings.TrimSpace(commit), "the merge base with " + name}
		if since != "" {
			return b, nil
		}
		files, err := r.changed(ctx, b.commit)
		if len(files) > 0 || err != nil {
			return b, err
		}
		parent, err := r.git(ctx, "rev-parse", "--verify", "--quiet", "HEAD~1")
		if err != nil {
			return b, nil //nolint:nilerr // the first commit has no parent
		}
		return base{strings.TrimSpace(parent), "the commit before HEAD, because " + name + " has everything"}, nil
	}
	return base{}, fmt.Errorf("git knows no commit %s: set SINCE to a branch or a commit", strings.Join(names, ", "))
}

// changed returns the files that differ from a commit, with the ones that are not committed, and deleted ones.
func (r repository) changed(ctx context.Context, commit string) ([]string, error) {
	return r.list(ctx, []string{"diff", "--name-only", "-z", "--no-renames", commit},
		[]string{"ls-files", "-z", "--others", "--exclude-standard"})
}

// files returns all files, except ignored ones.
func (r repository) files(ctx context.Context) ([]string, error) {
	return r.list(ctx, []string{"ls-files", "-z", "--cached", "--others", "--exclude-standard"})
}

func (r repository) list(ctx context.Context, commands ...[]string) ([]string, error) {
	var all []string
	for _, args := range commands {
		out, err := r.git(ctx, args...)
		if err != nil {
			return nil, err
		}
		for name := range strings.SplitSeq(out, "\x00") {
			if name != "" {
				all = append(all, name)
			}
		}
	}
	slices.Sort(all)
	return slices.Compact(all), nil
}

func (r repository) git(ctx context.Context, args ...string) (string, error) {
	out, err := exec.CommandContext(ctx, "git", append([]string{"-C", r.dir}, args...)...).Output()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		err = fmt.Errorf("git %s: %w: %s", args[0], err, strings.TrimSpace(string(exit.Stderr)))
	}
	return string(out), err
}

// versions returns a Go file of a commit and of the checkout. A file that does not exist is empty.
func (r repository) versions(ctx context.Context, commit, file string) (before, after string) {
	before, _ = r.git(ctx, "show", commit+":"+file)
	text, _ := os.ReadFile(filepath.Join(r.dir, filepath.FromSlash(file)))
	return before, string(text)
}

// untidy returns the modules whose go.mod may need a change: a file of the module itself, or the imports from other
// modules differ. versions returns a file before and after the change.
func (g graph) untidy(files, modules []string, versions func(file string) (before, after string)) []string {
	before, after := map[string]map[string]bool{}, map[string]map[string]bool{}
	for _, module := range modules {
		before[module], after[module] = map[string]bool{}, map[string]bool{}
	}
	var found []string
	for _, file := range files {
		if base := path.Base(file); base == "go.mod" || base == "go.sum" {
			found = append(found, path.Dir(file))
		}
		p := g[path.Dir(file)]
		if path.Ext(file) != ".go" || p == nil {
			continue
		}
		old, current := versions(file)
		g.collect(p.module, file, old, before[p.module])
		g.collect(p.module, file, current, after[p.module])
	}
	for _, module := range modules {
		if !maps.Equal(before[module], after[module]) {
			found = append(found, module)
		}
	}
	slices.Sort(found)
	return slices.DeleteFunc(slices.Compact(found), func(dir string) bool { return !slices.Contains(modules, dir) })
}

// collect adds the imports of a file that may need a requirement: of neither the standard library nor the module.
func (g graph) collect(module, file, text string, to map[string]bool) {
	if text == "" {
		return
	}
	imports, err := importsOf(file, []byte(text))
	if err != nil {
		return // the linter reports it
	}
	for _, name := range imports {
		first, _, _ := strings.Cut(name, "/")
		p := g[strings.TrimPrefix(name, prefix+"/")]
		isOwn := p != nil && p.module == module
		if strings.Contains(first, ".") && !isOwn {
			to[name] = true
		}
	}
}
