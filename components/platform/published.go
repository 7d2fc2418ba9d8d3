package platform

import (
	"slices"
	"strings"
)

// published are the tags of Microsoft's images for the long-term releases, which end
// with the release. Versions of .NET that are no longer supported, and tags that stay
// with one build, are left out: not all of them are there for each release.
//
// Sources: https://learn.microsoft.com/virtualization/windowscontainers/manage-containers/container-base-images,
// https://github.com/microsoft/iis-docker, https://github.com/dotnet/dotnet-docker,
// https://github.com/microsoft/dotnet-framework-docker.
var published = []struct {
	// repositories are their paths in Microsoft's registry.
	repositories []string
	// begin is what the tags begin with.
	begin    []string
	releases []Platform
}{
	{
		[]string{"windows/servercore"},
		[]string{""},
		[]Platform{WindowsServer2016, WindowsServer2019, WindowsServer2022, WindowsServer2025},
	},
	{[]string{"windows/nanoserver"}, []string{""}, []Platform{WindowsServer2019, WindowsServer2022, WindowsServer2025}},
	{[]string{"windows/server"}, []string{""}, []Platform{WindowsServer2022, WindowsServer2025}},
	{
		[]string{"windows/servercore/iis"},
		[]string{"windowsservercore-"},
		[]Platform{WindowsServer2016, WindowsServer2019, WindowsServer2022, WindowsServer2025},
	},
	{
		dotnet,
		[]string{"8.0-nanoserver-", "9.0-nanoserver-", "8.0-windowsservercore-", "9.0-windowsservercore-"},
		[]Platform{WindowsServer2019, WindowsServer2022, WindowsServer2025},
	},
	{dotnet, []string{"10.0-nanoserver-", "10.0-windowsservercore-"}, []Platform{WindowsServer2022, WindowsServer2025}},
	{
		framework,
		[]string{"3.5-windowsservercore-"},
		[]Platform{WindowsServer2019, WindowsServer2022, WindowsServer2025},
	},
	{
		framework,
		[]string{"4.8-windowsservercore-"},
		[]Platform{WindowsServer2016, WindowsServer2019, WindowsServer2022},
	},
	{framework, []string{"4.8.1-windowsservercore-"}, []Platform{WindowsServer2022, WindowsServer2025}},
}

var (
	dotnet    = []string{"dotnet/aspnet", "dotnet/runtime", "dotnet/sdk"}
	framework = []string{"dotnet/framework/aspnet", "dotnet/framework/runtime", "dotnet/framework/sdk"}
)

// PublishedTag is the tag with which Microsoft publishes an image for another release
// of Windows. It is false for what is not Microsoft's, also for a copy in another
// registry, for a reference with a digest, and where no such tag is known. 23H2 has no
// images of its own.
//
//	mcr.microsoft.com/windows/servercore:10.0.17763.437, for windows-2022      ltsc2022
//	mcr.microsoft.com/dotnet/aspnet:8.0-nanoserver-ltsc2022, for windows-2019  8.0-nanoserver-1809
//	shop.example.com/shop:1.4-ltsc2019, for windows-2022                       none
func PublishedTag(ref string, release Platform) (string, bool) {
	parsed, ok := parseReference(ref)
	if !ok || parsed.registry != microsoftRegistry || strings.Contains(ref, "@") {
		return "", false
	}
	repository := strings.Join(parsed.path, "/")
	for _, p := range published {
		if !slices.Contains(p.repositories, repository) || !slices.Contains(p.releases, release) {
			continue
		}
		for _, begin := range p.begin {
			rest, begins := strings.CutPrefix(parsed.tag, begin)
			_, alone := byTag(rest)
			// Without a beginning, every tag is that of a release.
			if begin == "" || begins && alone {
				return begin + imageTag(release, repository+begin), true
			}
		}
	}
	return "", false
}

// imageTag is the tag of a release's images. Those with Nano Server of 2019 have the
// tag of the version only.
func imageTag(release Platform, image string) string {
	if release == WindowsServer2019 && strings.Contains(image, "nanoserver") {
		return "1809"
	}
	return find(release).Tags[0]
}
