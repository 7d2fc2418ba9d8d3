package topology

import (
	"fmt"
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/internal/core/fielderrors"
)

// Feature is a capability of a cluster that workloads can need and that some clusters lack. See
// [Topology.MissingFeatures].
type Feature string

const (
	// LoadBalancers is a controller that assigns addresses to Services of type LoadBalancer
	// (https://kubernetes.io/docs/concepts/services-networking/service/#loadbalancer).
	LoadBalancers Feature = "load-balancers"
	// ResourceMetrics are the CPU and memory usage of pods, served by Metrics Server for example.
	// HorizontalPodAutoscalers need them
	// (https://kubernetes.io/docs/tasks/debug/debug-cluster/resource-metrics-pipeline/).
	ResourceMetrics Feature = "resource-metrics"
	// WindowsHostPorts are host ports of containers on Windows nodes (hostPort). The CNI plugin of the network has to
	// map them.
	WindowsHostPorts Feature = "windows-host-ports"
	// GMSAWebhook is the admission webhook that adds the credential spec of a Group Managed Service Account to pods
	// (https://kubernetes.io/docs/tasks/configure-pod-container/configure-gmsa/).
	GMSAWebhook Feature = "gmsa-webhook"
	// WindowsIPAM are addresses for the pods on Windows nodes of EKS. The VPC resource controller assigns them if the
	// ConfigMap amazon-vpc-cni has enable-windows-ipam
	// (https://docs.aws.amazon.com/eks/latest/userguide/windows-support.html).
	WindowsIPAM Feature = "windows-ipam"
	// WindowsNetworkPolicies is an engine that enforces NetworkPolicies on Windows nodes, such as the engine of Calico
	// or Antrea (https://kubernetes.io/docs/concepts/services-networking/network-policies/#prerequisites).
	WindowsNetworkPolicies Feature = "windows-network-policies"
)

// Features returns all features, in alphabetical order.
func Features() []Feature {
	return []Feature{GMSAWebhook, LoadBalancers, ResourceMetrics, WindowsHostPorts, WindowsIPAM, WindowsNetworkPolicies}
}

// Has reports whether the cluster has a feature. It has all features except those in MissingFeatures.
func (t Topology) Has(f Feature) bool { return !slices.Contains(t.MissingFeatures, f) }

// With returns a copy of t that has the features, for a cluster in which you install what provides them.
func (t Topology) With(features ...Feature) Topology {
	t.MissingFeatures = slices.DeleteFunc(slices.Clone(t.MissingFeatures), func(f Feature) bool {
		return slices.Contains(features, f)
	})
	return t
}

func validateMissingFeatures(missing []Feature, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	names := make([]string, len(Features()))
	for i, f := range Features() {
		names[i] = string(f)
	}
	first := map[Feature]int{}
	for i, f := range missing {
		j, found := first[f]
		switch {
		case !slices.Contains(names, string(f)):
			errs = append(errs,
				field.Invalid(path.Index(i), string(f), fielderrors.Unknown("feature", string(f), names)))
		case found:
			errs = append(errs, duplicate(path.Index(i), string(f),
				fmt.Sprintf("%s names it already: remove one of them", path.Index(j))))
		default:
			first[f] = i
		}
	}
	return errs
}
