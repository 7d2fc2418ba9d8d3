package main

import (
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// step is a command of a check.
type step struct {
	title string
	// module is the directory in which the command runs, from the root of the checkout.
	module  string
	command []string
}

// change is what a check is about.
type change struct {
	files, untidy, modules []string
	effect                 effect
	plan                   plan
}

// steps returns the commands of a check in their order: the ones that are about the changed files first.
func (c change) steps(checkout string) []step {
	var steps []step
	add := func(title, module string, command []string) { steps = append(steps, step{title, module, command}) }
	tests := func(title string, items []item, flags ...string) {
		for _, group := range byModule(c.modules, dirsOf(items)) {
			add(title+" in "+nameOf(group.module), group.module, testCommand(group, flags...))
		}
	}
	tests("tests of changed packages", c.plan.changed)
	tests("generated files", c.plan.generated, "-run", "^TestGenerated")
	if len(c.files) > 0 {
		for _, group := range byModule(c.modules, readEveryFile) {
			add("tests that read every file", group.module, testCommand(group))
		}
	}
	for _, group := range byModule(c.modules, c.effect.sources) {
		command := append(toolCommand(checkout, "golangci-lint"), "run", "--config",
			filepath.Join(checkout, ".golangci.yml"))
		add("linters in "+nameOf(group.module), group.module, append(command, group.packages...))
	}
	for _, module := range c.untidy {
		add("requirements of "+nameOf(module), module, []string{"go", "mod", "tidy", "-diff"})
	}
	workflows := slices.DeleteFunc(slices.Clone(c.files), func(file string) bool {
		return path.Dir(file) != ".github/workflows"
	})
	if len(workflows) > 0 {
		// All of them, because a workflow can call another one. As in make lint, without the linters for scripts.
		add("workflows", ".", append(toolCommand(checkout, "actionlint"), "-shellcheck=", "-pyflakes="))
	}
	tests("tests of dependents", c.plan.dependents)
	return steps
}

func toolCommand(checkout, tool string) []string {
	modfile := filepath.Join(checkout, "internal", "lab", "tools", tool, "go.mod")
	return []string{"go", "tool", "-modfile=" + modfile, tool}
}

// group has packages of a module, as arguments of a command that runs in its directory.
type group struct {
	module   string
	packages []string
}

// byModule groups directories of packages, in the order of the modules.
func byModule(modules, dirs []string) []group {
	packages := map[string][]string{}
	for _, dir := range dirs {
		module := enclosing(dir, func(dir string) bool { return slices.Contains(modules, dir) })
		within := "./" + strings.TrimPrefix(strings.TrimPrefix(dir, module), "/")
		if module == "." {
			within = "./" + dir
		}
		packages[module] = append(packages[module], path.Clean(within))
	}
	var groups []group
	for _, module := range modules {
		if len(packages[module]) == 0 {
			continue
		}
		for i, name := range packages[module] {
			if name != "." {
				packages[module][i] = "./" + name
			}
		}
		slices.Sort(packages[module])
		groups = append(groups, group{module, packages[module]})
	}
	return groups
}

// testCommand has the flags of the Makefile, with which Go has compiled the tests. A cached result does not depend on
// files outside of the module of the test, so tests of nested modules run again.
func testCommand(g group, flags ...string) []string {
	command := []string{"go", "test", "-ldflags=-w", "-vet=off"}
	if g.module != "." {
		command = append(command, "-count=1")
	}
	return slices.Concat(command, flags, g.packages)
}

// line returns the command as a line for a shell in the root of the checkout.
func (s step) line() string {
	args := slices.Clone(s.command)
	if s.module != "." && args[0] == "go" {
		args = slices.Insert(args, 1, "-C", s.module)
	}
	for i, arg := range args {
		if strings.ContainsAny(arg, "^$*") {
			args[i] = fmt.Sprintf("'%s'", arg)
		}
	}
	return strings.Join(args, " ")
}

// nameOf returns the name of a module in messages.
func nameOf(module string) string {
	if module == "." {
		return "the root module"
	}
	return module
}

func dirsOf(items []item) []string {
	dirs := make([]string, 0, len(items))
	for _, i := range items {
		dirs = append(dirs, i.dir)
	}
	return dirs
}
