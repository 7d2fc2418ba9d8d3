package platform

import (
	"slices"

	"github.com/mixedkube/mixedkube/internal/core/facts"
)

const microsoftRegistry = "mcr.microsoft.com"

// hostProcessBase is the last path component of the base image of host-process containers. The name is unique, so
// mirrors are recognized too. Source: https://github.com/microsoft/windows-host-process-containers-base-image
const hostProcessBase = "windows-host-process-containers-base-image"

func isHostProcessBase(ref reference) bool {
	return ref.path[len(ref.path)-1] == hostProcessBase
}

// readRepository returns the evidence in the name of the repository.
func readRepository(ref reference) evidence {
	return evidence{
		windows: isWindowsRepository(ref),
		linux:   isLinuxRepository(ref),
	}
}

// windowsPaths mean Windows in any registry, because these repositories are often mirrored. They must be whole path
// components.
var windowsPaths = [][]string{
	{"windows", "servercore"},
	{"windows", "nanoserver"},
	{"windows", "server"},
	{"dotnet", "framework", "aspnet"},
	{"dotnet", "framework", "runtime"},
	{"dotnet", "framework", "samples"},
	{"dotnet", "framework", "sdk"},
	{"dotnet", "framework", "wcf"},
	// Microsoft's own on Docker Hub, until 2018.
	{"microsoft", "aspnet"},
	{"microsoft", "dotnet-framework"},
	{"microsoft", "iis"},
	{"microsoft", "nanoserver"},
	{"microsoft", "windowsservercore"},
}

func isWindowsRepository(ref reference) bool {
	if path, ok := pathIn(microsoftRegistry, ref); ok {
		// "windows" itself is the image with the full API. In other places the word alone proves nothing: the image
		// dockurr/windows is for Linux.
		if path[0] == "windows" || len(path) > 2 && hasPrefix(path, []string{"dotnet", "framework"}) {
			return true
		}
	}
	return slices.ContainsFunc(windowsPaths, func(part []string) bool {
		for i := range ref.path {
			if hasPrefix(ref.path[i:], part) {
				return true
			}
		}
		return false
	})
}

// officialDistributions are the Linux distributions that are Docker official images, docker.io/library/…. The name
// alone means Linux, in a project named library of any registry.
var officialDistributions = []string{
	"almalinux", "alpine", "amazonlinux", "archlinux", "centos", "clearlinux", "debian", "fedora",
	"oraclelinux", "photon", "rockylinux", "ubuntu",
}

// place is a repository of a registry, with all repositories below it.
type place struct {
	registry string
	path     []string
}

func (p place) has(ref reference) bool {
	path, ok := pathIn(p.registry, ref)
	return ok && hasPrefix(path, p.path)
}

// officialPlaces contain the Docker official images and Microsoft's images. Their tags follow rules: the name of a
// platform in them means the platform.
var officialPlaces = []place{
	{"docker.io", []string{"library"}},
	{"mirror.gcr.io", []string{"library"}},
	{"public.ecr.aws", []string{"docker", "library"}},
	{microsoftRegistry, nil},
}

func isOfficial(ref reference) bool {
	return slices.ContainsFunc(officialPlaces, func(p place) bool { return p.has(ref) })
}

// distributionPaths are the places where distributions publish their images.
var distributionPaths = []place{
	{"container-registry.oracle.com", []string{"os", "oraclelinux"}},
	{"docker.io", []string{"almalinux"}},
	{"docker.io", []string{"opensuse"}},
	{"docker.io", []string{"redhat", "ubi8"}},
	{"docker.io", []string{"redhat", "ubi9"}},
	{"docker.io", []string{"redhat", "ubi10"}},
	{"docker.io", []string{"rockylinux"}},
	{"gcr.io", []string{"distroless"}},
	{microsoftRegistry, []string{"azurelinux"}},
	{microsoftRegistry, []string{"cbl-mariner"}},
	{"public.ecr.aws", []string{"amazonlinux"}},
	{"public.ecr.aws", []string{"debian", "debian"}},
	{"public.ecr.aws", []string{"ubuntu", "ubuntu"}},
	{"quay.io", []string{"centos", "centos"}},
	{"quay.io", []string{"fedora", "fedora"}},
	{"registry.access.redhat.com", []string{"ubi8"}},
	{"registry.access.redhat.com", []string{"ubi9"}},
	{"registry.access.redhat.com", []string{"ubi10"}},
	{"registry.fedoraproject.org", []string{"fedora"}},
	{"registry.opensuse.org", []string{"opensuse"}},
	{"registry.redhat.io", []string{"ubi8"}},
	{"registry.redhat.io", []string{"ubi9"}},
	{"registry.redhat.io", []string{"ubi10"}},
	{"registry.suse.com", []string{"bci"}},
}

func isLinuxRepository(ref reference) bool {
	// Mirrors of Docker Hub keep the namespace of the official images.
	if n := len(ref.path); n >= 2 && ref.path[n-2] == "library" &&
		slices.Contains(officialDistributions, ref.path[n-1]) {
		return true
	}
	if isOfficial(ref) && slices.Contains(facts.LinuxOfficialImages, ref.path[len(ref.path)-1]) {
		return true
	}
	return slices.ContainsFunc(distributionPaths, func(p place) bool { return p.has(ref) })
}

// pathIn returns the path of the repository in a registry, if it is in that registry or in a mirror that has the host
// of the registry in its path, like pull-through caches: mirror.example.com/mcr.microsoft.com/windows.
func pathIn(registry string, ref reference) ([]string, bool) {
	if ref.registry == registry {
		return ref.path, true
	}
	i := slices.Index(ref.path, registry)
	if i < 0 || i == len(ref.path)-1 {
		return nil, false
	}
	return ref.path[i+1:], true
}

func hasPrefix(path, prefix []string) bool {
	return len(path) >= len(prefix) && slices.Equal(path[:len(prefix)], prefix)
}
