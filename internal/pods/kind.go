package pods

import (
	"slices"
	"strings"

	"github.com/mixedkube/mixedkube/internal/tree"
)

// kind is what is known of a kind of objects that have pods.
type kind struct {
	// template are the keys of the template of pods, none if the object is a pod itself.
	template []string
	// without are fields of a pod's spec that the kind does not have.
	without []string
}

// spec and jobs are where most kinds have their template.
var (
	inSpec = []string{"spec", "template"}
	inJobs = []string{"spec", "jobTemplate", "spec", "template"}
)

// fieldOS and fieldClass are fields of a pod's spec that not every kind has.
const (
	fieldOS    = "os"
	fieldClass = "runtimeClassName"
)

// kinds are those with one template of pods: Kubernetes' own by their name, others with
// their group, as kubectl writes both.
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

// Kinds of others that are known.
const (
	Rollout              = "Rollout.argoproj.io"
	ScaledJob            = "ScaledJob.keda.sh"
	RunnerScaleSet       = "AutoscalingRunnerSet.actions.github.com"
	RunnerDeployment     = "RunnerDeployment.actions.summerwind.dev"
	RunnerSet            = "RunnerSet.actions.summerwind.dev"
	KnativeService       = "Service.serving.knative.dev"
	KnativeConfiguration = "Configuration.serving.knative.dev"
)

// groups are the API groups of the kinds that this library knows and that are Kubernetes' own.
var groups = map[string]string{
	"Pod": "", "PodTemplate": "", "ReplicationController": "", "Service": "", "Namespace": "", "PersistentVolume": "",
	"Deployment": "apps", "ReplicaSet": "apps", "StatefulSet": "apps", "DaemonSet": "apps",
	"PersistentVolumeClaim": "", "StorageClass": "storage.k8s.io",
	"Job": "batch", "CronJob": "batch", "RuntimeClass": "node.k8s.io", "HorizontalPodAutoscaler": "autoscaling",
	"PodDisruptionBudget": "policy", "NetworkPolicy": "networking.k8s.io",
}

// KindOf is the object's kind, "" for one that this library does not know: other groups
// have kinds of the same name, such as the Service of Knative. Those of them that are known
// have their group behind the name: "Rollout.argoproj.io". An object that does not say its
// group is taken for Kubernetes' own.
func KindOf(object map[string]any) string {
	name, _ := tree.Text(object["kind"])
	version, said := tree.Text(object["apiVersion"])
	given, _, grouped := strings.Cut(version, "/")
	if !grouped {
		given = ""
	}
	group, known := groups[name]
	switch {
	// Old manifests have the workloads in extensions.
	case known && (!said || given == group || given == "extensions" && group == "apps"):
		return name
	case isOfOthers(name + "." + given):
		return name + "." + given
	default:
		return ""
	}
}

// isOfOthers reports whether a kind with its group is known.
func isOfOthers(kind string) bool {
	_, template := kinds[kind]
	_, workflow := workflows[kind]
	return template || workflow
}

// Group is the API group of a kind of Kubernetes that [KindOf] knows; false for other kinds.
func Group(kind string) (string, bool) {
	group, known := groups[kind]
	return group, known
}

// Template says where the pod, or the template of pods, is in an object of a kind: no
// keys for a Pod, "spec" and "template" for a Deployment. It is false for kinds without
// pods.
func Template(kind string) ([]string, bool) {
	k, ok := kinds[kind]
	return slices.Clip(k.template), ok
}

// Has reports whether the spec of the pods has a field, of those that some kinds lack: "os" and
// "runtimeClassName".
func (p *Pods) Has(field string) bool {
	if p.at != nil {
		return field == fieldClass && p.OfRunnerConfig()
	}
	return !slices.Contains(kinds[p.Kind].without, field)
}

// KindName is the kind in running text: "deployment", "rollout".
func (p *Pods) KindName() string {
	name, _, _ := strings.Cut(p.Kind, ".")
	return strings.ToLower(name)
}
