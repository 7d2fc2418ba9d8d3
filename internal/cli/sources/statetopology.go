package sources

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/fielderrors"
	"github.com/mixedkube/mixedkube/internal/core/manifests"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// stackType is the type of the resource that is the stack itself: it has the stack's outputs.
const stackType = "pulumi:pulumi:Stack"

// topologyKey is the name of the output of components with their topology, and most likely of stacks.
const topologyKey = "topology"

// described is a cluster that a state describes.
type described struct {
	// name is the name for users, urn the resource, "" for an output of the stack.
	name, urn string
	// what describes it in a message.
	what string
	topology.Topology
	notes []string
	// err is the reason if there is no topology.
	err error
}

// is reports whether a name or a URN means it.
func (d described) is(resource string) bool { return d.name == resource || d.urn == resource }

// Topology returns the topology of the cluster in the stack, from the first of these that exists:
//
//   - the output topology of a cluster of this library, and outputs of the stack that are topologies
//     (package stackoutput);
//   - the AKS clusters of programs with plain azure-native, with the pools that are separate resources.
//
// If there are several, resource chooses one: its name, its URN, or the name of the output. It can be empty if there is
// only one. The notes tell the user what to check in it.
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
		return none, nil, fmt.Errorf("%s: has no cluster %q: the clusters are %s", s.Name, resource, names(all))
	default:
		return none, nil, fmt.Errorf("%s: it does not contain the pools of a cluster: export the topology of the "+
			"program, or name a file with the output of kubectl get nodes -o json", s.Name)
	}
}

// clusters returns all clusters that the state describes.
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

// exported returns the topologies that programs export themselves, each once.
func (s *State) exported() (found []described) {
	known := map[string]bool{}
	add := func(r Resource, key string, d described) {
		d.Topology, d.err = s.decode(r, key)
		if d.err == nil {
			text, err := json.Marshal(topology.Encode(d.Topology))
			if err == nil && known[string(text)] {
				return
			}
			known[string(text)] = err == nil
		}
		found = append(found, d)
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

// looksLikeTopology reports whether an output is a topology, whatever its name: it has pools, each with a platform.
func looksLikeTopology(v any) bool {
	pools := tree.List(tree.Map(v)["pools"])
	return len(pools) > 0 && !slices.ContainsFunc(pools, func(pool any) bool {
		platform, _ := tree.Text(tree.Map(pool)["platform"])
		return platform == ""
	})
}

// decode reads an output that is a topology: an object, or its text.
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
