package preflight

import (
	"slices"
	"strings"

	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/pods"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

var (
	powerShellProbeTooShort = rule.Rule{
		ID: "MK533", Severity: rule.Warning, Title: "a PowerShell probe with a short timeout",
		Reason: "Each run of the probe starts a new PowerShell, which takes seconds on a busy node, and longer while " +
			"many containers start. A probe that takes longer than timeoutSeconds, 1 by default, counts as failed: a " +
			"liveness or startup probe then restarts a healthy container. workload.PowerShellProbe sets a timeout of " +
			"30 seconds. HTTP and TCP probes start nothing in the container.",
		Source: "https://github.com/Azure/prometheus-collector/pull/727, " +
			"https://github.com/kubernetes/kubernetes/issues/117086; " +
			"https://kubernetes.io/docs/tasks/configure-pod-container/configure-liveness-readiness-startup-probes/" +
			"#configure-probes",
	}
	scriptWithoutPreStop = rule.Rule{
		ID: "MK534", Severity: rule.Info, Title: "a Windows container that starts a script",
		Reason: "If cmd or PowerShell runs a script file or starts a program, it does not forward the shutdown event " +
			"of the container (CTRL_SHUTDOWN_EVENT) to that program: the program is killed without notice, whatever " +
			"the grace period. A preStop hook can stop it gracefully. The rule checks containers without such a hook " +
			"in workloads that run until they are deleted, such as Deployments.",
		Source: "https://github.com/kubernetes/kubernetes/issues/124664",
	}
	initContainerNeedsNames = rule.Rule{
		ID: "MK535", Severity: rule.Info, Title: "a Windows init container that looks up a name only once",
		Reason: "In its first seconds a Windows container may not get answers from DNS, because its network is still " +
			"being set up: with containerd and current network plugins this takes a moment, in older clusters it " +
			"took until the pod was ready. An init container that looks up a name only once may fail for that reason " +
			"alone.",
		Source: "https://github.com/Azure/AKS/issues/2213, https://github.com/Azure/AKS/issues/2161, " +
			"https://github.com/microsoft/Windows-Containers/issues/132",
	}
)

// shortestProbe is the recommended minimum timeout of a probe with PowerShell, in seconds.
const shortestProbe = 5

// lifecycle checks the probes and hooks of Windows containers.
func (c *check) lifecycle(p *judged) {
	for _, cmd := range p.commands() {
		ctr := &p.Containers[cmd.container]
		program, at, ok := cmd.program()
		if !ok {
			continue
		}
		switch {
		case cmd.isProbe():
			if probe, _ := cmd.path[0].(string); isPowerShell(program) {
				c.probeTime(p, ctr, probe)
			}
		case cmd.isHook() || p.HostProcess() || p.HostProcessUnknown():
		case ctr.List == "containers":
			starts := (isPowerShell(program) || isCmd(program)) && startsAnother(cmd.words[at+1:])
			if starts && slices.Contains(runForGood, p.Kind) && !mayHavePreStop(ctr) {
				c.report(scriptWithoutPreStop, p.problem(&cmd, at,
					"does not notify the program that it starts when the container ends",
					"start the program itself, or add a preStop hook that ends it"))
			}
		case ctr.List == "initContainers" && looksUpOnce(cmd.words):
			c.report(initContainerNeedsNames, rule.Problem{
				Path: p.In(ctr, cmd.path...), Detail: "looks up a name, and DNS may not answer in the first seconds",
				Fix: "try again in a loop",
			})
		}
	}
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

func (c *check) probeTime(p *judged, ctr *pods.Container, probe string) {
	v := tree.Map(ctr.Spec[probe])["timeoutSeconds"]
	seconds, known := tree.Int(v)
	if v == nil {
		seconds, known = 1, true // the default of the API server
	}
	if !known || seconds >= shortestProbe {
		return
	}
	found := rule.Problem{
		Path: p.In(ctr, probe, "timeoutSeconds"), Value: v,
		Detail: "PowerShell may take longer to start",
		Fix:    "allow 30, or use an HTTP or TCP probe",
	}
	if v == nil {
		found.Detail = "is 1 by default, and PowerShell may take longer to start"
	}
	c.report(powerShellProbeTooShort, found)
}

func mayHavePreStop(ctr *pods.Container) bool {
	return tree.IsUnknown(ctr.Spec["lifecycle"]) || pods.IsSet(tree.Map(ctr.Spec["lifecycle"]), "preStop")
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
