package placement

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	nodev1 "k8s.io/api/node/v1"
	storagev1 "k8s.io/api/storage/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
)

// labelPool distinguishes the pools. Every pool has it.
const labelPool = "mixedkube.test/pool"

// scenario is a topology with the pods that are tried on it. The seed and the index
// determine all of it.
type scenario struct {
	index    int
	topology topology.Defaulted
	// own are the classes that components/runtimeclass creates for the topology,
	// and others are unrelated classes.
	own, others []*nodev1.RuntimeClass
	// static is the class of the claims that are open, and of some others.
	static *storagev1.StorageClass
	pairs  []pair
}

// pair is a pod for the topology.
type pair struct {
	name string
	// kind is the kind of the object that preflight reads. All except a DaemonSet are created as a Pod.
	kind     string
	template corev1.PodTemplateSpec
	// class is the RuntimeClass that the pod names, or nil if it names none.
	class *nodev1.RuntimeClass
	// numbers is true if preflight reads quantities without a unit as numbers.
	numbers bool
	// disks are the claims of the pod.
	disks []disk
}

// gen generates topologies and pods from few values, so that they often match.
type gen struct{ *rand.Rand }

func pick[T any](g gen, from ...T) T { return from[g.IntN(len(from))] }

// chance is true once in n times.
func (g gen) chance(n int) bool { return g.IntN(n) == 0 }

func generate(seed uint64, index, pairs int) *scenario {
	g := gen{rand.New(rand.NewPCG(seed, uint64(index)))}
	s := &scenario{index: index, static: static(fmt.Sprintf("static-%d", index))}
	var pools []topology.Pool
	for i := range 1 + g.IntN(6) {
		pools = append(pools, g.pool(index, i))
	}
	t := topology.Topology{Pools: pools, Matching: pick(g, platform.Matchings()...)}
	for _, image := range topology.PoolPlatforms() {
		hosts := t.Hosts(image)
		for _, pool := range pools {
			if slices.Contains(hosts, pool.Platform) && !g.chance(8) {
				pool.Labels[topology.LabelRuns(image)] = topology.Runs
			}
		}
	}
	s.topology = t.WithDefaults()
	for _, p := range s.topology.Platforms() {
		if name := topology.RuntimeClassName(p); name != "" {
			s.own = append(s.own, class(name, s.topology.ClassSelector(p), s.topology.ClassTolerations(p)))
		}
	}
	for i := range 3 {
		s.others = append(s.others, g.class(fmt.Sprintf("class-%d-%d", index, i), pick(g, s.topology.Pools...)))
	}
	for i := range pairs {
		s.pairs = append(s.pairs, g.pair(s, fmt.Sprintf("pod-%d-%d", index, i)))
	}
	return s
}

func (g gen) pool(index, i int) topology.Pool {
	p := topology.Pool{Platform: platform.Linux, Count: pick(g, 0, 1, 1, 1, 2, 2, 3)}
	p.Empty = p.Count == 0
	if i > 0 {
		p.Platform = pick(g, topology.PoolPlatforms()...)
	}
	// No two topologies have nodes with the same names.
	p.Name = fmt.Sprintf("t%d-%s-%d", index, p.Platform, i)
	sizes := []string{
		"", "x2iedn.xlarge", "Standard_D2s_v3", "Standard_D4s_v5", "Standard_B2ms", "Standard_F2s_v2",
		"Standard_E2s_v5",
	}
	if !p.Platform.IsWindows() {
		sizes = append(sizes, "Standard_D4ps_v5", "Standard_B1ls")
	}
	p.Size = pick(g, sizes...)
	p.Labels = g.own()
	p.Labels[labelPool] = p.Name
	switch {
	case g.chance(3):
	case g.chance(4):
		p.Untainted = true
	default:
		p.Taints = g.taints()
	}
	return p
}

// own returns labels that a pool declares.
func (g gen) own() map[string]string {
	labels := map[string]string{}
	for range g.IntN(3) {
		switch g.IntN(4) {
		case 0:
			labels["disktype"] = pick(g, "ssd", "hdd", "SSD")
		case 1:
			labels["example.com/gpu"] = pick(g, "", "0", "4", "8", "many")
		case 2:
			labels["team"] = pick(g, "blue", "green")
		default:
			labels[corev1.LabelTopologyZone] = pick(g, "1", "2")
		}
	}
	return labels
}

func (g gen) taints() []corev1.Taint {
	var taints []corev1.Taint
	for range 1 + g.IntN(3) {
		t := pick(
			g, topology.WindowsTaint(), corev1.Taint{Key: "os", Value: "Windows"},
			corev1.Taint{Key: "node.kubernetes.io/os", Value: "windows"},
			corev1.Taint{Key: "gpu"}, corev1.Taint{Key: "example.com/gpu", Value: "true"},
			corev1.Taint{Key: "dedicated", Value: "batch"},
		)
		if t.Effect == "" || g.chance(3) {
			t.Effect = g.effect()
		}
		if !slices.ContainsFunc(taints, func(other corev1.Taint) bool { return other.MatchTaint(&t) }) {
			taints = append(taints, t)
		}
	}
	return taints
}

func (g gen) effect() corev1.TaintEffect {
	return pick(g, corev1.TaintEffectNoSchedule, corev1.TaintEffectNoSchedule, corev1.TaintEffectNoExecute,
		corev1.TaintEffectPreferNoSchedule)
}

func class(name string, selector map[string]string, tolerations []corev1.Toleration) *nodev1.RuntimeClass {
	return &nodev1.RuntimeClass{
		TypeMeta:   metav1.TypeMeta{APIVersion: "node.k8s.io/v1", Kind: "RuntimeClass"},
		ObjectMeta: metav1.ObjectMeta{Name: name},
		Handler:    "runhcs-wcow-process",
		Scheduling: &nodev1.Scheduling{NodeSelector: selector, Tolerations: tolerations},
	}
}

// class returns a RuntimeClass that mostly matches a pool.
func (g gen) class(name string, base topology.Pool) *nodev1.RuntimeClass {
	c := class(name, g.selector(base), g.tolerations(base))
	switch g.IntN(4) {
	case 0:
		c.Overhead = &nodev1.Overhead{PodFixed: list(amount{3, 4 << 20})}
	case 1:
		c.Overhead = &nodev1.Overhead{PodFixed: pick(g, list(amount{500, 0}), list(amount{0, 1 << 30}),
			list(amount{1, 3 << 30}))}
	}
	if g.chance(5) {
		c.Scheduling = nil
	}
	return c
}

// pair returns a pod that mostly matches one of the pools.
func (g gen) pair(s *scenario, name string) pair {
	p := pair{
		name: name, numbers: g.chance(2),
		kind: pick(g, "Pod", "Pod", "Deployment", "StatefulSet", "ReplicaSet", "Job", "CronJob", "DaemonSet"),
	}
	base := pick(g, s.topology.Pools...)
	spec := &p.template.Spec
	if g.chance(3) {
		p.class = g.classFor(s, base)
		spec.RuntimeClassName = &p.class.Name
	}
	if p.class == nil || g.chance(2) {
		spec.NodeSelector = g.selector(base)
		if g.chance(3) {
			spec.Affinity = &corev1.Affinity{
				NodeAffinity: &corev1.NodeAffinity{RequiredDuringSchedulingIgnoredDuringExecution: g.required(base)},
			}
		}
	}
	if p.class != nil && p.class.Scheduling != nil && len(p.class.Scheduling.NodeSelector) > 0 && g.chance(6) {
		key := pick(g, slices.Sorted(maps.Keys(p.class.Scheduling.NodeSelector))...)
		if spec.NodeSelector == nil {
			spec.NodeSelector = map[string]string{}
		}
		spec.NodeSelector[key] = g.other(key, p.class.Scheduling.NodeSelector[key])
	}
	if p.class == nil || g.chance(3) || p.kind == "DaemonSet" && !g.chance(3) {
		spec.Tolerations = g.tolerations(base)
	}
	if p.class == nil && g.chance(4) {
		g.completed(s, spec)
	}
	if g.chance(6) {
		spec.OS = &corev1.PodOS{Name: corev1.OSName(base.Platform.OS())}
	}
	spec.HostNetwork = g.chance(8)
	g.resources(&p, base)
	g.disks(s, &p, base)
	for _, containers := range [][]corev1.Container{spec.InitContainers, spec.Containers} {
		for i := range containers {
			c := &containers[i]
			c.Name = fmt.Sprintf("c%d-%d", len(containers), i)
			// An init container and a container must not have the same name.
			if len(spec.InitContainers) > 0 && &spec.InitContainers[0] == &containers[0] {
				c.Name = "init-" + c.Name
			}
			c.Image = pick(g, "example.com/shop:1", "example.com/shop:1", "nginx",
				"mcr.microsoft.com/windows/nanoserver:ltsc2022")
		}
	}
	return p
}

// completed gives pods the selection of the nodes that run the images of a release, as mixedkube completes them.
func (g gen) completed(s *scenario, spec *corev1.PodSpec) {
	hosts := s.topology.Hosts(pick(g, topology.PoolPlatforms()...))
	if len(hosts) == 0 {
		return
	}
	selection := s.topology.Select(hosts...)
	spec.NodeSelector, spec.Tolerations, spec.Affinity = selection.Selector, s.topology.TolerationsOf(hosts...), nil
	if len(selection.Builds) == 0 {
		return
	}
	spec.Affinity = &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{
		RequiredDuringSchedulingIgnoredDuringExecution: &corev1.NodeSelector{
			NodeSelectorTerms: []corev1.NodeSelectorTerm{{MatchExpressions: []corev1.NodeSelectorRequirement{{
				Key: topology.LabelWindowsBuild, Operator: corev1.NodeSelectorOpIn, Values: selection.Builds,
			}}}},
		},
	}}
}

func (g gen) classFor(s *scenario, base topology.Pool) *nodev1.RuntimeClass {
	if len(s.own) == 0 || g.chance(2) {
		return pick(g, s.others...)
	}
	for _, c := range s.own {
		if c.Name == topology.RuntimeClassName(base.Platform) && !g.chance(4) {
			return c
		}
	}
	return pick(g, s.own...)
}

// selector returns a node selector that mostly matches a pool's nodes.
func (g gen) selector(base topology.Pool) map[string]string {
	selector := map[string]string{}
	if g.chance(3) {
		return nil
	}
	for range 1 + g.IntN(2) {
		key, value := g.label(base)
		selector[key] = value
	}
	return selector
}

// label returns a label of a pool's nodes, or one that differs slightly.
func (g gen) label(base topology.Pool) (key, value string) {
	labels := base.NodeLabels()
	delete(labels, labelPool)
	key = pick(g, slices.Sorted(maps.Keys(labels))...)
	value = labels[key]
	switch g.IntN(24) {
	case 0:
		value = g.other(key, value)
	case 1:
		value = strings.ToUpper(value[:min(1, len(value))]) + value[min(1, len(value)):]
	case 2:
		key, value = g.unrelated(base)
	case 3, 4, 5, 6, 7, 8, 9, 10, 11:
		key = corev1.LabelOSStable
		value = labels[key]
	case 12, 13, 14:
		if build, ok := labels[topology.LabelWindowsBuild]; ok {
			key, value = topology.LabelWindowsBuild, build
		}
	}
	return key, value
}

// other returns another value that the label may have.
func (g gen) other(key, value string) string {
	switch key {
	case corev1.LabelOSStable, "beta.kubernetes.io/os":
		return pick(g, "linux", "windows", "Linux", "darwin")
	case corev1.LabelArchStable, "beta.kubernetes.io/arch":
		return pick(g, "arm64", "amd64", "x86_64")
	case topology.LabelWindowsBuild:
		return pick(g, "10.0.17763", "10.0.20348", "10.0.26100", value+".1", "10.0.14393")
	case corev1.LabelInstanceTypeStable:
		return pick(g, "Standard_D4s_v5", "Standard_D2s_v3")
	default:
		return pick(g, "", "ssd", "hdd", "0", "4", "blue", "1", "2")
	}
}

// unrelated returns a label that the pool does not necessarily have.
func (g gen) unrelated(base topology.Pool) (key, value string) {
	switch g.IntN(8) {
	case 0:
		return "kubernetes.io/OS", "windows"
	case 1:
		return "os", "windows"
	case 2:
		return "DiskType", "ssd"
	case 3:
		return "disktype", pick(g, "ssd", "hdd")
	case 4:
		return "example.com/gpu", pick(g, "4", "8")
	case 5:
		return topology.LabelWindowsBuild, pick(g, "10.0.17763", "10.0.20348", "10.0.26100")
	case 6:
		return "example.org/cloud", "x" // a label that a user may set
	default:
		return corev1.LabelHostname, base.Name + "-0"
	}
}

func (g gen) required(base topology.Pool) *corev1.NodeSelector {
	required := &corev1.NodeSelector{}
	for range 1 + g.IntN(3) {
		var term corev1.NodeSelectorTerm
		for range pick(g, 0, 1, 1, 1, 2, 2) {
			term.MatchExpressions = append(term.MatchExpressions, g.expression(base))
		}
		if g.chance(15) {
			term.MatchFields = []corev1.NodeSelectorRequirement{{
				Key: metav1.ObjectNameField, Operator: pick(g, corev1.NodeSelectorOpIn, corev1.NodeSelectorOpNotIn),
				Values: []string{base.Name + "-0"},
			}}
		}
		required.NodeSelectorTerms = append(required.NodeSelectorTerms, term)
	}
	return required
}

func (g gen) expression(base topology.Pool) corev1.NodeSelectorRequirement {
	key, value := g.label(base)
	e := corev1.NodeSelectorRequirement{Key: key}
	switch g.IntN(6) {
	case 0, 1:
		e.Operator, e.Values = corev1.NodeSelectorOpIn, []string{value}
		if g.chance(2) {
			e.Values = append(e.Values, g.other(key, value))
		}
	case 2:
		e.Operator, e.Values = corev1.NodeSelectorOpNotIn, []string{pick(g, value, g.other(key, value))}
	case 3:
		e.Operator = corev1.NodeSelectorOpExists
	case 4:
		e.Operator = corev1.NodeSelectorOpDoesNotExist
		if !g.chance(3) {
			e.Key = pick(g, topology.LabelWindowsBuild, "disktype", "no-node-has-it", "example.com/gpu")
		}
	default:
		e.Key = pick(g, "example.com/gpu", "example.com/gpu", corev1.LabelTopologyZone, key)
		e.Operator = pick(g, corev1.NodeSelectorOpGt, corev1.NodeSelectorOpLt)
		e.Values = []string{pick(g, "0", "3", "4", "8", "many")}
	}
	return e
}

// tolerations returns tolerations that mostly match a pool's taints.
func (g gen) tolerations(base topology.Pool) []corev1.Toleration {
	var tolerations []corev1.Toleration
	add := func(t corev1.Toleration) {
		if !slices.ContainsFunc(tolerations, func(other corev1.Toleration) bool { return other.MatchToleration(&t) }) {
			tolerations = append(tolerations, t)
		}
	}
	for _, taint := range base.Taints {
		t := topology.Tolerate(taint)
		switch g.IntN(20) {
		case 0:
			t.Value = strings.ToUpper(t.Value)
		case 1:
			domain := t.Key[:strings.LastIndexByte(t.Key, '/')+1]
			t.Key = domain + strings.ToUpper(strings.TrimPrefix(t.Key, domain))
		case 2:
			t.Effect = g.effect()
		case 3:
			t.Effect = ""
		case 4:
			t.Operator, t.Value = corev1.TolerationOpExists, ""
		case 5:
			t.Operator = ""
		case 6:
			t.Operator, t.Value, t.Effect = corev1.TolerationOpExists, "", pick(g, "", g.effect())
		case 7:
			continue
		}
		add(t)
	}
	if g.chance(8) {
		add(corev1.Toleration{Operator: corev1.TolerationOpExists, Effect: pick(g, "", g.effect())})
	}
	if g.chance(6) {
		add(topology.Tolerate(pick(g, g.taints()...)))
	}
	for i := range tolerations {
		if t := &tolerations[i]; t.Effect == corev1.TaintEffectNoExecute && g.chance(3) {
			t.TolerationSeconds = new(int64)
			*t.TolerationSeconds = 3600
		}
	}
	return tolerations
}

// amount is a number of milli-CPUs and of bytes.
type amount struct{ cpu, memory int64 }

func (a amount) minus(b amount) amount {
	return amount{max(a.cpu-b.cpu, 0), max(a.memory-b.memory, 0)}
}

// small is the limit of a small pod: the smallest node has room for all small pods of a
// topology.
var small = amount{10, 12 << 20}

func (a amount) isSmall() bool { return a.cpu <= small.cpu && a.memory <= small.memory }

// list leaves out resources that are zero.
func list(a amount) corev1.ResourceList {
	l := corev1.ResourceList{}
	if a.cpu > 0 {
		l[corev1.ResourceCPU] = *resource.NewMilliQuantity(a.cpu, resource.DecimalSI)
	}
	if a.memory > 0 {
		l[corev1.ResourceMemory] = *resource.NewQuantity(a.memory, resource.BinarySI)
	}
	return l
}

func amountOf(l corev1.ResourceList) amount { return amount{l.Cpu().MilliValue(), l.Memory().Value()} }

// assumed is the capacity that the lab gives to nodes with an unknown size.
var assumed = amount{4000, 16 << 30}

// resources adds containers whose requests together are small, or about the capacity of
// a node of the pool.
func (g gen) resources(p *pair, base topology.Pool) {
	total := amount{1 + g.Int64N(small.cpu/2), 1 + g.Int64N(small.memory/2)}
	if g.chance(3) {
		total = g.large(base)
		if p.class != nil && p.class.Overhead != nil && !g.chance(4) {
			total = total.minus(amountOf(p.class.Overhead.PodFixed))
		}
	}
	requests := func(a amount) corev1.Container {
		return corev1.Container{Resources: corev1.ResourceRequirements{Requests: list(a)}}
	}
	part := amount{g.Int64N(total.cpu + 1), g.Int64N(total.memory + 1)}
	rest := total.minus(part)
	always := corev1.ContainerRestartPolicyAlways
	sidecar := requests(part)
	sidecar.RestartPolicy = &always
	spec := &p.template.Spec
	switch g.IntN(14) {
	case 0:
		spec.Containers = []corev1.Container{{Resources: corev1.ResourceRequirements{Limits: list(total)}}}
	case 1:
		// A limit is the default only for a missing request.
		spec.Containers = []corev1.Container{{Resources: corev1.ResourceRequirements{
			Requests: list(amount{cpu: total.cpu}), Limits: list(amount{2 * total.cpu, total.memory}),
		}}}
	case 2:
		spec.Containers = []corev1.Container{requests(part), requests(rest)}
	case 3:
		spec.InitContainers = []corev1.Container{requests(part), requests(total)}
		spec.Containers = []corev1.Container{requests(rest)}
	case 4:
		spec.InitContainers = []corev1.Container{sidecar}
		spec.Containers = []corev1.Container{requests(rest)}
	case 5:
		spec.InitContainers = []corev1.Container{sidecar, requests(rest)}
		spec.Containers = []corev1.Container{{}}
	case 6:
		spec.InitContainers = []corev1.Container{requests(total), sidecar}
		spec.Containers = []corev1.Container{{}}
	case 7:
		if spec.OS == nil || spec.OS.Name != corev1.Windows {
			spec.Resources = &corev1.ResourceRequirements{Requests: list(total)}
			spec.Containers = []corev1.Container{requests(part)}
			return
		}
		fallthrough
	default:
		spec.Containers = []corev1.Container{requests(total)}
	}
}

func (g gen) large(base topology.Pool) amount {
	node := assumed
	if capacity, ok := base.Capacity(); ok {
		node = amountOf(capacity)
	}
	cpu, memory := g.near(node.cpu), g.near(node.memory)
	switch g.IntN(3) {
	case 0:
		cpu = 1
	case 1:
		memory = 1
	}
	return amount{cpu, memory}
}

func (g gen) near(n int64) int64 { return pick(g, n/2, n-1, n, n, n+1, 2*n) }
