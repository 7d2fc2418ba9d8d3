package users

import (
	"iter"
	"slices"
	"strings"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/preflight/internal/subject"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/pods"
	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
	"github.com/mixedkube/mixedkube/internal/core/rule/rulepages"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// nonRootRules compare runAsNonRoot of Windows containers with their users in the same way as the kubelet: user names
// are case-insensitive on Windows.
var nonRootRules = []engine.Rule{
	nonRootWithAdministrator, nonRootWithAdministratorImage, nonRootWithAdministratorConfigured,
}

const (
	administrator = "ContainerAdministrator"
	asContainer   = "set windowsOptions.runAsUserName to ContainerUser"
	asRoot        = "remove runAsNonRoot: ServiceMonitor, which the image starts, needs an administrator"
	verifyNonRoot = "pkg/kubelet/kuberuntime/security_context_windows.go of Kubernetes 1.36.3, verifyRunAsNonRoot"
)

var windowsPodsAsNonRoot = &engine.Scope[*subject.Pods]{
	Within: subject.WindowsPods, Name: "Windows containers with runAsNonRoot",
	Has: func(p *subject.Pods) bool {
		for i := range p.Containers {
			if p.NonRoot(i) {
				return true
			}
		}
		return false
	},
}

var nonRootWithAdministrator = engine.Rule{
	Rule: rule.Rule{
		ID: "MK407", Severity: rule.Error, Title: "runAsNonRoot with ContainerAdministrator", Page: rulepages.Users,
		Reason: "ContainerAdministrator counts as root on Windows, in upper or lower case: the kubelet refuses to " +
			"start the container.",
		Fix:    asContainer + ", or remove runAsNonRoot",
		Source: verifyNonRoot,
	},
	Checks: []engine.Check{engine.On(windowsPodsAsNonRoot, func(p *subject.Pods) []rule.Problem {
		var found []rule.Problem
		for i := range p.Containers {
			ctr := &p.Containers[i]
			user, known := p.UserOf(ctr)
			if name, _ := tree.Text(user); !known || !strings.EqualFold(name, administrator) || !p.NonRoot(i) {
				continue
			}
			if ctr.Windows["runAsUserName"] == nil {
				ctr = nil // it is the user of the pod
			}
			found = append(found, rule.Problem{
				Path: p.OptionPath(ctr, "runAsUserName"), Value: user,
				Detail: "counts as root, and runAsNonRoot is true: the kubelet refuses to start the container",
			})
		}
		return found
	})},
}

var nonRootWithAdministratorConfigured = engine.Rule{
	Rule: rule.Rule{
		ID: "MK218", Severity: rule.Error, Page: rulepages.Registries,
		Title: "runAsNonRoot with an image whose configuration names ContainerAdministrator",
		Reason: "ContainerAdministrator counts as root on Windows, in upper or lower case: the kubelet refuses to " +
			"start the container. The rule checks images in the lock file; for others see MK408.",
		Fix:    asContainer,
		Source: verifyNonRoot,
	},
	Checks: []engine.Check{engine.On(windowsPodsAsNonRoot, func(p *subject.Pods) []rule.Problem {
		var found []rule.Problem
		for i, image := range imagesAsNonRoot(p) {
			if namesAdministrator(image.Facts) {
				found = append(found, rule.Problem{
					Path: p.In(&p.Containers[i], "image"), Value: p.Containers[i].Spec["image"],
					Fix: fixOf(p, i),
					Detail: "runs as " + administrator + " according to its configuration, and runAsNonRoot is true: " +
						"the kubelet refuses to start the container",
				})
			}
		}
		return found
	})},
}

var nonRootWithAdministratorImage = engine.Rule{
	Rule: rule.Rule{
		ID: "MK408", Severity: rule.Warning, Page: rulepages.Users,
		Title: "runAsNonRoot with an image that runs as ContainerAdministrator",
		Reason: "Microsoft's images with Server Core run as ContainerAdministrator by default. The kubelet refuses " +
			"the container if the image states this user, and runs it as an administrator if it does not. The images " +
			"of IIS, ASP.NET and WCF need an administrator: see MK419.",
		Fix:    asContainer,
		Source: verifyNonRoot,
	},
	Checks: []engine.Check{engine.On(windowsPodsAsNonRoot, func(p *subject.Pods) []rule.Problem {
		var found []rule.Problem
		for i, image := range imagesAsNonRoot(p) {
			ctr := &p.Containers[i]
			// If the configuration names a user, the default user of the base image does not apply.
			if image.OS == platform.WindowsOS && runsAsAdministrator(ctr) && !namesUser(image.Facts) {
				found = append(found, rule.Problem{
					Path: p.In(ctr, "image"), Value: ctr.Spec["image"],
					Detail: "runs as " + administrator + " by default, and runAsNonRoot is true", Fix: fixOf(p, i),
				})
			}
		}
		return found
	})},
}

// fixOf returns how to fix a container that runs as an administrator, "" for the fix of the rule.
func fixOf(p *subject.Pods, container int) string {
	if startsServiceMonitor(p, container) {
		return asRoot
	}
	return ""
}

// imagesAsNonRoot returns the images of containers with runAsNonRoot whose users the images alone determine, with the
// indexes of the containers.
func imagesAsNonRoot(p *subject.Pods) iter.Seq2[int, platform.Image] {
	return func(yield func(int, platform.Image) bool) {
		if p.HostProcess() || p.HostProcessUnknown() {
			return
		}
		for i := range p.Containers {
			user, known := p.UserOf(&p.Containers[i])
			if _, named := tree.Text(user); !known || named || !p.NonRoot(i) {
				continue
			}
			if !yield(i, p.Target.Images[i]) {
				return
			}
		}
	}
}

// namesAdministrator reports whether the configurations of all Windows variants name the administrator.
func namesAdministrator(facts *platform.Facts) bool {
	variants := slices.DeleteFunc(facts.For(platform.WindowsOS), func(v platform.Variant) bool { return !v.Read() })
	return len(variants) > 0 && !slices.ContainsFunc(variants, func(v platform.Variant) bool {
		return !strings.EqualFold(v.User, administrator)
	})
}

// namesUser reports whether a configuration names a user.
func namesUser(facts *platform.Facts) bool {
	return slices.ContainsFunc(facts.For(platform.WindowsOS), func(v platform.Variant) bool { return v.User != "" })
}

// runsAsAdministrator recognizes Microsoft's images with Server Core and with the full API. The images of Nano Server
// run as ContainerUser.
func runsAsAdministrator(ctr *pods.Container) bool {
	ref, _ := tree.Text(ctr.Spec["image"])
	_, repository, ok := strings.Cut("/"+ref, "/mcr.microsoft.com/")
	if !ok {
		return false
	}
	for _, prefix := range [...]string{"windows/servercore", "windows/server:", "windows:", "dotnet/framework/"} {
		if strings.HasPrefix(repository, prefix) {
			return true
		}
	}
	return strings.HasPrefix(repository, "dotnet/") && strings.Contains(repository, "windowsservercore")
}
