package preflight

import (
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/preflight/internal/rules/fields"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/pods"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

const (
	labelEnforce        = "pod-security.kubernetes.io/enforce"
	labelEnforceVersion = "pod-security.kubernetes.io/enforce-version"
)

// standard is the Pod Security Standard that a Namespace enforces.
type standard struct {
	level string
	// exempts means that the Linux-only requirements do not apply to pods with os.name windows, as in version 1.25 of
	// the standard and newer.
	exempts bool
}

func readStandard(namespace map[string]any) standard {
	labels := tree.Map(tree.Map(namespace["metadata"])["labels"])
	level, _ := tree.Text(labels[labelEnforce])
	version, ok := tree.Text(labels[labelEnforceVersion])
	minor, numbered := parseMinor(version)
	return standard{
		level:   level,
		exempts: labels[labelEnforceVersion] == nil || ok && (version == "latest" || numbered && minor >= 25),
	}
}

// demands reports whether the standard forbids anything.
func (s standard) demands() bool { return s.level == "baseline" || s.level == "restricted" }

var forbiddenByPodSecurity = rule.Rule{
	ID: "MK409", Severity: rule.Error, Title: "Windows pods that the Pod Security Standard of their Namespace forbids",
	Reason: "The baseline and the restricted standards forbid host-process containers and the network of the node. " +
		"The restricted standard demands runAsNonRoot of Windows pods as of all others. It exempts them from " +
		"allowPrivilegeEscalation, capabilities and a seccompProfile, but only with os.name windows. Without " +
		"os.name, both standards allow only the profiles RuntimeDefault and Localhost.",
	Source: podSecurity +
		"check_windowsHostProcess.go, check_hostNamespaces.go, check_seccompProfile_baseline.go, " +
		"check_runAsNonRoot.go, check_allowPrivilegeEscalation.go, check_capabilities_restricted.go and " +
		"check_seccompProfile_restricted.go; " + podSecurityStandards,
}

// podSecurity compares Windows pods with the standard of their namespace.
func (c *check) podSecurity(p *judged, enforced standard) {
	if !enforced.demands() {
		return
	}
	enforces := "the namespace " + fmt.Sprint(tree.Map(c.object["metadata"])["namespace"]) + " enforces the " +
		enforced.level + " Pod Security Standard, which "
	if p.HostProcess() {
		c.report(forbiddenByPodSecurity, rule.Problem{
			Path: pods.Claim{Source: pods.ByHostProcess}.Path(p.Pods), Value: true,
			Detail: enforces + "forbids host-process containers", Fix: "use a namespace that enforces privileged",
		})
	}
	if on, _ := tree.Bool(p.Spec["hostNetwork"]); on {
		c.report(forbiddenByPodSecurity, rule.Problem{
			Path: p.Path("hostNetwork"), Value: true,
			Detail: enforces + "forbids the network of the node", Fix: "use a namespace that enforces privileged",
		})
	}
	// With os.name windows the API server itself refuses a seccompProfile.
	if enforced.exempts && !pods.IsSet(p.Spec, "os") {
		c.unconfined(p, enforces, enforced.level)
	}
	if enforced.level == "restricted" {
		c.restricted(p, enforces, enforced)
	}
}

// unconfined compares each seccompProfile that is set with what both standards allow. The pod's profile counts even if
// all containers have their own.
func (c *check) unconfined(p *judged, enforces, level string) {
	compare := func(security map[string]any, path string) {
		v := tree.At(security, "seccompProfile", "type")
		kind, known := tree.Text(v)
		if !known || kind == string(corev1.SeccompProfileTypeRuntimeDefault) ||
			kind == string(corev1.SeccompProfileTypeLocalhost) {
			return
		}
		fix := "remove the seccompProfile"
		if level == "restricted" {
			fix = p.asWindows() // without os.name a profile is required
		}
		c.report(forbiddenByPodSecurity,
			rule.Problem{Path: path, Value: v, Detail: enforces + "allows RuntimeDefault and Localhost only", Fix: fix})
	}
	compare(p.Security, p.Path("securityContext", "seccompProfile", "type"))
	for i := range p.Containers {
		ctr := &p.Containers[i]
		compare(ctr.Security, p.In(ctr, "securityContext", "seccompProfile", "type"))
	}
}

// asWindows returns the advice to set os.name. The API server then refuses fields for Linux, whatever their value and
// in all containers, so they must be removed at the same time.
func (p *judged) asWindows() string {
	names := fields.RefusedOnWindows(p.Pods)
	fix := "set os.name to " + string(platform.WindowsOS)
	switch last := len(names) - 1; last {
	case -1:
		return fix
	case 0:
		return fix + ", and remove " + names[0]
	default:
		return fix + ", and remove " + strings.Join(names[:last], ", ") + " and " + names[last]
	}
}

func (c *check) restricted(p *judged, enforces string, enforced standard) {
	podLevel, known := tree.Bool(p.Security["runAsNonRoot"])
	unknown := tree.IsUnknown(p.Spec["securityContext"]) || tree.IsUnknown(p.Security["runAsNonRoot"])
	if known && !podLevel {
		c.nonRootDemanded(p.Path("securityContext", "runAsNonRoot"), false, enforces)
	}
	for i := range p.Containers {
		ctr := &p.Containers[i]
		if ctr.List == "ephemeralContainers" {
			continue // they are never part of a template
		}
		switch own, set := tree.Bool(ctr.Security["runAsNonRoot"]); {
		case set && !own:
			c.nonRootDemanded(p.In(ctr, "securityContext", "runAsNonRoot"), false, enforces)
		case !pods.IsSet(ctr.Security, "runAsNonRoot") && !tree.IsUnknown(ctr.Spec["securityContext"]) && !known &&
			!unknown:
			c.nonRootDemanded(p.In(ctr, "securityContext", "runAsNonRoot"), nil, enforces)
		}
		if !enforced.exempts || pods.IsSet(p.Spec, "os") || tree.IsUnknown(ctr.Spec["securityContext"]) {
			continue
		}
		if demanded := p.missing(ctr); len(demanded) > 0 {
			c.report(forbiddenByPodSecurity, rule.Problem{
				Path: p.In(ctr, "securityContext"),
				Detail: enforces + "demands " + strings.Join(demanded, ", ") +
					" of pods that do not say that they are for Windows", Fix: p.asWindows(),
			})
		}
	}
}

// missing returns what the restricted standard requires of a container that is not known to be a Windows one, and what
// the container does not have.
func (p *judged) missing(ctr *pods.Container) []string {
	var demanded []string
	if v := ctr.Security["allowPrivilegeEscalation"]; !tree.IsUnknown(v) {
		if allowed, set := tree.Bool(v); allowed || !set {
			demanded = append(demanded, "allowPrivilegeEscalation: false")
		}
	}
	if !dropsAll(ctr.Security["capabilities"]) {
		demanded = append(demanded, "capabilities.drop: [ALL]")
	}
	if addsOthers(ctr.Security["capabilities"]) {
		demanded = append(demanded, "no capabilities.add except NET_BIND_SERVICE")
	}
	profile := ctr.Security["seccompProfile"]
	if profile == nil {
		profile = tree.At(p.Spec, "securityContext", "seccompProfile")
	}
	// A type that is set is compared elsewhere.
	if tree.At(profile, "type") == nil {
		demanded = append(demanded, "a seccompProfile of type RuntimeDefault or Localhost")
	}
	return demanded
}

// dropsAll reports whether all capabilities are dropped, or may be.
func dropsAll(capabilities any) bool {
	dropped := tree.Map(capabilities)["drop"]
	return tree.IsUnknown(capabilities) || tree.IsUnknown(dropped) ||
		slices.ContainsFunc(tree.List(dropped), func(v any) bool {
			name, _ := tree.Text(v)
			return name == "ALL" || tree.IsUnknown(v)
		})
}

// addsOthers reports whether a capability is added that the restricted standard does not allow.
func addsOthers(capabilities any) bool {
	return slices.ContainsFunc(tree.List(tree.Map(capabilities)["add"]), func(v any) bool {
		name, known := tree.Text(v)
		return known && name != "NET_BIND_SERVICE"
	})
}

func (c *check) nonRootDemanded(path string, value any, enforces string) {
	c.report(forbiddenByPodSecurity,
		rule.Problem{
			Path: path, Value: value, Detail: enforces + "demands runAsNonRoot, on Windows too",
			Fix: "set it to true",
		})
}
