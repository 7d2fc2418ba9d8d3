package preflight

import (
	"fmt"

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
		if !isSet(ctr.security, "allowPrivilegeEscalation") || !isSet(ctr.security, "capabilities") {
			c.report("MK409", problem{
				path:   p.in(ctr, "securityContext"),
				detail: says + "demands allowPrivilegeEscalation, capabilities and a seccompProfile of pods that do not say that they are for Windows", fix: "set os.name to " + string(platform.WindowsOS),
			})
		}
	}
}

func (c *check) nonRootDemanded(path string, value any, says string) {
	c.report("MK409", problem{path: path, value: value, detail: says + "demands runAsNonRoot, on Windows too", fix: "set it to true"})
}
