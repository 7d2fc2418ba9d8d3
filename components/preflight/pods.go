package preflight

import (
	"strconv"
	"strings"

	"github.com/mixedkube/mixedkube/internal/tree"
)

// pods are the pods of one object: a Pod itself, or the template of a workload.
type pods struct {
	kind string
	// prefix is the path of the pod in the object, with a period at its end:
	// "spec.template.", and empty for a Pod.
	prefix     string
	metadata   map[string]any
	spec       map[string]any
	security   map[string]any // spec.securityContext
	windows    map[string]any // spec.securityContext.windowsOptions
	containers []container    // of all three lists
	target     target
}

// container is a container of any of a pod's lists.
type container struct {
	list     string // "containers", "initContainers" or "ephemeralContainers"
	index    int
	spec     map[string]any
	security map[string]any // securityContext
	windows  map[string]any // securityContext.windowsOptions
}

// template says where the pods are in a workload.
var template = map[string][]string{
	"Pod":                   {},
	"Deployment":            {"spec", "template"},
	"ReplicaSet":            {"spec", "template"},
	"StatefulSet":           {"spec", "template"},
	"DaemonSet":             {"spec", "template"},
	"ReplicationController": {"spec", "template"},
	"Job":                   {"spec", "template"},
	"CronJob":               {"spec", "jobTemplate", "spec", "template"},
	"PodTemplate":           {"template"},
}

var containerLists = [...]string{"initContainers", "containers", "ephemeralContainers"}

// pods finds the pods of an object; false when it has none, or when they are not
// known.
func (c *check) pods(kind string) (*pods, bool) {
	keys, ok := template[kind]
	if !ok {
		return nil, false
	}
	pod := c.object
	for _, key := range keys {
		pod = tree.Map(pod[key])
	}
	p := &pods{kind: kind, metadata: tree.Map(pod["metadata"]), spec: tree.Map(pod["spec"])}
	if p.spec == nil {
		return nil, false
	}
	if len(keys) > 0 {
		p.prefix = strings.Join(keys, ".") + "."
	}
	p.security = tree.Map(p.spec["securityContext"])
	p.windows = tree.Map(p.security["windowsOptions"])
	p.containers = make([]container, 0, 4)
	for _, list := range containerLists {
		for i, v := range tree.List(p.spec[list]) {
			spec := tree.Map(v)
			if spec == nil {
				continue
			}
			security := tree.Map(spec["securityContext"])
			p.containers = append(p.containers, container{list, i, spec, security, tree.Map(security["windowsOptions"])})
		}
	}
	p.target = c.targetOf(p)
	return p, true
}

// path is the path of a field in the pod's spec.
func (p *pods) path(keys ...any) string {
	return p.prefix + "spec" + join(keys)
}

// in is the path of a field in a container of the pod.
func (p *pods) in(c *container, keys ...any) string {
	return p.path(c.list, c.index) + join(keys)
}

// key is a part of a path that is not a field's name but the key of a map.
type key string

// join writes the parts of a path: names, indices and keys.
func join(parts []any) string {
	var b strings.Builder
	for _, part := range parts {
		switch part := part.(type) {
		case string:
			b.WriteString("." + part)
		case int:
			b.WriteString("[" + strconv.Itoa(part) + "]")
		case key:
			b.WriteString("[" + string(part) + "]")
		}
	}
	return b.String()
}

// isSet says whether a field is there: as the API server, it does not count null.
func isSet(m map[string]any, key string) bool {
	v, ok := m[key]
	return ok && v != nil
}
