package preflight

import (
	"fmt"
	"maps"
	"slices"

	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/pods"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

var autoscalerWithoutRequest = rule.Rule{
	ID: "MK538", Severity: rule.Warning, Title: "a HorizontalPodAutoscaler for pods without requests",
	Reason: "averageUtilization is a share of what containers request. If a container has neither a request for the " +
		"resource nor a limit that counts as its request, the autoscaler reports missing request, and the number of " +
		"pods never changes. A LimitRange of the namespace may set the request. The same is true on Linux.",
	Source: "pkg/controller/podautoscaler/replica_calculator.go of Kubernetes 1.36.3; " +
		"https://github.com/aws/containers-roadmap/issues/425",
}

// utilization is a target of an autoscaler: a share of the resources that pods request.
type utilization struct {
	path, resource string
	// shown is the resource as it is written in the object.
	shown any
	// container is the only container that counts, or "" for all.
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
func (c *check) autoscalerAcross(a *Collection) {
	spec := tree.Map(c.object["spec"])
	kind, _ := tree.Text(tree.At(spec["scaleTargetRef"], "kind"))
	name, named := tree.Text(tree.At(spec["scaleTargetRef"], "name"))
	namespace, known := namespaceOf(c.object)
	if spec == nil || !named || !known {
		return
	}
	scaled := a.named()[workloadName{namespace, kind, name}]
	if scaled == nil || scaled.together {
		return
	}
	for _, target := range utilizations(spec) {
		for _, ctr := range scaled.requests {
			own, _ := tree.Text(ctr.name)
			if target.container != "" && own != target.container || ctr.may(target.resource) {
				continue
			}
			c.report(autoscalerWithoutRequest, rule.Problem{
				Path: target.path,
				Detail: fmt.Sprintf("the container %v of the pods requests no %v, so there is nothing to compare with",
					ctr.name, target.shown),
				Fix: "add it to resources.requests of the container",
			})
			break
		}
	}
}

// workloadName identifies a workload.
type workloadName struct{ namespace, kind, name string }

// byName returns the first workload with each name.
func (a *Collection) byName() map[workloadName]*workload {
	named := map[workloadName]*workload{}
	for _, w := range a.workloads {
		text, _ := tree.Text(w.name)
		name := workloadName{w.namespace, w.kind, text}
		if named[name] == nil {
			named[name] = w
		}
	}
	return named
}

// requested is what a container requests. A limit without a request counts as the request.
type requested struct {
	name any
	// all is true if the resources are unknown, so any may be requested.
	all       bool
	resources []string
}

func (r *requested) may(resource string) bool { return r.all || slices.Contains(r.resources, resource) }

func requestedBy(ctr *pods.Container) requested {
	r := requested{name: ctr.Spec["name"], all: tree.IsUnknown(ctr.Spec["resources"])}
	for _, list := range [...]string{"requests", "limits"} {
		v := tree.At(ctr.Spec["resources"], list)
		r.all = r.all || tree.IsUnknown(v)
		quantities := tree.Map(v)
		for _, name := range slices.Sorted(maps.Keys(quantities)) {
			if quantities[name] != nil && !slices.Contains(r.resources, name) {
				r.resources = append(r.resources, pooled(name))
			}
		}
	}
	return r
}
