package platform

import (
	"slices"
	"strings"

	"github.com/mixedkube/mixedkube/internal/core/facts"
)

// withoutWindows are Docker official images that used to have tags for Windows
// (https://github.com/redis/docker-library-redis/pull/99).
var withoutWindows = []string{"redis"}

// Retired reports whether a reference names a Windows image that is no longer published. The successor is the image for
// Windows Server 2022 that replaced it, or "" if there is none.
func Retired(ref string) (successor string, retired bool) {
	// Almost all images are neither: parsing takes longer.
	if !strings.Contains(ref, "microsoft/") && !slices.ContainsFunc(withoutWindows, func(name string) bool {
		return strings.Contains(ref, name)
	}) {
		return "", false
	}
	parsed, ok := parseReference(ref)
	if !ok || parsed.registry != "docker.io" {
		return "", false
	}
	switch path := parsed.path; {
	case len(path) == 2 && path[0] == "microsoft":
		successor, retired = facts.RetiredImages[path[1]]
		return successor, retired
	case isOfficial(parsed) && slices.Contains(withoutWindows, path[len(path)-1]):
		return "", strings.Contains(parsed.tag, "nanoserver") || strings.Contains(parsed.tag, "windowsservercore")
	}
	return "", false
}
