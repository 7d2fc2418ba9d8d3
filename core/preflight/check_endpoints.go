package preflight

import (
	"slices"
	"strconv"

	corev1 "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// maxEndpoints is the number of endpoints for a Service that a Windows node can balance.
const maxEndpoints = 1024

// many is the number of workloads in a namespace from which an index pays off. Smaller namespaces have none.
const many = 16

// selected is what a Service needs to know about its pods.
type selected struct {
	windows  bool
	replicas int64
	// oldest is the oldest Windows release that the pods are for, or "" if none is known.
	oldest platform.Platform
}

func (s *selected) add(other selected) {
	s.windows = s.windows || other.windows
	s.replicas += other.replicas
	if other.oldest != "" && (s.oldest == "" || older(other.oldest, s.oldest)) {
		s.oldest = other.oldest
	}
}

func older(a, b platform.Platform) bool {
	all := platform.Windows()
	return slices.Index(all, a) < slices.Index(all, b)
}

// selected returns what a selector selects in a namespace.
func (a *Collection) selected(namespace string, selector labelSet) selected {
	all := a.byNamespace[namespace]
	if len(all) <= many {
		return sum(all, selector)
	}
	return a.services.of(namespace, selector.id(), func() selected {
		// Only the pods with the rarest label need to be searched.
		index := a.index(namespace)
		candidates := index[selector[0]]
		for _, l := range selector[1:] {
			if with := index[l]; len(with) < len(candidates) {
				candidates = with
			}
		}
		return sum(candidates, selector)
	})
}

// index returns the workloads of a namespace by label.
func (a *Collection) index(namespace string) map[label][]*workload {
	return a.indexes.of(namespace, "", func() map[label][]*workload { return byLabel(a.byNamespace[namespace]) })
}

func byLabel(workloads []*workload) map[label][]*workload {
	found := map[label][]*workload{}
	for _, w := range workloads {
		for _, l := range w.labels {
			found[l] = append(found[l], w)
		}
	}
	return found
}

// sum returns what a selector selects among workloads, all with the same namespace if that is known.
func sum(workloads []*workload, selector labelSet) selected {
	var s selected
	for _, w := range workloads {
		if w.hasNamespace && w.labels.match(selector) {
			s.add(selected{windows: w.os == platform.WindowsOS, replicas: w.atLeast(), oldest: w.release})
		}
	}
	return s
}

// textsOf omits unknown labels: pods have at least the other ones.
func textsOf(m map[string]any) map[string]string {
	texts := make(map[string]string, len(m))
	for name, v := range m {
		if text, ok := tree.Text(v); ok {
			texts[name] = text
		}
	}
	return texts
}

// namespaceOf returns false for a namespace that is not known yet. Objects without a namespace are all in the same one,
// whichever it is.
func namespaceOf(object map[string]any) (string, bool) {
	v := tree.Map(object["metadata"])["namespace"]
	if v == nil {
		return "", true
	}
	return tree.Text(v)
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

var (
	externalTrafficPolicyLocal = rule.Rule{
		ID: "MK601", Severity: rule.Warning, Title: "externalTrafficPolicy Local with Windows pods",
		Reason: "kube-proxy on Windows keeps traffic local, and preserves the client's address, only with direct " +
			"server return (--enable-dsr). hostprocess.NewKubeProxy enables it; for any other kube-proxy, nothing in " +
			"the cluster shows whether it is enabled.",
		Source: windowsServices + "; pkg/proxy/winkernel/proxier.go of Kubernetes 1.36.3, newServiceInfo",
	}
	sessionAffinityClientIP = rule.Rule{
		ID: "MK602", Severity: rule.Warning, Title: "sessionAffinity ClientIP before Windows Server 2022",
		Reason: "Windows Server 2022 and later send the requests of a client to the same pod. kube-proxy on older " +
			"nodes ignores the setting.",
		Source: windowsServices + "; pkg/proxy/winkernel/proxier.go of Kubernetes 1.36.3, syncProxyRules",
	}
	internalTrafficPolicyLocal = rule.Rule{
		ID: "MK605", Severity: rule.Warning, Title: "internalTrafficPolicy Local with Windows pods", Until: "1.34",
		Reason: "When pods are created and deleted, kube-proxy on Windows may delete the load balancer of such a " +
			"Service and not create it again: the node no longer reaches the Service. This is fixed in Kubernetes " +
			"1.35, and in later patch releases of 1.34 and older versions.",
		Source: "https://github.com/kubernetes/kubernetes/issues/133928, " +
			"https://github.com/kubernetes/kubernetes/pull/133953",
	}
	ipv6Only = rule.Rule{
		ID: "MK604", Severity: rule.Warning, Title: "an IPv6-only Service with Windows pods",
		Reason: "Windows does not support IPv6-only networks. The pods have an IPv6 address in a dual-stack network " +
			"of the mode l2bridge, but not in an overlay network. Without IPv6 addresses, the Service has no " +
			"endpoints.",
		Source: "https://kubernetes.io/docs/concepts/services-networking/dual-stack/#windows-support",
	}
	tooManyEndpoints = rule.Rule{
		ID: "MK603", Severity: rule.Warning, Title: "a Service with more than 1024 Windows endpoints",
		Reason: "The load balancer of a Windows node supports at most 1024 endpoints for a Service.",
		Source: windowsServices,
	}
)

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
	namespace, hasNamespace := namespaceOf(object)
	s.namespace = namespace
	labels := tree.Map(spec["selector"])
	// An unknown label could only reduce the selected pods.
	if known := labelsOf(labels); hasNamespace && len(known) == len(labels) {
		s.selector = known
	}
	for _, field := range [...]string{
		"internalTrafficPolicy", "externalTrafficPolicy", "sessionAffinity", "ipFamilies",
	} {
		s.demanding = s.demanding || spec[field] != nil
	}
	return &s
}

func (a *Collection) concernsService(s *service) bool {
	if len(s.selector) == 0 {
		return false
	}
	behind := a.selected(s.namespace, s.selector)
	return behind.windows && (s.demanding || behind.replicas > maxEndpoints)
}

// services checks a Service together with the pods that it selects.
func (c *check) services(a *Collection) {
	spec, s := tree.Map(c.object["spec"]), serviceOf(c.object)
	if len(s.selector) == 0 {
		return
	}
	behind := a.selected(s.namespace, s.selector)
	if !behind.windows {
		return
	}
	c.addressFamilies(spec)
	internal, _ := tree.Text(spec["internalTrafficPolicy"])
	if internal == string(corev1.ServiceInternalTrafficPolicyLocal) {
		c.report(internalTrafficPolicyLocal, rule.Problem{
			Path: "spec.internalTrafficPolicy", Value: spec["internalTrafficPolicy"],
			Detail: "may cut Windows nodes off from the Service", Fix: "use Cluster, or Kubernetes 1.35 or later",
		})
	}
	policy, _ := tree.Text(spec["externalTrafficPolicy"])
	if policy == string(corev1.ServiceExternalTrafficPolicyLocal) {
		c.report(externalTrafficPolicyLocal, rule.Problem{
			Path: "spec.externalTrafficPolicy", Value: spec["externalTrafficPolicy"],
			Detail: "works for Windows pods only if kube-proxy runs with direct server return",
			Fix:    "make sure of it, or use Cluster",
		})
	}
	if affinity, _ := tree.Text(spec["sessionAffinity"]); affinity == string(corev1.ServiceAffinityClientIP) {
		if host, old := c.tooOld(behind); old {
			c.report(sessionAffinityClientIP, rule.Problem{
				Path: "spec.sessionAffinity", Value: spec["sessionAffinity"],
				Detail: "has no effect on " + productName(host) + " nodes",
				Fix:    "use nodes with Windows Server 2022 or later, or store sessions outside of the pods",
			})
		}
	}
	if behind.replicas > maxEndpoints {
		c.report(tooManyEndpoints, rule.Problem{
			Path: "spec.selector",
			Detail: "selects more pods than Windows nodes can balance, which is " + strconv.Itoa(maxEndpoints) +
				" endpoints for a Service",
			Fix: "divide the pods among several Services",
		})
	}
}

// addressFamilies reports a Service whose only family is IPv6.
func (c *check) addressFamilies(spec map[string]any) {
	families := tree.List(spec["ipFamilies"])
	policy, _ := tree.Text(spec["ipFamilyPolicy"])
	single := policy == "" || policy == string(corev1.IPFamilyPolicySingleStack)
	if len(families) != 1 || tree.IsUnknown(spec["ipFamilyPolicy"]) || !single {
		return
	}
	if family, _ := tree.Text(families[0]); family == string(corev1.IPv6Protocol) {
		c.report(ipv6Only, rule.Problem{
			Path: "spec.ipFamilies", Value: families[0],
			Detail: "alone reaches Windows pods only in dual-stack networks that are not overlays",
			Fix:    "add IPv4, or make sure that Windows pods have IPv6 addresses",
		})
	}
}

// tooOld returns the oldest Windows release of the Service's pods, or of the nodes of the topology, if it does not
// support session affinity.
func (c *check) tooOld(behind selected) (platform.Platform, bool) {
	oldest := behind.oldest
	for _, p := range c.context.Topology.Platforms() {
		if p.IsWindows() && (oldest == "" || older(p, oldest)) {
			oldest = p
		}
	}
	return oldest, oldest != "" && older(oldest, platform.WindowsServer2022)
}
