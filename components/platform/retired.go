package platform

import (
	"slices"
	"strings"
)

// retiredImages are the repositories that Microsoft had on Docker Hub, and where the
// images for Windows Server 2022 are now (https://learn.microsoft.com/virtualization/windowscontainers/manage-containers/container-base-images).
var retiredImages = map[string]string{
	"aspnet":            "mcr.microsoft.com/dotnet/framework/aspnet:4.8.1-windowsservercore-ltsc2022",
	"dotnet-framework":  "mcr.microsoft.com/dotnet/framework/runtime:4.8.1-windowsservercore-ltsc2022",
	"iis":               "mcr.microsoft.com/windows/servercore/iis:windowsservercore-ltsc2022",
	"nanoserver":        "mcr.microsoft.com/windows/nanoserver:ltsc2022",
	"wcf":               "mcr.microsoft.com/dotnet/framework/wcf:4.8.1-windowsservercore-ltsc2022",
	"windowsservercore": "mcr.microsoft.com/windows/servercore:ltsc2022",
}

// withoutWindows are official images of Docker that had tags for Windows once
// (https://github.com/redis/docker-library-redis/pull/99).
var withoutWindows = []string{"redis"}

// Retired says of an image for Windows that nobody publishes any more, by its reference
// alone, which image for Windows Server 2022 took its place: "" if none did.
func Retired(ref string) (successor string, retired bool) {
	parsed, ok := parseReference(ref)
	if !ok || parsed.registry != "docker.io" {
		return "", false
	}
	switch path := parsed.path; {
	case len(path) == 2 && path[0] == "microsoft":
		successor, retired = retiredImages[path[1]]
		return successor, retired
	case isOfficial(parsed) && slices.Contains(withoutWindows, path[len(path)-1]):
		return "", strings.Contains(parsed.tag, "nanoserver") || strings.Contains(parsed.tag, "windowsservercore")
	}
	return "", false
}
