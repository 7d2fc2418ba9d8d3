package connectivity

import "slices"

// Check is one of the checks that the Kubernetes guide for Windows names
// (https://kubernetes.io/docs/concepts/windows/user-guide/).
type Check string

// The checks. A container of a Job has the name of its check.
const (
	// PodRunning: the pod of each platform is Running and Ready.
	PodRunning Check = "1-pod-running"
	// NodeToPod: Linux nodes reach the pods' addresses, port 80; Windows nodes reach that
	// of the pod on their own node, or all with [SuiteArgs.RemotePodsFromWindowsNodes].
	NodeToPod Check = "2-node-to-pod"
	// PodToPod: pods of each platform reach the pods' addresses, those of their own platform on another node if there
	// is one.
	PodToPod Check = "3-pod-to-pod"
	// ServiceToPod: Linux nodes, and pods of each platform, reach the Services' virtual
	// addresses. Windows nodes cannot reach any.
	ServiceToPod Check = "4-service-to-pod"
	// ServiceDiscovery: in pods of each platform the Services' names resolve to the Services' addresses, and lead to
	// the pods.
	ServiceDiscovery Check = "5-service-discovery"
	// Inbound: the Services' node ports lead to the pods, from Linux nodes.
	Inbound Check = "6-inbound"
	// Outbound: pods of each platform reach an address outside of the cluster, with HTTP:
	// ICMP does not leave the cluster from a Windows pod.
	Outbound Check = "7-outbound"
)

// Checks returns all checks, in their order.
func Checks() []Check {
	return []Check{PodRunning, NodeToPod, PodToPod, ServiceToPod, ServiceDiscovery, Inbound, Outbound}
}

func checkNames() []string {
	var names []string
	for _, c := range Checks() {
		names = append(names, string(c))
	}
	return names
}

// without returns the checks except for some.
func without(checks, skip []Check) []Check {
	return slices.DeleteFunc(slices.Clone(checks), func(c Check) bool { return slices.Contains(skip, c) })
}
