package pods

import (
	"slices"
	"strings"

	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// kind is what is known about a kind of objects that have pods.
type kind struct {
	// template has the keys of the pod template, none if the object is a pod itself.
	template []string
	// without has the fields of a pod's spec that the kind does not have.
	without []string
}

// inSpec and inJobs are the keys of the pod template in most kinds.
var (
	inSpec = []string{"spec", "template"}
	inJobs = []string{"spec", "jobTemplate", "spec", "template"}
)

// fieldOS and fieldClass are fields of a pod's spec that some kinds do not have.
const (
	fieldOS    = "os"
	fieldClass = "runtimeClassName"
)

// kinds are the kinds with one pod template: Kubernetes' own with their name, others with
// their name and group, like in kubectl.
var kinds = map[string]kind{
	"Pod":                   {template: []string{}},
	"Deployment":            {template: inSpec},
	"ReplicaSet":            {template: inSpec},
	"StatefulSet":           {template: inSpec},
	"DaemonSet":             {template: inSpec},
	"ReplicationController": {template: inSpec},
	"Job":                   {template: inSpec},
	"CronJob":               {template: inJobs},
	"PodTemplate":           {template: []string{"template"}},

	// https://argo-rollouts.readthedocs.io/en/stable/features/specification/
	Rollout: {template: inSpec},
	// https://keda.sh/docs/latest/reference/scaledjob-spec/
	ScaledJob: {template: []string{"spec", "jobTargetRef", "template"}},
	// https://github.com/actions/actions-runner-controller/blob/master/apis/actions.github.com/v1alpha1/autoscalingrunnerset_types.go
	RunnerScaleSet: {template: inSpec},
	// https://github.com/actions/actions-runner-controller/blob/master/apis/actions.summerwind.net/v1alpha1/runner_types.go
	RunnerDeployment: {template: inSpec, without: []string{fieldOS}},
	RunnerSet:        {template: inSpec},
	// https://github.com/knative/serving/blob/main/pkg/apis/serving/fieldmask.go (PodSpecMask)
	KnativeService:       {template: inSpec, without: []string{fieldOS}},
	KnativeConfiguration: {template: inSpec, without: []string{fieldOS}},
}

// Known kinds of other projects.
const (
	Rollout              = "Rollout.argoproj.io"
	ScaledJob            = "ScaledJob.keda.sh"
	RunnerScaleSet       = "AutoscalingRunnerSet.actions.github.com"
	RunnerDeployment     = "RunnerDeployment.actions.summerwind.dev"
	RunnerSet            = "RunnerSet.actions.summerwind.dev"
	KnativeService       = "Service." + knative
	KnativeConfiguration = "Configuration." + knative

	knative = "serving.knative.dev"
)

// groups has the API groups of Kubernetes' own kinds that this library knows.
var groups = map[string]string{
	"Pod": "", "PodTemplate": "", "ReplicationController": "", "Service": "", "Namespace": "", "PersistentVolume": "",
	"Deployment": "apps", "ReplicaSet": "apps", "StatefulSet": "apps", "DaemonSet": "apps",
	"PersistentVolumeClaim": "", "StorageClass": "storage.k8s.io",
	"Job": "batch", "CronJob": "batch", "RuntimeClass": "node.k8s.io", "HorizontalPodAutoscaler": "autoscaling",
	"PodDisruptionBudget": "policy", "NetworkPolicy": "networking.k8s.io",
}

// KindOf returns the kind of an object, "" if this library does not know it: other groups have
// kinds with the same name, such as the Service of Knative. A known kind of another group has
// the group after its name: "Rollout.argoproj.io". An object without a group is treated as one
// of Kubernetes' own kinds. A Service of Cloud Run has a kind that is not known.
func KindOf(object map[string]any) string {
	name, _ := tree.Text(object["kind"])
	_, hasVersion := tree.Text(object["apiVersion"])
	group := groupOf(object)
	builtIn, known := groups[name]
	switch {
	// Old manifests have the workloads in extensions.
	case known && (!hasVersion || group == builtIn || group == "extensions" && builtIn == "apps"):
		return name
	case isCustom(name+"."+group) && (group != knative || !onCloudRun(object)):
		return name + "." + group
	default:
		return ""
	}
}

// isCustom reports whether a kind with its group is a known custom kind.
func isCustom(kind string) bool {
	_, template := kinds[kind]
	_, workflow := workflows[kind]
	return template || workflow
}

// Group returns the API group of a kind of Kubernetes that [KindOf] knows; false for other kinds.
func Group(kind string) (string, bool) {
	group, known := groups[kind]
	return group, known
}

// Template returns the keys of the pod, or of the pod template, in an object of a kind: no
// keys for a Pod, "spec" and "template" for a Deployment. It returns false for kinds without
// pods.
func Template(kind string) ([]string, bool) {
	k, ok := kinds[kind]
	return slices.Clip(k.template), ok
}

// Has reports whether the spec of the pods can have a field that some kinds do not have: "os" and
// "runtimeClassName".
func (p *Pods) Has(field string) bool {
	if p.workflow != nil {
		return slices.Contains(inherited, field)
	}
	if p.at != nil {
		return field == fieldClass && p.OfRunnerConfig()
	}
	return !slices.Contains(kinds[p.Kind].without, field)
}

// KindName returns the kind for running text: "deployment", "rollout".
func (p *Pods) KindName() string {
	name, _, _ := strings.Cut(p.Kind, ".")
	return strings.ToLower(name)
}
