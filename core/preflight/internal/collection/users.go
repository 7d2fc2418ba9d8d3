package collection

import (
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/preflight/internal/subject"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// Users are the workloads of both operating systems that mount a claim.
type Users struct {
	// Windows and Linux are the titles of the first workload of each.
	Windows, Linux string
	// Certain means that they have pods, and that nothing about them is a guess.
	Certain bool
	// Both means that there are such workloads.
	Both bool
}

// mountedBy are the first workloads, in the order of their titles, with a claim.
type mountedBy struct{ windows, linux *workload }

// Users returns the workloads that mount a PersistentVolumeClaim.
func (o *Object) Users() Users {
	key, known := keyOf(o.Tree)
	by := o.others.users()[key]
	if !known || by.windows == nil || by.linux == nil {
		return Users{}
	}
	return Users{by.windows.title(), by.linux.title(), by.windows.certain() && by.linux.certain(), true}
}

// Bound returns the volume of a PersistentVolumeClaim or the class that provisions it, like a [Binding].
func (o *Object) Bound() (volume, class map[string]any) {
	key, known := keyOf(o.Tree)
	if !known {
		return nil, nil
	}
	spec, disks := tree.Map(o.Tree["spec"]), o.others.disks
	volume, class = disks.bound(spec, disks.claimed[key])
	if volume == nil && class == nil {
		class = ofCloud(spec, o.Cluster.Topology.Cloud)
	}
	return volume, class
}

// keyOf returns the [claimKey] of a claim.
func keyOf(claim map[string]any) (string, bool) {
	namespace, hasNamespace := subject.Namespace(claim)
	name, hasName := tree.Text(tree.At(claim, "metadata", "name"))
	return claimKey(namespace, name), hasNamespace && hasName
}

func (c *Collection) mountedBy() map[string]mountedBy {
	all := map[string]mountedBy{}
	for _, w := range c.workloads {
		if !w.hasNamespace {
			continue
		}
		for _, claim := range w.claims {
			key := claimKey(w.namespace, claim)
			by := all[key]
			switch w.os {
			case platform.WindowsOS:
				by.windows = firstOf(by.windows, w)
			case platform.LinuxOS:
				by.linux = firstOf(by.linux, w)
			}
			all[key] = by
		}
	}
	return all
}

// firstOf returns the workload to name, whatever the order of the objects: a certain one.
func firstOf(a, b *workload) *workload {
	if a == nil {
		return b
	}
	if a.certain() != b.certain() {
		if a.certain() {
			return a
		}
		return b
	}
	if a.title() <= b.title() {
		return a
	}
	return b
}

// certain reports whether the workload has pods for its operating system.
func (w *workload) certain() bool {
	none, known := tree.Int(w.replicas)
	return !w.guessed && (w.replicas == nil || known && none > 0)
}
