package images

import (
	"slices"
	"strings"

	"github.com/mixedkube/mixedkube/core/preflight/internal/subject"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/pods"
	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
	"github.com/mixedkube/mixedkube/internal/core/rule/rulepages"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

var lifecycleRules = []engine.Rule{powerShellProbeTooShort, scriptWithoutPreStop, initContainerNeedsNames}

var powerShellProbeTooShort = engine.Rule{
	Rule: rule.Rule{
		ID: "MK533", Severity: rule.Warning, Title: "a PowerShell probe with a short timeout", Page: rulepages.Commands,
		Reason: "Each run of the probe starts a new PowerShell, which takes seconds on a busy node, and longer while " +
			"many containers start. A probe that takes longer than timeoutSeconds, 1 by default, counts as failed: a " +
			"liveness or startup probe then restarts a healthy container. workload.PowerShellProbe sets a timeout of " +
			"30 seconds. HTTP and TCP probes start nothing in the container.",
		Fix: "allow 30, or use an HTTP or TCP probe",
		Source: "https://github.com/Azure/prometheus-collector/pull/727, " +
			"https://github.com/kubernetes/kubernetes/issues/117086; " +
			"https://kubernetes.io/docs/tasks/configure-pod-container/configure-liveness-readiness-startup-probes/" +
			"#configure-probes",
	},
	Checks: []engine.Check{engine.On(subject.WindowsPodsWithCommands, func(p *subject.Pods) []rule.Problem {
		var found []rule.Problem
		for _, cmd := range p.Commands() {
			if program, _, ok := cmd.Program(); ok && cmd.IsProbe() && subject.IsPowerShell(program) {
				probe, _ := cmd.Path[0].(string)
				found = append(found, probeTime(p, &p.Containers[cmd.Container], probe)...)
			}
		}
		return found
	})},
}

// shortestProbe is the recommended minimum timeout of a probe with PowerShell, in seconds.
const shortestProbe = 5

func probeTime(p *subject.Pods, ctr *pods.Container, probe string) []rule.Problem {
	v := tree.Map(ctr.Spec[probe])["timeoutSeconds"]
	seconds, known := tree.Int(v)
	if v == nil {
		seconds, known = 1, true // the default of the API server
	}
	if !known || seconds >= shortestProbe {
		return nil
	}
	detail := "PowerShell may take longer to start"
	if v == nil {
		detail = "is 1 by default, and PowerShell may take longer to start"
	}
	return []rule.Problem{{Path: p.In(ctr, probe, "timeoutSeconds"), Value: v, Detail: detail}}
}

var scriptWithoutPreStop = engine.Rule{
	Rule: rule.Rule{
		ID: "MK534", Severity: rule.Info, Title: "a Windows container that starts a script", Page: rulepages.Commands,
		Reason: "If cmd or PowerShell runs a script file or starts a program, it does not forward the shutdown event " +
			"of the container (CTRL_SHUTDOWN_EVENT) to that program: the program is killed without notice, whatever " +
			"the grace period. A preStop hook can stop it gracefully. The rule checks containers without such a hook " +
			"in workloads that run until they are deleted, such as Deployments.",
		Fix:    "start the program itself, or add a preStop hook that ends it",
		Source: "https://github.com/kubernetes/kubernetes/issues/124664",
	},
	Checks: []engine.Check{engine.On(subject.WindowsPodsWithCommands, func(p *subject.Pods) []rule.Problem {
		if !p.RunsForGood() {
			return nil
		}
		var found []rule.Problem
		for _, cmd := range mainCommands(p, "containers") {
			program, at, ok := cmd.Program()
			if ok && (subject.IsPowerShell(program) || subject.IsCmd(program)) && startsAnother(cmd.Words[at+1:]) &&
				!mayHavePreStop(&p.Containers[cmd.Container]) {
				found = append(found, p.ProblemOf(cmd, at,
					"does not notify the program that it starts when the container ends"))
			}
		}
		return found
	})},
}

// mainCommands returns what the containers of a list start, without probes and hooks, except for host-process
// containers.
func mainCommands(p *subject.Pods, list string) []*subject.Command {
	if p.HostProcess() || p.HostProcessUnknown() {
		return nil
	}
	var found []*subject.Command
	commands := p.Commands()
	for i := range commands {
		cmd := &commands[i]
		if !cmd.IsProbe() && !cmd.IsHook() && p.Containers[cmd.Container].List == list {
			found = append(found, cmd)
		}
	}
	return found
}

// startsAnother reports whether the arguments of a shell name a script file or a program. If the script is in the
// arguments themselves, the shell may run nothing else.
func startsAnother(arguments []any) bool {
	return slices.ContainsFunc(arguments, func(v any) bool {
		text, _ := tree.Text(v)
		text = strings.ToLower(text)
		return slices.ContainsFunc([]string{".bat", ".cmd", ".ps1", ".exe"}, func(extension string) bool {
			return strings.Contains(text, extension)
		})
	})
}

func mayHavePreStop(ctr *pods.Container) bool {
	return tree.IsUnknown(ctr.Spec["lifecycle"]) || pods.IsSet(tree.Map(ctr.Spec["lifecycle"]), "preStop")
}

var initContainerNeedsNames = engine.Rule{
	Rule: rule.Rule{
		ID: "MK535", Severity: rule.Info, Title: "a Windows init container that looks up a name only once",
		Page: rulepages.Networks,
		Reason: "In its first seconds a Windows container may not get answers from DNS, because its network is still " +
			"being set up: with containerd and current network plugins this takes a moment, in older clusters it " +
			"took until the pod was ready. An init container that looks up a name only once may fail for that reason " +
			"alone.",
		Fix: "try again in a loop",
		Source: "https://github.com/Azure/AKS/issues/2213, https://github.com/Azure/AKS/issues/2161, " +
			"https://github.com/microsoft/Windows-Containers/issues/132",
	},
	Checks: []engine.Check{engine.On(subject.WindowsPodsWithCommands, func(p *subject.Pods) []rule.Problem {
		var found []rule.Problem
		for _, cmd := range mainCommands(p, "initContainers") {
			if looksUpOnce(cmd.Words) {
				found = append(found, rule.Problem{
					Path:   p.In(&p.Containers[cmd.Container], cmd.Path...),
					Detail: "looks up a name, and DNS may not answer in the first seconds",
				})
			}
		}
		return found
	})},
}

// lookups are programs and cmdlets that resolve a name.
var lookups = [...]string{
	"nslookup", "resolve-dnsname", "test-netconnection", "test-connection", "invoke-webrequest", "invoke-restmethod",
	"curl",
}

// loops are words of scripts that retry or wait.
var loops = [...]string{"while", "until", "for ", "foreach", "do {", "do{", "retry", "start-sleep", "goto", "timeout "}

func looksUpOnce(words []any) bool {
	var script strings.Builder
	for _, word := range words {
		text, known := tree.Text(word)
		if !known {
			return false
		}
		script.WriteString(strings.ToLower(text) + " ")
	}
	in := func(word string) bool { return strings.Contains(script.String(), word) }
	return slices.ContainsFunc(lookups[:], in) && !slices.ContainsFunc(loops[:], in)
}
