package fields

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	batchv1 "k8s.io/api/batch/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/core/preflight/internal/subject"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
	"github.com/mixedkube/mixedkube/internal/core/rule/rulepages"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// selectorRules are about the selectors of workloads.
var selectorRules = []engine.Rule{selectorOfOtherPods, selectorOfJob, selectorOfNoPods}

// workloads are pods of an object that selects its pods.
var workloads = &engine.Scope[*subject.Pods]{
	Within: subject.ValidatedPods, Name: "workloads with a selector",
	Has: func(p *subject.Pods) bool { return tree.Map(p.Object["spec"])["selector"] != nil },
}

var selectorOfOtherPods = engine.Rule{
	Rule: rule.Rule{
		ID: "MK173", Severity: rule.Error, Title: "a selector that does not match the pod template",
		Page: rulepages.Structure,
		Reason: "A workload counts the pods that its selector matches, and creates pods with the labels of its " +
			"template. It would create pods without end if these were not the same, so the API server refuses it.",
		Fix: "give the template the labels that the selector requires",
		Source: "pkg/apis/apps/validation/validation.go of Kubernetes 1.36.3, ValidatePodTemplateSpecForReplicaSet, " +
			"ValidatePodTemplateSpecForStatefulSet and ValidateDaemonSetSpec; " +
			"pkg/apis/batch/validation/validation.go, ValidateJobSpec",
	},
	Checks: []engine.Check{engine.On(workloads, func(p *subject.Pods) []rule.Problem {
		selector, known := selectorOf(p)
		template, final := labelsOf(p)
		if !known || !final || selector.Matches(template) {
			return nil
		}
		found := rule.Problem{
			Path:   p.Prefix + "metadata.labels",
			Type:   field.ErrorTypeInvalid,
			Value:  shownAs(template.String(), p.Metadata["labels"]),
			Detail: "`selector` does not match template `labels`",
		}
		if manual, _ := manualSelector(tree.Map(p.Object["spec"])); p.Kind == "Job" && !manual {
			found.Fix = selectorOfJob.Fix
		} else if missing := missingLabels(p, template); len(missing) > 0 {
			found.Fix = "write " + strings.Join(missing, ", ") + ", as the selector requires"
		}
		return []rule.Problem{found}
	})},
}

// selectorOf returns the selector of a workload, without what the API server generates for a Job. It returns false if
// the selector, or a part of it, is not known or malformed.
func selectorOf(p *subject.Pods) (labels.Selector, bool) {
	spec := tree.Map(p.Object["spec"])
	switch p.Kind {
	case "ReplicationController":
		return subject.ReadSelector(map[string]any{"matchLabels": spec["selector"]})
	case "Job":
		manual, known := manualSelector(spec)
		selector, read := subject.ReadSelector(spec["selector"])
		if !known || !read || manual {
			return selector, known && read
		}
		return withoutGenerated(selector), true
	default:
		return subject.ReadSelector(spec["selector"])
	}
}

// labelsOf returns the labels of a pod template. It returns false if one of them is not known, or is not valid: a
// program may replace it before the API server sees it.
func labelsOf(p *subject.Pods) (labels.Set, bool) {
	written := tree.Map(p.Metadata["labels"])
	read := make(labels.Set, len(written))
	for key, v := range written {
		text, ok := tree.Text(v)
		if !ok || len(validation.IsValidLabelValue(text)) > 0 {
			return nil, false
		}
		read[key] = text
	}
	return read, p.KnowsMetadata() && (p.Metadata["labels"] == nil || written != nil)
}

// missingLabels returns the labels that a selector requires and the template does not have, except secret ones.
func missingLabels(p *subject.Pods, template labels.Set) []string {
	required := tree.Map(tree.At(p.Object["spec"], "selector", "matchLabels"))
	if p.Kind == "ReplicationController" {
		required = tree.Map(tree.At(p.Object["spec"], "selector"))
	}
	var missing []string
	for _, key := range slices.Sorted(maps.Keys(required)) {
		if value, plain := required[key].(string); plain && template[key] != value {
			missing = append(missing, key+": "+value)
		}
	}
	return missing
}

var selectorOfJob = engine.Rule{
	Rule: rule.Rule{
		ID: "MK174", Severity: rule.Error, Title: "a selector of a Job that contradicts manualSelector",
		Page: rulepages.Structure,
		Reason: "The API server generates the selector of a Job, with a label that no other pods have, and refuses " +
			"other selectors unless manualSelector is true. With manualSelector, it refuses a Job without a " +
			"selector. The Jobs of a CronJob have only generated selectors.",
		Fix: "remove the selector",
		Source: "pkg/apis/batch/validation/validation.go of Kubernetes 1.36.3, validateGeneratedSelector and " +
			"ValidateJobTemplateSpec",
	},
	Checks: []engine.Check{engine.On(jobs, func(p *subject.Pods) []rule.Problem {
		if p.Kind == "CronJob" {
			return selectorInCronJob(p)
		}
		spec := tree.Map(p.Object["spec"])
		manual, known := manualSelector(spec)
		if known && manual && spec["selector"] == nil {
			return []rule.Problem{{
				Path: "spec.selector", Type: field.ErrorTypeRequired,
				Fix: "remove manualSelector, or write the labels of the template as the selector",
			}}
		}
		selector, read := subject.ReadSelector(spec["selector"])
		if !known || manual || !read || withoutGenerated(selector).Matches(labels.Set{}) {
			return nil
		}
		return []rule.Problem{{
			Path: "spec.selector", Type: field.ErrorTypeInvalid, Value: shownAs(selector.String(), spec["selector"]),
			Detail: "`selector` not auto-generated",
		}}
	})},
}

// jobs are the pods of Jobs and CronJobs.
var jobs = &engine.Scope[*subject.Pods]{
	Within: subject.ValidatedPods, Name: "Jobs and CronJobs",
	Has: func(p *subject.Pods) bool { return p.Kind == "Job" || p.Kind == "CronJob" },
}

func selectorInCronJob(p *subject.Pods) (found []rule.Problem) {
	const path = "spec.jobTemplate.spec."
	spec := tree.Map(tree.At(p.Object["spec"], "jobTemplate", "spec"))
	if selector, known := subject.ReadSelector(spec["selector"]); known {
		found = append(found, rule.Problem{
			Path: path + "selector", Type: field.ErrorTypeInvalid, Value: shownAs(selector.String(), spec["selector"]),
			Detail: "`selector` will be auto-generated",
		})
	}
	if manual, _ := tree.Bool(spec["manualSelector"]); manual {
		unsupported := field.NotSupported(nil, "", []string{"nil", "false"})
		found = append(found, rule.Problem{
			Path: path + "manualSelector", Type: unsupported.Type, Value: spec["manualSelector"],
			Detail: unsupported.Detail, Fix: "remove it",
		})
	}
	return found
}

var selectorOfNoPods = engine.Rule{
	Rule: rule.Rule{
		ID: "MK176", Severity: rule.Error, Title: "a workload that selects no pods", Page: rulepages.Structure,
		Reason: "A Deployment, ReplicaSet, StatefulSet or DaemonSet finds its pods by their labels. An empty " +
			"selector would match all pods of the namespace, so the API server refuses it. A workload without a " +
			"selector is not reported: it can be a patch of another one.",
		Fix: "write labels of the pod template that other pods do not have",
		Source: "pkg/apis/apps/validation/validation.go of Kubernetes 1.36.3, ValidateDeploymentSpec, " +
			"ValidateReplicaSetSpec, ValidateStatefulSetSpec and ValidateDaemonSetSpec",
	},
	Checks: []engine.Check{engine.On(ofApps, func(p *subject.Pods) []rule.Problem {
		written := tree.At(p.Object["spec"], "selector")
		selector, known := subject.ReadSelector(written)
		if !known || !selector.Empty() {
			return nil
		}
		return []rule.Problem{{
			Path: "spec.selector", Type: field.ErrorTypeInvalid, Value: shownAs("{}", written),
			Detail: "empty selector is invalid for " + cmp.Or(inMessage[p.Kind], "deployment"),
		}}
	})},
}

// inMessage are kinds as the API server writes them. A ReplicaSet is a deployment there.
var inMessage = map[string]string{"DaemonSet": "daemonset", "StatefulSet": "statefulset"}

// ofApps are the pods of the workloads of the API group apps. A workload without a selector is a part of another one.
var ofApps = &engine.Scope[*subject.Pods]{
	Within: workloads, Name: "workloads of apps/v1",
	Has: func(p *subject.Pods) bool { return p.Object["apiVersion"] == "apps/v1" },
}

// shownAs returns the text of a value, as a secret if a part of the value is one.
func shownAs(text string, of any) any {
	if hasSecret(of) {
		return tree.Secret{Value: text}
	}
	return text
}

func hasSecret(v any) bool {
	if _, secret := v.(tree.Secret); secret {
		return true
	}
	if slices.ContainsFunc(tree.List(v), hasSecret) {
		return true
	}
	for _, part := range tree.Map(v) {
		if hasSecret(part) {
			return true
		}
	}
	return false
}

// manualSelector reports whether a Job has a selector of its own.
func manualSelector(spec map[string]any) (manual, known bool) {
	if spec["manualSelector"] == nil {
		return false, true
	}
	return tree.Bool(spec["manualSelector"])
}

// withoutGenerated returns the requirements of a selector about labels that the API server does not generate. A Job
// that was read from a cluster has both the generated selector and the generated labels.
func withoutGenerated(selector labels.Selector) labels.Selector {
	rest := labels.NewSelector()
	requirements, _ := selector.Requirements()
	for i := range requirements {
		switch requirements[i].Key() {
		case batchv1.ControllerUidLabel, batchv1.JobNameLabel, "controller-uid", "job-name":
		default:
			rest = rest.Add(requirements[i])
		}
	}
	return rest
}
