package collection

import (
	"github.com/mixedkube/mixedkube/core/preflight/internal/subject"
	"github.com/mixedkube/mixedkube/internal/core/pods"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// Storage has the objects for persistent volumes of a collection: objects by their names, namespaced ones by
// [claimKey].
type Storage struct {
	claims, volumes, classes map[string]*Gist
	// claimed are the volumes that name the claim that they are for.
	claimed map[string]*Gist
	// open are the classes of volumes that may bind to any claim and are not on all nodes, see [Storage.opens].
	open map[string]bool
	// standard is the default class, nil if there is none or if there are several.
	standard *Gist
	defaults int
}

// NewStorage returns a storage without objects.
func NewStorage() *Storage {
	return &Storage{
		claims: map[string]*Gist{}, volumes: map[string]*Gist{}, classes: map[string]*Gist{},
		claimed: map[string]*Gist{}, open: map[string]bool{},
	}
}

func claimKey(namespace, name string) string { return namespace + "\x00" + name }

// add adds an object if it concerns persistent volumes.
func (s *Storage) add(g *Gist, object map[string]any) {
	name, known := tree.Text(tree.At(object, "metadata", "name"))
	if !known {
		return
	}
	switch g.kind {
	case "PersistentVolumeClaim":
		if namespace, known := subject.Namespace(object); known {
			s.claims[claimKey(namespace, name)] = g
		}
	case "PersistentVolume":
		s.volumes[name] = g
		s.opens(tree.Map(object["spec"]))
		claim := tree.Map(tree.At(object, "spec", "claimRef"))
		if of, ok := tree.Text(claim["name"]); ok {
			namespace, _ := tree.Text(claim["namespace"])
			s.claimed[claimKey(namespace, of)] = g
		}
	case "StorageClass":
		s.classes[name] = g
		if on, _ := tree.Text(tree.At(object, "metadata", "annotations", isDefaultClass)); on == "true" {
			s.standard = g
			if s.defaults++; s.defaults > 1 {
				s.standard = nil // the newest one counts, which is unknown
			}
		}
	}
}

const isDefaultClass = "storageclass.kubernetes.io/is-default-class"

// Add adds an object that is not in a collection if it concerns persistent volumes.
func (s *Storage) Add(o *pods.Object) { s.add(&Gist{kind: o.Kind, object: o.Tree}, o.Tree) }

// specOf returns the spec of a claim and, for a claim with a name, its key. It returns false if the claim is not known.
func (s *Storage) specOf(object map[string]any, claim pods.VolumeClaim) (spec map[string]any, key string, known bool) {
	if claim.Name == nil {
		return claim.Template, "", claim.Template != nil
	}
	namespace, hasNamespace := subject.Namespace(object)
	name, hasName := tree.Text(claim.Name)
	if !hasNamespace || !hasName {
		return nil, "", false
	}
	key = claimKey(namespace, name)
	if s.claims[key] == nil {
		return nil, key, false
	}
	return tree.Map(s.claims[key].tree()["spec"]), key, true
}
