package subject

import (
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
)

// The pods that rules look at.
var (
	AnyPods     = &engine.Scope[*Pods]{Name: "pods"}
	WindowsPods = &engine.Scope[*Pods]{
		Name: "Windows pods",
		Has:  func(p *Pods) bool { return p.OS() == platform.WindowsOS },
	}
	LinuxPods = &engine.Scope[*Pods]{
		Name: "Linux pods",
		Has:  func(p *Pods) bool { return p.OS() == platform.LinuxOS },
	}

	// ValidatedPods reach the API server unchanged: see [Pods.Validated].
	ValidatedPods = &engine.Scope[*Pods]{Name: "pods that the API server validates", Has: (*Pods).Validated}

	// DeclaredWindowsPods are those for which the API server knows the operating system.
	DeclaredWindowsPods = &engine.Scope[*Pods]{
		Name: "pods with os.name windows",
		Has:  func(p *Pods) bool { return p.Target.Declared == platform.WindowsOS },
	}
	DeclaredLinuxPods = &engine.Scope[*Pods]{
		Name: "pods with os.name linux",
		Has:  func(p *Pods) bool { return p.Target.Declared == platform.LinuxOS },
	}

	// PodsWithConstraints select nodes.
	PodsWithConstraints = &engine.Scope[*Pods]{
		Name: "node selectors and affinities of pods",
		Has:  func(p *Pods) bool { return p.Spec["nodeSelector"] != nil || p.Spec["affinity"] != nil },
	}

	// PodsOnAnyCluster are those whose cluster is not known.
	PodsOnAnyCluster = &engine.Scope[*Pods]{
		Name: "pods, without a topology",
		Has:  func(p *Pods) bool { return p.Cluster.Nodes == nil && p.placeable() },
	}
	// Landing are pods that select nodes which can exist.
	Landing        = &engine.Scope[*Pods]{Name: "pods on the pools of a topology", Has: (*Pods).lands}
	WindowsLanding = &engine.Scope[*Pods]{
		Within: Landing, Name: "Windows pods on the pools of a topology", Has: WindowsPods.Has,
	}
	LinuxLanding = &engine.Scope[*Pods]{
		Within: Landing, Name: "Linux pods on the pools of a topology", Has: LinuxPods.Has,
	}
	// UnclearLanding are those for which nothing states the operating system.
	UnclearLanding = &engine.Scope[*Pods]{
		Within: Landing, Name: "pods of an unknown operating system on the pools of a topology",
		Has: func(p *Pods) bool { return p.OS() == "" },
	}
	// Tolerating are those with tolerations.
	Tolerating = &engine.Scope[*Pods]{
		Within: Landing, Name: "tolerations of pods, on the pools of a topology",
		Has: func(p *Pods) bool { return p.Spec["tolerations"] != nil },
	}
	// PodsWithoutPool follow a stated platform that no pool has.
	PodsWithoutPool = &engine.Scope[*Pods]{
		Name: "pods whose platform the program states",
		Has:  func(p *Pods) bool { return p.Stated && p.placeable() && len(p.PlatformsWithoutPool()) > 0 },
	}
	// MovingPods are pods that a planned change of the cluster may strand.
	MovingPods = &engine.Scope[*Pods]{
		Within: Landing, Name: "pods on the pools of a topology with a plan",
		Has: func(p *Pods) bool { return p.Cluster.Plan != nil },
	}

	HostProcessPods = &engine.Scope[*Pods]{
		Name: "host-process pods",
		Has:  func(p *Pods) bool { return p.HostProcess() },
	}
	// WindowsHostProcessPods are host-process pods that are not for Linux by mistake.
	WindowsHostProcessPods = &engine.Scope[*Pods]{
		Within: HostProcessPods, Name: "host-process pods", Has: WindowsPods.Has,
	}

	// SeparateWindowsPods are judged without the objects around them: what they name elsewhere is not known.
	SeparateWindowsPods = &engine.Scope[*Pods]{
		Within: WindowsPods, Name: "Windows pods", Has: func(p *Pods) bool { return !p.Joined },
	}

	// WindowsPodsWithCommands start something other than the entry points of their images.
	WindowsPodsWithCommands = &engine.Scope[*Pods]{
		Within: PodsWithCommands, Name: "commands, probes and hooks of Windows pods", Has: WindowsPods.Has,
	}
	LinuxPodsWithCommands = &engine.Scope[*Pods]{
		Within: PodsWithCommands, Name: "commands, probes and hooks of Linux pods", Has: LinuxPods.Has,
	}
	PodsWithCommands = &engine.Scope[*Pods]{
		Name: "commands, probes and hooks of pods",
		Has:  func(p *Pods) bool { return len(p.Commands()) > 0 },
	}
)

// The objects that rules look at.
var (
	RuntimeClasses    = ofKind("RuntimeClass")
	Services          = ofKind("Service")
	Autoscalers       = ofKind("HorizontalPodAutoscaler")
	PersistentVolumes = ofKind("PersistentVolume")
	StorageClasses    = ofKind("StorageClass")
	// OtherObjects have a kind that package pods does not know by name, such as ConfigMaps and custom resources.
	OtherObjects = &engine.Scope[*Object]{
		Name: "objects of other kinds",
		Has:  func(o *Object) bool { return o.Kind == "" },
	}
)

func ofKind(kind string) *engine.Scope[*Object] {
	return &engine.Scope[*Object]{Name: kind, Has: func(o *Object) bool { return o.Kind == kind }}
}

// ClassesOfTopology are judged if there is a plan.
var ClassesOfTopology = &engine.Scope[*TopologyClasses]{Name: "RuntimeClasses of a topology with a plan"}
