package volumes

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/core/preflight/internal/sources"
	"github.com/mixedkube/mixedkube/core/preflight/internal/subject"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
	"github.com/mixedkube/mixedkube/internal/core/rule/rulepages"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

var mountRules = []engine.Rule{blockDeviceOnWindows, mountPropagationOnWindows, subPathOnWindows, driveInMountPath}

var blockDeviceOnWindows = engine.Rule{
	Rule: rule.Rule{
		ID: "MK503", Severity: rule.Error, Title: "a block device on Windows", Page: rulepages.Volumes,
		Reason: "The kubelet on Windows cannot map block devices into a pod.",
		Fix:    "mount a volume with a file system",
		Source: "pkg/volume/util/volumepathhandler/volume_path_handler_unsupported.go of Kubernetes 1.36.3; " +
			sources.WindowsStorage,
	},
	Checks: []engine.Check{engine.On(subject.WindowsPods, func(p *subject.Pods) []rule.Problem {
		var found []rule.Problem
		for i := range p.Containers {
			ctr := &p.Containers[i]
			if len(tree.List(ctr.Spec["volumeDevices"])) > 0 {
				found = append(found, rule.Problem{
					Path: p.In(ctr, "volumeDevices"), Detail: "Windows cannot attach block devices to pods",
				})
			}
		}
		return found
	})},
}

var mountPropagationOnWindows = engine.Rule{
	Rule: rule.Rule{
		ID: "MK511", Severity: rule.Warning, Title: "mountPropagation on Windows", Page: rulepages.Volumes,
		Reason: "Windows has no mount propagation: the kubelet silently mounts privately.",
		Fix:    "remove it",
		Source: "pkg/kubelet/kubelet_pods.go of Kubernetes 1.36.3, translateMountPropagation",
	},
	Checks: []engine.Check{engine.On(subject.WindowsPods, func(p *subject.Pods) []rule.Problem {
		var found []rule.Problem
		for m := range mountsOf(p) {
			if propagation, ok := tree.Text(m.spec["mountPropagation"]); ok && propagation != "" &&
				propagation != string(corev1.MountPropagationNone) {
				found = append(found, rule.Problem{
					Path: m.at("mountPropagation"), Value: m.spec["mountPropagation"],
					Detail: "Windows always mounts privately",
				})
			}
		}
		return found
	})},
}

var subPathOnWindows = engine.Rule{
	Rule: rule.Rule{
		ID: "MK512", Severity: rule.Warning, Title: "subPath or subPathExpr on Windows", Page: rulepages.Volumes,
		Reason: "Kubernetes documents subPath as not supported on Windows; newer versions of containerd support it. " +
			"Volumes of host-process containers are bound into the file system of the node, and are not checked.",
		Fix:    "mount the whole volume",
		Source: sources.WindowsStorage,
	},
	Checks: []engine.Check{engine.On(subject.WindowsPods, func(p *subject.Pods) []rule.Problem {
		if p.HostProcess() {
			return nil
		}
		var found []rule.Problem
		for m := range mountsOf(p) {
			for _, name := range [...]string{"subPath", "subPathExpr"} {
				if v, ok := m.spec[name]; ok && v != nil && v != "" {
					found = append(found, rule.Problem{
						Path: m.at(name), Value: v,
						Detail: "is documented as not supported on Windows; it needs a new containerd",
					})
				}
			}
		}
		return found
	})},
}

var driveInMountPath = engine.Rule{
	Rule: rule.Rule{
		ID: "MK527", Severity: rule.Warning, Title: "a drive in the mount path of a Linux pod", Page: rulepages.Volumes,
		Reason: "The kubelet on Linux prepends a slash to the path: the volume is mounted below /, at a directory " +
			"whose name begins with the letter and a colon.",
		Fix:    "write a Linux path, or run the pods on Windows nodes",
		Source: "pkg/volume/util/util.go of Kubernetes 1.36.3, MakeAbsolutePath",
	},
	Checks: []engine.Check{engine.On(subject.LinuxPods, func(p *subject.Pods) []rule.Problem {
		var found []rule.Problem
		for m := range mountsOf(p) {
			if path, _ := tree.Text(m.spec["mountPath"]); subject.HasDrive(path) {
				found = append(found, rule.Problem{
					Path: m.at("mountPath"), Value: m.spec["mountPath"],
					Detail: "is a Windows path, and these are Linux pods",
				})
			}
		}
		return found
	})},
}
