package record

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource/urn"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/core/preflight"
	"github.com/mixedkube/mixedkube/core/report"
	"github.com/mixedkube/mixedkube/internal/core/fielderrors"
	"github.com/mixedkube/mixedkube/internal/core/mutate"
	"github.com/mixedkube/mixedkube/internal/core/pods"
)

// Cluster describes a cluster to which the program deploys.
type Cluster struct {
	// Provider is the name of the provider of its objects; "" for the objects of all providers that are not listed.
	Provider string
	Options  preflight.Options
}

// Located is a resource with only a URN, for the log: the resource itself may be in another process, and has no URN yet
// when it is shown.
type Located struct {
	pulumi.ResourceState
	At urn.URN
}

// URN returns the URN that the engine will assign to the resource.
func (l *Located) URN() pulumi.URNOutput {
	return pulumi.URN(l.At).ToURNOutput()
}

// object is an object that was shown.
type object struct {
	Located
	*pods.Object
	name    string // of its resource
	cluster *cluster
	outcome mutate.Outcome
}

// reported returns the object as the report names it.
func (o *object) reported() report.Object {
	of := report.ObjectOf(o.Tree)
	of.Resource, of.Cluster = string(o.At), o.cluster.provider
	return of
}

// cluster is a cluster with its objects.
type cluster struct {
	provider string
	checker  *preflight.Checker
	set      bool // its topology is known
	pools    bool // its pools are known
	objects  []*object
	context  []*pods.Object // the objects that rules about others look at
	others   map[string]int // objects of providers that are not listed, by their name
}

// clusters lists the clusters of the program. The first one has the objects of all providers that are not listed.
type clusters []*cluster

func newClusters(of []Cluster) (all clusters) {
	for _, c := range of {
		all = append(all, &cluster{
			provider: c.Provider, checker: preflight.New(c.Options), set: c.Options.Topology.IsSet(),
			pools: len(c.Options.Topology.Pools) > 0,
		})
	}
	all[0].others = map[string]int{}
	return all
}

// of returns the cluster of a provider, whose name is "" if it is the default one.
func (all clusters) of(provider string) *cluster {
	i := slices.IndexFunc(all, func(c *cluster) bool { return c.provider == provider })
	return all[max(0, i)]
}

// count returns how many objects the clusters have.
func (all clusters) count() (n int) {
	for _, c := range all {
		n += len(c.objects)
	}
	return n
}

// contextKinds are the kinds on which rules about pods and their landings depend.
var contextKinds = [...]string{
	"RuntimeClass", "Namespace", "PersistentVolume", "PersistentVolumeClaim", "StorageClass",
}

// add records an object of a provider.
func (c *cluster) add(o *object, provider string) {
	c.objects = append(c.objects, o)
	if c.others != nil {
		c.others[provider]++
	}
	if slices.Contains(contextKinds[:], o.Kind) {
		c.context = append(c.context, o.Object)
	}
}

// read returns the objects as rules about several objects read them.
func (c *cluster) read() []*pods.Object {
	read := make([]*pods.Object, len(c.objects))
	for i, o := range c.objects {
		read[i] = o.Object
	}
	return read
}

// unlisted lists the providers whose clusters are not known. It returns "" if there are none.
func (all clusters) unlisted() string {
	others := all[0].others
	if len(all) == 1 || all[0].set || len(others) == 0 {
		return ""
	}
	var lines []string
	for _, name := range slices.Sorted(maps.Keys(others)) {
		whose := fmt.Sprintf("the provider %q", name)
		if name == "" {
			whose = "the default provider"
		}
		lines = append(lines, fmt.Sprintf("%s of %s", fielderrors.Count(others[name], "object"), whose))
	}
	return "no topology is given for the cluster of some providers, so only the rules that hold on every cluster " +
		"are checked:\n  " + strings.Join(lines, "\n  ")
}

// misnamed returns the listed providers that no object has.
func (all clusters) misnamed() (texts []string) {
	names := slices.Sorted(maps.Keys(all[0].others))
	for i, c := range all[1:] {
		if len(c.objects) > 0 {
			continue
		}
		text := fmt.Sprintf("clusters[%d].provider: no object has the provider %q", i, c.provider)
		if near, ok := fielderrors.Nearest(c.provider, names); ok {
			text += fmt.Sprintf(": did you mean %q?", near)
		}
		texts = append(texts, text)
	}
	return texts
}
