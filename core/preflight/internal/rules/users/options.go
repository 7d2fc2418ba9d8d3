package users

import (
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/preflight/internal/subject"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/pods"
	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
	"github.com/mixedkube/mixedkube/internal/core/rule/rulepages"
)

var optionRules = []engine.Rule{windowsOptionsIgnored}

// podsWithOptions have windowsOptions, for any operating system.
var podsWithOptions = &engine.Scope[*subject.Pods]{
	Name: "windowsOptions of pods",
	Has: func(p *subject.Pods) bool {
		for range p.AllWindowsOptions {
			return true
		}
		return false
	},
}

var windowsPodsWithOptions = &engine.Scope[*subject.Pods]{
	Within: podsWithOptions, Name: "windowsOptions of Windows pods", Has: subject.WindowsPods.Has,
}

// podsWithCredentials set one of the fields for Group Managed Service Accounts.
var podsWithCredentials = &engine.Scope[*subject.Pods]{
	Within: podsWithOptions, Name: "windowsOptions of pods",
	Has: func(p *subject.Pods) bool {
		for _, options := range p.AllWindowsOptions {
			if hasAccount(options) {
				return true
			}
		}
		return false
	},
}

func hasAccount(options map[string]any) bool {
	return pods.IsSet(options, "gmsaCredentialSpecName") || pods.IsSet(options, "gmsaCredentialSpec")
}

var windowsOptionsIgnored = engine.Rule{
	Rule: rule.Rule{
		ID: "MK528", Severity: rule.Warning, Title: "a Windows user in a Linux pod", Page: rulepages.Users,
		Reason: "The kubelet on Linux ignores windowsOptions: the containers run as the user of their image, without " +
			"the identity of the Group Managed Service Account. With os.name linux the API server refuses them.",
		Fix: "set securityContext.runAsUser, or run the pods on Windows nodes",
		Source: "pkg/kubelet/kuberuntime/kuberuntime_container_windows.go of Kubernetes 1.36.3, the only one that " +
			"reads them; https://kubernetes.io/docs/tasks/configure-pod-container/configure-runasusername/",
	},
	Checks: []engine.Check{engine.On(linuxPodsWithOptions, func(p *subject.Pods) []rule.Problem {
		var found []rule.Problem
		for ctr, options := range p.AllWindowsOptions {
			if option := identityIn(options); option != "" {
				found = append(found, rule.Problem{
					Path: p.OptionPath(ctr, option), Value: options[option],
					Detail: "has no effect on Linux, and these are Linux pods",
				})
			}
		}
		return found
	})},
}

// linuxPodsWithOptions are without os, because the API server refuses the options by os.name. Host process has a rule
// of its own.
var linuxPodsWithOptions = &engine.Scope[*subject.Pods]{
	Within: podsWithOptions, Name: "windowsOptions of Linux pods",
	Has: func(p *subject.Pods) bool {
		return p.OS() == platform.LinuxOS && !pods.IsSet(p.Spec, "os") && !p.HostProcess()
	},
}

// identityIn returns the first option that sets the identity of a Windows container, "" if none does.
func identityIn(options map[string]any) string {
	for _, option := range [...]string{"runAsUserName", "gmsaCredentialSpecName", "gmsaCredentialSpec"} {
		if pods.IsSet(options, option) {
			return option
		}
	}
	return ""
}
