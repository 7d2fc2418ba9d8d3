package preflight

import (
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// pod runs all checks of pods.
func (c *check) pod(p *judged) {
	c.withoutContainers(p)
	c.guarded(p, func(c *check, p *judged) {
		c.osNameMissing(p)
		c.osFields(p)
		c.windowsOptions(p)
		c.hostProcessFields(p)
		c.images(p)
		c.onWindows(p)
		c.placed(p)
		c.annotated(p)
		c.checked(p)
	})
}

var podWithoutContainers = rule.Rule{
	ID: "MK170", Severity: rule.Error, Title: "a pod without containers",
	Reason: "The API server refuses a pod, or a pod template, without a regular container. An object that a tool " +
		"merges into another one may have none: a workload without the selector, schedule or restart policy that " +
		"its kind requires is not reported.",
	Source: apiValidation + ", validateContainers",
}

// completes are the kinds whose pods the API server validates, with a field that each object of the kind has, so that
// an object without it is part of another one.
var completes = map[string][]string{
	"Pod": nil, "PodTemplate": nil, "ReplicationController": nil,
	"Deployment": {"selector"}, "ReplicaSet": {"selector"}, "StatefulSet": {"selector"}, "DaemonSet": {"selector"},
	"CronJob": {"schedule"}, "Job": {"template", "spec", "restartPolicy"},
}

func (c *check) withoutContainers(p *judged) {
	keys, validated := completes[p.Kind]
	if !validated || keys != nil && tree.At(p.Object["spec"], keys...) == nil {
		return
	}
	containers := p.Spec["containers"]
	if containers != nil && (tree.List(containers) == nil || len(tree.List(containers)) > 0) {
		return
	}
	c.report(podWithoutContainers, rule.Problem{
		Path: p.Path("containers"), Type: field.ErrorTypeRequired, Value: "", Fix: "list what the pods run",
	})
}
