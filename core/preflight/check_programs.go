package preflight

import (
	"slices"
	"strings"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/pods"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

var (
	probes = [...]string{"livenessProbe", "readinessProbe", "startupProbe"}
	hooks  = [...]string{"postStart", "preStop"}
)

// command is what a container, or one of its probes or hooks, starts.
type command struct {
	// container is the index of the container in the pod.
	container int
	// path are the keys of the words, below the container.
	path  []any
	words []any
}

// isArgs reports whether the words are the arguments of a container without a command. The image's entry point, if any,
// is started then.
func (cmd *command) isArgs() bool { return cmd.path[0] == "args" }

// isProbe reports whether the command belongs to a probe.
func (cmd *command) isProbe() bool { return len(cmd.path) > 1 && cmd.path[0] != "lifecycle" }

// isHook reports whether the command belongs to a hook.
func (cmd *command) isHook() bool { return cmd.path[0] == "lifecycle" }

// program returns the word that names the program, and its index.
func (cmd *command) program() (text string, at int, ok bool) {
	text, ok = tree.Text(cmd.words[0])
	if text == "/usr/bin/env" && len(cmd.words) > 1 {
		at = 1
		text, ok = tree.Text(cmd.words[at])
	}
	return text, at, ok
}

// commands returns everything that the containers of the pods start.
func (p *judged) commands() []command {
	var all []command
	add := func(i int, v any, path ...any) {
		if words := tree.List(v); len(words) > 0 {
			all = append(all, command{i, path, words})
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

// programs reports commands that exist only on the other operating system.
func (c *check) programs(p *judged) {
	os := p.target.OS()
	for _, cmd := range p.commands() {
		program, at, ok := cmd.program()
		if !ok || c.inOneWord(p, &cmd, program, at) {
			continue
		}
		switch os {
		case platform.WindowsOS:
			c.onlyOnLinux(p, &cmd, program, at)
		case platform.LinuxOS:
			c.onlyOnWindows(p, &cmd, program, at)
		}
	}
}

// problem returns a problem with the word of a command at an index.
func (p *judged) problem(cmd *command, at int, detail, fix string) rule.Problem {
	path := append(slices.Clip(cmd.path), at)
	return rule.Problem{
		Path: p.In(&p.Containers[cmd.container], path...), Value: cmd.words[at], Detail: detail, Fix: fix,
	}
}

var commandLineInOneWord = rule.Rule{
	ID: "MK236", Severity: rule.Error, Title: "a command line written as one word",
	Reason: "The first word of a command is the program, and no shell splits it: there is no program whose name " +
		"contains the arguments. A container does not start, and a probe or hook never succeeds. Arguments alone " +
		"(args) are not checked, because the image's entry point may split them.",
	Source: "https://github.com/Azure/AKS/issues/1836; " +
		"https://kubernetes.io/docs/tasks/configure-pod-container/configure-liveness-readiness-startup-probes/",
}

// inOneWord reports a shell and its arguments in one word.
func (c *check) inOneWord(p *judged, cmd *command, program string, at int) bool {
	name, rest, several := strings.Cut(program, " ")
	if !several || strings.TrimSpace(rest) == "" || cmd.isArgs() ||
		!isShell(name) && !isPowerShell(name) && !isCmd(name) {
		return false
	}
	fix := "write each word of the command as an item of its own"
	if _, secret := cmd.words[at].(Secret); !secret {
		fix += ": " + strings.Join(strings.Fields(program)[:2], ", ") + ", …"
	}
	c.report(commandLineInOneWord, p.problem(cmd, at, "is interpreted as the name of one program", fix))
	return true
}

// onlyOnLinux reports programs that a Windows container does not have.
func (c *check) onlyOnLinux(p *judged, cmd *command, program string, at int) {
	ctr := &p.Containers[cmd.container]
	// Arguments alone do not always name the program: the image may have an entry point.
	sure := p.target.Images[cmd.container].OS == platform.WindowsOS && !p.HostProcess() && !cmd.isArgs() &&
		isMicrosoft(ctr) && !bringsPrograms(ctr)
	if inner, index, found := cmd.behindCmd(program, at); found {
		program, at = inner, index
	}
	switch {
	case isPowerShell(program):
		c.powerShell(p, cmd, program, at, sure)
	case hasUnixPrograms(ctr):
	case isShell(program):
		c.shell(p, cmd, at, sure)
	default:
		c.program(p, cmd, program, at, sure)
	}
}

var (
	shellNotInImage = rule.Rule{
		ID: "MK205", Severity: rule.Error, Title: "a Unix shell in a Microsoft image",
		Reason: "Microsoft's Windows images contain neither sh nor bash. A container whose command is one of them " +
			"does not start; a probe or hook never succeeds.",
		Source: noShell,
	}
	shellOnWindows = rule.Rule{
		ID: "MK206", Severity: rule.Warning, Title: "a Unix shell in a Windows pod",
		Reason: "Windows has neither sh nor bash. Few images contain one, for example with Git for Windows.",
		Source: noShell,
	}
)

func (c *check) shell(p *judged, cmd *command, at int, sure bool) {
	if sure {
		c.report(shellNotInImage,
			p.problem(cmd, at, "Microsoft's Windows images have no such shell", "use powershell or cmd"))
		return
	}
	c.report(shellOnWindows, p.problem(cmd, at, "this image may not have it: Windows has no such shell",
		"use powershell or cmd, or make sure that the image has one"))
}

func isShell(program string) bool {
	switch program {
	case "sh", "sh.exe", "bash", "bash.exe", "/bin/sh", "/bin/bash", "/usr/bin/sh", "/usr/bin/bash":
		return true
	}
	return false
}

var (
	powerShellNotInImage = rule.Rule{
		ID: "MK230", Severity: rule.Error, Title: "a PowerShell that a Microsoft image does not have",
		Reason: "Windows PowerShell (powershell) comes with Server Core and larger images; Nano Server has none. " +
			"PowerShell 7 (pwsh) is a separate product: it is in mcr.microsoft.com/powershell and in the images of " +
			"the .NET SDK, but not in the base images Nano Server and Server Core. A container whose command is one " +
			"of them does not start; a probe or hook never succeeds.",
		Source: nanoServer + "; https://github.com/PowerShell/PowerShell-Docker",
	}
	powerShellOnNanoServer = rule.Rule{
		ID: "MK231", Severity: rule.Warning, Title: "Windows PowerShell in an image on Nano Server",
		Reason: "According to its name, the image is built on Nano Server, which has no Windows PowerShell, and " +
			"Windows PowerShell cannot be added to it; PowerShell 7, whose program is pwsh, can.",
		Source: nanoServer,
	}
)

// powerShell reports a PowerShell that the image does not have. Host-process containers use the one of their node.
func (c *check) powerShell(p *judged, cmd *command, program string, at int, sure bool) {
	ctr := &p.Containers[cmd.container]
	ref, _ := tree.Text(ctr.Spec["image"])
	onNano := strings.Contains(strings.ToLower(ref), "nanoserver")
	seven := baseName(program) == "pwsh"
	const use = "use cmd, or an image with PowerShell"
	switch {
	case seven && sure && lacksPowerShell7(ref, onNano):
		c.report(powerShellNotInImage, p.problem(cmd, at, "this image has no PowerShell 7", use))
	case !seven && onNano && sure:
		c.report(powerShellNotInImage, p.problem(cmd, at, "Nano Server has no Windows PowerShell", use))
	case !seven && onNano && !p.HostProcess() && !p.HostProcessUnknown() && !bringsPrograms(ctr):
		c.report(powerShellOnNanoServer, p.problem(cmd, at, "Nano Server has no Windows PowerShell",
			"use cmd, pwsh if the image has it, or an image on Server Core"))
	}
}

func isPowerShell(program string) bool {
	name := baseName(program)
	return name == "powershell" || name == "pwsh"
}

// behindCmd returns the PowerShell that cmd /c starts first, and the index of its word. It ignores scripts with several
// commands: one may be a fallback for another.
func (cmd *command) behindCmd(program string, at int) (inner string, index int, found bool) {
	if !isCmd(program) {
		return "", 0, false
	}
	run := false
	for i := at + 1; i < len(cmd.words); i++ {
		word, known := tree.Text(cmd.words[i])
		if !known || strings.ContainsAny(word, "&|") {
			return "", 0, false
		}
		if inner == "" && strings.HasPrefix(word, "/") {
			run = run || strings.EqualFold(word, "/c")
		} else if fields := strings.Fields(word); inner == "" && run && len(fields) > 0 {
			inner, index = strings.Trim(fields[0], `"`), i
		}
	}
	return inner, index, isPowerShell(inner)
}

func isCmd(program string) bool { return baseName(program) == "cmd" }

// baseName returns the name of a program as Windows compares it: without its directory and extension, in lower case.
func baseName(program string) string {
	name := strings.ToLower(program[strings.LastIndexAny(program, `/\`)+1:])
	return strings.TrimSuffix(name, ".exe")
}

// lacksPowerShell7 recognizes the base images of Windows and the runtimes of .NET.
func lacksPowerShell7(ref string, onNano bool) bool {
	_, repository, _ := strings.Cut("/"+ref, "/mcr.microsoft.com/")
	return strings.HasPrefix(repository, "windows") ||
		onNano && (strings.HasPrefix(repository, "dotnet/runtime:") || strings.HasPrefix(repository, "dotnet/aspnet:"))
}

var (
	programNotInImage = rule.Rule{
		ID: "MK232", Severity: rule.Error, Title: "a program that Microsoft's images do not have",
		Reason: "Programs such as cat, ls and sleep are not part of Windows, and dir, type and others are commands " +
			"of cmd, not programs. A container whose command is one of them does not start; a probe or hook never " +
			"succeeds.",
		Source: programsOfWindows,
	}
	programNotOnWindows = rule.Rule{
		ID: "MK233", Severity: rule.Warning, Title: "a program that Windows does not have",
		Reason: "Like MK232, for other images: a few contain such programs, for example with Git for Windows. The " +
			"busybox of Kubernetes' own tests, e2e-test-images/busybox, has them. Programs in Linux directories, " +
			"such as " +
			"/usr/bin and /home, and scripts whose name ends with .sh are also reported, whatever their name.",
		Source: programsOfWindows,
	}
)

// programsOfWindows lists the programs and the commands of cmd.
const programsOfWindows = "https://learn.microsoft.com/windows-server/administration/windows-commands/" +
	"windows-commands, https://github.com/Azure/AKS/issues/1836"

// program reports Linux programs and commands of cmd.
func (c *check) program(p *judged, cmd *command, program string, at int, sure bool) {
	var detail, fix string
	switch {
	case slices.Contains(commandsOfCmd[:], strings.ToLower(program)):
		detail, fix = "is a command of cmd, not a program", "start it with cmd, /c"
	case isLinuxProgram(program):
		detail, fix = "is a Linux program", "use cmd or PowerShell"
		if cmd.isProbe() {
			fix += ", or an httpGet or tcpSocket probe"
		}
	case !cmd.isArgs() && !bringsPrograms(&p.Containers[cmd.container]) && hasPathOfLinux(program):
		detail, fix = "is the path of a Linux program or script", "name a program of the Windows image"
		sure = false // the image may have such a directory
	default:
		return
	}
	if sure {
		c.report(programNotInImage, p.problem(cmd, at, detail+", which Microsoft's Windows images do not have", fix))
		return
	}
	c.report(programNotOnWindows, p.problem(cmd, at, detail+", and this image may not have it", fix))
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

var (
	driveOnLinux = rule.Rule{
		ID: "MK234", Severity: rule.Error, Title: "a program on a drive in a Linux pod",
		Reason: "Linux has no drives, so there is no program with this name. A container with this command does not " +
			"start; a probe or hook never succeeds.",
		Source: "https://kubernetes.io/docs/concepts/windows/intro/#compatibility-v1-pod-spec-containers",
	}
	windowsShellOnLinux = rule.Rule{
		ID: "MK235", Severity: rule.Warning, Title: "a Windows shell in a Linux pod",
		Reason: "Linux images have neither cmd nor Windows PowerShell; the program of PowerShell for Linux is pwsh.",
		Source: "https://learn.microsoft.com/powershell/scripting/whats-new/differences-from-windows-powershell",
	}
)

// onlyOnWindows reports programs that a Linux container does not have.
func (c *check) onlyOnWindows(p *judged, cmd *command, program string, at int) {
	if hasDrive(program) {
		found := p.problem(cmd, at, "is a Windows path, and these are Linux pods",
			"name a program of the image, or run the pods on Windows nodes")
		if !cmd.isArgs() {
			c.report(driveOnLinux, found)
		}
		return
	}
	name := strings.ToLower(program)
	next := ""
	if at+1 < len(cmd.words) {
		next, _ = tree.Text(cmd.words[at+1])
	}
	// A Linux program may also be named cmd; an option distinguishes them.
	ofCmd := name == "cmd.exe" || name == "cmd" && slices.Contains([]string{"/c", "/k", "/s"}, strings.ToLower(next))
	if !ofCmd && name != "powershell" && name != "powershell.exe" && name != "pwsh.exe" {
		return
	}
	c.report(windowsShellOnLinux, p.problem(cmd, at, "is a Windows shell, and these are Linux pods",
		"use sh, or pwsh in an image with PowerShell, or run the pods on Windows nodes"))
}

// hasDrive reports whether a path begins with a drive letter.
func hasDrive(path string) bool {
	return len(path) > 2 && path[1] == ':' && (path[2] == '\\' || path[2] == '/') &&
		('a' <= path[0] && path[0] <= 'z' || 'A' <= path[0] && path[0] <= 'Z')
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
func hasUnixPrograms(ctr *pods.Container) bool {
	ref, _ := tree.Text(ctr.Spec["image"])
	full, _ := platform.NormalizeReference(ref)
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
