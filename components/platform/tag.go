package platform

import (
	"regexp"
	"slices"
	"strings"
)

// windowsWords tell Windows: windows itself only where platforms are named, the
// others wherever they stand in a tag.
var windowsWords = []string{"windows", "windowsservercore", "servercore", "nanoserver"}

// linuxNames are Linux distributions that tags name alone or with a version
// directly after it: alpine, alpine3.20. Names that are also an ordinary word or
// another product, such as rocky, photon and oracle, are left out.
var linuxNames = []string{
	"almalinux", "alpine", "amazonlinux", "archlinux", "azurelinux", "centos", "debian", "fedora", "mariner",
	"opensuse", "oraclelinux", "rhel", "rockylinux", "ubuntu", "wolfi",
}

// linuxWords tell Linux as they stand: kinds of distribution images, and the
// code names of Debian and Ubuntu. Code names that are also an ordinary word or
// another product, such as groovy, lunar and sid, are left out.
var linuxWords = []string{
	"linux", "distroless", "chiseled", "al2023",
	"wheezy", "jessie", "stretch", "buster", "bullseye", "bookworm", "trixie", "forky",
	"trusty", "xenial", "bionic", "focal", "jammy", "mantic", "noble", "oracular", "plucky", "questing",
}

// qualifiers are words that stand beside the name of a platform and say nothing
// else: architectures, and kinds of images.
var qualifiers = []string{
	"amd64", "x86", "x64", "386", "i386", "arm", "armhf", "armv7", "arm64", "arm64v8", "arm32v7", "aarch64", "ppc64le", "riscv64", "s390x", "64", "v6", "v7", "v8",
	"slim", "minimal", "nonroot", "root", "debug", "extra", "composite", "aot", "base", "cbl",
	"latest", "stable", "mainline", "lts", "edge",
}

// isVersion is a number, with or without what comes before and after one in
// versions: v2.6, 3.13.0rc1, 23h2.
var isVersion = regexp.MustCompile(`^v?[0-9]+(\.[0-9]+)*(\.x|(a|alpha|b|beta|h|p|pre|r|rc|u)[0-9]*)?$`).MatchString

// readTag says what a tag tells. inWindows is whether the repository is Windows:
// elsewhere a word that is also an ordinary one counts only where names of
// platforms stand.
func readTag(tag string, inWindows bool) evidence {
	var e, weak evidence
	all := words(tag)
	known := inWindows
	for i, word := range all {
		switch {
		case slices.Contains(windowsWords, word):
			inWindows = true
			if known || word != "windows" || namesWindows(all, i) {
				e.windows = true
			}
			weak.windows = true
		case isLinuxWord(word):
			if known || isNumbered(word) || namesLinux(all, i) {
				e.linux = true
			}
			weak.linux = true
		default:
			if release, ok := windowsRelease(word, inWindows); ok {
				e.windows = true
				e.releases = append(e.releases, release)
			}
		}
	}
	// What does not count alone is still enough for doubt.
	return evidence{
		windows:  e.windows || e.linux && weak.windows,
		linux:    e.linux || e.windows && weak.linux,
		releases: e.releases,
	}
}

func isQualifier(word string) bool { return slices.Contains(qualifiers, word) }

// namesWindows says whether the word windows stands at the beginning of a tag or
// at its end, where only architectures and versions such as 23h2 follow; for-windows-1.2
// is about Windows. Releases count for themselves.
func namesWindows(all []string, i int) bool {
	return i == 0 || !slices.ContainsFunc(all[i+1:], func(word string) bool {
		return !isQualifier(word) && !slices.Contains(windowsWords, word) && !isLinuxWord(word) && !isHalfYear(word)
	})
}

// isHalfYear is a version as Windows has them: 23h2.
var isHalfYear = regexp.MustCompile(`^[0-9]{2}h[12]$`).MatchString

// namesLinux says whether a word stands where a tag names a distribution: at the
// end, where only the likes of slim and amd64 follow; at the beginning, where
// versions may follow; and after versions.
func namesLinux(all []string, i int) bool {
	beside := func(word string) bool { return isQualifier(word) || isLinuxWord(word) }
	versioned := func(word string) bool { return beside(word) || isVersion(word) }
	every := func(words []string, is func(string) bool) bool {
		return !slices.ContainsFunc(words, func(word string) bool { return !is(word) })
	}
	switch before, after := all[:i], all[i+1:]; {
	case every(after, beside):
		return true
	case i == 0:
		return every(after, versioned)
	default:
		// A number alone may count something else: issue-42-focal-point.
		last := all[i-1]
		return every(before, versioned) || strings.Contains(last, ".") && isVersion(last)
	}
}

// words splits a tag; dots stay, since they belong to versions.
func words(tag string) []string {
	return strings.FieldsFunc(strings.ToLower(tag), func(r rune) bool { return r == '-' || r == '_' })
}

// windowsRelease returns the release that a word of a tag names; "" for a
// long-term release that this package does not know. Outside of a Windows
// context only the words that nothing else uses count.
func windowsRelease(word string, inWindows bool) (Platform, bool) {
	if year, ok := strings.CutPrefix(word, "ltsc"); ok && len(year) == len("2022") && isNumber(year) {
		p, _ := byTag(word)
		return p, true
	}
	if p, ok := ByBuild(word); ok && (inWindows || strings.Count(word, ".") == 3) {
		return p, true
	}
	if p, ok := byTag(word); ok && inWindows {
		return p, true
	}
	return "", false
}

// isNumbered says whether a word has a version at its end: alpine3.20.
func isNumbered(word string) bool { return strings.TrimRight(word, "0123456789.") != word }

func isLinuxWord(word string) bool {
	name := strings.TrimRight(word, "0123456789.")
	return slices.Contains(linuxWords, word) ||
		slices.Contains(linuxNames, name) ||
		name == "ubi" && word != name // Red Hat's base images: ubi8, ubi9
}
