package network

import (
	"fmt"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

const (
	// largestServices is the shortest prefix of a range of Services that kubeadm takes
	// (cmd/kubeadm/app/constants: MaximumBitsForServiceSubnet).
	largestServices = 32 - 20
	// mostMaskDifference is kubeadm's PodSubnetNodeMaskMaxDiff, for a cluster whose
	// kube-controller-manager gives the nodes their ranges.
	mostMaskDifference = 16
)

// ValidateKubeadm returns what kubeadm refuses in a network that is right otherwise,
// with paths below path (nil for the root). A cluster that was created elsewhere may have
// it. The rules are those of cmd/kubeadm/app/apis/kubeadm/validation in Kubernetes
// 1.34 to 1.37.
func (n Defaulted) ValidateKubeadm(path *field.Path) field.ErrorList {
	var errs field.ErrorList
	if s := n.ServiceCIDR; isIPv4(s) && s.Bits() < largestServices {
		errs = append(errs, field.Invalid(path.Child("serviceCIDR"), s.String(),
			fmt.Sprintf("is larger than kubeadm takes: use a range of /%d or smaller", largestServices)))
	}
	if p := n.PodCIDR; n.Kind.Allocated() && isIPv4(p) && n.NodeMaskSize-p.Bits() > mostMaskDifference {
		errs = append(errs, field.Invalid(path.Child("nodeMaskSize"), n.NodeMaskSize,
			fmt.Sprintf("divides podCIDR %s more finely than kubeadm takes: use at most %d, or a smaller podCIDR", p,
				p.Bits()+mostMaskDifference)))
	}
	dns := path.Child("dnsServiceIP")
	if n.Kind.rangeProblem(n.ServiceCIDR, smallestRange) == "" && len(n.validateDNS(dns)) == 0 &&
		n.DNSServiceIP != nth(n.ServiceCIDR, dnsNumber) {
		errs = append(errs, field.Invalid(dns, n.DNSServiceIP.String(), fmt.Sprintf(
			"kubeadm gives the cluster's DNS the tenth address of serviceCIDR, and the pods would ask another one: "+
				"use %s, or leave it out",
			nth(n.ServiceCIDR, dnsNumber))))
	}
	return errs
}
