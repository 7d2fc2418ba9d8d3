package preflight

import (
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/pods"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// The rest of MK501 and MK528: package fields has both in their entirety, and this file goes when it is merged.

// volumes checks the volumes of Windows pods.
func (c *check) volumes(p *judged) {
	for i, v := range tree.List(p.Spec["volumes"]) {
		medium := tree.Map(tree.Map(v)["emptyDir"])["medium"]
		if text, _ := tree.Text(medium); strings.HasPrefix(text, string(corev1.StorageMediumHugePages)) {
			c.report(hugePagesOnWindows, rule.Problem{
				Path: p.Path("volumes", i, "emptyDir", "medium"), Value: medium,
				Detail: "Windows has no huge pages for containers", Fix: "remove it",
			})
		}
	}
}

var windowsOptionsIgnored = rule.Rule{
	ID: "MK528", Severity: rule.Warning, Title: "a Windows user in a Linux pod",
	Reason: "The kubelet on Linux ignores windowsOptions: the containers run as the user of their image, without " +
		"the identity of the Group Managed Service Account. With os.name linux the API server refuses them.",
	Source: "pkg/kubelet/kuberuntime/kuberuntime_container_windows.go of Kubernetes 1.36.3, the only one that " +
		"reads them; https://kubernetes.io/docs/tasks/configure-pod-container/configure-runasusername/",
}

// onLinux checks for Windows-only options of Linux pods.
func (c *check) onLinux(p *judged) {
	if p.target.OS() != platform.LinuxOS {
		return
	}
	c.ignoredOptions(p, nil, p.Windows)
	for i := range p.Containers {
		c.ignoredOptions(p, &p.Containers[i], p.Containers[i].Windows)
	}
}

// identities are the options that set the identity of a Windows container.
var identities = [...]string{"runAsUserName", "gmsaCredentialSpecName", "gmsaCredentialSpec"}

// ignoredOptions checks the options of a container, or of the pod if ctr is nil. The API server refuses them by
// os.name, and host process has a rule of its own.
func (c *check) ignoredOptions(p *judged, ctr *pods.Container, options map[string]any) {
	if pods.IsSet(p.Spec, "os") || p.HostProcess() {
		return
	}
	for _, option := range identities {
		if pods.IsSet(options, option) {
			c.report(windowsOptionsIgnored, rule.Problem{
				Path: p.windowsOption(ctr, option), Value: options[option],
				Detail: "has no effect on Linux, and these are Linux pods",
				Fix:    "set securityContext.runAsUser, or run the pods on Windows nodes",
			})
			return
		}
	}
}
