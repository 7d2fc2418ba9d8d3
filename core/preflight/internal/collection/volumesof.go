package collection

import (
	"github.com/mixedkube/mixedkube/internal/core/pods"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// noProvisioner is the provisioner of StorageClasses for volumes that exist already.
const noProvisioner = "kubernetes.io/no-provisioner"

// VolumesOf returns the volumes that the claims of pods bind to.
func (s *Storage) VolumesOf(p *pods.Pods) pods.Volumes {
	claims, all := p.VolumeClaims()
	v := pods.Volumes{Unknown: !all}
	for _, claim := range claims {
		spec, key, known := s.specOf(p.Object, claim)
		volume := s.claimed[key]
		switch {
		case known:
			s.bind(&v, spec, volume)
		case volume != nil:
			v.Bound = append(v.Bound, volume.tree())
		case claim.Name != nil:
			v.Assumed = true
		default:
			v.Unknown = true
		}
	}
	return v
}

// bind adds the volume of a claim with a spec. The volume that names the claim may be nil.
//
// A volume that is provisioned for the claim follows the pod, or is in a zone: it does not decide on the operating
// system of the node (checkVolumeProvisions in pkg/scheduler/framework/plugins/volumebinding/binder.go of Kubernetes
// 1.36). A volume that exists can be anywhere.
func (s *Storage) bind(v *pods.Volumes, spec map[string]any, volume *Gist) {
	name, known := tree.Text(spec["volumeName"])
	switch {
	case spec["volumeName"] != nil && !known:
		v.Unknown = true
		return
	case name != "":
		volume = s.volumes[name]
		if volume == nil {
			v.Unknown = true
			return
		}
	}
	if volume != nil {
		v.Bound = append(v.Bound, volume.tree())
		return
	}
	class, className := s.standard.tree(), spec["storageClassName"]
	if className != nil {
		text, _ := tree.Text(className)
		class = s.classes[text].tree()
		if text == "" { // only volumes that exist, or it is not known
			v.Unknown = true
			return
		}
	} else if class != nil {
		className = tree.At(class, "metadata", "name")
	}
	switch {
	// Nothing is provisioned for a claim with a selector.
	case spec["selector"] != nil, s.mayBind(className), s.defaults > 1 && className == nil:
		v.Unknown = true
	case class == nil:
		v.Assumed = true
	default:
		provisioner, known := tree.Text(class["provisioner"])
		if !known || provisioner == noProvisioner || class["allowedTopologies"] != nil {
			v.Unknown = true
		}
	}
}

// mayBind reports whether a claim with the class, nil for the default class of the cluster, may bind to one of the
// volumes that do not name their claim and that have a node affinity.
func (s *Storage) mayBind(class any) bool {
	if name, known := tree.Text(class); known {
		return s.open[name] || s.open[anyClass]
	}
	return len(s.open) > 0
}

// anyClass is the name of a class that is not known. No class has it.
const anyClass = "?"

// opens records the class of a volume with a node affinity that does not name its claim.
func (s *Storage) opens(spec map[string]any) {
	if spec["claimRef"] != nil || spec["nodeAffinity"] == nil {
		return
	}
	name, known := tree.Text(spec["storageClassName"])
	if !known && spec["storageClassName"] != nil {
		name = anyClass
	}
	s.open[name] = true
}
