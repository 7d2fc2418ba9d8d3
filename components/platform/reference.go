package platform

import (
	"regexp"
	"slices"
	"strings"
)

// reference is an image reference taken apart. A digest is checked and
// dropped: it says nothing about the platform.
type reference struct {
	// registry is the host, perhaps with a port, in lower case; docker.io if none
	// is written.
	registry string
	// path are the components of the repository within the registry.
	path []string
	// tag is empty if none is written.
	tag string
}

// The grammar is that of the distribution project, which container runtimes
// use: https://pkg.go.dev/github.com/distribution/reference
var (
	registryPattern  = regexp.MustCompile(`^(?:[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?)*|\[[a-fA-F0-9:]+\])(?::[0-9]+)?$`)
	componentPattern = regexp.MustCompile(`^[a-z0-9]+(?:(?:\.|__?|-+)[a-z0-9]+)*$`)
	tagPattern       = regexp.MustCompile(`^[a-zA-Z0-9_][a-zA-Z0-9_.-]{0,127}$`)
	digestPattern    = regexp.MustCompile(`^(?:sha256:[a-f0-9]{64}|sha384:[a-f0-9]{96}|sha512:[a-f0-9]{128})$`)
)

const maxPathLength = 255

// parseReference takes an image reference apart; false if a container runtime
// would not understand it.
func parseReference(image string) (reference, bool) {
	image, digest, hasDigest := strings.Cut(image, "@")
	if hasDigest && !digestPattern.MatchString(digest) {
		return reference{}, false
	}
	ref := reference{registry: "docker.io"}
	// A colon before the last slash belongs to the port of the registry.
	name := image
	if colon := strings.LastIndexByte(image, ':'); colon > strings.LastIndexByte(image, '/') {
		name, ref.tag = image[:colon], image[colon+1:]
		if !tagPattern.MatchString(ref.tag) {
			return reference{}, false
		}
	}
	if first, rest, found := strings.Cut(name, "/"); found && isRegistry(first) {
		if !registryPattern.MatchString(first) {
			return reference{}, false
		}
		ref.registry, name = strings.ToLower(first), rest
	}
	ref.path = strings.Split(name, "/")
	invalid := func(component string) bool { return !componentPattern.MatchString(component) }
	if len(name) > maxPathLength || slices.ContainsFunc(ref.path, invalid) {
		return reference{}, false
	}
	if ref.registry == "index.docker.io" {
		ref.registry = "docker.io"
	}
	if ref.registry == "docker.io" && len(ref.path) == 1 {
		ref.path = []string{"library", ref.path[0]}
	}
	return ref, true
}

// isRegistry tells the host of a registry from the first component of a path
// on Docker Hub, in the way Docker does.
func isRegistry(first string) bool {
	return first == "localhost" || strings.ContainsAny(first, ".:") || first != strings.ToLower(first)
}
