package fields

import (
	"slices"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/preflight/internal/sources"
	"github.com/mixedkube/mixedkube/core/preflight/internal/subject"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/pods"
	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
	"github.com/mixedkube/mixedkube/internal/core/rule/rulepages"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

var osRules = []engine.Rule{osWithoutName, osNotSupported, windowsOptionsOfLinuxPod, osNameMissing}

var podsWithoutOS = &engine.Scope[*subject.Pods]{
	Name: "pods without os", Has: func(p *subject.Pods) bool { return !pods.IsSet(p.Spec, "os") },
}

// podsWithOtherOS have an os that names neither of the two operating systems.
var podsWithOtherOS = &engine.Scope[*subject.Pods]{
	Name: "pods whose os.name is neither linux nor windows",
	Has:  func(p *subject.Pods) bool { return tree.Map(p.Spec["os"]) != nil && p.Target.Declared == "" },
}

var osWithoutName = engine.Rule{
	Rule: rule.Rule{
		ID: "MK101", Severity: rule.Error, Title: "os has no name", Page: rulepages.Pods,
		Reason: "spec.os states which operating system the pod is for. Without a name it has no meaning.",
		Fix:    `write "windows" or "linux", or remove os`,
		Source: sources.APIValidation + ", validateOS",
	},
	Checks: []engine.Check{engine.On(podsWithOtherOS, func(p *subject.Pods) []rule.Problem {
		v := tree.Map(p.Spec["os"])["name"]
		if name, known := tree.Text(v); v != nil && (!known || name != "") {
			return nil
		}
		return []rule.Problem{{Path: p.Path("os", "name"), Type: field.ErrorTypeRequired, Value: ""}}
	})},
}

var osNotSupported = engine.Rule{
	Rule: rule.Rule{
		ID: "MK102", Severity: rule.Error, Title: "os.name is neither linux nor windows", Page: rulepages.Pods,
		Reason: "The valid values are linux and windows, in lower case.",
		Fix:    `write "windows" or "linux"`,
		Source: sources.APIValidation + ", validateOS",
	},
	Checks: []engine.Check{engine.On(podsWithOtherOS, func(p *subject.Pods) []rule.Problem {
		v := tree.Map(p.Spec["os"])["name"]
		name, _ := tree.Text(v)
		if name == "" {
			return nil
		}
		unsupported := field.NotSupported(nil, name, []string{"linux", "windows"})
		found := rule.Problem{Path: p.Path("os"), Type: unsupported.Type, Value: v, Detail: unsupported.Detail}
		_, secret := v.(tree.Secret)
		if near := strings.ToLower(strings.TrimSpace(name)); !secret && (near == "windows" || near == "linux") {
			found.Fix = "write " + strconv.Quote(near)
		}
		return []rule.Problem{found}
	})},
}

var windowsOptionsOfLinuxPod = engine.Rule{
	Rule: rule.Rule{
		ID: "MK103", Severity: rule.Error, Title: "windowsOptions on a Linux pod", Page: rulepages.Pods,
		Reason: "Windows options have no effect on a Linux pod.",
		Fix:    "remove it, or set os.name to windows",
		Source: sources.APIValidation + ", validateLinux",
	},
	Checks: []engine.Check{engine.On(subject.DeclaredLinuxPods, func(p *subject.Pods) []rule.Problem {
		var found []rule.Problem
		report := func(path string) {
			found = append(found, rule.Problem{
				Path: path, Type: field.ErrorTypeForbidden, Detail: "windows options cannot be set for a linux pod",
			})
		}
		if pods.IsSet(p.Security, "windowsOptions") {
			report(p.Path("securityContext", "windowsOptions"))
		}
		for i := range p.Containers {
			if ctr := &p.Containers[i]; pods.IsSet(ctr.Security, "windowsOptions") {
				report(p.In(ctr, "securityContext", "windowsOptions"))
			}
		}
		return found
	})},
}

var osNameMissing = engine.Rule{
	Rule: rule.Rule{
		ID: "MK105", Severity: rule.Info, Title: "a Windows pod without os.name", Page: rulepages.Pods,
		Reason: "Kubernetes recommends setting os.name on Windows pods. The API server then refuses fields that have " +
			"no effect on Windows, admission checks the pod by the rules for Windows, and tools do not have to " +
			"guess. The scheduler ignores os.name.",
		Fix:    "write windows",
		Source: sources.WindowsGuide,
	},
	Checks: []engine.Check{engine.On(podsWithoutOS, nameMissing)},
}

// nameMissing judges by everything that mixedkube adopt judges by, and by nothing that is only the name of a
// RuntimeClass: it reports all pods that adopt gives the name windows.
func nameMissing(p *subject.Pods) []rule.Problem {
	if !p.Has("os") {
		return nil
	}
	certain := p.Cluster.Certain(p.Pods, &p.Target)
	evidence := p.Cluster.Evidence(p.Pods, &certain, p.Target.Images, certain.Annotation(p.Pods).Claim)
	if evidence.OS() != platform.WindowsOS {
		return nil
	}
	found := rule.Problem{Path: p.Path("os", "name"), Detail: "is not set, and these are Windows pods"}
	if certain.OS() == "" && evidence.Claims[0].Source == pods.ByImages {
		found.Detail += p.ByTagAlone(found.Path)
	}
	var refused []string
	for v := range refusedOnWindows(p.Pods) {
		refused = append(refused, strings.TrimPrefix(v.path(p.Pods), p.Path()+"."))
	}
	if len(refused) > 0 {
		found.Fix = "write windows, and remove the fields for Linux (" + strings.Join(refused, ", ") + ")"
	}
	return []rule.Problem{found}
}

// ForbiddenByOSName returns the rules about fields that the API server forbids because of os.name.
func ForbiddenByOSName() []engine.Rule {
	return append(slices.Clone(linuxOnlyRules), windowsOptionsOfLinuxPod, podResourcesOnWindows)
}
