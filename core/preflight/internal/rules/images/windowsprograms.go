package images

import (
	"slices"
	"strings"

	"github.com/mixedkube/mixedkube/core/preflight/internal/sources"
	"github.com/mixedkube/mixedkube/core/preflight/internal/subject"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
	"github.com/mixedkube/mixedkube/internal/core/rule/rulepages"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

var windowsProgramRules = []engine.Rule{driveOnLinux, windowsShellOnLinux}

var driveOnLinux = engine.Rule{
	Rule: rule.Rule{
		ID: "MK234", Severity: rule.Error, Title: "a program on a drive in a Linux pod", Page: rulepages.Commands,
		Reason: "Linux has no drives, so there is no program with this name. A container with this command does not " +
			"start; a probe or hook never succeeds.",
		Fix:    "name a program of the image, or run the pods on Windows nodes",
		Source: sources.WindowsFields,
	},
	Checks: []engine.Check{engine.On(subject.LinuxPodsWithCommands, func(p *subject.Pods) []rule.Problem {
		return programsOfLinuxPods(p, "is a Windows path, and these are Linux pods",
			func(cmd *subject.Command, program string, _ int) bool {
				return subject.HasDrive(program) && !cmd.IsArgs()
			})
	})},
}

var windowsShellOnLinux = engine.Rule{
	Rule: rule.Rule{
		ID: "MK235", Severity: rule.Warning, Title: "a Windows shell in a Linux pod", Page: rulepages.Commands,
		Reason: "Linux images have neither cmd nor Windows PowerShell; the program of PowerShell for Linux is pwsh.",
		Fix:    "use sh, or pwsh in an image with PowerShell, or run the pods on Windows nodes",
		Source: "https://learn.microsoft.com/powershell/scripting/whats-new/differences-from-windows-powershell",
	},
	Checks: []engine.Check{engine.On(subject.LinuxPodsWithCommands, func(p *subject.Pods) []rule.Problem {
		return programsOfLinuxPods(p, "is a Windows shell, and these are Linux pods", isWindowsShell)
	})},
}

// programsOfLinuxPods returns the problems with the programs that Linux pods start and that is returns true for.
func programsOfLinuxPods(
	p *subject.Pods, detail string, is func(cmd *subject.Command, program string, at int) bool,
) []rule.Problem {
	var found []rule.Problem
	commands := p.Commands()
	for i := range commands {
		cmd := &commands[i]
		if program, at, ok := cmd.Program(); ok && !cmd.IsOneWord() && is(cmd, program, at) {
			found = append(found, p.ProblemOf(cmd, at, detail))
		}
	}
	return found
}

// isWindowsShell reports whether a program is a shell that only Windows has. A Linux program may also be named cmd; an
// option distinguishes them.
func isWindowsShell(cmd *subject.Command, program string, at int) bool {
	switch strings.ToLower(program) {
	case "cmd.exe", "powershell", "powershell.exe", "pwsh.exe":
		return true
	case "cmd":
		if at+1 == len(cmd.Words) {
			return false
		}
		next, _ := tree.Text(cmd.Words[at+1])
		return slices.Contains([]string{"/c", "/k", "/s"}, strings.ToLower(next))
	default:
		return false
	}
}
