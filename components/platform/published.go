package platform

import (
	"slices"
	"strings"

	"github.com/mixedkube/mixedkube/internal/facts"
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
	for _, p := range facts.PublishedTags {
		if !slices.Contains(p.Repositories, repository) || !slices.Contains(p.Platforms, string(release)) {
			continue
		}
		for _, begin := range p.Begin {
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
