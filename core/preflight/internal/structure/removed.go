package structure

// removal describes the removal of a version of a kind.
type removal struct {
	// in is the first minor version of Kubernetes that does not serve it.
	in int
	// replacement is the version that replaces it.
	replacement string
}

// removed are the versions that an older API server served, as in the deprecation guide:
// https://kubernetes.io/docs/reference/using-api/deprecation-guide/.
var removed = map[string]map[string]removal{
	"extensions/v1beta1": {
		"DaemonSet": {16, "apps/v1"}, "Deployment": {16, "apps/v1"}, "ReplicaSet": {16, "apps/v1"},
		"NetworkPolicy": {16, "networking.k8s.io/v1"}, "PodSecurityPolicy": {16, ""},
		"Ingress": {22, "networking.k8s.io/v1"},
	},
	"apps/v1beta1": {"Deployment": {16, "apps/v1"}, "StatefulSet": {16, "apps/v1"}},
	"apps/v1beta2": {
		"DaemonSet": {16, "apps/v1"}, "Deployment": {16, "apps/v1"}, "ReplicaSet": {16, "apps/v1"},
		"StatefulSet": {16, "apps/v1"},
	},
	"admissionregistration.k8s.io/v1beta1": {
		"MutatingWebhookConfiguration":   {22, "admissionregistration.k8s.io/v1"},
		"ValidatingWebhookConfiguration": {22, "admissionregistration.k8s.io/v1"},
	},
	"apiextensions.k8s.io/v1beta1":   {"CustomResourceDefinition": {22, "apiextensions.k8s.io/v1"}},
	"apiregistration.k8s.io/v1beta1": {"APIService": {22, "apiregistration.k8s.io/v1"}},
	"authentication.k8s.io/v1beta1":  {"TokenReview": {22, "authentication.k8s.io/v1"}},
	"authorization.k8s.io/v1beta1": {
		"LocalSubjectAccessReview": {22, "authorization.k8s.io/v1"},
		"SelfSubjectAccessReview":  {22, "authorization.k8s.io/v1"},
		"SubjectAccessReview":      {22, "authorization.k8s.io/v1"},
		"SelfSubjectRulesReview":   {22, "authorization.k8s.io/v1"},
	},
	"autoscaling/v2beta1":         {"HorizontalPodAutoscaler": {25, "autoscaling/v2"}},
	"autoscaling/v2beta2":         {"HorizontalPodAutoscaler": {26, "autoscaling/v2"}},
	"batch/v1beta1":               {"CronJob": {25, "batch/v1"}},
	"certificates.k8s.io/v1beta1": {"CertificateSigningRequest": {22, "certificates.k8s.io/v1"}},
	"coordination.k8s.io/v1beta1": {"Lease": {22, "coordination.k8s.io/v1"}},
	"discovery.k8s.io/v1beta1":    {"EndpointSlice": {25, "discovery.k8s.io/v1"}},
	"events.k8s.io/v1beta1":       {"Event": {25, "events.k8s.io/v1"}},
	"flowcontrol.apiserver.k8s.io/v1beta1": {
		"FlowSchema":                 {26, "flowcontrol.apiserver.k8s.io/v1"},
		"PriorityLevelConfiguration": {26, "flowcontrol.apiserver.k8s.io/v1"},
	},
	"flowcontrol.apiserver.k8s.io/v1beta2": {
		"FlowSchema":                 {29, "flowcontrol.apiserver.k8s.io/v1"},
		"PriorityLevelConfiguration": {29, "flowcontrol.apiserver.k8s.io/v1"},
	},
	"flowcontrol.apiserver.k8s.io/v1beta3": {
		"FlowSchema":                 {32, "flowcontrol.apiserver.k8s.io/v1"},
		"PriorityLevelConfiguration": {32, "flowcontrol.apiserver.k8s.io/v1"},
	},
	"networking.k8s.io/v1beta1": {
		"Ingress": {22, "networking.k8s.io/v1"}, "IngressClass": {22, "networking.k8s.io/v1"},
	},
	"node.k8s.io/v1beta1": {"RuntimeClass": {25, "node.k8s.io/v1"}},
	"policy/v1beta1":      {"PodDisruptionBudget": {25, "policy/v1"}, "PodSecurityPolicy": {25, ""}},
	"rbac.authorization.k8s.io/v1beta1": {
		"ClusterRole":        {22, "rbac.authorization.k8s.io/v1"},
		"ClusterRoleBinding": {22, "rbac.authorization.k8s.io/v1"},
		"Role":               {22, "rbac.authorization.k8s.io/v1"},
		"RoleBinding":        {22, "rbac.authorization.k8s.io/v1"},
	},
	"scheduling.k8s.io/v1beta1": {"PriorityClass": {22, "scheduling.k8s.io/v1"}},
	"storage.k8s.io/v1beta1": {
		"CSIDriver": {22, "storage.k8s.io/v1"}, "CSINode": {22, "storage.k8s.io/v1"},
		"StorageClass": {22, "storage.k8s.io/v1"}, "VolumeAttachment": {22, "storage.k8s.io/v1"},
		"CSIStorageCapacity": {27, "storage.k8s.io/v1"},
	},
}
