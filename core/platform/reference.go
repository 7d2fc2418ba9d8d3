package platform

import (
	"regexp"
	"slices"
	"strings"
)

// reference is a parsed image reference. A digest does not reveal the platform.
type reference struct {
	// registry is the host, optionally with a port, in lower case; docker.io if none is written.
	registry string
	// path are the components of the repository within the registry.
	path []string
	// tag and digest are empty if none is written.
	tag, digest string
}

// The grammar is the distribution project's, which container runtimes use:
// https://pkg.go.dev/github.com/distribution/reference. Parts that every image has are matched by hand, which takes a
// tenth of the time; a test compares it with the expressions.
var (
	addressPattern = regexp.MustCompile(`^\[[a-fA-F0-9:]+\](?::[0-9]+)?$`)
	digestPattern  = regexp.MustCompile(`^(?:sha256:[a-f0-9]{64}|sha384:[a-f0-9]{96}|sha512:[a-f0-9]{128})$`)
)

const maxPathLength = 255

// parseReference parses an image reference. It returns false if a container runtime would not accept it.
func parseReference(image string) (reference, bool) {
	image, digest, hasDigest := strings.Cut(image, "@")
	if hasDigest && !digestPattern.MatchString(digest) {
		return reference{}, false
	}
	ref := reference{registry: "docker.io", digest: digest}
	// A colon before the last slash belongs to the port of the registry.
	name := image
	if colon := strings.LastIndexByte(image, ':'); colon > strings.LastIndexByte(image, '/') {
		name, ref.tag = image[:colon], image[colon+1:]
		if !isTag(ref.tag) {
			return reference{}, false
		}
	}
	if first, rest, found := strings.Cut(name, "/"); found && isRegistry(first) {
		if !isHost(first) {
			return reference{}, false
		}
		ref.registry, name = strings.ToLower(first), rest
	}
	ref.path = strings.Split(name, "/")
	invalid := func(component string) bool { return !isComponent(component) }
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

// NormalizeReference returns the full form of an image reference, with its registry, and a tag or a digest, so that two
// references to the same image are equal: "nginx" becomes "docker.io/library/nginx:latest". If there are both a tag and
// a digest, the tag is dropped, because container runtimes pull by digest. NormalizeReference returns false for
// references that a container runtime would not accept.
func NormalizeReference(image string) (string, bool) {
	ref, ok := parseReference(image)
	if !ok {
		return "", false
	}
	name := ref.registry + "/" + strings.Join(ref.path, "/")
	switch {
	case ref.digest != "":
		return name + "@" + ref.digest, true
	case ref.tag == "":
		return name + ":latest", true
	default:
		return name + ":" + ref.tag, true
	}
}

// isRegistry distinguishes the host of a registry from the first component of a path on Docker Hub, in the same way as
// Docker.
func isRegistry(first string) bool {
	return first == "localhost" || strings.ContainsAny(first, ".:") || first != strings.ToLower(first)
}

// isHost reports whether a registry is a host name, or an address in brackets, optionally with a port.
func isHost(registry string) bool {
	if strings.HasPrefix(registry, "[") {
		return addressPattern.MatchString(registry)
	}
	name, port, hasPort := strings.Cut(registry, ":")
	if hasPort && (port == "" || strings.Trim(port, "0123456789") != "") {
		return false
	}
	for label := range strings.SplitSeq(name, ".") {
		if label == "" || label[0] == '-' || label[len(label)-1] == '-' {
			return false
		}
		for i := range len(label) {
			if c := label[i]; !isLower(c) && !isUpper(c) && c != '-' {
				return false
			}
		}
	}
	return true
}

// isComponent reports whether a component of a repository's path consists of lower-case letters and digits, with a
// period, one or two underscores or any number of hyphens between them.
func isComponent(component string) bool {
	for i := 0; i < len(component); {
		start := i
		for i < len(component) && isLower(component[i]) {
			i++
		}
		if i == start || i == len(component) {
			return i > start
		}
		i += separator(component[i:])
	}
	return false
}

// separator returns the length of the separator at the start of text, 0 if there is none.
func separator(text string) int {
	switch {
	case text[0] == '-':
		return len(text) - len(strings.TrimLeft(text, "-"))
	case strings.HasPrefix(text, "__"):
		return 2
	case text[0] == '_', text[0] == '.':
		return 1
	default:
		return 0
	}
}

func isTag(tag string) bool {
	if tag == "" || len(tag) > maxTagLength || tag[0] == '.' || tag[0] == '-' {
		return false
	}
	for i := range len(tag) {
		if c := tag[i]; !isLower(c) && !isUpper(c) && c != '_' && c != '.' && c != '-' {
			return false
		}
	}
	return true
}

const maxTagLength = 128

// isLower counts digits as lower case.
func isLower(c byte) bool { return 'a' <= c && c <= 'z' || '0' <= c && c <= '9' }

func isUpper(c byte) bool { return 'A' <= c && c <= 'Z' }
