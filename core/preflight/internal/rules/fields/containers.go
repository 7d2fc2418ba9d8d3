package fields

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/core/preflight/internal/sources"
	"github.com/mixedkube/mixedkube/core/preflight/internal/subject"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
	"github.com/mixedkube/mixedkube/internal/core/rule/rulepages"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// containerRules are about containers, and about how they end.
var containerRules = []engine.Rule{
	stopSignalUnknown, podWithoutContainers, nameTwice, gracePeriodOnWindows, terminationMessagePathOnWindows,
}

var podWithoutContainers = engine.Rule{
	Rule: rule.Rule{
		ID: "MK170", Severity: rule.Error, Title: "a pod without containers", Page: rulepages.Pods,
		Reason: "The API server refuses a pod, or a pod template, without a regular container. An object that a tool " +
			"merges into another one may have none: a workload without the selector, schedule or restart policy that " +
			"its kind requires is not reported.",
		Fix:    "list what the pods run",
		Source: sources.APIValidation + ", validateContainers",
	},
	Checks: []engine.Check{engine.On(podsWithoutContainers, func(p *subject.Pods) []rule.Problem {
		return []rule.Problem{{Path: p.Path("containers"), Type: field.ErrorTypeRequired, Value: ""}}
	})},
}

// podsWithoutContainers have an empty list, or none.
var podsWithoutContainers = &engine.Scope[*subject.Pods]{
	Within: subject.ValidatedPods, Name: "pods without containers",
	Has: func(p *subject.Pods) bool {
		v := p.Spec["containers"]
		list := tree.List(v)
		return v == nil || list != nil && len(list) == 0
	},
}

var nameTwice = engine.Rule{
	Rule: rule.Rule{
		ID: "MK175", Severity: rule.Error, Title: "a name of a container, a port or a volume twice in a pod",
		Page: rulepages.Structure,
		Reason: "Containers and volumes of a pod, and ports of a container, are known by their names. The API server " +
			"refuses a second one with the same name; containers and init containers share their names. A container " +
			"can mount one volume in a directory.",
		Fix: "give it another name, or remove it",
		Source: sources.APIValidation + ", ValidateVolumes, ValidateVolumeMounts, validateContainerPorts, " +
			"validateContainers and validateInitContainers",
	},
	Checks: []engine.Check{engine.On(subject.ValidatedPods, func(p *subject.Pods) (found []rule.Problem) {
		names := map[string]bool{}
		isTwice := func(v any) bool {
			name, _ := tree.Text(v)
			twice := name != "" && names[name]
			names[name] = true
			return twice
		}
		report := func(v any, path func() string) {
			if isTwice(v) {
				found = append(found, rule.Problem{Path: path(), Type: field.ErrorTypeDuplicate, Value: v})
			}
		}
		for _, list := range [...]string{"containers", "initContainers", "ephemeralContainers"} {
			for i := range p.Containers {
				if ctr := &p.Containers[i]; ctr.List == list {
					report(ctr.Spec["name"], func() string { return p.In(ctr, "name") })
				}
			}
		}
		for i := range p.Containers {
			ctr := &p.Containers[i]
			clear(names)
			for j, v := range tree.List(ctr.Spec["ports"]) {
				report(tree.Map(v)["name"], func() string { return p.In(ctr, "ports", j, "name") })
			}
			clear(names)
			for j, v := range tree.List(ctr.Spec["volumeMounts"]) {
				if path := tree.Map(v)["mountPath"]; isTwice(path) {
					found = append(found, rule.Problem{
						Path: p.In(ctr, "volumeMounts", j, "mountPath"), Type: field.ErrorTypeInvalid, Value: path,
						Detail: "must be unique", Fix: "mount it in another directory, or remove it",
					})
				}
			}
		}
		clear(names)
		if tree.Map(p.Object["spec"])["volumeClaimTemplates"] != nil {
			return found // the API server replaces the volumes that have the name of a template
		}
		for i, v := range tree.List(p.Spec["volumes"]) {
			report(tree.Map(v)["name"], func() string { return p.Path("volumes", i, "name") })
		}
		return found
	})},
}

var stopSignalUnknown = engine.Rule{
	Rule: rule.Rule{
		ID: "MK131", Severity: rule.Warning, Title: "a stop signal that Windows does not support",
		Page: rulepages.Pods,
		Reason: "Windows supports only SIGTERM and SIGKILL. The field needs the feature gate ContainerStopSignals, " +
			"which is off by default: the API server then drops the field, and refuses it if the gate is on.",
		Fix:    "use one of these, or remove it",
		Source: sources.APIValidation + ", validateStopSignal",
	},
	Checks: []engine.Check{engine.On(subject.DeclaredWindowsPods, func(p *subject.Pods) []rule.Problem {
		var found []rule.Problem
		for i := range p.Containers {
			ctr := &p.Containers[i]
			v := tree.Map(ctr.Spec["lifecycle"])["stopSignal"]
			signal, ok := tree.Text(v)
			if ok && signal != string(corev1.SIGKILL) && signal != string(corev1.SIGTERM) {
				found = append(found, rule.Problem{
					Path: p.In(ctr, "lifecycle", "stopSignal"), Value: v,
					Detail: "Windows supports only SIGKILL and SIGTERM",
				})
			}
		}
		return found
	})},
}

// The API server sets the defaults of these two fields, so every object that was read from a cluster has them.

var gracePeriodOnWindows = engine.Rule{
	Rule: rule.Rule{
		ID: "MK510", Severity: rule.Info, Title: "terminationGracePeriodSeconds on Windows", Page: rulepages.Pods,
		Reason: "containerd honors the field. With other runtimes, Windows ends the processes after 5 seconds. " +
			"Host-process containers, which need containerd, are not reported.",
		Source: sources.WindowsIntro + "#limitations; " + sources.HostProcessGuide,
	},
	Checks: []engine.Check{engine.On(subject.WindowsPods, func(p *subject.Pods) []rule.Problem {
		v := p.Spec["terminationGracePeriodSeconds"]
		if seconds, ok := tree.Int(v); !ok || seconds == corev1.DefaultTerminationGracePeriodSeconds ||
			p.HostProcess() {
			return nil
		}
		return []rule.Problem{{
			Path: p.Path("terminationGracePeriodSeconds"), Value: v, Detail: "is honored only with containerd",
		}}
	})},
}

var terminationMessagePathOnWindows = engine.Rule{
	Rule: rule.Rule{
		ID: "MK519", Severity: rule.Info, Title: "terminationMessagePath on Windows", Page: rulepages.Pods,
		Reason: "Windows cannot mount a single file with every runtime. The default works, because the path does not " +
			"exist on Windows.",
		Fix:    "remove it: the default works",
		Source: sources.WindowsFields,
	},
	Checks: []engine.Check{engine.On(subject.WindowsPods, func(p *subject.Pods) []rule.Problem {
		var found []rule.Problem
		for i := range p.Containers {
			ctr := &p.Containers[i]
			v := ctr.Spec["terminationMessagePath"]
			if path, _ := tree.Text(v); path != "" && path != corev1.TerminationMessagePathDefault {
				found = append(found, rule.Problem{
					Path: p.In(ctr, "terminationMessagePath"), Value: v,
					Detail: "may not work on Windows, where not every runtime can mount single files",
				})
			}
		}
		return found
	})},
}
