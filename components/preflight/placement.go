package preflight

import (
	"strconv"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/mixedkube/mixedkube/components/platform"
	"github.com/mixedkube/mixedkube/components/topology"
	"github.com/mixedkube/mixedkube/internal/placement"
	"github.com/mixedkube/mixedkube/internal/tree"
)

// place asks where the pods can land. hidden says that some of what decides it
// must not be shown.
func (c *check) place(p *pods) (answer placement.Placement, hidden bool) {
	r := reader{checker: c.Checker, pods: p}
	return c.nodes.Place(r.pod()), r.hidden
}

// reader reads from an object what decides where its pods can land. What it
// cannot read it counts as not known.
type reader struct {
	checker *Checker
	pods    *pods
	unknown placement.Parts
	hidden  bool
}

func (r *reader) pod() placement.Pod {
	p := r.pods
	pod := placement.Pod{
		OS:           p.target.declared,
		NodeSelector: r.labels(p.spec["nodeSelector"], placement.PartSelector),
		Required:     r.required(),
		Tolerations:  r.tolerations(p.spec["tolerations"], placement.PartTolerations),
		RuntimeClass: r.runtimeClass(),
		Images:       r.images(),
		DaemonSet:    p.kind == "DaemonSet",
	}
	if r.checker.sized {
		pod.Requests = r.requests()
	}
	if pod.OS == "" && isSet(p.spec, "os") {
		r.unknown |= placement.PartOS
	}
	if isSet(p.spec, "nodeName") {
		// Which node it is says nothing about its pool.
		if name, _ := tree.Text(p.spec["nodeName"]); name != "" || tree.IsUnknown(p.spec["nodeName"]) {
			pod.NodeName = "known elsewhere"
		}
	}
	pod.HostNetwork, _ = tree.Bool(p.spec["hostNetwork"])
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
	const part = placement.PartAffinity
	affinity := r.pods.spec["affinity"]
	if affinity == nil {
		return nil
	}
	v := tree.At(affinity, "nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution")
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
			MatchExpressions: r.expressions(term["matchExpressions"]),
			MatchFields:      r.expressions(term["matchFields"]),
		})
	}
	return selector
}

func (r *reader) expressions(v any) []corev1.NodeSelectorRequirement {
	const part = placement.PartAffinity
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

// toleration is false for one that is not known completely: it may tolerate
// anything.
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

// runtimeClass is the class that the pods name: the object, where it is among
// those that are known, or the one that components/runtimeclass makes for a
// platform of the topology.
func (r *reader) runtimeClass() *placement.RuntimeClass {
	const part = placement.PartRuntimeClass
	p := r.pods
	if class := p.target.class; class != nil {
		if tree.IsUnknown(class.scheduling) {
			r.unknown |= part
			return nil
		}
		return &placement.RuntimeClass{
			Name:         r.text(p.spec["runtimeClassName"], part),
			NodeSelector: r.labels(class.scheduling["nodeSelector"], part),
			Tolerations:  r.tolerations(class.scheduling["tolerations"], part),
			Overhead:     r.quantities(class.overhead, part),
		}
	}
	if !isSet(p.spec, "runtimeClassName") {
		return nil
	}
	name := r.text(p.spec["runtimeClassName"], part)
	if class, ok := r.checker.classes[platform.Platform(name)]; ok {
		return class
	}
	if name != "" {
		r.unknown |= part
	}
	return nil
}

// classesOf are the classes that components/runtimeclass makes for a topology.
func classesOf(t topology.Topology) map[platform.Platform]*placement.RuntimeClass {
	classes := map[platform.Platform]*placement.RuntimeClass{}
	for _, p := range t.Platforms() {
		if name := topology.RuntimeClassName(p); name != "" {
			classes[platform.Platform(name)] = &placement.RuntimeClass{
				Name: name, NodeSelector: topology.NodeSelector(p), Tolerations: t.Tolerations(p),
			}
		}
	}
	return classes
}

func (r *reader) images() []placement.Image {
	p := r.pods
	images := make([]placement.Image, 0, len(p.containers))
	for i := range p.containers {
		v := p.containers[i].spec["image"]
		if _, ok := tree.Text(v); !ok {
			r.unknown |= placement.PartImages
			continue
		}
		image := placement.Image{Container: strconv.Itoa(i), Reference: r.text(v, placement.PartImages), Image: p.target.images[i]}
		if image.OS == platform.WindowsOS && !image.HostProcess && p.releaseMatters() != platform.Yes {
			// Its release does not matter, or may not.
			image.Release, image.HostProcess = "", p.hostProcess()
		}
		images = append(images, image)
	}
	return images
}

// requests are those of the whole pod, as the scheduler counts them: containers
// together with init containers that go on running, or the largest of the other
// init containers with those that run beside it.
func (r *reader) requests() corev1.ResourceList {
	const part = placement.PartRequests
	p := r.pods
	running, largest := corev1.ResourceList{}, corev1.ResourceList{}
	if isSet(p.spec, "resources") {
		r.unknown |= part
	}
	for i := range p.containers {
		ctr := &p.containers[i]
		requests := r.containerRequests(ctr)
		policy, _ := tree.Text(ctr.spec["restartPolicy"])
		switch {
		case ctr.list == "ephemeralContainers":
		case ctr.list == "initContainers" && policy != string(corev1.ContainerRestartPolicyAlways):
			if tree.IsUnknown(ctr.spec["restartPolicy"]) {
				r.unknown |= part
			}
			for name, q := range requests {
				q.Add(running[name])
				if has := largest[name]; q.Cmp(has) > 0 {
					largest[name] = q
				}
			}
		default:
			for name, q := range requests {
				q.Add(running[name])
				running[name] = q
			}
		}
	}
	for name, q := range largest {
		if has := running[name]; q.Cmp(has) > 0 {
			running[name] = q
		}
	}
	return running
}

// containerRequests takes a limit for the request that is not set, as the API
// server does.
func (r *reader) containerRequests(ctr *container) corev1.ResourceList {
	const part = placement.PartRequests
	if tree.IsUnknown(ctr.spec["resources"]) {
		r.unknown |= part
	}
	resources := tree.Map(ctr.spec["resources"])
	requests := r.quantities(resources["requests"], part)
	for name, q := range r.quantities(resources["limits"], part) {
		if _, ok := tree.Map(resources["requests"])[string(name)]; !ok && requests != nil {
			requests[name] = q
		} else if requests == nil {
			requests = corev1.ResourceList{name: q}
		}
	}
	return requests
}

// quantities leaves out what cannot be read.
func (r *reader) quantities(v any, part placement.Parts) corev1.ResourceList {
	m := tree.Map(v)
	if m == nil {
		if v != nil {
			r.unknown |= part
		}
		return nil
	}
	list := make(corev1.ResourceList, len(m))
	for name, v := range m {
		if _, secret := v.(Secret); secret {
			r.hidden = true
		}
		text, ok := quantity(v)
		q, err := resource.ParseQuantity(text)
		if !ok || err != nil {
			r.unknown |= part
			continue
		}
		list[corev1.ResourceName(name)] = q
	}
	return list
}
