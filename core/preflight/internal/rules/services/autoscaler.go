package services

import (
	"fmt"
	"slices"

	"github.com/mixedkube/mixedkube/core/preflight/internal/collection"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/pods"
	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
	"github.com/mixedkube/mixedkube/internal/core/rule/rulepages"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

var autoscalerRules = []engine.Rule{autoscalerWithoutRequest}

var autoscalerWithoutRequest = engine.Rule{
	Rule: rule.Rule{
		ID: "MK538", Severity: rule.Warning, Title: "a HorizontalPodAutoscaler for pods without requests",
		Page: rulepages.Autoscaling,
		Reason: "averageUtilization is a share of what containers request. If a container has neither a request for " +
			"the resource nor a limit that counts as its request, the autoscaler reports missing request, and the " +
			"number of pods never changes. A LimitRange of the namespace may set the request. The same is true on " +
			"Linux.",
		Fix: "add it to resources.requests of the container",
		Source: "pkg/controller/podautoscaler/replica_calculator.go of Kubernetes 1.36.3; " +
			"https://github.com/aws/containers-roadmap/issues/425",
	},
	Checks: []engine.Check{engine.On(collection.Autoscalers, missingRequests)},
}

// missingRequests compares an autoscaler with the pods that it scales, if they are among the objects.
func missingRequests(o *collection.Object) (found []rule.Problem) {
	scaled := o.Scaled()
	if len(scaled) == 0 {
		return nil
	}
	for _, target := range utilizations(tree.Map(o.Tree["spec"])) {
		i := slices.IndexFunc(scaled, func(ctr collection.Request) bool {
			own, _ := tree.Text(ctr.Name)
			return (target.container == "" || own == target.container) && !ctr.May(target.resource)
		})
		if i < 0 {
			continue
		}
		found = append(found, rule.Problem{
			Path: target.path,
			Detail: fmt.Sprintf("the container %v of the pods requests no %v, so there is nothing to compare with",
				scaled[i].Name, target.shown),
		})
	}
	return found
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
