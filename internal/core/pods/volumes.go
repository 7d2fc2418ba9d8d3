package pods

import (
	"github.com/mixedkube/mixedkube/internal/core/placement"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// Volumes are the persistent volumes of pods, which decide with their node affinity where the pods can run.
type Volumes struct {
	// Bound are the PersistentVolume objects that claims of the pods are bound to.
	Bound []map[string]any
	// Unknown is true if the pods have another claim, whose volume may be on any nodes.
	Unknown bool
	// Assumed is true if the pods have another claim that most likely gets a volume wherever its pods run: it is not
	// known, or its StorageClass is not.
	Assumed bool
}

// Certain returns the volumes without assumptions.
func (v Volumes) Certain() Volumes { return Volumes{Bound: v.Bound, Unknown: v.Unknown || v.Assumed} }

// VolumeClaim is a claim of pods to a persistent volume.
type VolumeClaim struct {
	// Path is the path of the name, or of the template's StorageClass.
	Path string
	// Name is the name of the claim as it is written, nil for a template.
	Name any
	// Template is the spec of a claim that is created for each pod, nil if it is not known. A claim with a name has none.
	Template map[string]any
}

// VolumeClaims returns the claims of the pods' volumes: claims that exist, templates of generic ephemeral volumes, and
// the templates of a StatefulSet. It returns false if the pods may have other claims, which are not known yet.
func (p *Pods) VolumeClaims() (claims []VolumeClaim, all bool) {
	all = !tree.IsUnknown(p.Spec["volumes"])
	for i, v := range tree.List(p.Spec["volumes"]) {
		volume := tree.Map(v)
		all = all && !tree.IsUnknown(v) && !tree.IsUnknown(volume["persistentVolumeClaim"])
		if name := tree.Map(volume["persistentVolumeClaim"])["claimName"]; name != nil {
			claims = append(claims, VolumeClaim{
				Path: p.Path("volumes", i, "persistentVolumeClaim", "claimName"), Name: name,
			})
		}
		if volume["ephemeral"] != nil {
			claims = append(claims, VolumeClaim{
				Path:     p.Path("volumes", i, "ephemeral", "volumeClaimTemplate", "spec", "storageClassName"),
				Template: specOf(volume["ephemeral"], "volumeClaimTemplate", "spec"),
			})
		}
	}
	if p.Kind != "StatefulSet" {
		return claims, all
	}
	templates := tree.At(p.Object["spec"], "volumeClaimTemplates")
	all = all && !tree.IsUnknown(templates)
	for i, v := range tree.List(templates) {
		claims = append(claims, VolumeClaim{
			Path:     "spec.volumeClaimTemplates" + Join(i, "spec", "storageClassName"),
			Template: specOf(v, "spec"),
		})
	}
	return claims, all
}

// specOf returns the spec of a claim in a template, nil if it is not known.
func specOf(template any, keys ...string) map[string]any {
	if tree.IsUnknown(template) {
		return nil
	}
	spec := tree.At(template, keys...)
	if spec == nil {
		return map[string]any{}
	}
	return tree.Map(spec)
}

// unknownVolumes returns the volumes of pods without the objects that their claims need.
func (p *Pods) unknownVolumes() Volumes {
	claims, all := p.VolumeClaims()
	return Volumes{Unknown: len(claims) > 0 || !all}
}

// volumes reads the node affinity of the volumes.
func (r *reader) volumes() []placement.Volume {
	const part = placement.PartVolumes
	if r.target.Volumes.Unknown {
		r.unknown |= part
	}
	var volumes []placement.Volume
	for _, object := range r.target.Volumes.Bound {
		name, _ := tree.Text(tree.At(object, "metadata", "name"))
		affinity := tree.At(object["spec"], "nodeAffinity")
		required := tree.At(affinity, "required")
		if tree.IsUnknown(object["spec"]) || tree.IsUnknown(affinity) {
			required = tree.Unknown{}
		}
		before := r.unknown
		r.unknown = 0
		selector := r.nodeSelector(required, part)
		if known := r.unknown == 0; known && selector != nil {
			volumes = append(volumes, placement.Volume{Name: name, Required: selector})
		}
		r.unknown |= before
	}
	return volumes
}
