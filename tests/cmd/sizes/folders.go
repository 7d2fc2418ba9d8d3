package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// budgetFile has the budget of its directory, with everything below it that has no budget nearer.
const budgetFile = "budget.txt"

// kinds are the kinds of lines that have a budget each: code and scripts, tests in Go, and their data.
var kinds = [3]string{"code", "tests", "testdata"}

// lines has a number of lines for each of the kinds.
type lines [len(kinds)]int

// extensions mark files with code. Pages, configuration and generated data have no budget.
var extensions = []string{
	".go", ".sh", ".ps1", ".py", ".ts", ".js", ".mjs", ".css", ".html", ".conf", ".service", ".nft",
}

// kindOf returns the index of the kind of a file, and false if its lines have no budget.
func kindOf(name string) (int, bool) {
	switch {
	case slices.Contains(strings.Split(path.Dir(name), "/"), "testdata"):
		return 2, true
	case strings.HasSuffix(name, "_test.go"):
		return 1, true
	default:
		return 0, slices.Contains(extensions, path.Ext(name))
	}
}

// checkoutFiles returns the files of the checkout for whose names keep is true: those that are not committed too, except
// ignored ones.
func checkoutFiles(keep func(name string) bool) ([]file, error) {
	top, err := topLevel()
	if err != nil {
		return nil, err
	}
	out, err := git(top, "ls-files", "-z", "--cached", "--others", "--exclude-standard")
	if err != nil {
		return nil, err
	}
	var files []file
	for name := range strings.SplitSeq(strings.TrimSuffix(string(out), "\x00"), "\x00") {
		if !keep(name) {
			continue
		}
		content, err := os.ReadFile(filepath.Join(top, filepath.FromSlash(name)))
		if errors.Is(err, fs.ErrNotExist) {
			continue // deleted, and not committed yet
		}
		if err != nil {
			return nil, err
		}
		files = append(files, file{name, content})
	}
	return files, nil
}

// folders has the budgets and the sizes of the directories with a budget.
type folders struct{ budgets, sizes map[string]lines }

// readFolders reads the checkout.
func readFolders() (folders, error) {
	files, err := checkoutFiles(func(name string) bool {
		_, counted := kindOf(name)
		return counted || path.Base(name) == budgetFile
	})
	if err != nil {
		return folders{}, err
	}
	return countFolders(files)
}

// countFolders counts each file for the nearest directory with a budget.
func countFolders(files []file) (folders, error) {
	f := folders{map[string]lines{}, map[string]lines{}}
	var errs []error
	for _, one := range files {
		if path.Base(one.path) == budgetFile {
			budget, err := parseBudget(string(one.content))
			if err != nil {
				errs = append(errs, fmt.Errorf("%s: %w", one.path, err))
			}
			f.budgets[path.Dir(one.path)] = budget
		}
	}
	if _, exists := f.budgets["."]; !exists {
		errs = append(errs, fmt.Errorf("%s is missing in the root, which counts what has no budget nearer", budgetFile))
	}
	if err := errors.Join(errs...); err != nil {
		return folders{}, err
	}
	for _, one := range files {
		kind, counted := kindOf(one.path)
		if !counted || path.Base(one.path) == budgetFile || bytes.IndexByte(one.content, 0) >= 0 {
			continue
		}
		dir := path.Dir(one.path)
		for _, exists := f.budgets[dir]; !exists; _, exists = f.budgets[dir] {
			dir = path.Dir(dir)
		}
		size := f.sizes[dir]
		size[kind] += bytes.Count(one.content, []byte("\n"))
		f.sizes[dir] = size
	}
	return f, nil
}

// parseBudget reads a budget: a line for each kind, in their order.
func parseBudget(text string) (lines, error) {
	var budget lines
	var found []string
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		name, number, _ := strings.Cut(line, " ")
		n, err := strconv.Atoi(strings.TrimSpace(number))
		if err != nil || n < 0 || len(found) == len(kinds) || name != kinds[len(found)] {
			return lines{}, fmt.Errorf("%q: want a line for each of %s, in this order, with a number of lines",
				line, strings.Join(kinds[:], ", "))
		}
		budget[len(found)] = n
		found = append(found, name)
	}
	if len(found) < len(kinds) {
		return lines{}, fmt.Errorf("the line %q is missing", kinds[len(found)])
	}
	return budget, nil
}

// formatBudget returns the inverse of parseBudget.
func formatBudget(budget lines) string {
	var text strings.Builder
	text.WriteString("# The lines that this directory may have, except directories with a " + budgetFile +
		" of their own.\n# See \"Weight\" in CONTRIBUTING.md.\n")
	for i, name := range kinds {
		fmt.Fprintf(&text, "%s %d\n", name, budget[i])
	}
	return text.String()
}

// rounded returns the budget for a size.
func rounded(size int) int { return (size + 99) / 100 * 100 }

// slack returns how many lines a budget may leave: more would allow growth that no reviewer sees.
func slack(size int) int { return max(200, size/10) }

// findings lists the directories that exceed their budget, and budgets that leave too much.
func (f folders) findings() []string {
	var findings []string
	for _, dir := range f.dirs() {
		for i, kind := range kinds {
			size, budget := f.sizes[dir][i], f.budgets[dir][i]
			file := path.Join(dir, budgetFile)
			var fix string
			switch {
			case size > budget:
				fix = fmt.Sprintf("write less, remove something, or raise it in %s and say why in the commit", file)
			case budget > size+slack(size):
				fix = fmt.Sprintf("lower it to %d in %s", rounded(size), file)
			default:
				continue
			}
			findings = append(findings, fmt.Sprintf("%s has %d lines of %s, and its budget is %d: %s",
				nameOf(dir), size, kind, budget, fix))
		}
	}
	return findings
}

// dirs returns the directories in order.
func (f folders) dirs() []string { return slices.Sorted(maps.Keys(f.budgets)) }

// write writes the budgets that the sizes need.
func (f folders) write() error {
	top, err := topLevel()
	if err != nil {
		return err
	}
	for _, dir := range f.dirs() {
		var budget lines
		for i := range kinds {
			budget[i] = rounded(f.sizes[dir][i])
		}
		file := filepath.Join(top, filepath.FromSlash(dir), budgetFile)
		if err := os.WriteFile(file, []byte(formatBudget(budget)), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// nameOf returns the name of a directory in messages.
func nameOf(dir string) string {
	if dir == "." {
		return "the root"
	}
	return dir
}
