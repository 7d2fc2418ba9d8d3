package platform

import (
	"slices"
	"strings"
)

// retiredImages are the repositories that Microsoft had on Docker Hub, and where the
// images are now (https://learn.microsoft.com/virtualization/windowscontainers/manage-containers/container-base-images).
var retiredImages = map[string]string{
	"aspnet":            "mcr.microsoft.com/dotnet/framework/aspnet",
	"dotnet-framework":  "mcr.microsoft.com/dotnet/framework/runtime",
	"iis":               "mcr.microsoft.com/windows/servercore/iis",
	"nanoserver":        "mcr.microsoft.com/windows/nanoserver",
	"wcf":               "mcr.microsoft.com/dotnet/framework/wcf",
	"windowsservercore": "mcr.microsoft.com/windows/servercore",
}

// withoutWindows are official images of Docker that had tags for Windows once
// (https://github.com/redis/docker-library-redis/pull/99).
var withoutWindows = []string{"redis"}

// Retired says of an image for Windows that nobody publishes any more, by its reference
// alone, which repository took its place: "" if none did.
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
