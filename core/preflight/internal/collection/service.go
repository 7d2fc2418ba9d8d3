package collection

import (
	"slices"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/preflight/internal/subject"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// MaxEndpoints is the number of endpoints for a Service that a Windows node can balance.
const MaxEndpoints = 1024

// Selected is what a Service needs to know about its pods.
type Selected struct {
	// Windows means that some of the pods are for Windows.
	Windows bool
	// Replicas is the minimum number of the pods.
	Replicas int64
	// Oldest is the oldest Windows release that the pods are for, or "" if none is known.
	Oldest platform.Platform
}

func (s *Selected) add(other Selected) {
	s.Windows = s.Windows || other.Windows
	s.Replicas += other.Replicas
	if other.Oldest != "" && (s.Oldest == "" || Older(other.Oldest, s.Oldest)) {
		s.Oldest = other.Oldest
	}
}

// Older reports whether a release of Windows is older than another one.
func Older(a, b platform.Platform) bool {
	all := platform.Windows()
	return slices.Index(all, a) < slices.Index(all, b)
}

// selected returns what a selector selects in a namespace.
func (c *Collection) selected(namespace string, selector labelSet) Selected {
	all := c.byNamespace[namespace]
	if len(all) <= many {
		return sum(all, selector)
	}
	return c.services.of(namespace, selector.id(), func() Selected {
		// Only the pods with the rarest label need to be searched.
		index := c.index(namespace)
		candidates := index[selector[0]]
		for _, l := range selector[1:] {
			if with := index[l]; len(with) < len(candidates) {
				candidates = with
			}
		}
		return sum(candidates, selector)
	})
}

// sum returns what a selector selects among workloads, all with the same namespace if that is known.
func sum(workloads []*workload, selector labelSet) Selected {
	var s Selected
	for _, w := range workloads {
		if w.hasNamespace && w.labels.match(selector) {
			s.add(Selected{Windows: w.os == platform.WindowsOS, Replicas: w.atLeast(), Oldest: w.release})
		}
	}
	return s
}

// service is what a Service selects.
type service struct {
	namespace string
	// selector is nil if nothing is selected, or if it is unknown.
	selector labelSet
	// demanding is true if the Service requires anything of its pods.
	demanding bool
}

func serviceOf(object map[string]any) *service {
	spec := tree.Map(object["spec"])
	var s service
	namespace, hasNamespace := subject.Namespace(object)
	s.namespace = namespace
	labels := tree.Map(spec["selector"])
	// An unknown label could only reduce the selected pods.
	if known := labelsOf(labels); hasNamespace && len(known) == len(labels) {
		s.selector = known
	}
	for _, field := range [...]string{
		"internalTrafficPolicy", "externalTrafficPolicy", "sessionAffinity", "ipFamilies", "trafficDistribution",
		"loadBalancerSourceRanges", "externalIPs",
	} {
		s.demanding = s.demanding || spec[field] != nil
	}
	for _, port := range tree.List(spec["ports"]) {
		s.demanding = s.demanding || tree.Map(port)["protocol"] != nil
	}
	return &s
}

func (c *Collection) concernsService(s *service) bool {
	if len(s.selector) == 0 {
		return false
	}
	behind := c.selected(s.namespace, s.selector)
	return behind.Windows && (s.demanding || behind.Replicas > MaxEndpoints)
}

// Selected returns the pods that a Service selects.
func (o *Object) Selected() Selected {
	s := serviceOf(o.Tree)
	if len(s.selector) == 0 {
		return Selected{}
	}
	return o.others.selected(s.namespace, s.selector)
}

// OldestNode returns the oldest Windows release of the pods that a Service selects, or of the nodes of the topology, ""
// if none is known.
func (o *Object) OldestNode() platform.Platform {
	oldest := o.Selected().Oldest
	for _, p := range o.Cluster.Topology.Platforms() {
		if p.IsWindows() && (oldest == "" || Older(p, oldest)) {
			oldest = p
		}
	}
	return oldest
}
