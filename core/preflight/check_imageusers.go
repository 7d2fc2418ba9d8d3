package preflight

import (
	"slices"
	"strings"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

var nonRootWithAdministratorConfigured = rule.Rule{
	ID: "MK218", Severity: rule.Error,
	Title: "runAsNonRoot with an image whose configuration names ContainerAdministrator",
	Reason: "ContainerAdministrator counts as root on Windows, in upper or lower case: the kubelet refuses to " +
		"start the container. The rule checks images in the lock file; for others see MK408.",
	Source: "pkg/kubelet/kuberuntime/security_context_windows.go of Kubernetes 1.36.3, verifyRunAsNonRoot",
}

// nonRoot returns the effective runAsNonRoot of a container.
func (p *judged) nonRoot(i int) bool {
	v := p.Containers[i].Security["runAsNonRoot"]
	if v == nil {
		v = p.Security["runAsNonRoot"]
	}
	on, _ := tree.Bool(v)
	return on
}

// administratorByFacts reports an image whose configuration names the administrator in every Windows variant.
func (c *check) administratorByFacts(p *judged, i int) bool {
	variants := slices.DeleteFunc(p.target.Images[i].Facts.For(platform.WindowsOS),
		func(v platform.Variant) bool { return !v.Read() })
	if len(variants) == 0 || slices.ContainsFunc(variants, func(v platform.Variant) bool {
		return !strings.EqualFold(v.User, administrator)
	}) {
		return false
	}
	ctr := &p.Containers[i]
	c.report(nonRootWithAdministratorConfigured, rule.Problem{
		Path: p.In(ctr, "image"), Value: ctr.Spec["image"],
		Detail: "runs as " + administrator + " according to its configuration, and runAsNonRoot is true: the kubelet " +
			"refuses " +
			"to start the container",
		Fix: asContainer,
	})
	return true
}

// namesUser reports whether a configuration names a user, so that the default user of the base image does not apply.
func namesUser(facts *platform.Facts) bool {
	return slices.ContainsFunc(facts.For(platform.WindowsOS), func(v platform.Variant) bool { return v.User != "" })
}
