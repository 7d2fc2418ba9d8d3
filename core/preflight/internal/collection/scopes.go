package collection

import (
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
)

// The pods that rules compare with other objects.
var (
	PodsWithClass = &engine.Scope[*Pods]{
		Name: "pods and their RuntimeClass", Several: true, Has: func(p *Pods) bool { return p.Class() != nil },
	}
	PodsWithoutClass = &engine.Scope[*Pods]{
		Name: "pods whose RuntimeClass is not among the objects", Several: true,
		Has: func(p *Pods) bool { return p.ClassAbsence() != NotAbsent },
	}
	WindowsPodsWithNamespace = &engine.Scope[*Pods]{
		Name: "Windows pods and their Namespace", Several: true,
		Has: func(p *Pods) bool { return p.OS() == platform.WindowsOS && p.Namespace() != nil },
	}
	KnativePods = &engine.Scope[*Pods]{
		Name: "Services of Knative and its ConfigMap", Several: true,
		Has: func(p *Pods) bool { return ofKnative(p.Pods.Pods) },
	}
	// WindowsPodsWithoutIPAM are on a cluster of EKS that assigns them no addresses.
	WindowsPodsWithoutIPAM = &engine.Scope[*Pods]{
		Name: "Windows pods and the ConfigMap of the VPC CNI plugin", Several: true,
		Has: func(p *Pods) bool {
			t := &p.Cluster.Topology
			return t.Cloud == topology.EKS && !t.Has(topology.WindowsIPAM) && !p.others.windowsIPAM &&
				p.OwnNetworkOnWindows()
		},
	}
)

// The claims that rules compare with other objects.
var (
	WindowsPodsWithClaims = &engine.Scope[*Claims]{
		Name: "Windows pods and their claims", Several: true,
		Has: func(c *Claims) bool { return len(c.Bindings) > 0 && c.OS() == platform.WindowsOS },
	}
	LinuxPodsWithClaims = &engine.Scope[*Claims]{
		Name: "Linux pods and their claims", Several: true,
		Has: func(c *Claims) bool { return len(c.Bindings) > 0 && c.OS() == platform.LinuxOS },
	}
)

// The objects without pods that rules compare with others.
var (
	Services = &engine.Scope[*Object]{
		Name: "Services and their Windows pods", Several: true,
		Has: func(o *Object) bool { return o.Kind == "Service" && o.Selected().Windows },
	}
	Autoscalers = &engine.Scope[*Object]{
		Name: "HorizontalPodAutoscalers and their pods", Several: true,
		Has: func(o *Object) bool { return o.Kind == "HorizontalPodAutoscaler" },
	}
	VerticalAutoscalers = &engine.Scope[*Object]{
		Name: "VerticalPodAutoscalers and their Windows pods", Several: true,
		Has: func(o *Object) bool { return isVertical(o.Tree) && o.ResizesWindows() },
	}
	Budgets = &engine.Scope[*Object]{
		Name: "PodDisruptionBudgets and their pods", Several: true,
		Has: func(o *Object) bool { return o.Kind == "PodDisruptionBudget" && o.Budgeted().Drained },
	}
	NetworkPolicies = &engine.Scope[*Object]{
		Name: "NetworkPolicies and their pods", Several: true,
		Has: func(o *Object) bool { return o.Kind == "NetworkPolicy" },
	}
	SharedClaims = &engine.Scope[*Object]{
		Name: "PersistentVolumeClaims of Windows and Linux pods", Several: true,
		Has: func(o *Object) bool { return o.Kind == "PersistentVolumeClaim" && o.Users().Both },
	}
	// Twice are objects whose kind, namespace and name another object has.
	Twice = &engine.Scope[*Object]{
		Name: "objects with the same kind, namespace and name", Several: true, Has: (*Object).Twice,
	}
	PersistentVolumes = &engine.Scope[*Object]{
		Name: "PersistentVolumes and others", Several: true,
		Has: func(o *Object) bool { return o.Kind == "PersistentVolume" },
	}
)
