package topology

import (
	"fmt"
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/internal/fielderrors"
)

// Feature is something that workloads count on and that not every cluster has. See
// [Topology.Lacks].
type Feature string

const (
	// LoadBalancers is a controller that gives Services of the type LoadBalancer an
	// address (https://kubernetes.io/docs/concepts/services-networking/service/#loadbalancer).
	LoadBalancers Feature = "load-balancers"
	// ResourceMetrics are the CPU and memory of pods by which HorizontalPodAutoscalers
	// scale, as Metrics Server serves them
	// (https://kubernetes.io/docs/tasks/debug/debug-cluster/resource-metrics-pipeline/).
	ResourceMetrics Feature = "resource-metrics"
	// WindowsHostPorts are ports of Windows nodes that lead to a container (hostPort).
	// The CNI plugin of the network has to map them.
	WindowsHostPorts Feature = "windows-host-ports"
	// GMSAWebhook is the admission webhook that gives pods the credential spec of their
	// Group Managed Service Account
	// (https://kubernetes.io/docs/tasks/configure-pod-container/configure-gmsa/).
	GMSAWebhook Feature = "gmsa-webhook"
	// WindowsIPAM are addresses for the pods on Windows nodes of EKS: its VPC resource controller
	// gives them if the ConfigMap amazon-vpc-cni has enable-windows-ipam
	// (https://docs.aws.amazon.com/eks/latest/userguide/windows-support.html).
	WindowsIPAM Feature = "windows-ipam"
	// WindowsNetworkPolicies is an engine that enforces NetworkPolicies on Windows nodes, as
	// those of Calico and Antrea do
	// (https://kubernetes.io/docs/concepts/services-networking/network-policies/#prerequisites).
	WindowsNetworkPolicies Feature = "windows-network-policies"
)

// Features are all features, in alphabetical order.
func Features() []Feature {
	return []Feature{GMSAWebhook, LoadBalancers, ResourceMetrics, WindowsHostPorts, WindowsIPAM, WindowsNetworkPolicies}
}

// Has reports whether the cluster has a feature: it does unless it lacks it.
func (t Topology) Has(f Feature) bool { return !slices.Contains(t.Lacks, f) }

// With returns a copy for a cluster that has features after all, because you install what
// provides them.
func (t Topology) With(features ...Feature) Topology {
	t.Lacks = slices.DeleteFunc(slices.Clone(t.Lacks), func(f Feature) bool { return slices.Contains(features, f) })
	return t
}

func validateLacks(lacks []Feature, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	names := make([]string, len(Features()))
	for i, f := range Features() {
		names[i] = string(f)
	}
	for i, f := range lacks {
		switch {
		case !slices.Contains(names, string(f)):
			errs = append(errs,
				field.Invalid(path.Index(i), string(f), fielderrors.Unknown("feature", string(f), names)))
		case slices.Contains(lacks[:i], f):
			errs = append(errs, duplicate(path.Index(i), string(f),
				fmt.Sprintf("%s names it already: remove one of them", path.Index(slices.Index(lacks, f)))))
		}
	}
	return errs
}
