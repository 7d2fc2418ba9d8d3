package services

import (
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/preflight/internal/collection"
	"github.com/mixedkube/mixedkube/core/preflight/internal/rules/fields"
	"github.com/mixedkube/mixedkube/core/preflight/internal/sources"
	"github.com/mixedkube/mixedkube/core/preflight/internal/subject"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/pods"
	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
	"github.com/mixedkube/mixedkube/internal/core/rule/rulepages"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

var podSecurityRules = []engine.Rule{forbiddenByPodSecurity}

var forbiddenByPodSecurity = engine.Rule{
	Rule: rule.Rule{
		ID: "MK409", Severity: rule.Error, Page: rulepages.Security,
		Title: "Windows pods that the Pod Security Standard of their Namespace forbids",
		Reason: "The baseline and the restricted standards forbid host-process containers and the network of the " +
			"node. The restricted standard demands runAsNonRoot of Windows pods as of all others. It exempts them " +
			"from allowPrivilegeEscalation, capabilities and a seccompProfile, but only with os.name windows. " +
			"Without os.name, both standards allow only the profiles RuntimeDefault and Localhost.",
		Source: sources.PodSecurity +
			"check_windowsHostProcess.go, check_hostNamespaces.go, check_seccompProfile_baseline.go, " +
			"check_runAsNonRoot.go, check_allowPrivilegeEscalation.go, check_capabilities_restricted.go and " +
			"check_seccompProfile_restricted.go; " + sources.PodSecurityStandards,
	},
	Checks: []engine.Check{
		engine.On(securedWindowsPods, onTheNode), engine.On(securedWindowsPods, unconfined),
		engine.On(securedWindowsPods, asRoot), engine.On(securedWindowsPods, unrestricted),
	},
}

var securedWindowsPods = &engine.Scope[*collection.Pods]{
	Name: "Windows pods and the Pod Security Standard of their Namespace", Several: true,
	Has: func(p *collection.Pods) bool {
		return p.OS() == platform.WindowsOS && p.Namespace() != nil && p.Namespace().Standard.Demands()
	},
}

// enforces begins a sentence about the standard of the namespace.
func enforces(p *collection.Pods) string {
	return "the namespace " + fmt.Sprint(tree.Map(p.Object["metadata"])["namespace"]) + " enforces the " +
		p.Namespace().Standard.Level + " Pod Security Standard, which "
}

// onTheNode finds what both standards forbid.
func onTheNode(p *collection.Pods) (found []rule.Problem) {
	const fix = "use a namespace that enforces privileged"
	if p.HostProcess() {
		found = append(found, rule.Problem{
			Path: pods.Claim{Source: pods.ByHostProcess}.Path(p.Pods.Pods), Value: true,
			Detail: enforces(p) + "forbids host-process containers", Fix: fix,
		})
	}
	if on, _ := tree.Bool(p.Spec["hostNetwork"]); on {
		found = append(found, rule.Problem{
			Path: p.Path("hostNetwork"), Value: true, Detail: enforces(p) + "forbids the network of the node", Fix: fix,
		})
	}
	return found
}

// maybeLinux reports whether the standard demands of the pods what it demands of Linux pods. With os.name windows the
// API server itself refuses a seccompProfile.
func maybeLinux(p *collection.Pods) bool {
	return p.Namespace().Standard.Exempts && !pods.IsSet(p.Spec, "os")
}

// unconfined compares each seccompProfile that is set with what both standards allow. The pod's profile counts even if
// all containers have their own.
func unconfined(p *collection.Pods) (found []rule.Problem) {
	if !maybeLinux(p) {
		return nil
	}
	compare := func(security map[string]any, path string) {
		v := tree.At(security, "seccompProfile", "type")
		kind, known := tree.Text(v)
		if !known || kind == string(corev1.SeccompProfileTypeRuntimeDefault) ||
			kind == string(corev1.SeccompProfileTypeLocalhost) {
			return
		}
		fix := "remove the seccompProfile"
		if p.Namespace().Standard.Level == "restricted" {
			fix = asWindows(p.Pods) // without os.name a profile is required
		}
		found = append(found, rule.Problem{
			Path: path, Value: v, Detail: enforces(p) + "allows RuntimeDefault and Localhost only", Fix: fix,
		})
	}
	compare(p.Security, p.Path("securityContext", "seccompProfile", "type"))
	for i := range p.Containers {
		ctr := &p.Containers[i]
		compare(ctr.Security, p.In(ctr, "securityContext", "seccompProfile", "type"))
	}
	return found
}

// asWindows returns the advice to set os.name. The API server then refuses fields for Linux, whatever their value and
// in all containers, so they must be removed at the same time.
func asWindows(p *subject.Pods) string {
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

// asRoot finds pods that the restricted standard refuses because they may run as root.
func asRoot(p *collection.Pods) (found []rule.Problem) {
	if p.Namespace().Standard.Level != "restricted" {
		return nil
	}
	demanded := func(path string, value any) {
		found = append(found, rule.Problem{
			Path: path, Value: value, Detail: enforces(p) + "demands runAsNonRoot, on Windows too",
			Fix: "set it to true",
		})
	}
	podLevel, known := tree.Bool(p.Security["runAsNonRoot"])
	unknown := tree.IsUnknown(p.Spec["securityContext"]) || tree.IsUnknown(p.Security["runAsNonRoot"])
	if known && !podLevel {
		demanded(p.Path("securityContext", "runAsNonRoot"), false)
	}
	for i := range p.Containers {
		ctr := &p.Containers[i]
		if ctr.List == "ephemeralContainers" {
			continue // they are never part of a template
		}
		switch own, set := tree.Bool(ctr.Security["runAsNonRoot"]); {
		case set && !own:
			demanded(p.In(ctr, "securityContext", "runAsNonRoot"), false)
		case !pods.IsSet(ctr.Security, "runAsNonRoot") && !tree.IsUnknown(ctr.Spec["securityContext"]) && !known &&
			!unknown:
			demanded(p.In(ctr, "securityContext", "runAsNonRoot"), nil)
		}
	}
	return found
}

// unrestricted finds the containers that lack what the restricted standard demands of Linux containers.
func unrestricted(p *collection.Pods) (found []rule.Problem) {
	if p.Namespace().Standard.Level != "restricted" || !maybeLinux(p) {
		return nil
	}
	for i := range p.Containers {
		ctr := &p.Containers[i]
		if ctr.List == "ephemeralContainers" || tree.IsUnknown(ctr.Spec["securityContext"]) {
			continue
		}
		if demanded := missing(p, ctr); len(demanded) > 0 {
			found = append(found, rule.Problem{
				Path: p.In(ctr, "securityContext"),
				Detail: enforces(p) + "demands " + strings.Join(demanded, ", ") +
					" of pods that do not say that they are for Windows",
				Fix: asWindows(p.Pods),
			})
		}
	}
	return found
}

// missing returns what the restricted standard requires of a container that is not known to be a Windows one, and what
// the container does not have.
func missing(p *collection.Pods, ctr *pods.Container) []string {
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
