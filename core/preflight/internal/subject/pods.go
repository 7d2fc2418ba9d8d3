package subject

import (
	"slices"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/internal/core/placement"
	"github.com/mixedkube/mixedkube/internal/core/pods"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// Pods are the pods of an object, together with what they are for. They are not safe for concurrent use.
type Pods struct {
	*pods.Pods
	Target  pods.Target
	Cluster *Cluster
	// Stated means that the program states the platform of the pods, see [pods.Object].
	Stated bool
	// Joined means that the target is the one with the RuntimeClass and the volumes among other objects.
	Joined bool

	contradictions once[[]pods.Claim]
	names          once[[]*pods.ImageName]
	placement      once[placed]
	commands       once[[]Command]
	missing        once[[]MissingProgram]
	volumeTypes    once[[]string]
	wrongImages    once[[]WrongImage]
	unmatched      once[unmatched]
	without        once[[]WithoutPool]
	landed         once[Landed]
	wrongHosts     once[[]WrongHost]
	quantities     once[[]Quantity]
}

// placed is the answer of [pods.Context.Place].
type placed struct {
	answer placement.Placement
	hidden bool
}

// once is a fact that is computed when it is first needed.
type once[T any] struct {
	done  bool
	value T
}

func (o *once[T]) get(compute func() T) T {
	if !o.done {
		o.value, o.done = compute(), true
	}
	return o.value
}

// PodsOf returns pods with their RuntimeClass, nil if that is unknown.
func (c *Cluster) PodsOf(p *pods.Pods, class *pods.Class, stated bool) *Pods {
	return &Pods{Pods: p, Target: c.Target(p, class), Cluster: c, Stated: stated}
}

// For returns the same pods with another target.
func (p *Pods) For(target pods.Target) *Pods {
	return &Pods{Pods: p.Pods, Target: target, Cluster: p.Cluster, Stated: p.Stated, Joined: p.Joined}
}

// OS returns the operating system that the pods are for, "" if it is not known.
func (p *Pods) OS() platform.OS { return p.Target.OS() }

// ReleaseMatters reports whether the release of Windows matters to the pods.
func (p *Pods) ReleaseMatters() platform.Answer { return p.Target.ReleaseMatters(p.Pods) }

// Contradictions returns the claims about the pods that contradict the strongest one.
func (p *Pods) Contradictions() []pods.Claim { return p.contradictions.get(p.Target.Contradictions) }

// Placement returns where the pods can land in the topology, which must have pools, and whether that depends on values
// that must not be shown.
func (p *Pods) Placement() (answer placement.Placement, hidden bool) {
	found := p.placement.get(func() placed {
		answer, hidden := p.Cluster.Place(p.Pods, &p.Target)
		return placed{answer, hidden}
	})
	return found.answer, found.hidden
}

// OptionPath returns the path of a field of windowsOptions: of a container, or of the pod if ctr is nil.
func (p *Pods) OptionPath(ctr *pods.Container, name string) string {
	if ctr == nil {
		return p.Path("securityContext", "windowsOptions", name)
	}
	return p.In(ctr, "securityContext", "windowsOptions", name)
}

// AllWindowsOptions yields the windowsOptions of the pod, with a nil container, and of its containers.
func (p *Pods) AllWindowsOptions(yield func(*pods.Container, map[string]any) bool) {
	if len(p.Windows) > 0 && !yield(nil, p.Windows) {
		return
	}
	for i := range p.Containers {
		if ctr := &p.Containers[i]; len(ctr.Windows) > 0 && !yield(ctr, ctr.Windows) {
			return
		}
	}
}

// NeedsGMSAWebhook reports whether only the gMSA webhook resolves the credential spec that windowsOptions name.
func NeedsGMSAWebhook(options map[string]any) bool {
	return pods.IsSet(options, "gmsaCredentialSpecName") && !pods.IsSet(options, "gmsaCredentialSpec")
}

// AffinityPath returns the path of a part of the terms of the required node affinity.
func (p *Pods) AffinityPath(keys ...any) string {
	return p.Path(append([]any{
		"affinity", "nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution", "nodeSelectorTerms",
	}, keys...)...)
}

// OwnNetworkOnWindows reports whether pods are for Windows and have a network namespace of their own.
func (p *Pods) OwnNetworkOnWindows() bool {
	if p.OS() != platform.WindowsOS || tree.IsUnknown(p.Spec["hostNetwork"]) {
		return false
	}
	shared, _ := tree.Bool(p.Spec["hostNetwork"])
	return !shared && !p.HostProcess()
}

// UserOf returns the effective runAsUserName of a container. It returns false if it may be set but is unknown.
func (p *Pods) UserOf(ctr *pods.Container) (v any, known bool) {
	if tree.IsUnknown(ctr.Spec["securityContext"]) || tree.IsUnknown(ctr.Security["windowsOptions"]) {
		return nil, false
	}
	if v := ctr.Windows["runAsUserName"]; v != nil {
		return v, !tree.IsUnknown(v)
	}
	if tree.IsUnknown(p.Spec["securityContext"]) || tree.IsUnknown(p.Security["windowsOptions"]) {
		return nil, false
	}
	v = p.Windows["runAsUserName"]
	return v, !tree.IsUnknown(v)
}

// NonRoot reports whether the effective runAsNonRoot of a container is true.
func (p *Pods) NonRoot(i int) bool {
	v := p.Containers[i].Security["runAsNonRoot"]
	if v == nil {
		v = p.Security["runAsNonRoot"]
	}
	on, _ := tree.Bool(v)
	return on
}

// LeadsToWindows reports whether the RuntimeClass of the pods is known to select Windows.
func (p *Pods) LeadsToWindows() bool {
	for _, c := range p.Target.Claims {
		if c.Source == pods.ByClass {
			return c.OS == platform.WindowsOS
		}
	}
	return false
}

// runForGood are the kinds of workloads whose pods run until they are deleted.
var runForGood = []string{"Deployment", "ReplicaSet", "StatefulSet", "DaemonSet", "ReplicationController"}

// RunsForGood reports whether the pods run until they are deleted.
func (p *Pods) RunsForGood() bool { return slices.Contains(runForGood, p.Kind) }
