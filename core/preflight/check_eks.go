package preflight

import (
	"strconv"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

const windowsOnEKS = "https://docs.aws.amazon.com/eks/latest/userguide/windows-support.html"

// ownNetworkOnWindows reports whether pods are for Windows and have a network namespace of their own.
func ownNetworkOnWindows(p *judged) bool {
	if p.target.OS() != platform.WindowsOS || tree.IsUnknown(p.Spec["hostNetwork"]) {
		return false
	}
	shared, _ := tree.Bool(p.Spec["hostNetwork"])
	return !shared && !p.HostProcess()
}

var (
	windowsIPAMOff = rule.Rule{
		ID: "MK871", Severity: rule.Error, Title: "a ConfigMap that disables the IP addresses of Windows pods",
		Reason: "On EKS, Windows pods get IP addresses only while the ConfigMap amazon-vpc-cni in kube-system has " +
			"enable-windows-ipam: \"true\". With false, or a value that is not a boolean, all pods on the Windows " +
			"pools of the topology stay in ContainerCreating.",
		Source: windowsOnEKS,
	}
	windowsIPAMMissing = rule.Rule{
		ID: "MK872", Severity: rule.Warning, Title: "Windows pods on an EKS cluster that assigns them no IP addresses",
		Reason: "According to the topology, the VPC resource controller assigns no addresses to Windows pods " +
			"(missingFeatures: windows-ipam), and the ConfigMap amazon-vpc-cni with enable-windows-ipam: \"true\" is " +
			"not among the objects: the pods stay in ContainerCreating until it is in the cluster.",
		Source: windowsOnEKS,
	}
)

// windowsIPAM is the key that enables the addresses.
const windowsIPAM = "enable-windows-ipam"

// configMap checks the ConfigMap of the VPC CNI plugin. Keys that it does not set stay unchanged in the cluster.
func (c *check) configMap() {
	if c.context.Topology.Cloud != topology.EKS || len(c.context.WindowsPlatforms()) == 0 ||
		isVPCConfig(c.object) != platform.Yes {
		return
	}
	value, written := tree.Text(tree.Map(c.object["data"])[windowsIPAM])
	if !written || switchedOn(value) {
		return
	}
	c.report(windowsIPAMOff, rule.Problem{
		Path: "data[" + windowsIPAM + "]", Value: tree.Map(c.object["data"])[windowsIPAM],
		Detail: "disables the IP addresses of Windows pods", Fix: `write "true", in quotes`,
	})
}

// isVPCConfig reports whether an object is the ConfigMap amazon-vpc-cni.
func isVPCConfig(object map[string]any) platform.Answer {
	return isConfigMap(object, "kube-system", "amazon-vpc-cni")
}

// isConfigMap reports whether an object is the ConfigMap with a name. It returns Unknown if its names are not known
// yet.
func isConfigMap(object map[string]any, namespace, name string) platform.Answer {
	answer := platform.Yes
	for _, field := range []struct {
		value any
		want  string
	}{
		{object["kind"], "ConfigMap"},
		{tree.At(object["metadata"], "name"), name},
		{tree.At(object["metadata"], "namespace"), namespace},
	} {
		if text, _ := tree.Text(field.value); tree.IsUnknown(field.value) {
			answer = platform.Unknown
		} else if text != field.want {
			return platform.No
		}
	}
	return answer
}

// enablesIPAM reports whether an object enables the addresses, or may do so.
func enablesIPAM(object map[string]any) bool {
	value := tree.At(object["data"], windowsIPAM)
	text, _ := tree.Text(value)
	return isVPCConfig(object) != platform.No && (switchedOn(text) || tree.IsUnknown(value))
}

// switchedOn reads a value in the same way as the controller.
func switchedOn(text string) bool {
	on, err := strconv.ParseBool(text)
	return on && err == nil
}

// ipam reports pods if nothing assigns them addresses according to the topology.
func (c *check) ipam(p *judged, a *Collection) {
	if c.context.Topology.Cloud != topology.EKS || c.context.Topology.Has(topology.WindowsIPAM) || a.windowsIPAM ||
		!ownNetworkOnWindows(p) {
		return
	}
	c.report(windowsIPAMMissing, rule.Problem{
		Path:   p.Path("containers"),
		Detail: "these Windows pods get no IP addresses: nothing in this cluster assigns them any",
		Fix: "add the ConfigMap amazon-vpc-cni to kube-system with enable-windows-ipam: \"true\", or remove " +
			"windows-ipam from missingFeatures in the topology",
	})
}
