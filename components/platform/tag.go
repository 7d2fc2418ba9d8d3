package platform

import (
	"slices"
	"strings"
)

// windowsWords tell Windows wherever they stand in a tag.
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

// readTag says what a tag tells. inWindows is whether the repository is Windows.
func readTag(tag string, inWindows bool) evidence {
	var e evidence
	for _, word := range words(tag) {
		switch {
		case slices.Contains(windowsWords, word):
			e.windows, inWindows = true, true
		case isLinuxWord(word):
			e.linux = true
		default:
			if release, ok := windowsRelease(word, inWindows); ok {
				e.windows = true
				e.releases = append(e.releases, release)
			}
		}
	}
	return e
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

func isLinuxWord(word string) bool {
	name := strings.TrimRight(word, "0123456789.")
	return slices.Contains(linuxWords, word) ||
		slices.Contains(linuxNames, name) ||
		name == "ubi" && word != name // Red Hat's base images: ubi8, ubi9
}
