package volumes

import (
	"iter"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/core/preflight/internal/subject"
	"github.com/mixedkube/mixedkube/internal/core/pods"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// volumesOf yields the volumes of pods with their indexes, except unknown ones.
func volumesOf(p *subject.Pods) iter.Seq2[int, map[string]any] {
	return func(yield func(int, map[string]any) bool) {
		for i, v := range tree.List(p.Spec["volumes"]) {
			if volume := tree.Map(v); volume != nil && !yield(i, volume) {
				return
			}
		}
	}
}

// hostPath is a volume that is a path of the node.
type hostPath struct {
	p     *subject.Pods
	index int
	// name is the name of the volume, and source its hostPath.
	name   any
	source map[string]any
}

// hostPathsOf yields the volumes of pods that are paths of the node.
func hostPathsOf(p *subject.Pods) iter.Seq[hostPath] {
	return func(yield func(hostPath) bool) {
		for i, volume := range volumesOf(p) {
			if source := tree.Map(volume["hostPath"]); source != nil && !yield(hostPath{p, i, volume["name"], source}) {
				return
			}
		}
	}
}

// text returns the path on the node, "" if it is not known.
func (h *hostPath) text() string {
	path, _ := tree.Text(h.source["path"])
	return path
}

// kind returns the type that the path must have.
func (h *hostPath) kind() corev1.HostPathType {
	kind, _ := tree.Text(h.source["type"])
	return corev1.HostPathType(kind)
}

// isPipe reports whether the path is a named pipe of Windows.
func (h *hostPath) isPipe() bool {
	return strings.HasPrefix(strings.ToLower(strings.ReplaceAll(h.text(), "/", `\`)), `\\.\pipe\`)
}

// at returns the path of the hostPath in the object, or of a field of it.
func (h *hostPath) at(field ...any) string {
	return h.p.Path(append([]any{"volumes", h.index, "hostPath"}, field...)...)
}

// mount is how a container mounts a volume.
type mount struct {
	p     *subject.Pods
	ctr   *pods.Container
	index int
	spec  map[string]any
}

// mountsOf yields the mounts of all containers of pods.
func mountsOf(p *subject.Pods) iter.Seq[mount] {
	return func(yield func(mount) bool) {
		for i := range p.Containers {
			ctr := &p.Containers[i]
			for j, v := range tree.List(ctr.Spec["volumeMounts"]) {
				if spec := tree.Map(v); spec != nil && !yield(mount{p, ctr, j, spec}) {
					return
				}
			}
		}
	}
}

// at returns the path of a field of the mount.
func (m *mount) at(field string) string { return m.p.In(m.ctr, "volumeMounts", m.index, field) }
