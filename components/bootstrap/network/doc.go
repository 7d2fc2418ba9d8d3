// Package network plans the pod network of a mixed cluster: which range of addresses
// the pods of each node have, which routes lead there, and what the nodes and the
// network around them need to be told. It is pure: it computes, and touches nothing.
//
// A [Network] says which [Kind] it is and which ranges it has; [Network.Validate] and
// [Defaulted.ValidateNodes] report everything that is wrong, and [Defaulted.Plan] computes
// the rest for given nodes.
//
// What has to be where, by kind:
//
//	kind           on Linux nodes               on Windows nodes                in the cluster, and around it
//	upstream-l3    CNIConfig: bridge;           CNIConfig: win-bridge; HNS      a route to each node's pods,
//	               NAT beyond NodePlan.Direct   network l2bridge with endpoint  Plan.Router
//	                                            cbr0 at NodePlan.Gateway
//	host-gateway   as above, and                as above, and NodePlan.Routes   nothing: one link
//	               NodePlan.Routes
//	flannel-vxlan  CNIConfig: flannel           CNIConfig: flannel with         flanneld on every node, with
//	                                            win-overlay                     FlannelConfig
//	calico-vxlan   nothing: Calico's DaemonSet  nothing: Calico's DaemonSet     Calico's operator, with
//	                                                                            CalicoObjects
//	calico-bgp     as calico-vxlan              as calico-vxlan, and Windows'   as calico-vxlan; what is between
//	                                            own router (RemoteAccess)       nodes passes pods' addresses
//	antrea         nothing: Antrea's DaemonSet  Hyper-V and a signed driver of  Antrea's manifests, with
//	                                            Open vSwitch; then Antrea's     AntreaConfig; no kube-proxy on
//	                                            DaemonSet                       Windows
//
// [Defaulted.Ports] are what firewalls have to let through, and [Defaulted.KubeProxyWindows]
// is how kube-proxy runs on Windows nodes.
//
// Antrea is the kind for those who want Open vSwitch, because it is the only one of that
// family with published manifests and documentation for Windows nodes outside
// OpenShift. Its own driver for Windows is signed for tests only, it needs Hyper-V, and
// Open vSwitch itself gives Windows up; OPEN_VSWITCH.md has the details, and what became
// of the steps of older guides. Without a reason for it take FlannelVXLAN, or CalicoVXLAN
// for network policies.
package network
