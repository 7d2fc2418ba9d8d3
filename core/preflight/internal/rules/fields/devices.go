package fields

import (
	"slices"
	"strings"

	resourcev1 "k8s.io/api/resource/v1"

	"github.com/mixedkube/mixedkube/core/preflight/internal/subject"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/pods"
	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
	"github.com/mixedkube/mixedkube/internal/core/rule/rulepages"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// deviceRules are about devices of nodes, and about resources that change while containers run.
var deviceRules = []engine.Rule{
	claimedDevicesOnWindows, resizeOnWindows, linuxGPUOnWindows, gpuWithoutFullWindows,
}

// windowsPodsWithDevices request resources that plugins and drivers offer: their names have a domain.
var windowsPodsWithDevices = &engine.Scope[*subject.Pods]{
	Within: windowsPodsWithResources, Name: "devices of Windows containers",
	Has: func(p *subject.Pods) bool {
		return slices.ContainsFunc(p.Quantities(), func(q subject.Quantity) bool {
			return strings.Contains(q.Name, "/")
		})
	},
}

var claimedDevicesOnWindows = engine.Rule{
	Rule: rule.Rule{
		ID: "MK548", Severity: rule.Error, Title: "dynamic resource allocation on Windows", Since: "1.34",
		Page: rulepages.Resources,
		Reason: "The kubelet on Windows registers no drivers for dynamic resource allocation, only device plugins. " +
			"No Windows node has a device for a ResourceClaim, so the pod stays Pending. The same is true for " +
			"requests of a DeviceClass, deviceclass.resource.kubernetes.io/NAME. Kubernetes has the feature on since " +
			"1.34.",
		Fix:    "request a resource of a device plugin, such as microsoft.com/directx",
		Source: "pkg/kubelet/cm/container_manager_windows.go of Kubernetes 1.36.3, GetPluginRegistrationHandlers",
	},
	Checks: []engine.Check{
		engine.On(subject.WindowsPods, func(p *subject.Pods) []rule.Problem {
			if len(tree.List(p.Spec["resourceClaims"])) > 0 {
				return []rule.Problem{{Path: p.Path("resourceClaims"), Detail: noClaims}}
			}
			var found []rule.Problem
			for i := range p.Containers {
				ctr := &p.Containers[i]
				if len(tree.List(tree.Map(ctr.Spec["resources"])["claims"])) > 0 {
					found = append(found, rule.Problem{Path: p.In(ctr, "resources", "claims"), Detail: noClaims})
				}
			}
			return found
		}),
		engine.On(windowsPodsWithDevices, func(p *subject.Pods) []rule.Problem {
			return requestedOf(p, noClaims, resourcev1.ResourceDeviceClassPrefix)
		}),
	},
}

const noClaims = "no Windows node has devices of dynamic resource allocation"

// requestedOf finds the requests and limits of resources whose names begin with one of the texts. The limits of a
// resource are its requests, so each container is reported once for each resource.
func requestedOf(p *subject.Pods, detail string, prefixes ...string) []rule.Problem {
	var found []rule.Problem
	reported := map[string]bool{}
	for _, q := range p.Quantities() {
		begins := func(prefix string) bool { return strings.HasPrefix(q.Name, prefix) }
		if !slices.ContainsFunc(prefixes, begins) || !isPositive(q.Value) {
			continue
		}
		if of := p.In(q.Container, q.Name); !reported[of] {
			reported[of] = true
			found = append(found, rule.Problem{
				Path: p.In(q.Container, "resources", q.List, pods.Key(q.Name)), Value: q.Value, Detail: detail,
			})
		}
	}
	return found
}

var resizeOnWindows = engine.Rule{
	Rule: rule.Rule{
		ID: "MK549", Severity: rule.Info, Title: "resizePolicy of a Windows container", Page: rulepages.Resources,
		Reason: "Kubernetes cannot resize Windows pods in place: the kubelet on Windows does not support it, and the " +
			"API server refuses it for pods with os.name windows. Only a new pod has other resources. The API server " +
			"sets the value NotRequired by itself, so the rule reports RestartContainer only.",
		Fix: "remove it",
		Source: "pkg/kubelet/allocation/features_windows.go of Kubernetes 1.36.3; " +
			"https://kubernetes.io/docs/tasks/configure-pod-container/resize-container-resources/#limitations",
	},
	Checks: []engine.Check{engine.On(subject.WindowsPods, func(p *subject.Pods) []rule.Problem {
		var found []rule.Problem
		for i := range p.Containers {
			ctr := &p.Containers[i]
			for j, policy := range tree.List(ctr.Spec["resizePolicy"]) {
				v := tree.Map(policy)["restartPolicy"]
				if text, _ := tree.Text(v); text == "RestartContainer" {
					found = append(found, rule.Problem{
						Path: p.In(ctr, "resizePolicy", j, "restartPolicy"), Value: v,
						Detail: "has no effect: Windows pods cannot be resized in place",
					})
				}
			}
		}
		return found
	})},
}

var linuxGPUOnWindows = engine.Rule{
	Rule: rule.Rule{
		ID: "MK560", Severity: rule.Warning, Title: "a GPU of a device plugin for Linux in Windows pods",
		Page: rulepages.Resources,
		Reason: "The device plugins of NVIDIA and AMD are for Linux nodes. On Windows, GPUs are the resource " +
			"microsoft.com/directx, which the plugin that AKS installs offers: a pod that requests another one stays " +
			"Pending. Only DirectX and frameworks built on it can use the GPU in a Windows container.",
		Fix: "request microsoft.com/directx, or run the pods on Linux nodes",
		Source: "https://learn.microsoft.com/azure/aks/use-windows-gpu; " +
			"https://learn.microsoft.com/virtualization/windowscontainers/deploy-containers/gpu-acceleration",
	},
	Checks: []engine.Check{engine.On(windowsPodsWithDevices, func(p *subject.Pods) []rule.Problem {
		return requestedOf(p, "is a resource of Linux nodes", "nvidia.com/gpu", "amd.com/gpu")
	})},
}

const directX = "microsoft.com/directx"

var gpuWithoutFullWindows = engine.Rule{
	Rule: rule.Rule{
		ID: "MK561", Severity: rule.Warning, Title: "a GPU for an image without the full API of Windows",
		Page: rulepages.Resources,
		Reason: "GPU acceleration needs an image with the full API: the container does not find the GPU with Server " +
			"Core or Nano Server. The rule checks images whose name or tag names their base.",
		Fix: "build the image on mcr.microsoft.com/windows/server, or on mcr.microsoft.com/windows for Windows " +
			"Server 2019",
		Source: "https://learn.microsoft.com/virtualization/windowscontainers/deploy-containers/gpu-acceleration" +
			"#prerequisites; https://learn.microsoft.com/virtualization/windowscontainers/manage-containers/" +
			"container-base-images#guidelines",
	},
	Checks: []engine.Check{engine.On(windowsPodsWithDevices, func(p *subject.Pods) []rule.Problem {
		requests := requestedOf(p, "", directX)
		if len(requests) == 0 {
			return nil
		}
		var found []rule.Problem
		for i := range p.Containers {
			ctr := &p.Containers[i]
			base := p.BaseOf(i)
			if base == "" || !requestsGPU(p, ctr, requests) {
				continue
			}
			found = append(found, rule.Problem{
				Path: p.In(ctr, "image"), Value: ctr.Spec["image"],
				Detail: "is built on " + string(base) + ", which has no GPU, and the container requests " + directX,
			})
		}
		return found
	})},
}

// requestsGPU reports whether a container has one of the requests.
func requestsGPU(p *subject.Pods, ctr *pods.Container, requests []rule.Problem) bool {
	for _, request := range requests {
		if strings.HasPrefix(request.Path, p.In(ctr, "resources")+".") {
			return true
		}
	}
	return false
}
