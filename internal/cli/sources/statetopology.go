package sources

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/components/topology"
	"github.com/mixedkube/mixedkube/internal/fielderrors"
	"github.com/mixedkube/mixedkube/internal/manifests"
	"github.com/mixedkube/mixedkube/internal/tree"
)

// stackType is the type of the resource that is the stack itself: its outputs are the stack's.
const stackType = "pulumi:pulumi:Stack"

// topologyKey is the name under which components have their topology, and stacks most likely.
const topologyKey = "topology"

// described is a cluster that a state tells of.
type described struct {
	// name is what people call it by, urn the resource, "" for an output of the stack.
	name, urn string
	// what says in a message what it is.
	what string
	topology.Topology
	notes []string
	// err says why there is no topology.
	err error
}

// is reports whether somebody means it by a name or a URN.
func (d described) is(resource string) bool { return d.name == resource || d.urn == resource }

// Topology is that of the cluster that the stack has, from the first of these that there is:
//
//   - what the clusters of this library have as their output topology, and outputs of the stack that
//     are topologies (package stackoutput);
//   - the clusters of AKS that programs of plain azure-native make, with the pools beside them.
//
// If there are several, the resource says which: its name or its URN, or the name of the output. It is
// empty for the one that there is. The notes say what a reader should look at in it.
func (s *State) Topology(resource string) (topology.Topology, []string, error) {
	all := s.clusters()
	found := all
	if resource != "" {
		found = slices.DeleteFunc(slices.Clone(all), func(d described) bool { return !d.is(resource) })
	}
	var none topology.Topology
	switch {
	case len(found) == 1 && found[0].err != nil:
		return none, nil, found[0].err
	case len(found) == 1:
		return found[0].Topology, found[0].notes, nil
	case len(found) > 1:
		return none, nil, fmt.Errorf("%s: has several clusters: choose one with --resource: %s", s.Name, names(found))
	case len(all) > 0:
		return none, nil, fmt.Errorf("%s: has no cluster %q: there are %s", s.Name, resource, names(all))
	default:
		return none, nil, fmt.Errorf("%s: nothing in it says which pools a cluster has: export the topology of the "+
			"program, or give what kubectl get nodes -o json prints", s.Name)
	}
}

// clusters are all that the state tells of.
func (s *State) clusters() []described {
	found := s.exported()
	for _, cluster := range s.onAKS(found) {
		found = append(found, cluster.describe())
	}
	return found
}

func names(found []described) string {
	all := make([]string, len(found))
	for i, d := range found {
		all[i] = d.what
	}
	return strings.Join(all, ", ")
}

// exported are the topologies that programs write down themselves. One that two of them write is there
// once.
func (s *State) exported() (found []described) {
	add := func(r Resource, key string, d described) {
		d.Topology, d.err = s.decode(r, key)
		same := func(other described) bool {
			return d.err == nil && other.err == nil &&
				reflect.DeepEqual(topology.Encode(other.Topology), topology.Encode(d.Topology))
		}
		if !slices.ContainsFunc(found, same) {
			found = append(found, d)
		}
	}
	for _, r := range s.Resources {
		if strings.HasPrefix(r.Type, "mixedkube:") && r.Outputs[topologyKey] != nil {
			add(r, topologyKey, described{name: r.ResourceName(), urn: r.URN, what: "the cluster " + r.ResourceName()})
		}
	}
	for _, r := range s.Resources {
		if r.Type != stackType {
			continue
		}
		for _, key := range slices.Sorted(maps.Keys(r.Outputs)) {
			if key == topologyKey || looksLikeTopology(r.Outputs[key]) {
				add(r, key, described{name: key, what: "the output " + key})
			}
		}
	}
	return found
}

// looksLikeTopology reports whether an output is one, whatever its name: it has pools, each with a
// platform.
func looksLikeTopology(v any) bool {
	pools := tree.List(tree.Map(v)["pools"])
	return len(pools) > 0 && !slices.ContainsFunc(pools, func(pool any) bool {
		platform, _ := tree.Text(tree.Map(pool)["platform"])
		return platform == ""
	})
}

// decode reads an output that is a topology: an object, or a text with one.
func (s *State) decode(r Resource, key string) (topology.Topology, error) {
	subject := fmt.Sprintf("%s: %s %q: output", s.Name, r.Type, r.ResourceName())
	value, path := r.Outputs[key], field.NewPath(key)
	if _, secret := value.(tree.Secret); secret {
		return topology.Topology{}, fmt.Errorf("%s %s: is a secret, but what follows from a topology is shown: "+
			"export it as a plain value", subject, key)
	}
	if text, ok := value.(string); ok {
		docs, err := manifests.ReadYAML(strings.NewReader(text), key)
		switch {
		case err != nil:
			return topology.Topology{}, fmt.Errorf("%s %w", subject, err)
		case len(docs) != 1:
			return topology.Topology{}, fmt.Errorf("%s %s: has %d documents: export one topology", subject,
				key, len(docs))
		}
		value = docs[0].Value
	}
	t, errs := topology.Decode(value, path)
	return t, fielderrors.Join(subject, errs)
}
