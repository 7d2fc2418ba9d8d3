package volumes

import (
	"slices"
	"strings"

	"github.com/mixedkube/mixedkube/core/preflight/internal/subject"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
	"github.com/mixedkube/mixedkube/internal/core/rule/rulepages"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

var podLogRules = []engine.Rule{podLogsOfUser}

var podLogsOfUser = engine.Rule{
	Rule: rule.Rule{
		ID: "MK543", Severity: rule.Warning, Page: rulepages.Volumes,
		Title: "the logs of pods, for a container that runs as ContainerUser",
		Reason: "The kubelet gives the directories of the logs to administrators and takes them from BUILTIN\\Users, " +
			"from which ContainerUser has its rights: C:\\var\\log\\containers at each start, and " +
			"C:\\var\\log\\pods where it creates it. The container gets \"Access is denied\". Images with Nano " +
			"Server run as ContainerUser by default.",
		Fix: "set windowsOptions.runAsUserName to ContainerAdministrator",
		Source: "pkg/kubelet/kubelet.go, setupDataDirs and initializeModules, and " +
			"pkg/util/filesystem/util_windows.go of Kubernetes 1.36.3; " +
			"https://github.com/kubernetes/kubernetes/issues/126161 (CVE-2024-5321)",
	},
	Checks: []engine.Check{engine.On(windowsHostPaths, func(p *subject.Pods) []rule.Problem {
		if p.HostProcess() || p.HostProcessUnknown() {
			return nil
		}
		var found []rule.Problem
		for host := range hostPathsOf(p) {
			if !host.isDevice() && host.hasPodLogs() && host.isMountedByContainerUser() {
				found = append(found, rule.Problem{
					Path: host.at("path"), Value: host.source["path"],
					Detail: "is closed to ContainerUser, as which a container that mounts it runs",
				})
			}
		}
		return found
	})},
}

// podLogs are the directories that the kubelet makes private, in lower case.
var podLogs = [...]string{"/var/log/pods", "/var/log/containers"}

// hasPodLogs reports whether the path is one of the directories, or in it.
func (h *hostPath) hasPodLogs() bool {
	path := strings.TrimPrefix(strings.ToLower(strings.ReplaceAll(h.text(), `\`, "/")), "c:")
	return slices.ContainsFunc(podLogs[:], func(logs string) bool { return isBelow(path, logs) })
}

// isMountedByContainerUser reports whether a container that certainly runs as ContainerUser mounts the volume.
func (h *hostPath) isMountedByContainerUser() bool {
	if h.name == nil {
		return false
	}
	for i := range h.p.Containers {
		mounts := slices.ContainsFunc(tree.List(h.p.Containers[i].Spec["volumeMounts"]), func(m any) bool {
			return tree.Reveal(tree.Map(m)["name"]) == tree.Reveal(h.name)
		})
		if mounts && runsAsContainerUser(h.p, i) {
			return true
		}
	}
	return false
}

// runsAsContainerUser reports whether a container certainly runs as ContainerUser: by its user, or by Microsoft's image
// with Nano Server.
func runsAsContainerUser(p *subject.Pods, i int) bool {
	ctr := &p.Containers[i]
	user, known := p.UserOf(ctr)
	if user != nil || !known {
		return subject.IsContainerUser(user)
	}
	ref, _ := tree.Text(ctr.Spec["image"])
	rest, nano := strings.CutPrefix(ref, "mcr.microsoft.com/windows/nanoserver")
	return nano && (strings.HasPrefix(rest, ":") || strings.HasPrefix(rest, "@"))
}
