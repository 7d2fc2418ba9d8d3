package preflight

import (
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/components/platform"
	"github.com/mixedkube/mixedkube/internal/tree"
)

const (
	labelEnforce        = "pod-security.kubernetes.io/enforce"
	labelEnforceVersion = "pod-security.kubernetes.io/enforce-version"
)

// standard is the Pod Security Standard that a Namespace enforces.
type standard struct {
	level string
	// exempts says that pods with os.name windows are spared what only Linux has,
	// as from version 1.25 of the standard on.
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

// podSecurity compares Windows pods with the standard of their namespace.
func (c *check) podSecurity(p *pods, enforced standard) {
	if enforced.level != "baseline" && enforced.level != "restricted" {
		return
	}
	says := "the namespace " + fmt.Sprint(tree.Map(c.object["metadata"])["namespace"]) + " enforces the " + enforced.level + " Pod Security Standard, which "
	if p.hostProcess() {
		c.report("MK409", problem{
			path: claim{source: byHostProcess}.path(p), value: true,
			detail: says + "forbids host-process containers", fix: "use a namespace that enforces privileged",
		})
	}
	if on, _ := tree.Bool(p.spec["hostNetwork"]); on {
		c.report("MK409", problem{
			path: p.path("hostNetwork"), value: true,
			detail: says + "forbids the network of the node", fix: "use a namespace that enforces privileged",
		})
	}
	if enforced.level == "restricted" {
		c.restricted(p, says, enforced)
	}
}

func (c *check) restricted(p *pods, says string, enforced standard) {
	podLevel, known := tree.Bool(p.security["runAsNonRoot"])
	unknown := tree.IsUnknown(p.spec["securityContext"]) || tree.IsUnknown(p.security["runAsNonRoot"])
	if known && !podLevel {
		c.nonRootDemanded(p.path("securityContext", "runAsNonRoot"), false, says)
	}
	for i := range p.containers {
		ctr := &p.containers[i]
		if ctr.list == "ephemeralContainers" {
			continue // they are never part of a template
		}
		switch own, set := tree.Bool(ctr.security["runAsNonRoot"]); {
		case set && !own:
			c.nonRootDemanded(p.in(ctr, "securityContext", "runAsNonRoot"), false, says)
		case !isSet(ctr.security, "runAsNonRoot") && !tree.IsUnknown(ctr.spec["securityContext"]) && !known && !unknown:
			c.nonRootDemanded(p.in(ctr, "securityContext", "runAsNonRoot"), nil, says)
		}
		if !enforced.exempts || isSet(p.spec, "os") || tree.IsUnknown(ctr.spec["securityContext"]) {
			continue
		}
		if demanded := p.missing(ctr); len(demanded) > 0 {
			c.report("MK409", problem{
				path:   p.in(ctr, "securityContext"),
				detail: says + "demands " + strings.Join(demanded, ", ") + " of pods that do not say that they are for Windows", fix: "set os.name to " + string(platform.WindowsOS),
			})
		}
	}
}

// missing is what the restricted standard demands of a container that is not
// known to be Windows, and what the container does not have.
func (p *pods) missing(ctr *container) []string {
	var demanded []string
	if v := ctr.security["allowPrivilegeEscalation"]; !tree.IsUnknown(v) {
		if allowed, set := tree.Bool(v); allowed || !set {
			demanded = append(demanded, "allowPrivilegeEscalation: false")
		}
	}
	if !dropsAll(ctr.security["capabilities"]) {
		demanded = append(demanded, "capabilities.drop: [ALL]")
	}
	profile := ctr.security["seccompProfile"]
	if profile == nil && tree.IsUnknown(p.spec["securityContext"]) {
		profile = Unknown{}
	} else if profile == nil {
		profile = p.security["seccompProfile"]
	}
	if !filtersCalls(profile) {
		demanded = append(demanded, "a seccompProfile of type RuntimeDefault or Localhost")
	}
	return demanded
}

// dropsAll says whether all capabilities are dropped, or may be.
func dropsAll(capabilities any) bool {
	dropped := tree.Map(capabilities)["drop"]
	return tree.IsUnknown(capabilities) || tree.IsUnknown(dropped) || slices.ContainsFunc(tree.List(dropped), func(v any) bool {
		name, _ := tree.Text(v)
		return name == "ALL" || tree.IsUnknown(v)
	})
}

// filtersCalls says whether a seccompProfile is one that the restricted standard
// accepts, or may be.
func filtersCalls(profile any) bool {
	kind := tree.Map(profile)["type"]
	name, _ := tree.Text(kind)
	return tree.IsUnknown(profile) || tree.IsUnknown(kind) ||
		name == string(corev1.SeccompProfileTypeRuntimeDefault) || name == string(corev1.SeccompProfileTypeLocalhost)
}

func (c *check) nonRootDemanded(path string, value any, says string) {
	c.report("MK409", problem{path: path, value: value, detail: says + "demands runAsNonRoot, on Windows too", fix: "set it to true"})
}
