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
//	                                                                            CalicoValues or CalicoObjects
//	calico-bgp     as calico-vxlan              as calico-vxlan, and Windows'   as calico-vxlan; what is between
//	                                            own router (RemoteAccess)       nodes passes pods' addresses
//	antrea         nothing: Antrea's DaemonSet  Hyper-V and a signed driver of  Antrea's chart and manifests, with
//	                                            Open vSwitch; then Antrea's     AntreaConfig and
//	                                            DaemonSet                       AntreaManifests; no kube-proxy on
//	                                                                            Windows
//
// [Defaulted.Ports] are what firewalls have to let through, and [Defaulted.KubeProxyWindows]
// is how kube-proxy runs on Windows nodes.
//
// # Destinations that are kept from pods
//
// [Network.BlockedEgress] names addresses outside the cluster that pods do not reach, none by
// default. Package kubeadm adds those at which a machine in Azure gets its secrets. What
// keeps pods from them, by kind:
//
//	kind           on Linux nodes                        on Windows nodes
//	upstream-l3    rules of nftables, from the node's    ACL policies of HNS in CNIConfig, unless
//	host-gateway   files, whatever the kind: see         WithoutWindowsACLs is set
//	flannel-vxlan  package bootstrap
//	calico-vxlan   the same, and EgressPolicies          EgressPolicies, once you have applied them
//	calico-bgp
//	antrea
//
// On Linux this holds for packets to a Service too whose endpoint is such an address, in every
// mode of kube-proxy. Answers pass: who connects to a pod from such an address is answered. A pod
// cannot forge the packet that it then answers, whatever rp_filter of the machine is: packets
// from such an address must arrive where the machine would send the answer. What a pod of a
// Windows node forges arrives there too, if the network has no overlay.
// The policies of Windows nodes are decoded into hcsshim's types in a test, and have never run
// on Windows; whether a Service leads around them is not known. Pods have no IPv6, so that
// there is nothing to block.
//
// In an overlay, Linux nodes also keep pods from the port of the nodes where frames arrive, see
// [Kind.OverlayPort]: what a pod sends there would leave with the address of its node, and
// become a frame to any pod. Pods may still run an overlay of their own between each other, and
// to addresses outside NodeCIDR. Windows nodes do not do this, so their pods can send such
// frames. An ACL of HNS could do it, but must not drop the node's own frames, which has not been
// tested on Windows.
//
// What still reaches these destinations:
//   - the machine itself, and with it pods with hostNetwork, host-process containers, and
//     privileged ones, which can change its rules: allow them only to users whom you trust with
//     the machine, with Pod Security admission;
//   - what the machine does for a pod: the kubelet asks the host of an HTTP probe or of a
//     lifecycle hook, and containerd the registry of an image. The pod learns only if there was
//     an answer. Pod Security admission refuses such hosts in Kubernetes 1.34 and newer;
//   - the API server, if a user may write Endpoints or EndpointSlices and use the
//     subresource proxy of Services. The roles edit and admin of Kubernetes allow the second
//     only;
//   - pods of Linux nodes whose eBPF data plane bypasses the kernel's forwarding, as Cilium
//     can. With Calico's own eBPF the EgressPolicies hold.
//
// Antrea is the kind for those who want Open vSwitch, because it is the only one of that
// family with published manifests and documentation for Windows nodes outside
// OpenShift. Its own driver for Windows is signed for tests only, it needs Hyper-V, and
// Open vSwitch itself gives Windows up; OPEN_VSWITCH.md has the details, and what became
// of the steps of older guides. Without a reason for it take FlannelVXLAN, or CalicoVXLAN
// for network policies.
package network
