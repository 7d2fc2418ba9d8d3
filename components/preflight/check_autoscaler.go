package preflight

import (
	"fmt"
	"slices"

	"github.com/mixedkube/mixedkube/components/rule"
	"github.com/mixedkube/mixedkube/internal/pods"
	"github.com/mixedkube/mixedkube/internal/tree"
)

var autoscalerWithoutRequest = rule.Rule{
	ID: "MK538", Severity: rule.Warning, Title: "a HorizontalPodAutoscaler for pods without requests",
	Reason: "averageUtilization is a share of what containers request. Where one requests nothing of the resource, " +
		"and has no limit that counts as its request, the autoscaler says missing request, and the number of pods " +
		"never changes; a LimitRange of the namespace may set it. The same holds on Linux.",
	Source: "pkg/controller/podautoscaler/replica_calculator.go of Kubernetes 1.36.3; " +
		"https://github.com/aws/containers-roadmap/issues/425",
}

// utilization is a target of an autoscaler: a share of what pods request.
type utilization struct {
	path, resource string
	// shown is the resource as the object has it.
	shown any
	// container is the only one that counts, "" for all.
	container string
}

// utilizations reads the targets of an autoscaler, of version 1 or 2.
func utilizations(spec map[string]any) []utilization {
	if !pods.IsSet(spec, "metrics") {
		path := "spec.targetCPUUtilizationPercentage"
		if !pods.IsSet(spec, "targetCPUUtilizationPercentage") {
			path = "spec.metrics" // the default of both versions is 80 % of the CPU
		}
		return []utilization{{path: path, resource: "cpu", shown: "cpu"}}
	}
	var all []utilization
	for i, v := range tree.List(spec["metrics"]) {
		metric := tree.Map(v)
		for _, field := range [...]string{"resource", "containerResource"} {
			source := tree.Map(metric[field])
			resource, ok := tree.Text(source["name"])
			if ok && tree.At(source["target"], "averageUtilization") != nil {
				container, _ := tree.Text(source["container"])
				path := "spec.metrics" + pods.Join(i, field, "target", "averageUtilization")
				all = append(all, utilization{path, resource, source["name"], container})
			}
		}
	}
	return all
}

// autoscalerAcross compares an autoscaler with the pods that it scales, if they are among
// the objects.
func (c *check) autoscalerAcross(a *collection) {
	spec := tree.Map(c.object["spec"])
	kind, _ := tree.Text(tree.At(spec["scaleTargetRef"], "kind"))
	name, named := tree.Text(tree.At(spec["scaleTargetRef"], "name"))
	namespace, known := namespaceOf(c.object)
	if spec == nil || !named || !known {
		return
	}
	i := slices.IndexFunc(a.objects, func(o *pods.Object) bool {
		other, _ := tree.Text(tree.At(o.Tree, "metadata", "name"))
		in, _ := namespaceOf(o.Tree)
		return o.Kind == kind && o.Pods != nil && other == name && in == namespace
	})
	if i < 0 || tree.IsUnknown(a.objects[i].Pods.Spec["resources"]) || pods.IsSet(a.objects[i].Pods.Spec, "resources") {
		return
	}
	for _, target := range utilizations(spec) {
		for _, ctr := range a.objects[i].Pods.Containers {
			own, _ := tree.Text(ctr.Spec["name"])
			if ctr.List != "containers" || target.container != "" && own != target.container ||
				mayRequest(ctr.Spec["resources"], target.resource) {
				continue
			}
			c.report(autoscalerWithoutRequest, rule.Problem{
				Path: target.path,
				Detail: fmt.Sprintf("the container %v of the pods requests no %v, so there is nothing to compare with",
					ctr.Spec["name"], target.shown),
				Fix: "add it to resources.requests of the container",
			})
			break
		}
	}
}

// mayRequest says whether a container requests a resource, or has a limit, which is the request
// then, as far as that is known.
func mayRequest(resources any, name string) bool {
	if tree.IsUnknown(resources) {
		return true
	}
	for _, list := range [...]string{"requests", "limits"} {
		if v := tree.At(resources, list); tree.IsUnknown(v) || pods.IsSet(tree.Map(v), name) {
			return true
		}
	}
	return false
}
