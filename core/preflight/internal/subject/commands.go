package subject

import (
	"slices"
	"strings"

	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

var (
	probes = [...]string{"livenessProbe", "readinessProbe", "startupProbe"}
	hooks  = [...]string{"postStart", "preStop"}
)

// Command is what a container, or one of its probes or hooks, starts.
type Command struct {
	// Container is the index of the container in the pod.
	Container int
	// Path are the keys of the words, below the container.
	Path  []any
	Words []any
}

// IsArgs reports whether the words are the arguments of a container without a command. The image's entry point, if any,
// is started then.
func (cmd *Command) IsArgs() bool { return cmd.Path[0] == "args" }

// IsProbe reports whether the command belongs to a probe.
func (cmd *Command) IsProbe() bool { return len(cmd.Path) > 1 && cmd.Path[0] != "lifecycle" }

// IsHook reports whether the command belongs to a hook.
func (cmd *Command) IsHook() bool { return cmd.Path[0] == "lifecycle" }

// Program returns the word that names the program, and its index.
func (cmd *Command) Program() (text string, at int, ok bool) {
	text, ok = tree.Text(cmd.Words[0])
	if text == "/usr/bin/env" && len(cmd.Words) > 1 {
		at = 1
		text, ok = tree.Text(cmd.Words[at])
	}
	return text, at, ok
}

// Commands returns everything that the containers of the pods start.
func (p *Pods) Commands() []Command { return p.commands.get(p.readCommands) }

func (p *Pods) readCommands() []Command {
	var all []Command
	add := func(i int, v any, path ...any) {
		if words := tree.List(v); len(words) > 0 {
			all = append(all, Command{i, path, words})
		}
	}
	for i := range p.Containers {
		ctr := &p.Containers[i]
		if ctr.Spec["command"] != nil {
			add(i, ctr.Spec["command"], "command")
		} else if ctr.Spec["args"] != nil {
			add(i, ctr.Spec["args"], "args")
		}
		for _, probe := range probes {
			if exec := tree.Map(tree.Map(ctr.Spec[probe])["exec"]); exec != nil {
				add(i, exec["command"], probe, "exec", "command")
			}
		}
		lifecycle := tree.Map(ctr.Spec["lifecycle"])
		if lifecycle == nil {
			continue
		}
		for _, hook := range hooks {
			if exec := tree.Map(tree.Map(lifecycle[hook])["exec"]); exec != nil {
				add(i, exec["command"], "lifecycle", hook, "exec", "command")
			}
		}
	}
	return all
}

// ProblemOf returns a problem with the word of a command at an index.
func (p *Pods) ProblemOf(cmd *Command, at int, detail string) rule.Problem {
	path := append(slices.Clip(cmd.Path), at)
	return rule.Problem{Path: p.In(&p.Containers[cmd.Container], path...), Value: cmd.Words[at], Detail: detail}
}

// IsOneWord reports whether a shell and its arguments are one word, which names no program.
func (cmd *Command) IsOneWord() bool {
	program, _, _ := cmd.Program()
	name, rest, several := strings.Cut(program, " ")
	return several && strings.TrimSpace(rest) != "" && !cmd.IsArgs() &&
		(isUnixShell(name) || IsPowerShell(name) || IsCmd(name))
}

func isUnixShell(program string) bool {
	switch program {
	case "sh", "sh.exe", "bash", "bash.exe", "/bin/sh", "/bin/bash", "/usr/bin/sh", "/usr/bin/bash":
		return true
	}
	return false
}

// IsPowerShell reports whether a program is Windows PowerShell or PowerShell 7.
func IsPowerShell(program string) bool {
	name := baseName(program)
	return name == "powershell" || name == "pwsh"
}

// IsCmd reports whether a program is the shell of Windows.
func IsCmd(program string) bool { return baseName(program) == "cmd" }

// baseName returns the name of a program as Windows compares it: without its directory and extension, in lower case.
func baseName(program string) string {
	name := strings.ToLower(program[strings.LastIndexAny(program, `/\`)+1:])
	return strings.TrimSuffix(name, ".exe")
}

// HasDrive reports whether a path begins with a drive letter.
func HasDrive(path string) bool {
	return len(path) > 2 && path[1] == ':' && (path[2] == '\\' || path[2] == '/') &&
		('a' <= path[0] && path[0] <= 'z' || 'A' <= path[0] && path[0] <= 'Z')
}
