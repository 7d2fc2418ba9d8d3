package subject

import (
	"strings"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/internal/core/pods"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// ImageName returns what the image reference of a container says.
func (p *Pods) ImageName(container int) *pods.ImageName {
	return p.names.get(func() []*pods.ImageName { return p.Cluster.NamesOf(p.Pods) })[container]
}

// Base is a base image of Windows.
type Base string

// The base images without the full API of Windows.
const (
	NanoServer Base = "Nano Server"
	ServerCore Base = "Server Core"
)

// BaseOf returns the base of the image of a container according to its name, "" if the name does not reveal it.
func (p *Pods) BaseOf(container int) Base {
	image := p.Target.Images[container]
	ref, _ := tree.Text(p.Containers[container].Spec["image"])
	ref = strings.ToLower(ref)
	switch {
	case image.OS != platform.WindowsOS || image.ByTag:
		return ""
	case strings.Contains(ref, "nanoserver"):
		return NanoServer
	case strings.Contains(ref, "servercore"), strings.Contains(ref, "mcr.microsoft.com/dotnet/framework/"):
		return ServerCore
	default:
		return ""
	}
}

// IsContainerUser reports whether a runAsUserName is the user of containers without rights of an administrator.
func IsContainerUser(user any) bool {
	name, _ := tree.Text(user)
	return strings.EqualFold(name, "ContainerUser") || strings.EqualFold(name, `User Manager\ContainerUser`)
}
