package subject

import (
	"slices"
	"strings"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/internal/core/pods"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// Missing is a kind of programs that Windows containers may not have.
type Missing int

const (
	// UnixShell is sh or bash.
	UnixShell Missing = iota
	// WindowsPowerShell is powershell, in an image on Nano Server.
	WindowsPowerShell
	// PowerShell7 is pwsh.
	PowerShell7
	// CommandOfCmd is a command of cmd, which is not a program.
	CommandOfCmd
	// LinuxProgram is a program that Linux images have.
	LinuxProgram
	// LinuxPath is a path where Linux has its programs, or a script of a Unix shell.
	LinuxPath
)

// MissingProgram is a program that a Windows container starts, and may not have.
type MissingProgram struct {
	Missing
	Command *Command
	// At is the index of the word of the program.
	At int
	// Surely means that the image is known not to have it.
	Surely bool
}

// MissingPrograms returns the programs that the containers of Windows pods start, and may not have.
func (p *Pods) MissingPrograms() []MissingProgram { return p.missing.get(p.readMissingPrograms) }

func (p *Pods) readMissingPrograms() []MissingProgram {
	var all []MissingProgram
	commands := p.Commands()
	for i := range commands {
		cmd := &commands[i]
		if program, at, ok := cmd.Program(); ok && !cmd.IsOneWord() {
			if missing, found := p.missingProgram(cmd, program, at); found {
				all = append(all, missing)
			}
		}
	}
	return all
}

func (p *Pods) missingProgram(cmd *Command, program string, at int) (MissingProgram, bool) {
	ctr := &p.Containers[cmd.Container]
	// Arguments alone do not always name the program: the image may have an entry point.
	sure := p.Target.Images[cmd.Container].OS == platform.WindowsOS && !p.HostProcess() && !cmd.IsArgs() &&
		isMicrosoft(ctr) && !bringsPrograms(ctr)
	if inner, index, found := cmd.behindCmd(program, at); found {
		program, at = inner, index
	}
	is := func(kind Missing, sure bool) (MissingProgram, bool) { return MissingProgram{kind, cmd, at, sure}, true }
	switch {
	case IsPowerShell(program):
		if kind, sure, found := p.missingPowerShell(ctr, program, sure); found {
			return is(kind, sure)
		}
	case p.hasUnixPrograms(cmd.Container):
	case isUnixShell(program):
		return is(UnixShell, sure)
	case slices.Contains(commandsOfCmd[:], strings.ToLower(program)):
		return is(CommandOfCmd, sure)
	case isLinuxProgram(program):
		return is(LinuxProgram, sure)
	case !cmd.IsArgs() && !bringsPrograms(ctr) && hasPathOfLinux(program):
		return is(LinuxPath, false) // the image may have such a directory
	}
	return MissingProgram{}, false
}

// missingPowerShell finds a PowerShell that the image does not have. Host-process containers use the one of their node.
func (p *Pods) missingPowerShell(ctr *pods.Container, program string, sure bool) (kind Missing, surely, found bool) {
	ref, _ := tree.Text(ctr.Spec["image"])
	onNano := strings.Contains(strings.ToLower(ref), "nanoserver")
	switch {
	case baseName(program) == "pwsh":
		return PowerShell7, true, sure && lacksPowerShell7(ref, onNano)
	case sure:
		return WindowsPowerShell, true, onNano
	default:
		return WindowsPowerShell, false,
			onNano && !p.HostProcess() && !p.HostProcessUnknown() && !bringsPrograms(ctr)
	}
}

// behindCmd returns the PowerShell that cmd /c starts first, and the index of its word. It ignores scripts with several
// commands: one may be a fallback for another.
func (cmd *Command) behindCmd(program string, at int) (inner string, index int, found bool) {
	if !IsCmd(program) {
		return "", 0, false
	}
	run := false
	for i := at + 1; i < len(cmd.Words); i++ {
		word, known := tree.Text(cmd.Words[i])
		if !known || strings.ContainsAny(word, "&|") {
			return "", 0, false
		}
		if inner == "" && strings.HasPrefix(word, "/") {
			run = run || strings.EqualFold(word, "/c")
		} else if fields := strings.Fields(word); inner == "" && run && len(fields) > 0 {
			inner, index = strings.Trim(fields[0], `"`), i
		}
	}
	return inner, index, IsPowerShell(inner)
}

// lacksPowerShell7 recognizes the base images of Windows and the runtimes of .NET.
func lacksPowerShell7(ref string, onNano bool) bool {
	_, repository, _ := strings.Cut("/"+ref, "/mcr.microsoft.com/")
	return strings.HasPrefix(repository, "windows") ||
		onNano && (strings.HasPrefix(repository, "dotnet/runtime:") || strings.HasPrefix(repository, "dotnet/aspnet:"))
}

// linuxPrograms are programs that Linux images have and Windows does not, although cmd may have a command with the same
// name. Programs that Windows has too, such as curl, tar, find, sort, hostname, whoami and nslookup, are not in the
// list.
var linuxPrograms = [...]string{
	"awk", "cat", "chmod", "chown", "cp", "false", "grep", "head", "kill", "ls", "mv", "nc", "pgrep", "pidof", "ps",
	"rm", "sed", "sleep", "stat", "tail", "touch", "true", "wget",
}

// linuxDirs are the directories of programs on Linux.
var linuxDirs = [...]string{"/bin/", "/sbin/", "/usr/bin/", "/usr/sbin/", "/usr/local/bin/"}

func isLinuxProgram(program string) bool {
	for _, dir := range linuxDirs {
		if name, found := strings.CutPrefix(program, dir); found {
			program = name
		}
	}
	return slices.Contains(linuxPrograms[:], program)
}

// hasPathOfLinux reports whether a program is a script of a Unix shell, or is in a directory where Linux has its
// programs and homes. A program with a Windows extension is a Windows program in any directory.
func hasPathOfLinux(program string) bool {
	if strings.HasSuffix(program, ".sh") {
		return true
	}
	if strings.Contains(program[strings.LastIndexByte(program, '/')+1:], ".") {
		return false
	}
	under := func(dir string) bool { return strings.HasPrefix(program, dir) }
	return slices.ContainsFunc(linuxDirs[:], under) || under("/home/")
}

// commandsOfCmd are commands of cmd that are not programs.
var commandsOfCmd = [...]string{
	"copy", "date", "del", "dir", "echo", "exit", "if", "md", "mkdir", "move", "rd", "ren", "rmdir", "set", "start",
	"type",
}

// isMicrosoft reports whether the image comes from a Windows repository of Microsoft's registry, or of a mirror that
// preserves its name.
func isMicrosoft(ctr *pods.Container) bool {
	ref, _ := tree.Text(ctr.Spec["image"])
	_, repository, ok := strings.Cut("/"+ref, "/mcr.microsoft.com/")
	return ok && (strings.HasPrefix(repository, "windows/") || strings.HasPrefix(repository, "windows:") ||
		repository == "windows" ||
		strings.HasPrefix(repository, "windows@") || strings.HasPrefix(repository, "dotnet/") ||
		strings.HasPrefix(repository, "powershell:"))
}

// hasUnixPrograms reports whether the image is the busybox of Kubernetes' own tests, which they also publish for
// Windows, or a mirror that preserves its name (test/images/busybox of Kubernetes).
func (p *Pods) hasUnixPrograms(container int) bool {
	full := p.ImageName(container).Reference
	return strings.Contains(full, "/e2e-test-images/busybox:") || strings.Contains(full, "/e2e-test-images/busybox@")
}

// bringsPrograms reports whether a container may find programs that are not in its image: on a volume that is mounted
// where programs are, or through its own PATH.
func bringsPrograms(ctr *pods.Container) bool {
	for _, v := range tree.List(ctr.Spec["env"]) {
		if name, ok := tree.Text(tree.Map(v)["name"]); !ok || strings.EqualFold(name, "PATH") {
			return true
		}
	}
	for _, v := range tree.List(ctr.Spec["volumeMounts"]) {
		if at, ok := tree.Text(tree.Map(v)["mountPath"]); !ok || strings.Contains(strings.ToLower(at), "bin") {
			return true
		}
	}
	return tree.IsUnknown(ctr.Spec["env"]) || tree.IsUnknown(ctr.Spec["volumeMounts"])
}
