package platform

import (
	"regexp"
	"slices"
	"strings"
)

// windowsWords mean Windows. The word windows itself does so only if it names the platform, see namesWindows; the
// others do so anywhere in a tag.
var windowsWords = []string{"windows", "windowsservercore", "servercore", "nanoserver"}

// linuxNames are Linux distributions that tags name alone or with a version directly after the name: alpine,
// alpine3.20. Names that are also a common word or another product, such as rocky, photon and oracle, are omitted.
var linuxNames = []string{
	"almalinux", "alpine", "amazonlinux", "archlinux", "azurelinux", "centos", "debian", "fedora", "mariner",
	"opensuse", "oraclelinux", "rhel", "rockylinux", "ubuntu", "wolfi",
}

// linuxWords mean Linux without a version: kinds of distribution images, and the code names of Debian and Ubuntu. Many
// of them are ordinary words too, so namesLinux is stricter with them than with linuxNames. Code names that are also
// the names of other things in tags, such as groovy, lunar and sid, are omitted.
var linuxWords = []string{
	"linux", "distroless", "chiseled", "al2023",
	"wheezy", "jessie", "stretch", "buster", "bullseye", "bookworm", "trixie", "forky",
	"trusty", "xenial", "bionic", "focal", "jammy", "mantic", "noble", "oracular", "plucky", "questing",
}

// qualifiers are words that accompany the name of a platform and have no other meaning: architectures, kinds of images,
// and substitutes for a version.
var qualifiers = []string{
	"amd64", "x86", "x64", "386", "i386", "arm", "armhf", "armv7", "arm64", "arm64v8", "arm32v7", "aarch64", "ppc64le",
	"riscv64", "s390x", "64", "v6", "v7", "v8",
	"slim", "minimal", "nonroot", "root", "debug", "extra", "composite", "aot", "base", "cbl", "jdk", "jre",
	"latest", "stable", "mainline", "lts", "edge", "current", "nightly", "main", "master", "sha",
}

// isVersion matches a number, with or without the usual prefix and suffix of versions, or a commit: v2.6, jdk21,
// 3.13.0rc1, 23h2, abc1234.
var isVersion = regexp.MustCompile(
	`^((v|go|java|jdk|jre|node|php|py|python)?[0-9]+(\.[0-9]+)*` +
		`(\.x|(a|alpha|b|beta|h|p|pre|r|rc|u)[0-9]*)?|g?[0-9a-f]{7,40})$`,
).MatchString

// isDotted reports whether a word can only be a version. A number alone may be something else: issue-42-focal-point.
func isDotted(word string) bool { return strings.Contains(word, ".") && isVersion(word) }

// readTag returns the evidence in a tag. inWindows is true if the repository is a Windows one; otherwise a word that is
// also an ordinary one counts only if it names the platform.
func readTag(tag string, inWindows bool) evidence {
	var e, weak evidence
	all := words(tag)
	known := inWindows
	for i, word := range all {
		switch {
		case slices.Contains(windowsWords, word):
			if known || word != "windows" || namesWindows(all, i) {
				e.windows = true
				e.windowsWords++
				inWindows = true
			}
			weak.windows = true
		case isLinuxWord(word):
			if known || isNumbered(word) || namesLinux(all, i) {
				e.linux = true
			}
			weak.linux = true
		default:
			release, ok := windowsRelease(word, inWindows)
			if !ok && inWindows {
				release, ok = windowsYear(all, i)
			}
			if ok {
				e.windows = true
				e.windowsWords++
				e.releases = append(e.releases, release)
			}
		}
	}
	// Weak evidence does not count alone, but is enough to contradict other evidence.
	return evidence{
		windows:      e.windows || e.linux && weak.windows,
		linux:        e.linux || e.windows && weak.linux,
		windowsWords: e.windowsWords,
		releases:     e.releases,
	}
}

// namesWindows reports whether the word windows at i names the platform:
//
//   - if the whole tag consists of names of platforms, qualifiers, versions and releases:
//     windows-amd64-1.2, but not windows-support;
//   - at the end, if only releases and words like amd64 follow and a dotted version
//     precedes it: 1.2-agent-windows-1809, but not fix-windows-1809.
func namesWindows(all []string, i int) bool {
	accompanies := func(word string) bool {
		_, ok := windowsRelease(word, true)
		return ok || isCompanion(word)
	}
	return every(all, func(word string) bool { return isVersion(word) || accompanies(word) }) ||
		every(all[i+1:], accompanies) && slices.ContainsFunc(all[:i], isDotted)
}

// namesLinux reports whether a Linux word at i names the platform. Every such word does
//
//   - if the whole tag consists of names of platforms, qualifiers and versions:
//     22-bookworm-slim, but not 42-noble-cause;
//   - after a dotted version: 1.4.2-focal-nginx.
//
// A name of linuxNames also does at the beginning and at the end, not counting words like stable and slim, whatever the
// other words are: stable-alpine-perl, fpm-alpine-slim. The others do at the end if a dotted version precedes them:
// 8.3-fpm-bookworm, but not fix-focal.
func namesLinux(all []string, i int) bool {
	before, after := all[:i], all[i+1:]
	atEnd := every(after, isCompanion)
	switch {
	case every(all, func(word string) bool { return isVersion(word) || isCompanion(word) }), isAfterDotted(before):
		return true
	case slices.Contains(linuxNames, all[i]):
		return atEnd || every(before, isCompanion)
	default:
		return atEnd && slices.ContainsFunc(before, isDotted)
	}
}

// isAfterDotted reports whether the words before a name end with a dotted version, not counting words like slim.
func isAfterDotted(before []string) bool {
	for _, word := range slices.Backward(before) {
		if !isCompanion(word) {
			return isDotted(word)
		}
	}
	return false
}

// isCompanion reports whether a word, other than a version, can accompany the name of a platform.
func isCompanion(word string) bool {
	return slices.Contains(qualifiers, word) || slices.Contains(windowsWords, word) || isLinuxWord(word)
}

func every(words []string, is func(string) bool) bool {
	return !slices.ContainsFunc(words, func(word string) bool { return !is(word) })
}

// words splits a tag. It does not split at dots, which belong to versions.
func words(tag string) []string {
	return strings.FieldsFunc(strings.ToLower(tag), func(r rune) bool { return r == '-' || r == '_' })
}

// windowsRelease returns the release that a word of a tag names; "" for a long-term release that this package does not
// know. Outside of a Windows context, only unambiguous words count.
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

// windowsYear returns the long-term release whose year is the word at i, directly after a word for Windows:
// windows-2022, windowsservercore-2019. In other places a year can mean anything.
func windowsYear(all []string, i int) (Platform, bool) {
	if i == 0 || !slices.Contains(windowsWords, all[i-1]) || len(all[i]) != len("2022") || !isNumber(all[i]) {
		return "", false
	}
	return byTag("ltsc" + all[i])
}

// isNumbered reports whether a word has a version at its end: alpine3.20.
func isNumbered(word string) bool { return strings.TrimRight(word, "0123456789.") != word }

func isLinuxWord(word string) bool {
	name := strings.TrimRight(word, "0123456789.")
	return slices.Contains(linuxWords, word) ||
		slices.Contains(linuxNames, name) ||
		name == "ubi" && word != name // Red Hat's base images: ubi8, ubi9
}
