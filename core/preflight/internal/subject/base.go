package subject

import (
	"strings"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// Reference returns the full form of the image reference of a container, "" if it is not valid, or not known.
func (p *Pods) Reference(container int) string {
	ref, _ := tree.Text(p.Containers[container].Spec["image"])
	return p.Cluster.Reference(ref)
}

// MicrosoftImage returns the repository of a container's image in Microsoft's registry, such as "windows/servercore",
// and its tag, "latest" if none is written and "" if there is a digest. It returns false for other images.
func (p *Pods) MicrosoftImage(container int) (repository, tag string, is bool) {
	path, own := strings.CutPrefix(p.Reference(container), "mcr.microsoft.com/")
	if !own {
		return "", "", false
	}
	if repository, _, pinned := strings.Cut(path, "@"); pinned {
		return repository, "", true
	}
	repository, tag, _ = strings.Cut(path, ":")
	return repository, tag, true
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
	return strings.TrimPrefix(strings.ToLower(name), `user manager\`) == "containeruser"
}
