package classes

import (
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/preflight/internal/sources"
	"github.com/mixedkube/mixedkube/core/preflight/internal/subject"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/fielderrors"
	"github.com/mixedkube/mixedkube/internal/core/pods"
	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
	"github.com/mixedkube/mixedkube/internal/core/rule/rulepages"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

var handlerRules = []engine.Rule{handlerMalformed, handlerForHyperV, handlerUnknown}

// handlerHypervisor is containerd's handler for Hyper-V isolation.
const handlerHypervisor = "runhcs-wcow-hypervisor"

// placeholders are the handlers in the examples of Kubernetes' documentation.
var placeholders = []string{"example-container-runtime-handler", "myconfiguration"}

// linuxHandlers are the handler names that the documentation of Linux runtimes uses.
var linuxHandlers = []string{
	"crun", "gvisor", "kata", "kata-clh", "kata-fc", "kata-qemu", "nvidia", "runc", "runsc",
	"youki",
}

var handlerMalformed = engine.Rule{
	Rule: rule.Rule{
		ID: "MK404", Severity: rule.Error, Title: "the handler of a RuntimeClass is missing or malformed",
		Page: rulepages.RuntimeClasses,
		Reason: "The handler is the name of a runtime in the configuration of the nodes' containerd: " +
			"runhcs-wcow-process for Windows. It must be a DNS label, and it is immutable: to use another handler, " +
			"create a new class.",
		Source: sources.NodeValidation + ", ValidateRuntimeClass",
	},
	Checks: []engine.Check{engine.On(subject.RuntimeClasses, malformedHandler)},
}

func malformedHandler(o *subject.Object) (found []rule.Problem) {
	v, handler, known := handlerOf(o)
	fix := handlerFix(selectedOS(o))
	switch {
	case !known:
	case handler == "" && (o.Cluster.Minor == 0 || o.Cluster.Minor >= 36):
		// Otherwise the API server would call it malformed.
		found = []rule.Problem{{Path: "handler", Type: field.ErrorTypeRequired, Value: v, Fix: fix}}
	default:
		for _, detail := range validation.IsDNS1123Label(handler) {
			found = append(found, rule.Problem{
				Path: "handler", Type: field.ErrorTypeInvalid, Value: v, Detail: detail, Fix: fix,
			})
		}
	}
	return found
}

var handlerForHyperV = engine.Rule{
	Rule: rule.Rule{
		ID: "MK405", Severity: rule.Warning, Title: "a RuntimeClass for Hyper-V isolation",
		Page: rulepages.RuntimeClasses,
		Reason: "The handler runhcs-wcow-hypervisor starts each pod in its own virtual machine. Kubernetes documents " +
			"Hyper-V isolation as unsupported; containerd 1.7 and later supports it on nodes that can run virtual " +
			"machines.",
		Fix:    "use runhcs-wcow-process, unless the nodes have containerd 1.7 or later and Hyper-V",
		Source: "https://kubernetes.io/docs/concepts/windows/intro/, https://github.com/microsoft/hcsshim",
	},
	Checks: []engine.Check{engine.On(subject.RuntimeClasses, func(o *subject.Object) []rule.Problem {
		v, handler, _ := handlerOf(o)
		if handler != handlerHypervisor {
			return nil
		}
		return []rule.Problem{{
			Path: "handler", Value: v,
			Detail: "Hyper-V isolation, which Kubernetes documents as unsupported on Windows",
		}}
	})},
}

var handlerUnknown = engine.Rule{
	Rule: rule.Rule{
		ID: "MK414", Severity: rule.Warning, Title: "a handler that containerd does not have",
		Page: rulepages.RuntimeClasses,
		Reason: "The handler docker belonged to dockershim, which Kubernetes 1.24 removed; only cri-dockerd still " +
			"has it. Other handlers are placeholders in documentation, or the names of runtimes for the other " +
			"operating system (runc, crun, kata, runsc on Linux, runhcs-wcow-process on Windows). A pod of the class " +
			"stays in ContainerCreating: its node has no runtime with that name.",
		Source: "https://kubernetes.io/docs/concepts/containers/runtime-class/#cri-configuration; " +
			"https://github.com/Mirantis/cri-dockerd",
	},
	Silences: []string{handlerMalformed.ID, handlerForHyperV.ID},
	Checks:   []engine.Check{engine.On(subject.RuntimeClasses, unknownHandler)},
}

func unknownHandler(o *subject.Object) []rule.Problem {
	v, handler, _ := handlerOf(o)
	os := selectedOS(o)
	fix := handlerFix(os)
	var detail string
	switch {
	case os == platform.WindowsOS && slices.Contains(linuxHandlers, handler):
		detail = "is the handler of a Linux runtime, and the class selects Windows nodes"
	case os == platform.LinuxOS && strings.HasPrefix(handler, "runhcs-"):
		detail = "is a handler of Windows nodes, and the class selects Linux nodes"
	case handler == "docker":
		detail = "is a handler of dockershim and cri-dockerd, and containerd has none of that name"
	case slices.Contains(placeholders, handler):
		detail = "is a placeholder of the documentation"
	case os == platform.WindowsOS && isMisspelled(handler):
		detail, fix = "is not a handler that containerd has on Windows", "did you mean "+pods.HandlerProcess+"?"
	default:
		return nil
	}
	return []rule.Problem{{Path: "handler", Value: v, Detail: detail, Fix: fix}}
}

// handlerOf returns the handler of a class, "" if it is not set. It returns false if it is not known.
func handlerOf(o *subject.Object) (v any, text string, known bool) {
	v = o.Tree["handler"]
	if v == nil {
		v = ""
	}
	text, known = tree.Text(v)
	return v, text, known
}

// selectedOS returns the operating system of the nodes that a class selects, "" if it selects none or is not known.
func selectedOS(o *subject.Object) platform.OS {
	os, _ := tree.Text(o.Class().Selector[corev1.LabelOSStable])
	return platform.OS(os)
}

func handlerFix(os platform.OS) string {
	if os == platform.LinuxOS {
		return "write the handler of the nodes' containerd, runc if it is the default"
	}
	return "write the handler of the nodes' containerd, runhcs-wcow-process for Windows"
}

// isMisspelled reports whether a well-formed handler is almost a handler for Windows.
func isMisspelled(handler string) bool {
	if handler == pods.HandlerProcess || handler == handlerHypervisor || len(validation.IsDNS1123Label(handler)) > 0 {
		return false
	}
	_, near := fielderrors.Nearest(handler, []string{pods.HandlerProcess, handlerHypervisor})
	return near
}
