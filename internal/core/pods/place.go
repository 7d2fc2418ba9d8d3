package pods

import (
	"strconv"

	corev1 "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/internal/core/placement"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// Place determines where pods can land in the topology, which must have pools. It also reports
// whether the answer depends on values that must not be shown.
func (c *Context) Place(p *Pods, t *Target) (answer placement.Placement, hidden bool) {
	r := reader{context: c, pods: p, target: t}
	return c.Nodes.Place(r.pod()), r.hidden
}

// reader reads the fields of an object that decide where its pods can land. A field that
// it cannot read counts as unknown.
type reader struct {
	context *Context
	pods    *Pods
	target  *Target
	unknown placement.Parts
	hidden  bool
}

func (r *reader) pod() placement.Pod {
	p := r.pods
	pod := placement.Pod{
		OS:           r.target.Declared,
		NodeSelector: r.labels(p.Spec["nodeSelector"], placement.PartSelector),
		Required:     r.required(),
		Tolerations:  r.tolerations(p.Spec["tolerations"], placement.PartTolerations),
		RuntimeClass: r.runtimeClass(),
		Images:       r.images(),
		Volumes:      r.volumes(),
		DaemonSet:    p.Kind == "DaemonSet",
	}
	if r.context.sized {
		pod.Requests = r.requests()
	}
	if pod.OS == "" && IsSet(p.Spec, "os") {
		r.unknown |= placement.PartOS
	}
	if IsSet(p.Spec, "nodeName") {
		if tree.IsUnknown(p.Spec["nodeName"]) {
			pod.NodeName = "a node" // any name will do
		} else {
			pod.NodeName = r.text(p.Spec["nodeName"], 0)
		}
	}
	pod.HostNetwork, _ = tree.Bool(p.Spec["hostNetwork"])
	pod.Unknown = r.unknown
	return pod
}

// text reads a value that a placement may show.
func (r *reader) text(v any, part placement.Parts) string {
	s, ok := v.(string)
	if !ok {
		if s, ok = tree.Text(v); ok {
			r.hidden = true
		} else if v != nil {
			r.unknown |= part
		}
	}
	return s
}

func (r *reader) list(v any, part placement.Parts) []any {
	list := tree.List(v)
	if list == nil && v != nil {
		r.unknown |= part
	}
	return list
}

func (r *reader) labels(v any, part placement.Parts) map[string]string {
	m := tree.Map(v)
	if m == nil {
		if v != nil {
			r.unknown |= part
		}
		return nil
	}
	labels := make(map[string]string, len(m))
	for key, v := range m {
		if _, ok := tree.Text(v); !ok {
			r.unknown |= part
			continue
		}
		labels[key] = r.text(v, part)
	}
	return labels
}

func (r *reader) required() *corev1.NodeSelector {
	affinity := r.pods.Spec["affinity"]
	if affinity == nil {
		return nil
	}
	return r.nodeSelector(tree.At(affinity, "nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution"),
		placement.PartAffinity)
}

func (r *reader) nodeSelector(v any, part placement.Parts) *corev1.NodeSelector {
	if v == nil {
		return nil
	}
	if tree.IsUnknown(v) {
		r.unknown |= part
		return nil
	}
	selector := &corev1.NodeSelector{}
	for _, t := range r.list(tree.Map(v)["nodeSelectorTerms"], part) {
		term := tree.Map(t)
		if term == nil {
			r.unknown |= part
			continue
		}
		selector.NodeSelectorTerms = append(selector.NodeSelectorTerms, corev1.NodeSelectorTerm{
			MatchExpressions: r.expressions(term["matchExpressions"], part),
			MatchFields:      r.expressions(term["matchFields"], part),
		})
	}
	return selector
}

func (r *reader) expressions(v any, part placement.Parts) []corev1.NodeSelectorRequirement {
	var expressions []corev1.NodeSelectorRequirement
	for _, e := range r.list(v, part) {
		m := tree.Map(e)
		if m == nil {
			r.unknown |= part
			continue
		}
		expression := corev1.NodeSelectorRequirement{
			Key:      r.text(m["key"], part),
			Operator: corev1.NodeSelectorOperator(r.text(m["operator"], part)),
		}
		for _, value := range r.list(m["values"], part) {
			expression.Values = append(expression.Values, r.text(value, part))
		}
		expressions = append(expressions, expression)
	}
	return expressions
}

func (r *reader) tolerations(v any, part placement.Parts) []corev1.Toleration {
	list := r.list(v, part)
	if len(list) == 0 {
		return nil
	}
	tolerations := make([]corev1.Toleration, 0, len(list))
	for _, t := range list {
		if toleration, ok := r.toleration(tree.Map(t), part); ok {
			tolerations = append(tolerations, toleration)
		}
	}
	return tolerations
}

// toleration returns false for a toleration that is not known completely: it may
// tolerate anything.
func (r *reader) toleration(m map[string]any, part placement.Parts) (corev1.Toleration, bool) {
	before := r.unknown
	r.unknown = 0
	t := corev1.Toleration{
		Key:      r.text(m["key"], part),
		Operator: corev1.TolerationOperator(r.text(m["operator"], part)),
		Value:    r.text(m["value"], part),
		Effect:   corev1.TaintEffect(r.text(m["effect"], part)),
	}
	complete := m != nil && r.unknown == 0
	r.unknown = before
	if !complete {
		r.unknown |= part
	}
	return t, complete
}

// runtimeClass returns the class that the pods name: the object, if it is known, or
// the class that components/runtimeclass creates for a platform.
func (r *reader) runtimeClass() *placement.RuntimeClass {
	const part = placement.PartRuntimeClass
	p := r.pods
	if class := r.target.Class; class != nil {
		if tree.IsUnknown(class.Scheduling) {
			r.unknown |= part
			return nil
		}
		known := &placement.RuntimeClass{
			Name:         r.text(p.Spec["runtimeClassName"], part),
			NodeSelector: r.labels(class.Scheduling["nodeSelector"], part),
			Tolerations:  r.tolerations(class.Scheduling["tolerations"], part),
			Overhead:     corev1.ResourceList{},
		}
		r.quantities(known.Overhead, class.Overhead, nil, part)
		return known
	}
	if !IsSet(p.Spec, "runtimeClassName") {
		return nil
	}
	name := r.text(p.Spec["runtimeClassName"], part)
	if class, ok := r.context.classes[platform.Platform(name)]; ok {
		return class
	}
	if name != "" {
		r.unknown |= part
	}
	return nil
}

func (r *reader) images() []placement.Image {
	p := r.pods
	images := make([]placement.Image, 0, len(p.Containers))
	for i := range p.Containers {
		v := p.Containers[i].Spec["image"]
		if _, ok := tree.Text(v); !ok {
			r.unknown |= placement.PartImages
			continue
		}
		image := placement.Image{
			Container: strconv.Itoa(i), Reference: r.text(v, placement.PartImages),
			Image: r.target.Images[i],
		}
		if image.OS != platform.LinuxOS && !image.HostProcess && r.target.ReleaseMatters(p) != platform.Yes {
			// Its release does not matter, or may not matter.
			image.Release, image.HostProcess = "", p.HostProcess()
			if !p.HostProcess() {
				image.Facts = nil
			}
		}
		images = append(images, image)
	}
	return images
}

// requests returns the requests of the whole pod like the scheduler: the sum of the
// containers and of the init containers that continue running, or the largest other
// init container with those that run at the same time.
func (r *reader) requests() corev1.ResourceList {
	const part = placement.PartRequests
	p := r.pods
	var running, largest corev1.ResourceList
	if IsSet(p.Spec, "resources") {
		r.unknown |= part
	}
	for i := range p.Containers {
		ctr := &p.Containers[i]
		requests := r.containerRequests(ctr)
		policy, _ := tree.Text(ctr.Spec["restartPolicy"])
		switch {
		case ctr.List == "ephemeralContainers":
		case ctr.List == "initContainers" && policy != string(corev1.ContainerRestartPolicyAlways):
			if tree.IsUnknown(ctr.Spec["restartPolicy"]) {
				r.unknown |= part
			}
			for name, q := range requests {
				q.Add(running[name])
				requests[name] = q
			}
			largest = larger(largest, requests)
		default:
			for name, q := range running {
				q.Add(requests[name])
				requests[name] = q
			}
			running = requests
		}
	}
	return larger(running, largest)
}

// larger returns the larger quantity of each resource, in a.
func larger(a, b corev1.ResourceList) corev1.ResourceList {
	if a == nil {
		return b
	}
	for name, q := range b {
		if has := a[name]; q.Cmp(has) > 0 {
			a[name] = q
		}
	}
	return a
}

// containerRequests uses a limit as the default of a request that is not set, like
// the API server.
func (r *reader) containerRequests(ctr *Container) corev1.ResourceList {
	const part = placement.PartRequests
	if tree.IsUnknown(ctr.Spec["resources"]) {
		r.unknown |= part
	}
	resources := tree.Map(ctr.Spec["resources"])
	requests := corev1.ResourceList{}
	r.quantities(requests, resources["requests"], nil, part)
	r.quantities(requests, resources["limits"], tree.Map(resources["requests"]), part)
	return requests
}

// quantities adds quantities to a list, except those that it cannot read and those that are set.
func (r *reader) quantities(list corev1.ResourceList, v any, set map[string]any, part placement.Parts) {
	m := tree.Map(v)
	if m == nil && v != nil {
		r.unknown |= part
	}
	for name, v := range m {
		if _, secret := v.(tree.Secret); secret {
			r.hidden = true
		}
		text, ok := Quantity(v)
		q, err := tree.ParseQuantity(text)
		if !ok || err != nil {
			r.unknown |= part
			continue
		}
		if _, is := set[name]; !is {
			list[corev1.ResourceName(name)] = q
		}
	}
}
