package platform

import (
	"slices"
	"strings"

	"github.com/mixedkube/mixedkube/internal/core/facts"
)

// PublishedTag returns the tag with which Microsoft publishes an image for another release of Windows. It returns false
// for images that Microsoft does not publish, including copies in another registry, for a reference with a digest, and
// if no such tag is known. 23H2 has no images of its own.
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
			// If Begin is empty, every tag names a release.
			if begin == "" || begins && alone {
				return begin + imageTag(release, repository+begin), true
			}
		}
	}
	return "", false
}

// imageTag returns the tag of a release's images. For 2019, images with Nano Server are tagged with the version only.
func imageTag(release Platform, image string) string {
	if release == WindowsServer2019 && strings.Contains(image, "nanoserver") {
		return "1809"
	}
	return find(release).Tags[0]
}
