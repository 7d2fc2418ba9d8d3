package change

import (
	"slices"
	"strings"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/property"
)

// fixed are the properties of Kubernetes' kinds, besides name and namespace, for whose change pulumi-kubernetes
// replaces an object: mostly because the API server never changes them. * stands for every element of a list. It is the
// list of release 4.25, without kinds that Kubernetes no longer serves, and without properties below another one
// (https://github.com/pulumi/pulumi-kubernetes/blob/master/provider/pkg/provider/diff.go).
var fixed = map[string][]string{
	"apps/v1:DaemonSet":   {"spec.selector"},
	"apps/v1:Deployment":  {"spec.selector"},
	"apps/v1:StatefulSet": statefulSet,
	"batch/v1:Job":        {"spec.completions", "spec.parallelism", "spec.selector", "spec.template"},
	"core/v1:PersistentVolume": below("spec.", "awsElasticBlockStore", "azureDisk", "azureFile", "cephfs", "cinder",
		"csi", "fc", "flexVolume", "flocker", "gcePersistentDisk", "glusterfs", "hostPath", "iscsi", "local", "nfs",
		"photonPersistentDisk", "portworxVolume", "quobyte", "rbd", "scaleIO", "storageos", "vsphereVolume"),
	"core/v1:PersistentVolumeClaim": {
		"spec.accessModes", "spec.selector", "spec.storageClassName", "spec.volumeName",
	},
	"core/v1:Pod":           pod,
	"core/v1:ResourceQuota": {"spec.scopes"},
	"core/v1:Secret":        {"type"},
	"core/v1:Service":       {"spec.clusterIP"},

	"rbac.authorization.k8s.io/v1:ClusterRoleBinding": {"roleRef"},
	"rbac.authorization.k8s.io/v1:RoleBinding":        {"roleRef"},

	"storage.k8s.io/v1:StorageClass": {"parameters", "provisioner"},
}

var statefulSet = []string{
	"spec.podManagementPolicy", "spec.revisionHistoryLimit", "spec.selector", "spec.serviceName",
	"spec.volumeClaimTemplates",
}

var pod = slices.Concat(
	below("spec.", "affinity", "automountServiceAccountToken", "dnsConfig", "dnsPolicy", "enableServiceLinks",
		"hostAliases", "hostIPC", "hostNetwork", "hostPID", "hostname", "imagePullSecrets", "nodeName", "nodeSelector",
		"overhead", "preemptionPolicy", "priority", "priorityClassName", "readinessGates", "restartPolicy",
		"runtimeClassName", "schedulerName", "securityContext", "serviceAccount", "serviceAccountName",
		"shareProcessNamespace", "subdomain", "terminationGracePeriodSeconds", "volumes"),
	below("spec.containers.*.", container...), below("spec.initContainers.*.", container...))

var container = []string{
	"args", "command", "env", "image", "imagePullPolicy", "lifecycle", "livenessProbe", "ports", "readinessProbe",
	"resources", "securityContext", "stdin", "stdinOnce", "terminationMessagePath", "terminationMessagePolicy", "tty",
	"volumeDevices", "volumeMounts", "workingDir",
}

func below(prefix string, names ...string) []string {
	var paths []string
	for _, name := range names {
		paths = append(paths, prefix+name)
	}
	return paths
}

// clusterScoped are Kubernetes' kinds without a namespace.
var clusterScoped = []string{
	"APIService", "CSIDriver", "CSINode", "CertificateSigningRequest", "ClusterRole", "ClusterRoleBinding",
	"CustomResourceDefinition", "FlowSchema", "IngressClass", "MutatingWebhookConfiguration", "Namespace", "Node",
	"PersistentVolume", "PriorityClass", "PriorityLevelConfiguration", "RuntimeClass", "StorageClass",
	"ValidatingAdmissionPolicy", "ValidatingAdmissionPolicyBinding", "ValidatingWebhookConfiguration",
	"VolumeAttachment",
}

// isObject reports whether a type is the type of objects in a cluster, and not of a component of pulumi-kubernetes.
func isObject(typ string) bool {
	module, _, ok := strings.Cut(strings.TrimPrefix(typ, "kubernetes:"), "/")
	return ok && strings.HasPrefix(typ, "kubernetes:") && strings.Count(typ, ":") == 2 &&
		!slices.Contains([]string{"helm.sh", "yaml", "kustomize"}, module)
}

// kubernetesObject is the type of an object.
type kubernetesObject string

func (k kubernetesObject) kind() string { return string(k)[strings.LastIndex(string(k), ":")+1:] }

// fixed returns the properties for whose change the object is replaced. Custom resources and patches have only a name
// and a namespace.
func (k kubernetesObject) fixed(after, provider property.Map) []string {
	all := append([]string{"metadata.name", "metadata.namespace"},
		fixed[strings.TrimPrefix(string(k), "kubernetes:")]...)
	immutable := isTrue(after, "immutable")
	switch k {
	case "kubernetes:core/v1:ConfigMap":
		if immutable || !isTrue(provider, "enableConfigMapMutable") {
			all = append(all, "binaryData", "data")
		}
	case "kubernetes:core/v1:Secret":
		if immutable || !isTrue(provider, "enableSecretMutable") {
			all = append(all, "data", "stringData")
		}
	}
	return all
}

func (k kubernetesObject) compare(q Question) Answer {
	before := k.placed(k.named(q.Before, q), q.ProviderBefore)
	after := k.placed(q.After, q.ProviderAfter)
	paths := k.fixed(after, q.ProviderAfter)
	found := Differences(before, after)
	for i, d := range found {
		if (d.Kind == Removed || d.After.IsComputed()) && len(d.Path) == 1 && d.Path[0] == "metadata" {
			found[i].Why = why("kubernetes", "metadata")
		}
		for _, path := range paths {
			if touches(d.Path, d.After, strings.Split(path, ".")) {
				found[i].Why = why("kubernetes", strings.ReplaceAll(path, ".*", "[*]"))
				break
			}
		}
	}
	// A name that pulumi-kubernetes generates differs for the new object.
	name := at(after, "metadata", "name")
	stays := !name.IsNull() && !name.IsComputed() && name.Equals(at(before, "metadata", "name")) &&
		text(before, "metadata", "namespace") == text(after, "metadata", "namespace")
	return Answer{Differences: found, DeleteFirst: stays}
}

// named adds the name that pulumi-kubernetes generated to the earlier inputs, if the program now sets the same name.
func (k kubernetesObject) named(before property.Map, q Question) property.Map {
	made, want := at(q.State, "metadata", "name"), at(q.After, "metadata", "name")
	if !at(before, "metadata", "name").IsNull() || !made.IsString() || !made.Equals(want) {
		return before
	}
	return withMetadata(before, "name", made)
}

// placed adds the namespace to inputs that do not have one.
func (k kubernetesObject) placed(inputs, provider property.Map) property.Map {
	metadata := at(inputs, "metadata")
	if !metadata.IsNull() && !metadata.IsMap() {
		return inputs
	}
	switch namespace := at(inputs, "metadata", "namespace"); {
	case slices.Contains(clusterScoped, strings.TrimSuffix(k.kind(), "Patch")):
		if namespace.IsNull() {
			return inputs
		}
		return inputs.Set("metadata", property.New(metadata.AsMap().Delete("namespace")))
	case !namespace.IsNull():
		return inputs
	}
	namespace := at(provider, "namespace")
	if namespace.IsNull() {
		namespace = property.New("default")
	}
	return withMetadata(inputs, "namespace", namespace)
}

func withMetadata(inputs property.Map, key string, value property.Value) property.Map {
	metadata := property.Map{}
	if existing := at(inputs, "metadata"); existing.IsMap() {
		metadata = existing.AsMap()
	}
	return inputs.Set("metadata", property.New(metadata.Set(key, value)))
}

// touches reports whether a difference is at a fixed path or below it, or has it in a new value.
func touches(path resource.PropertyPath, value property.Value, fixed []string) bool {
	if len(fixed) == 0 {
		return true
	}
	if len(path) > 0 {
		_, isIndex := path[0].(int)
		if fixed[0] == "*" != isIndex || !isIndex && path[0] != fixed[0] {
			return false
		}
		return touches(path[1:], value, fixed[1:])
	}
	switch {
	case fixed[0] == "*" && value.IsArray():
		return slices.ContainsFunc(value.AsArray().AsSlice(),
			func(e property.Value) bool { return touches(nil, e, fixed[1:]) })
	case value.IsMap():
		inner, ok := value.AsMap().GetOk(fixed[0])
		return ok && touches(nil, inner, fixed[1:])
	default:
		return false
	}
}
