package collection

import (
	"maps"
	"slices"
	"strings"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/preflight/internal/subject"
	"github.com/mixedkube/mixedkube/internal/core/pods"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// workload is what other objects need to know about an object with pods.
type workload struct {
	// kind is the kind according to [pods.KindOf], and written the one that the object states, "" for a secret one.
	kind, written string
	name          any // as it is written
	// namespace is "" if it is unknown.
	namespace string
	replicas  any
	labels    labelSet
	requests  []Request
	// rare is what few workloads have: one without any shares it with the others, because all workloads of a run stay in
	// memory.
	*rare

	// os, release and guessed are what the pods are for. They include the RuntimeClass after [Collection.Resolve] has
	// compared the two.
	os      platform.OS
	release platform.Platform
	guessed bool
	// hasNamespace is true if the namespace is known, allLabels if all labels are.
	hasNamespace, allLabels bool
	// together is true if the containers request resources together, or may do so.
	together    bool
	hostProcess bool
}

// rare is never changed.
type rare struct {
	// class is the name of the RuntimeClass, and claims are the names of PersistentVolumeClaims.
	class  string
	claims []string
	// leaving are the names of the pools that are drained and where the pods land.
	leaving []string
}

// common is what most workloads have.
var common = new(rare)

func rareOf(class string, claims, leaving []string) *rare {
	if class == "" && len(claims)+len(leaving) == 0 {
		return common
	}
	return &rare{class, claims, leaving}
}

// workloadOf reads an object whose pods are for the target if their class is unknown, and land in drained pools.
func workloadOf(o *pods.Object, target *pods.Target, drained []string) *workload {
	p := o.Pods
	w := &workload{
		kind: pooled(o.Kind), name: tree.At(o.Tree, "metadata", "name"),
		replicas:    tree.At(o.Tree, "spec", "replicas"),
		rare:        rareOf(p.ClassName(), claimsOf(p), drained),
		together:    tree.IsUnknown(p.Spec["resources"]) || pods.IsSet(p.Spec, "resources"),
		hostProcess: p.HostProcess(),
	}
	written, _ := o.Tree["kind"].(string)
	w.written = pooled(written)
	w.namespace, w.hasNamespace = subject.Namespace(o.Tree)
	labels := tree.Map(p.Metadata["labels"])
	w.labels = labelsOf(labels)
	w.allLabels = len(w.labels) == len(labels) && p.KnowsMetadata()
	for i := range p.Containers {
		if ctr := &p.Containers[i]; ctr.List == "containers" {
			w.requests = append(w.requests, requestedBy(ctr))
		}
	}
	w.resolve(target)
	return w
}

// title returns the kind and the name, without secrets.
func (w *workload) title() string {
	name, _ := w.name.(string)
	return strings.Trim(w.written+"/"+name, "/")
}

// resolve sets what the pods are for.
func (w *workload) resolve(target *pods.Target) {
	release, _ := target.Release()
	w.os, w.release, w.guessed = target.OS(), release.Release, target.Guessed
}

// leaving returns the names of the pools that are drained and where pods for a target land.
func leaving(cluster *subject.Cluster, p *pods.Pods, target *pods.Target) []string {
	if cluster.Leaving == nil {
		return nil
	}
	answer, hidden := cluster.Leaving.Place(p, target)
	var names []string
	for _, v := range answer.Verdicts {
		if v.Schedules == platform.Yes && !hidden {
			names = append(names, v.Pool.Name)
		}
	}
	return names
}

// claimsOf returns the names of the claims that pods mount.
func claimsOf(p *pods.Pods) []string {
	var names []string
	for _, v := range tree.List(p.Spec["volumes"]) {
		if name, ok := tree.Text(tree.At(tree.Map(v)["persistentVolumeClaim"], "claimName")); ok {
			names = append(names, name)
		}
	}
	return names
}

// atLeast returns the minimum number of pods that an object creates. It returns 0 if the number depends on the nodes or
// on time.
func (w *workload) atLeast() int64 {
	switch {
	case w.kind == "Pod":
		return 1
	case !scalable[w.kind]:
		return 0
	case w.replicas == nil:
		return 1
	}
	n, _ := tree.Int(w.replicas)
	return max(n, 0)
}

// scalable are the kinds whose pods spec.replicas counts.
var scalable = map[string]bool{
	"Deployment": true, "ReplicaSet": true, "StatefulSet": true, "ReplicationController": true,
	pods.Rollout: true,
}

// Request is what a container requests. A limit without a request counts as the request.
type Request struct {
	// Name is the name of the container, as it is written.
	Name any
	// all is true if the resources are unknown, so any may be requested.
	all       bool
	resources []string
}

// May reports whether the container requests a resource, or may do so.
func (r *Request) May(resource string) bool { return r.all || slices.Contains(r.resources, resource) }

func requestedBy(ctr *pods.Container) Request {
	r := Request{Name: ctr.Spec["name"], all: tree.IsUnknown(ctr.Spec["resources"])}
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
