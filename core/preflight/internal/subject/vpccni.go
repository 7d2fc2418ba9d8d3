package subject

import (
	"strconv"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// WindowsIPAM is the key of a ConfigMap of the VPC CNI plugin that makes EKS assign addresses to Windows pods.
const WindowsIPAM = "enable-windows-ipam"

// IsVPCConfig reports whether an object is the ConfigMap amazon-vpc-cni, see [IsConfigMap].
func IsVPCConfig(object map[string]any) platform.Answer {
	return IsConfigMap(object, "kube-system", "amazon-vpc-cni")
}

// EnablesIPAM reports whether an object enables the addresses of Windows pods, or may do so.
func EnablesIPAM(object map[string]any) bool {
	value := tree.At(object["data"], WindowsIPAM)
	text, _ := tree.Text(value)
	return IsVPCConfig(object) != platform.No && (SwitchedOn(text) || tree.IsUnknown(value))
}

// SwitchedOn reads a value of the ConfigMap in the same way as the controller.
func SwitchedOn(text string) bool {
	on, err := strconv.ParseBool(text)
	return on && err == nil
}
