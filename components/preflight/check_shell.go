package preflight

import (
	"strings"

	"github.com/mixedkube/mixedkube/components/platform"
	"github.com/mixedkube/mixedkube/components/rule"
	"github.com/mixedkube/mixedkube/internal/pods"
	"github.com/mixedkube/mixedkube/internal/tree"
)

var (
	probes = [...]string{"livenessProbe", "readinessProbe", "startupProbe"}
	hooks  = [...]string{"postStart", "preStop"}
)

// shells finds commands of Windows pods that start a Unix shell.
func (c *check) shells(p *subject) {
	if p.target.OS() != platform.WindowsOS {
		return
	}
	for i := range p.Containers {
		ctr := &p.Containers[i]
		if ctr.Spec["command"] != nil {
			c.shell(p, i, ctr.Spec["command"], "command")
		} else if ctr.Spec["args"] != nil {
			c.shell(p, i, ctr.Spec["args"], "args")
		}
		for _, probe := range probes {
			if exec := tree.Map(tree.Map(ctr.Spec[probe])["exec"]); exec != nil {
				c.shell(p, i, exec["command"], probe, "exec", "command")
			}
		}
		lifecycle := tree.Map(ctr.Spec["lifecycle"])
		if lifecycle == nil {
			continue
		}
		for _, hook := range hooks {
			if exec := tree.Map(tree.Map(lifecycle[hook])["exec"]); exec != nil {
				c.shell(p, i, exec["command"], "lifecycle", hook, "exec", "command")
			}
		}
	}
}

var (
	shellNotInImage = rule.Rule{
		ID: "MK205", Severity: rule.Error, Title: "a Unix shell in an image of Microsoft's",
		Reason: "Microsoft's Windows images hold neither sh nor bash. A container whose command is one of them does " +
			"not start; a probe or hook never succeeds.",
		Source: noShell,
	}
	shellOnWindows = rule.Rule{
		ID: "MK206", Severity: rule.Warning, Title: "a Unix shell in a Windows pod",
		Reason: "Windows has neither sh nor bash. Few images bring one along, with Git for Windows for example.",
		Source: noShell,
	}
)

func (c *check) shell(p *subject, i int, command any, path ...any) {
	words := tree.List(command)
	if len(words) == 0 {
		return
	}
	at := 0
	program, ok := tree.Text(words[at])
	if program == "/usr/bin/env" && len(words) > 1 {
		at = 1
		program, ok = tree.Text(words[at])
	}
	if !ok || !isShell(program) {
		return
	}
	ctr := &p.Containers[i]
	found := rule.Problem{
		Path: p.In(ctr, append(path, at)...), Value: words[at],
		Detail: "this image may not have it: Windows has no such shell",
		Fix:    "use powershell or cmd, or make sure that the image brings one",
	}
	// Arguments alone are not always what is started: the image's own entry point is.
	if p.target.Images[i].OS == platform.WindowsOS && !p.HostProcess() && path[0] != "args" && isMicrosoft(ctr) &&
		!bringsPrograms(ctr) {
		found.Detail, found.Fix = "Microsoft's Windows images have no such shell", "use powershell or cmd"
		c.report(shellNotInImage, found)
		return
	}
	c.report(shellOnWindows, found)
}

func isShell(program string) bool {
	switch program {
	case "sh", "sh.exe", "bash", "bash.exe", "/bin/sh", "/bin/bash", "/usr/bin/sh", "/usr/bin/bash":
		return true
	}
	return false
}

// isMicrosoft says whether the image comes from Microsoft's registry, or a mirror
// that keeps its name, and from one of its repositories for Windows.
func isMicrosoft(ctr *pods.Container) bool {
	ref, _ := tree.Text(ctr.Spec["image"])
	_, repository, ok := strings.Cut("/"+ref, "/mcr.microsoft.com/")
	return ok && (strings.HasPrefix(repository, "windows/") || strings.HasPrefix(repository, "windows:") ||
		repository == "windows" ||
		strings.HasPrefix(repository, "windows@") || strings.HasPrefix(repository, "dotnet/") ||
		strings.HasPrefix(repository, "powershell:"))
}

// bringsPrograms says whether a container may find programs that are not in its
// image: on a volume that is mounted where programs are, or on a path of its own.
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
