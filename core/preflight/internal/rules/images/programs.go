package images

import (
	"strings"

	"github.com/mixedkube/mixedkube/core/preflight/internal/sources"
	"github.com/mixedkube/mixedkube/core/preflight/internal/subject"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/core/value"
	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
	"github.com/mixedkube/mixedkube/internal/core/rule/rulepages"
)

var programRules = []engine.Rule{
	shellNotInImage, shellOnWindows, powerShellNotInImage, powerShellOnNanoServer, programNotInImage,
	programNotOnWindows, commandLineInOneWord,
}

var commandLineInOneWord = engine.Rule{
	Rule: rule.Rule{
		ID: "MK236", Severity: rule.Error, Title: "a command line written as one word", Page: rulepages.Commands,
		Reason: "The first word of a command is the program, and no shell splits it: there is no program whose name " +
			"contains the arguments. A container does not start, and a probe or hook never succeeds. Arguments alone " +
			"(args) are not checked, because the image's entry point may split them.",
		Source: "https://github.com/Azure/AKS/issues/1836; " +
			"https://kubernetes.io/docs/tasks/configure-pod-container/configure-liveness-readiness-startup-probes/",
	},
	Checks: []engine.Check{engine.On(subject.PodsWithCommands, func(p *subject.Pods) []rule.Problem {
		var found []rule.Problem
		commands := p.Commands()
		for i := range commands {
			cmd := &commands[i]
			if !cmd.IsOneWord() {
				continue
			}
			program, at, _ := cmd.Program()
			line := p.ProblemOf(cmd, at, "is interpreted as the name of one program")
			line.Fix = "write each word of the command as an item of its own"
			if _, secret := cmd.Words[at].(value.Secret); !secret {
				line.Fix += ": " + strings.Join(strings.Fields(program)[:2], ", ") + ", …"
			}
			found = append(found, line)
		}
		return found
	})},
}

// missing returns a check of the programs that Windows containers may not have. The detail is "" for one that is not
// reported.
func missing(describe func(m *subject.MissingProgram) (detail, fix string)) []engine.Check {
	return []engine.Check{engine.On(subject.WindowsPodsWithCommands, func(p *subject.Pods) []rule.Problem {
		var found []rule.Problem
		all := p.MissingPrograms()
		for i := range all {
			m := &all[i]
			if detail, fix := describe(m); detail != "" {
				program := p.ProblemOf(m.Command, m.At, detail)
				program.Fix = fix
				found = append(found, program)
			}
		}
		return found
	})}
}

var shellNotInImage = engine.Rule{
	Rule: rule.Rule{
		ID: "MK205", Severity: rule.Error, Title: "a Unix shell in a Microsoft image", Page: rulepages.Commands,
		Reason: "Microsoft's Windows images contain neither sh nor bash. A container whose command is one of them " +
			"does not start; a probe or hook never succeeds.",
		Fix:    "use powershell or cmd",
		Source: sources.NoShell,
	},
	Checks: missing(func(m *subject.MissingProgram) (detail, fix string) {
		if m.Missing == subject.UnixShell && m.Surely {
			detail = "Microsoft's Windows images have no such shell"
		}
		return detail, ""
	}),
}

var shellOnWindows = engine.Rule{
	Rule: rule.Rule{
		ID: "MK206", Severity: rule.Warning, Title: "a Unix shell in a Windows pod", Page: rulepages.Commands,
		Reason: "Windows has neither sh nor bash. Few images contain one, for example with Git for Windows.",
		Fix:    "use powershell or cmd, or make sure that the image has one",
		Source: sources.NoShell,
	},
	Checks: missing(func(m *subject.MissingProgram) (detail, fix string) {
		if m.Missing == subject.UnixShell && !m.Surely {
			detail = "this image may not have it: Windows has no such shell"
		}
		return detail, ""
	}),
}

const noPowerShellOnNano = "Nano Server has no Windows PowerShell"

var powerShellNotInImage = engine.Rule{
	Rule: rule.Rule{
		ID: "MK230", Severity: rule.Error, Title: "a PowerShell that a Microsoft image does not have",
		Page: rulepages.Commands,
		Reason: "Windows PowerShell (powershell) comes with Server Core and larger images; Nano Server has none. " +
			"PowerShell 7 (pwsh) is a separate product: it is in mcr.microsoft.com/powershell and in the images of " +
			"the .NET SDK, but not in the base images Nano Server and Server Core. A container whose command is one " +
			"of them does not start; a probe or hook never succeeds.",
		Fix:    "use cmd, or an image with PowerShell",
		Source: sources.NanoServer + "; https://github.com/PowerShell/PowerShell-Docker",
	},
	Checks: missing(func(m *subject.MissingProgram) (detail, fix string) {
		switch {
		case m.Missing == subject.PowerShell7:
			detail = "this image has no PowerShell 7"
		case m.Missing == subject.WindowsPowerShell && m.Surely:
			detail = noPowerShellOnNano
		}
		return detail, ""
	}),
}

var powerShellOnNanoServer = engine.Rule{
	Rule: rule.Rule{
		ID: "MK231", Severity: rule.Warning, Title: "Windows PowerShell in an image on Nano Server",
		Page: rulepages.Commands,
		Reason: "According to its name, the image is built on Nano Server, which has no Windows PowerShell, and " +
			"Windows PowerShell cannot be added to it; PowerShell 7, whose program is pwsh, can.",
		Fix:    "use cmd, pwsh if the image has it, or an image on Server Core",
		Source: sources.NanoServer,
	},
	Checks: missing(func(m *subject.MissingProgram) (detail, fix string) {
		if m.Missing == subject.WindowsPowerShell && !m.Surely {
			detail = noPowerShellOnNano
		}
		return detail, ""
	}),
}

// programsOfWindows lists the programs and the commands of cmd.
const programsOfWindows = "https://learn.microsoft.com/windows-server/administration/windows-commands/" +
	"windows-commands, https://github.com/Azure/AKS/issues/1836"

var programNotInImage = engine.Rule{
	Rule: rule.Rule{
		ID: "MK232", Severity: rule.Error, Title: "a program that Microsoft's images do not have",
		Page: rulepages.Commands,
		Reason: "Programs such as cat, ls and sleep are not part of Windows, and dir, type and others are commands " +
			"of cmd, not programs. A container whose command is one of them does not start; a probe or hook never " +
			"succeeds.",
		Source: programsOfWindows,
	},
	Checks: missing(func(m *subject.MissingProgram) (detail, fix string) {
		if detail, fix = missingProgram(m); detail == "" || !m.Surely {
			return "", ""
		}
		return detail + ", which Microsoft's Windows images do not have", fix
	}),
}

var programNotOnWindows = engine.Rule{
	Rule: rule.Rule{
		ID: "MK233", Severity: rule.Warning, Title: "a program that Windows does not have", Page: rulepages.Commands,
		Reason: "Like MK232, for other images: a few contain such programs, for example with Git for Windows. The " +
			"busybox of Kubernetes' own tests, e2e-test-images/busybox, has them. Programs in Linux directories, " +
			"such as /usr/bin and /home, and scripts whose name ends with .sh are also reported, whatever their name.",
		Source: programsOfWindows,
	},
	Checks: missing(func(m *subject.MissingProgram) (detail, fix string) {
		if detail, fix = missingProgram(m); detail == "" || m.Surely {
			return "", ""
		}
		return detail + ", and this image may not have it", fix
	}),
}

// missingProgram describes a program that is not a shell. The detail is "" for shells.
func missingProgram(m *subject.MissingProgram) (detail, fix string) {
	switch m.Missing {
	case subject.CommandOfCmd:
		return "is a command of cmd, not a program", "start it with cmd, /c"
	case subject.LinuxProgram:
		fix = "use cmd or PowerShell"
		if m.Command.IsProbe() {
			fix += ", or an httpGet or tcpSocket probe"
		}
		return "is a Linux program", fix
	case subject.LinuxPath:
		return "is the path of a Linux program or script", "name a program of the Windows image"
	default:
		return "", ""
	}
}
