package collection

import (
	"slices"

	"github.com/mixedkube/mixedkube/core/preflight/internal/subject"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/facts"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// Claims are pods with their claims, among other objects. Their target includes their RuntimeClass.
type Claims struct {
	*subject.Pods

	// Bindings are the claims whose spec is among the objects, or in the pods, and whose volume or class is known. Pods
	// for an unknown operating system have none.
	Bindings []Binding
}

// Binding is a claim of pods, with the volume that it gets.
type Binding struct {
	// Path and Value are the field of the pods with the name of the claim, or with the class in a template of a claim.
	Path  string
	Value any
	// Volume is the PersistentVolume. If it is nil, Class is the StorageClass that provisions one. A class that the cloud
	// creates has only its name, provisioner and protocol.
	Volume, Class map[string]any
}

// Claims returns pods whose target includes their RuntimeClass with their claims.
func (c *Collection) Claims(p *subject.Pods) *Claims {
	all := &Claims{Pods: p}
	if p.OS() == "" {
		return all
	}
	claims, _ := p.VolumeClaims()
	for _, claim := range claims {
		spec, key, known := c.disks.specOf(p.Object, claim)
		if !known {
			continue
		}
		b := Binding{Path: claim.Path, Value: claim.Name}
		if claim.Name == nil {
			b.Value = claim.Template["storageClassName"]
		}
		b.Volume, b.Class = c.disks.bound(spec, c.disks.claimed[key])
		if b.Volume == nil && b.Class == nil {
			b.Class = ofCloud(spec, p.Cluster.Topology.Cloud)
		}
		if b.Volume != nil || b.Class != nil {
			all.Bindings = append(all.Bindings, b)
		}
	}
	return all
}

// bound returns the volume of a claim with a spec, or the class that provisions it. The volume that names the claim may
// be nil.
func (s *Storage) bound(spec map[string]any, named *Gist) (volume, class map[string]any) {
	if tree.IsUnknown(spec["volumeName"]) {
		return nil, nil
	}
	if name, _ := tree.Text(spec["volumeName"]); name != "" {
		return s.volumes[name].tree(), nil
	}
	if named != nil {
		return named.tree(), nil
	}
	if v := spec["storageClassName"]; v != nil {
		name, _ := tree.Text(v)
		return nil, s.classes[name].tree()
	}
	return nil, s.standard.tree()
}

// ofCloud returns the class that the cloud creates for a claim without a volume, nil if it does not create that class.
func ofCloud(spec map[string]any, cloud topology.Cloud) map[string]any {
	name, written := spec["storageClassName"].(string) // not a secret one, whose driver would be shown
	if cloud != topology.AKS || !written || spec["volumeName"] != nil {
		return nil
	}
	i := slices.IndexFunc(facts.AKSStorageClasses, func(c facts.StorageClass) bool { return c.Name == name })
	if i < 0 {
		return nil
	}
	class := facts.AKSStorageClasses[i]
	return map[string]any{
		"metadata": map[string]any{"name": name}, "provisioner": class.Provisioner,
		"parameters": map[string]any{"protocol": class.Protocol},
	}
}
