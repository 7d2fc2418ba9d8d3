package tools

import (
	"regexp"
	"strings"

	"golang.org/x/mod/semver"
)

// rule decides whether the version of a found tool fits the pinned one.
type rule int

const (
	// sameMinor: any release of the same minor version.
	sameMinor rule = iota
	// atLeast: the same or a later version of the same major version.
	atLeast
	// exactly: that version.
	exactly
)

// preview matches the versions before a release. Suffixes of vendors
// (-eks-1, +k3s1) look like previews to semver, but are releases.
var preview = regexp.MustCompile(`-(alpha|beta|rc)\b`)

func (r rule) accepts(pinned, found string) bool {
	switch r {
	case sameMinor:
		return semver.MajorMinor(found) == semver.MajorMinor(pinned) && !preview.MatchString(found)
	case atLeast:
		return semver.Major(found) == semver.Major(pinned) && semver.Compare(found, pinned) >= 0
	default:
		return semver.Compare(found, pinned) == 0
	}
}

// needs returns the accepted versions, for a message.
func (r rule) needs(pinned string) string {
	switch r {
	case sameMinor:
		return semver.MajorMinor(pinned)
	case atLeast:
		return pinned + " or a later " + semver.Major(pinned)
	default:
		return pinned
	}
}

// parseVersion finds the version in the output of a tool: the word that follows
// answer at the start of a line. It returns it with a leading v.
func parseVersion(printed, answer string) (version string, ok bool) {
	for line := range strings.Lines(printed) {
		rest, starts := strings.CutPrefix(line, answer)
		words := strings.Fields(rest)
		if !starts || len(words) == 0 {
			continue
		}
		version = "v" + strings.TrimPrefix(words[0], "v")
		// semver.IsValid accepts "v3" too, but that is not the version of a tool.
		if semver.IsValid(version) && strings.Count(version, ".") >= 2 {
			return version, true
		}
	}
	return "", false
}
