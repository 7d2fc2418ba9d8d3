package collection

import (
	"strings"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/preflight/internal/subject"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// scaler is an autoscaler: the name of what it scales, and its namespace.
type scaler struct {
	namespace, target string
	// known is true if both are known.
	known bool
}

// scalerOf reads a HorizontalPodAutoscaler or KEDA's ScaledObject
// (https://keda.sh/docs/latest/reference/scaledobject-spec/). It returns false for other kinds.
func scalerOf(object map[string]any) (s scaler, is bool) {
	kind, _ := tree.Text(object["kind"])
	if kind != "HorizontalPodAutoscaler" && kind != "ScaledObject" {
		return s, false
	}
	namespace, hasNamespace := subject.Namespace(object)
	target, hasTarget := tree.Text(tree.At(object, "spec", "scaleTargetRef", "name"))
	if !hasNamespace || !hasTarget {
		return scaler{}, true
	}
	return scaler{namespace, target, true}, true
}

// isScaled reports whether an autoscaler among the objects may scale a workload.
func (c *Collection) isScaled(w *workload) bool {
	name, known := tree.Text(w.name)
	return !known && len(c.scalers) > 0 || c.scalers[scaler{}] || c.scalers[scaler{w.namespace, name, true}]
}

// workloadName identifies a workload.
type workloadName struct{ namespace, kind, name string }

// byName returns the first workload with each name.
func (c *Collection) byName() map[workloadName]*workload {
	named := map[workloadName]*workload{}
	for _, w := range c.workloads {
		text, _ := tree.Text(w.name)
		name := workloadName{w.namespace, w.kind, text}
		if named[name] == nil {
			named[name] = w
		}
	}
	return named
}

// Scaled returns what each container requests of the pods that a HorizontalPodAutoscaler scales. It returns nil if they
// are not among the objects, or if their containers request resources together, or may do so.
func (o *Object) Scaled() []Request {
	target := tree.At(o.Tree["spec"], "scaleTargetRef")
	kind, _ := tree.Text(tree.At(target, "kind"))
	name, named := tree.Text(tree.At(target, "name"))
	namespace, known := subject.Namespace(o.Tree)
	if !named || !known {
		return nil
	}
	scaled := o.others.named()[workloadName{namespace, kind, name}]
	if scaled == nil || scaled.together {
		return nil
	}
	return scaled.requests
}

// isVertical reports whether an object is a VerticalPodAutoscaler. A gist may have no apiVersion.
func isVertical(object map[string]any) bool {
	kind, _ := tree.Text(object["kind"])
	version, written := tree.Text(object["apiVersion"])
	return kind == "VerticalPodAutoscaler" && (!written || strings.HasPrefix(version, "autoscaling.k8s.io/"))
}

// ResizesWindows reports whether a VerticalPodAutoscaler is for Windows pods that are among the objects.
func (o *Object) ResizesWindows() bool {
	target := tree.At(o.Tree["spec"], "targetRef")
	kind, _ := tree.Text(tree.At(target, "kind"))
	name, named := tree.Text(tree.At(target, "name"))
	namespace, known := subject.Namespace(o.Tree)
	if !named || !known {
		return false
	}
	resized := o.others.named()[workloadName{namespace, kind, name}]
	return resized != nil && resized.os == platform.WindowsOS
}
