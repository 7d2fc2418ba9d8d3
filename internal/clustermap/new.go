package clustermap

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/preflight"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/landings"
	"github.com/mixedkube/mixedkube/internal/core/pods"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// New creates a map.
func New(s Source) *Map {
	b := newBuilder(s)
	b.addWorkloads()
	b.observe(s.Nodes)
	slices.SortStableFunc(b.Workloads, func(a, b Workload) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Kind, b.Kind))
	})
	if b.Live {
		b.placeSeen()
	} else {
		b.placeLandings()
	}
	b.addPending()
	return b.Map
}

// builder builds a map.
type builder struct {
	*Map
	checker *preflight.Checker
	// at is the index of each pool, by its name.
	at map[string]int
	// objects are the objects with pods, and their owners; others are all objects without pods.
	objects map[identity]*pods.Object
	// roots are the top-level owners of the objects that have been met.
	roots  map[identity]identity
	order  []identity
	others []*pods.Object
	// known are the others on which landings depend.
	known *preflight.Others
	// seen are the pods of a live cluster.
	seen []*pods.Object
	// loads are the requests of pods for each set of pools that they can run on.
	loads []landings.Load
}

// identity identifies an object of a cluster.
type identity struct{ kind, namespace, name string }

func newBuilder(s Source) *builder {
	t := s.Options.Topology.WithDefaults()
	b := &builder{
		Map: &Map{
			Title: s.Title, From: s.From, Live: s.Live,
			KubernetesVersion: cmp.Or(t.KubernetesVersion, s.Options.KubernetesVersion),
		},
		checker: preflight.New(
			s.Options,
		), at: map[string]int{}, objects: map[identity]*pods.Object{}, roots: map[identity]identity{},
	}
	for _, p := range t.Pools {
		b.Pools = append(b.Pools, Pool{Pool: p, Build: cmp.Or(p.Reported.OSVersion, p.Platform.Build())})
	}
	slices.SortStableFunc(b.Pools, func(a, b Pool) int { return cmp.Compare(order(a.Platform), order(b.Platform)) })
	for i, p := range b.Pools {
		b.at[p.Name] = i
	}
	for _, object := range s.Objects {
		b.add(object)
	}
	b.known = preflight.OthersOf(b.others)
	b.Live = b.Live || len(b.seen) > 0
	return b
}

// order returns the position of a platform: Linux is the first.
func order(p platform.Platform) int { return slices.Index(platform.All(), p) }

// add adds an object to the list of its kind.
func (b *builder) add(object map[string]any) {
	o := pods.ReadObject(object)
	phase, _ := tree.Text(tree.At(object, "status", "phase"))
	switch {
	case o.Kind == "Pod" && o.Pods != nil && phase != "":
		b.seen = append(b.seen, o)
	case len(o.All()) > 0:
		id := identityOf(object)
		if b.objects[id] == nil || id.name == "" {
			b.order = append(b.order, id)
		}
		b.objects[id] = o
	default:
		b.others = append(b.others, o)
	}
}

func identityOf(object map[string]any) identity {
	metadata := tree.Map(object["metadata"])
	id := identity{namespace: "default"}
	id.kind, _ = tree.Text(object["kind"])
	id.name, _ = tree.Text(metadata["name"])
	if namespace, ok := tree.Text(metadata["namespace"]); ok && namespace != "" {
		id.namespace = namespace
	}
	return id
}

// controllerOf returns the object whose controller created this one.
func controllerOf(object map[string]any) (identity, bool) {
	id := identityOf(object)
	for _, v := range tree.List(tree.At(object, "metadata", "ownerReferences")) {
		owner := tree.Map(v)
		if is, _ := tree.Bool(owner["controller"]); is {
			id.kind, _ = tree.Text(owner["kind"])
			id.name, _ = tree.Text(owner["name"])
			return id, true
		}
	}
	return identity{}, false
}

// addWorkloads adds the objects with pods, except those that another object has created.
func (b *builder) addWorkloads() {
	var several []string
	for _, id := range b.order {
		o := b.objects[id]
		if owner, owned := controllerOf(o.Tree); owned && b.objects[owner] != nil {
			continue
		}
		if o.Pods == nil {
			several = append(several, id.kind+" "+landings.Workload(o, "without a name"))
			continue
		}
		if o.Kind == "PodTemplate" { // no controller creates pods from it
			continue
		}
		b.Workloads = append(b.Workloads, b.workload(id.kind, o))
	}
	if len(several) > 0 {
		b.Notes = append(b.Notes, "Not drawn, because they have several templates of pods: "+few(several)+".")
	}
}

func (b *builder) workload(kind string, o *pods.Object) Workload {
	w := Workload{Name: landings.Workload(o, unnamed(o.Tree)), Kind: kind, id: identityOf(o.Tree)}
	w.landing, w.landed = b.checker.LandingOf(o, b.known)
	w.Pods, w.PerNode = o.Pods.Count(), o.Kind == "DaemonSet"
	w.Requests = w.landing.Requests
	w.failure = failureOf(o.Tree)
	return w
}

// unnamed replaces a name that is unknown, or that the API server generates.
func unnamed(object map[string]any) string {
	if prefix, ok := tree.Text(tree.At(object, "metadata", "generateName")); ok && prefix != "" {
		return prefix + "…"
	}
	return "without a name"
}

// placeLandings puts workloads where they can run.
func (b *builder) placeLandings() {
	wishes := make([]landings.Wish, len(b.Workloads))
	for i := range b.Workloads {
		w := &b.Workloads[i]
		l := w.landing
		wishes[i] = landings.Wish{Pools: l.Pools, Requests: l.Requests, Count: w.Pods, PerNode: w.PerNode}
		w.On, w.Perhaps = b.indexes(l.Pools), b.indexes(l.Perhaps)
		for _, pool := range slices.Concat(w.On, w.Perhaps) {
			landed := Landed{
				Workload: i, Pods: w.Pods, PerNode: w.PerNode, Perhaps: slices.Contains(w.Perhaps, pool),
			}
			if !w.PerNode {
				landed.Others = len(w.On) + len(w.Perhaps) - 1
			}
			b.Pools[pool].Workloads = append(b.Pools[pool].Workloads, landed)
		}
	}
	b.measure()
	b.loads = landings.Loads(wishes)
	for _, load := range b.loads {
		for _, p := range load.Pools {
			room := b.Pools[b.at[p.Name]].Room
			if len(load.Pools) == 1 {
				room.Used = landings.Plus(room.Used, load.Now.Requests, 1)
			} else {
				room.Choice = landings.Plus(room.Choice, load.Now.Requests, 1)
			}
		}
	}
}

func (b *builder) indexes(pools []topology.Pool) []int {
	var all []int
	for _, p := range pools {
		if i, ok := b.at[p.Name]; ok {
			all = append(all, i)
		}
	}
	slices.Sort(all)
	return all
}

// measure computes the capacity of the pools.
func (b *builder) measure() {
	for i := range b.Pools {
		p := &b.Pools[i]
		if each, known := p.Allocatable(); known {
			p.Room = &Room{
				Total: landings.Plus(nil, each, p.Count),
				Used:  landings.Plus(nil, nil, 0), Choice: landings.Plus(nil, nil, 0),
			}
		}
	}
}

// few names the first of many.
func few(names []string) string {
	const most = 5
	if len(names) <= most+1 {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
}

// request returns the requests of a pod of a live cluster.
func (b *builder) request(o *pods.Object) corev1.ResourceList {
	l, _ := b.checker.LandingOf(o, b.known)
	return l.Requests
}
