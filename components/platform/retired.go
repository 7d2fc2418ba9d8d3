package platform

import (
	"slices"
	"strings"

	"github.com/mixedkube/mixedkube/internal/facts"
)

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
		successor, retired = facts.RetiredImages[path[1]]
		return successor, retired
	case isOfficial(parsed) && slices.Contains(withoutWindows, path[len(path)-1]):
		return "", strings.Contains(parsed.tag, "nanoserver") || strings.Contains(parsed.tag, "windowsservercore")
	}
	return "", false
}
