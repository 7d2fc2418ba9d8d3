package placement

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	nodev1 "k8s.io/api/node/v1"
	"k8s.io/apimachinery/pkg/runtime"
	helpers "k8s.io/component-helpers/resource"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/preflight"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/placement"
	"github.com/mixedkube/mixedkube/internal/core/pods"
)

// claim is the expected result for a pod and a pool.
type claim struct {
	// schedules is preflight's answer.
	schedules platform.Answer
	// certain is true if the scheduler must bind the pod when the answer is Yes: the nodes of the lab
	// have the requested resources, even if preflight cannot infer that from their size.
	certain bool
	// pending is true if the DaemonSet controller creates pods that stay pending.
	pending bool
	// unsure is true if it is unknown whether the pool's labels and taints keep the pod away. For a
	// DaemonSet, this is about its template.
	unsure bool
	// more is true if the pod requests more than its containers do. The reasons do not count this.
	more    bool
	reasons []placement.Reason
}

// judgement is the expected result for a pod, before the pod is tried.
type judgement struct {
	pools  []topology.Pool
	claims map[string]claim
	// refused is true if the API server does not create such a pod.
	refused bool
	// landing is preflight's answer as a text.
	landing string
}

// judge gets the answers of preflight, and the reasons of placement. It returns an error if the
// two differ.
func (s *scenario) judge(p pair) (judgement, error) {
	object, err := p.object()
	if err != nil {
		return judgement{}, err
	}
	objects := []any{s.static}
	for _, class := range s.others {
		objects = append(objects, class)
	}
	for _, d := range p.disks {
		objects = append(objects, d.objects()...)
	}
	trees := make([]map[string]any, len(objects))
	for i := range objects {
		if trees[i], err = runtime.DefaultUnstructuredConverter.ToUnstructured(objects[i]); err != nil {
			return judgement{}, err
		}
	}
	landing, ok := preflight.New(preflight.Options{Topology: s.topology.Topology}).Landing(object, trees...)
	if !ok {
		return judgement{}, errors.New("preflight finds no pods")
	}
	answers := map[string]platform.Answer{}
	for _, pool := range landing.Pools {
		answers[pool.Name] = platform.Yes
	}
	for _, pool := range landing.Perhaps {
		answers[pool.Name] = platform.Unknown
	}
	j := judgement{pools: s.topology.Pools, claims: map[string]claim{}, refused: true, landing: landing.String()}
	little := p.total().isSmall()
	nodes := placement.NewNodes(s.topology, s.topology.Matching)
	bare := nodes.Place(p.bare()).Verdicts
	query := p.pod()
	for i, v := range nodes.Place(query).Verdicts {
		name := v.Pool.Name
		_, known := v.Pool.Capacity()
		c := claim{schedules: v.Schedules, certain: little || known, pending: v.PendingPods, reasons: v.Reasons()}
		c.unsure = bare[i].Schedules == platform.Unknown
		c.more = query.Unknown&placement.PartRequests != 0
		// If the pod cannot run on a pool, preflight does not name it, whatever
		// the scheduler does.
		if v.Runs != platform.No {
			answer, named := answers[name]
			if !named {
				answer = platform.No
			}
			if answer != v.Schedules {
				err = fmt.Errorf("the answer for pool %s is %s by preflight, and %s by placement", name, answer,
					v.Schedules)
			}
			c.schedules = answer
		} else if _, named := answers[name]; named {
			err = fmt.Errorf("preflight names pool %s, but by placement the pod cannot run there", name)
		}
		j.claims[name] = c
		// A class that only the DaemonSet controller ignores does not contradict the pod.
		j.refused = j.refused && slices.ContainsFunc(c.reasons, contradicts)
	}
	return j, err
}

func contradicts(r placement.Reason) bool {
	return r.Kind == placement.KindRuntimeClass && strings.Contains(r.Text, "the API server refuses")
}

// object returns the object that preflight reads.
func (p pair) object() (map[string]any, error) {
	template, err := runtime.DefaultUnstructuredConverter.ToUnstructured(&p.template)
	if err != nil {
		return nil, err
	}
	if p.numbers {
		writeNumbers(template)
	}
	path, _ := pods.Template(p.kind)
	object := template
	for _, key := range slices.Backward(path) {
		object = map[string]any{key: object}
	}
	object["kind"] = p.kind
	object["metadata"] = map[string]any{"namespace": namespace}
	return object, nil
}

// writeNumbers writes quantities without a unit as numbers, such as "cpu: 2".
func writeNumbers(v any) {
	switch v := v.(type) {
	case []any:
		for _, one := range v {
			writeNumbers(one)
		}
	case map[string]any:
		for key, one := range v {
			list, ok := one.(map[string]any)
			if !ok || key != "requests" && key != "limits" {
				writeNumbers(one)
				continue
			}
			for name, q := range list {
				if n, err := strconv.ParseInt(fmt.Sprint(q), 10, 64); err == nil {
					list[name] = n
				}
			}
		}
	}
}

// typed returns the created pod, with the relevant defaults of the API server.
func (p pair) typed() *corev1.Pod {
	pod := &corev1.Pod{ObjectMeta: p.template.ObjectMeta, Spec: *p.template.Spec.DeepCopy()}
	pod.Name, pod.Kind, pod.APIVersion = p.name, "Pod", "v1"
	for _, containers := range [][]corev1.Container{pod.Spec.InitContainers, pod.Spec.Containers} {
		for i := range containers {
			r := &containers[i].Resources
			requests := corev1.ResourceList{}
			maps.Copy(requests, r.Limits)
			maps.Copy(requests, r.Requests)
			r.Requests = requests
		}
	}
	return pod
}

// admitted returns the created pod, with the additions of its class.
func (p pair) admitted() *corev1.Pod {
	pod := p.typed()
	if p.class == nil {
		return pod
	}
	if s := p.class.Scheduling; s != nil {
		selector := map[string]string{}
		maps.Copy(selector, s.NodeSelector)
		maps.Copy(selector, pod.Spec.NodeSelector)
		pod.Spec.NodeSelector = selector
		pod.Spec.Tolerations = append(pod.Spec.Tolerations, s.Tolerations...)
	}
	if p.class.Overhead != nil {
		pod.Spec.Overhead = p.class.Overhead.PodFixed
	}
	return pod
}

// total returns the requests of the pod, including the overhead of its class.
func (p pair) total() amount {
	return amountOf(helpers.PodRequests(p.admitted(), helpers.PodResourcesOptions{}))
}

// pod returns the pod that placement reads.
func (p pair) pod() placement.Pod {
	pod := p.typed()
	query := placement.Pod{
		NodeSelector: pod.Spec.NodeSelector,
		Tolerations:  pod.Spec.Tolerations,
		Requests:     helpers.AggregateContainerRequests(pod, helpers.PodResourcesOptions{}),
		DaemonSet:    p.kind == "DaemonSet",
		HostNetwork:  pod.Spec.HostNetwork,
	}
	if pod.Spec.OS != nil {
		query.OS = platform.OS(pod.Spec.OS.Name)
	}
	if pod.Spec.Affinity != nil {
		query.Required = pod.Spec.Affinity.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution
	}
	if helpers.IsPodLevelResourcesSet(pod) {
		query.Unknown = placement.PartRequests
	}
	for _, d := range p.disks {
		d.mount(&query)
	}
	if p.class != nil {
		query.RuntimeClass = runtimeClass(p.class)
	}
	for _, containers := range [][]corev1.Container{pod.Spec.InitContainers, pod.Spec.Containers} {
		for _, c := range containers {
			query.Images = append(query.Images,
				placement.Image{Container: c.Name, Reference: c.Image, Image: platform.FromImage(c.Image)})
		}
	}
	return query
}

// bare returns the pod without its requests and volumes, as the DaemonSet controller reads it.
func (p pair) bare() placement.Pod {
	if p.kind == "DaemonSet" {
		p.class = nil
	}
	query := p.pod()
	query.Requests, query.Volumes, query.Unknown = nil, nil, 0
	if query.RuntimeClass != nil {
		query.RuntimeClass.Overhead = nil
	}
	return query
}

func runtimeClass(c *nodev1.RuntimeClass) *placement.RuntimeClass {
	class := &placement.RuntimeClass{Name: c.Name}
	if c.Scheduling != nil {
		class.NodeSelector, class.Tolerations = c.Scheduling.NodeSelector, c.Scheduling.Tolerations
	}
	if c.Overhead != nil {
		class.Overhead = c.Overhead.PodFixed
	}
	return class
}

// only returns a copy that selects a pool.
func (p pair) only(pool topology.Pool) pair {
	p.name += strings.TrimPrefix(pool.Name, pool.Name[:strings.LastIndexByte(pool.Name, '-')])
	p.template = *p.template.DeepCopy()
	selector := map[string]string{labelPool: pool.Name}
	maps.Copy(selector, p.template.Spec.NodeSelector)
	p.template.Spec.NodeSelector = selector
	return p
}

// isConflict reports whether the API server refused a pod because of its RuntimeClass.
func isConflict(err error) bool {
	return strings.Contains(err.Error(), "forbidden: conflict: runtimeClass.scheduling.nodeSelector")
}

// possible returns the pools to which the scheduler may bind the pod.
func (j judgement) possible() []string {
	var names []string
	for _, p := range j.pools {
		if p.Count > 0 && j.claims[p.Name].schedules != platform.No {
			names = append(names, p.Name)
		}
	}
	return names
}

// fits reports whether the scheduler must bind the pod.
func (j judgement) fits() bool {
	return slices.ContainsFunc(j.pools, func(p topology.Pool) bool {
		c := j.claims[p.Name]
		return p.Count > 0 && c.schedules == platform.Yes && c.certain
	})
}

// against compares the judgement of a pod with its outcome, and returns the difference, or "" if there is none.
func (j judgement) against(o outcome) string {
	switch {
	case j.refused && o.refused == nil:
		return "the API server should refuse it"
	case j.refused && isConflict(o.refused):
		return ""
	case o.refused != nil:
		return "the API server should create it"
	case o.node != "":
		c, ok := j.claims[onNode(o.node)]
		if !ok {
			return "the node does not belong to the topology"
		}
		if c.schedules == platform.No {
			return "pool " + onNode(o.node) + " should not be possible"
		}
		return ""
	case j.fits():
		return "the scheduler should bind it"
	default:
		return j.againstMessage(o.message)
	}
}

// The scheduler's reasons, in the order of its checks. It reports only the first one for
// each node.
const (
	reasonTaint  = "node(s) had untolerated taint(s)"
	reasonLabel  = "node(s) didn't match Pod's node affinity/selector"
	reasonCPU    = "Insufficient cpu"
	reasonMemory = "Insufficient memory"
	reasonVolume = "node(s) didn't match PersistentVolume's node affinity"
)

// againstMessage compares the reasons with those of the scheduler, if it refuses all nodes.
func (j judgement) againstMessage(message string) string {
	want, nodes := map[string]int{}, 0
	for _, pool := range j.pools {
		c := j.claims[pool.Name]
		if pool.Count > 0 && (c.schedules != platform.No || c.unsure) {
			return "" // it may have no reason for this pool
		}
		nodes += pool.Count
		for _, reason := range schedulers(c.reasons) {
			if c.more && (reason == reasonCPU || reason == reasonMemory) {
				return "" // the other resource may be insufficient too
			}
			if reason == reasonVolume && (c.more || !c.certain) {
				return "" // a resource may be insufficient too
			}
			want[reason] += pool.Count
		}
	}
	// The scheduler checks only the nodes that an affinity names, and gives no reasons
	// for the others.
	if nodes == 0 || strings.Contains(message, "didn't satisfy plugin(s) [NodeAffinity]") {
		return ""
	}
	got := map[string]int{}
	for _, reason := range []string{reasonTaint, reasonLabel, reasonCPU, reasonMemory, reasonVolume} {
		before, _, ok := strings.Cut(message, " "+reason)
		if n, err := strconv.Atoi(before[strings.LastIndexByte(before, ' ')+1:]); ok && err == nil && n > 0 {
			got[reason] = n
		}
		if want[reason] == 0 {
			delete(want, reason)
		}
	}
	if !maps.Equal(want, got) {
		return fmt.Sprintf("the reasons should be %v", want)
	}
	return ""
}

// schedulers returns the reasons that the scheduler would give.
func schedulers(reasons []placement.Reason) []string {
	kinds := map[placement.Kind]bool{}
	var resources []string
	for _, r := range reasons {
		if r.Container != "" {
			continue // a reason of the kubelet
		}
		kinds[r.Kind] = true
		switch {
		case r.Kind != placement.KindResources:
		case strings.Contains(r.Text, " of memory"):
			resources = append(resources, reasonMemory)
		default:
			resources = append(resources, reasonCPU)
		}
	}
	switch {
	case kinds[placement.KindTaint]:
		return []string{reasonTaint}
	case kinds[placement.KindSelector], kinds[placement.KindAffinity], kinds[placement.KindBuild]:
		return []string{reasonLabel}
	case kinds[placement.KindVolume] && len(resources) == 0:
		return []string{reasonVolume}
	default:
		return resources
	}
}

// matches reports whether the pods of a DaemonSet are on the expected nodes.
func (j judgement) matches(r rollout) bool { return j.againstRollout(r) == "" }

func (j judgement) againstRollout(r rollout) string {
	for _, pool := range j.pools {
		c := j.claims[pool.Name]
		for i := range pool.Count {
			node := fmt.Sprintf("%s-%d", pool.Name, i)
			got, made := r[node]
			switch {
			case c.schedules == platform.Unknown, c.unsure && got.node == "":
			case made != (c.schedules == platform.Yes || c.pending):
				return fmt.Sprintf("a pod for node %s exists: %t", node, made)
			case made && got.node != "" && c.schedules == platform.No:
				return "the pod for node " + node + " should stay pending"
			case made && got.node == "" && c.schedules == platform.Yes && c.certain:
				return "the scheduler should bind the pod for node " + node
			}
		}
	}
	return ""
}
