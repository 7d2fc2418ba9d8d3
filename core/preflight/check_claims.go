package preflight

import (
	"fmt"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/preflight/internal/rules/volumes"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/pods"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// volumeRule returns a rule of package volumes, whose checks do not look at claims yet.
func volumeRule(id string) rule.Rule {
	r, _ := rules.Find(id)
	return r
}

// volumeTypeRules are the rules about volumes that Windows nodes cannot mount.
var volumeTypeRules = map[volumes.Obstacle]string{
	volumes.NFS: "MK504", volumes.Type: "MK522", volumes.Image: "MK523", volumes.Driver: "MK541",
}

// fileSystem reports a file system of the other operating system. The problem has the path.
func (c *check) fileSystem(p *judged, fsType any, found rule.Problem) {
	switch {
	case !volumes.LacksFileSystem(p.target.OS(), fsType):
	case p.target.OS() == platform.WindowsOS:
		c.report(volumeRule("MK529"), found)
	default:
		c.report(volumeRule("MK530"), found)
	}
}

// storage has the objects for persistent volumes of a collection: objects by their names, namespaced ones by
// [claimKey].
type storage struct {
	claims, volumes, classes map[string]*Gist
	// claimed are the volumes that name the claim that they are for.
	claimed map[string]*Gist
	// open are the classes of volumes that may bind to any claim and are not on all nodes, see [storage.opens].
	open map[string]bool
	// standard is the default class, nil if there is none or if there are several.
	standard *Gist
	defaults int
}

func newStorage() *storage {
	return &storage{
		claims: map[string]*Gist{}, volumes: map[string]*Gist{}, classes: map[string]*Gist{},
		claimed: map[string]*Gist{}, open: map[string]bool{},
	}
}

func claimKey(namespace, name string) string { return namespace + "\x00" + name }

// add adds an object if it concerns persistent volumes.
func (s *storage) add(g *Gist, object map[string]any) {
	name, known := tree.Text(tree.At(object, "metadata", "name"))
	if !known {
		return
	}
	switch g.kind {
	case "PersistentVolumeClaim":
		if namespace, known := namespaceOf(object); known {
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

// claimsAcross checks the claims of pods against the volumes and classes among the objects.
func (c *check) claimsAcross(p *judged, a *Collection) {
	if p.target.OS() == "" {
		return
	}
	claims, _ := p.VolumeClaims()
	for _, claim := range claims {
		found := rule.Problem{Path: claim.Path, Value: claim.Name}
		if claim.Name == nil {
			found.Value = claim.Template["storageClassName"]
		}
		if spec, key, known := a.disks.specOf(c.object, claim); known {
			c.claim(p, a.disks, spec, a.disks.claimed[key], found)
		}
	}
}

// specOf returns the spec of a claim and, for a claim with a name, its key. It returns false if the claim is not known.
func (s *storage) specOf(object map[string]any, claim pods.VolumeClaim) (spec map[string]any, key string, known bool) {
	if claim.Name == nil {
		return claim.Template, "", claim.Template != nil
	}
	namespace, hasNamespace := namespaceOf(object)
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

// claim checks one claim by its spec, and by the volume that names it, if any. The problem has the path.
func (c *check) claim(p *judged, s *storage, spec map[string]any, volume *Gist, found rule.Problem) {
	if tree.IsUnknown(spec["volumeName"]) {
		return
	}
	if name, _ := tree.Text(spec["volumeName"]); name != "" {
		volume = s.volumes[name]
		if volume == nil {
			return
		}
	}
	if volume != nil {
		c.claimedVolume(p, volume.tree(), found)
		return
	}
	class := s.standard.tree()
	if v := spec["storageClassName"]; v != nil {
		name, _ := tree.Text(v)
		class = s.classes[name].tree()
	}
	if detail, is := volumes.DriverWithoutWindows(class["provisioner"]); is && p.target.OS() == platform.WindowsOS {
		found.Detail = fmt.Sprintf("leads to the StorageClass %v: %s", tree.At(class, "metadata", "name"), detail)
		c.report(volumeRule("MK541"), found)
		return
	}
	parameters := tree.Map(class["parameters"])
	for _, key := range [...]string{"csi.storage.k8s.io/fstype", "fstype", "fsType", "FSType"} {
		if fsType := parameters[key]; fsType != nil {
			found.Detail = fmt.Sprintf("the StorageClass %v formats disks with %v, which %s does not have",
				tree.At(class, "metadata", "name"), fsType, describe(p.target.OS()))
			found.Fix = "use a class with " + volumes.OwnFileSystem(p.target.OS())
			c.fileSystem(p, fsType, found)
			return
		}
	}
}

func (c *check) claimedVolume(p *judged, volume map[string]any, found rule.Problem) {
	spec, name := tree.Map(volume["spec"]), tree.At(volume, "metadata", "name")
	if p.target.OS() == platform.WindowsOS {
		if wrong, is := volumes.UnmountableOnWindows(spec); is {
			found.Detail = fmt.Sprintf("leads to the PersistentVolume %v with %s: %s", name, wrong.Source, wrong.Detail)
			c.report(volumeRule(volumeTypeRules[wrong.Obstacle]), found)
			return
		}
	}
	for _, fsType := range volumes.FileSystemsOf(spec) {
		found.Detail = fmt.Sprintf("the PersistentVolume %v has the file system %v, which %s does not have", name,
			fsType, describe(p.target.OS()))
		found.Fix = "use a volume with " + volumes.OwnFileSystem(p.target.OS())
		c.fileSystem(p, fsType, found)
	}
}
