package platform

import "slices"

// Image describes the platform that an image is for, if known. The zero value means that nothing is known.
type Image struct {
	// OS is the operating system of the image; "" means unknown.
	OS OS `pulumi:"os,optional"`
	// Release is the Windows release that the image is built on. It is set only for Windows images, and only if it is
	// known: it is "" for a Linux image, for a host-process image, and for a Windows image of unknown release. Use OS
	// to distinguish Linux from Windows, and Release only for a Windows image.
	Release Platform `json:",omitempty" pulumi:"release,optional"`
	// HostProcess marks the base image of host-process containers, which contains no Windows files and runs on any
	// Windows host.
	HostProcess bool `pulumi:"hostProcess"`
	// ByTag means that a word of the tag is the only evidence for the OS. It may mislead: there are Windows images with
	// the tags of their Linux originals, such as nginx:1.14-alpine in a private registry. Assume that such an image is
	// what its tag states, but refuse nothing because of it: see [Image.Certain].
	ByTag bool `json:",omitempty" pulumi:"byTag"`
	// Facts are the facts about the image from its registry, which take precedence over the name; nil if only the name
	// is known. With facts, an OS of "" means an image for both systems, or for neither: [CanRun] knows which hosts run
	// it.
	Facts *Facts `json:",omitempty" pulumi:"-"`
}

// TellsRelease reports whether it is known which Windows releases run the image: from [Image.Release], or from its
// facts.
func (i Image) TellsRelease() bool {
	return i.Release != "" || i.Facts != nil && !i.HostProcess && slices.ContainsFunc(i.Facts.For(WindowsOS),
		func(v Variant) bool { return v.OSVersion != "" })
}

// Certain returns what is certain about an image if another source names its operating system; pass "" if there is no
// other source. It returns the zero value if a word of the tag is the only evidence for an OS, and that OS is a
// different one.
func (i Image) Certain(os OS) Image {
	if i.ByTag && i.OS != os {
		return Image{}
	}
	return i
}

// consistent reports whether the OS is known and the other fields agree with it.
func (i Image) consistent() bool {
	switch i.OS {
	case LinuxOS:
		return i.Release == "" && !i.HostProcess
	case WindowsOS:
		return i.Release == "" || i.Release.IsWindows()
	default:
		return false
	}
}

// FromImage returns the platform that an image is for, from its reference alone: it
// makes no requests. It does not guess: everything that the name does not reveal
// stays unknown. It never fails: for a malformed reference it returns the zero value.
//
// It recognizes repositories: Microsoft's Windows base images and .NET Framework
// images, including mirrors of them, and the base images of Linux distributions. It
// recognizes words of a tag: windowsservercore and nanoserver, ltsc2022, builds such
// as 10.0.20348.2340, and for Linux a distribution with its version, such as
// alpine3.20. It ignores digests.
//
// Other words may have another meaning, as in fix-windows-crash and
// feature-focal-point. So windows, linux and code names such as focal count only if
// the tag otherwise consists of names of platforms, architectures, versions and words
// like slim, or if they are at its end after a version with a dot. Linux words also
// count directly after such a version. The name of a distribution without a version,
// such as debian, counts there and at the beginning and the end of any tag. A version
// such as 1809 identifies the release only in a Windows repository or after a Windows
// word that counts, and a year such as 2022 only directly after such a word: in other
// places they may be the version of anything.
//
// A word of a tag is certain if the repository is a Windows one or a distribution's, if
// the image is a Docker official image or Microsoft's, or if two words mean Windows, as
// in nanoserver-1809. Otherwise [Image.ByTag] is set.
//
// If repository and tag name both Windows and Linux, nothing is known. If they name two
// Windows releases, the release is unknown.
//
//	mcr.microsoft.com/windows/servercore:ltsc2022   Windows, windows-2022
//	golang:1.26-windowsservercore-ltsc2025          Windows, windows-2025
//	fluent/fluent-bit:windows-2022-5.0.3            Windows, windows-2022
//	mcr.microsoft.com/dotnet/framework/aspnet:4.8   Windows, release unknown
//	nginx:1.27-alpine                               Linux
//	shop.example.com/nginx:1.27-alpine              Linux, by its tag
//	nginx:1.27, mcr.microsoft.com/dotnet/aspnet:8.0 unknown (for many platforms)
//	myapp:1809                                      unknown
func FromImage(ref string) Image {
	parsed, ok := parseReference(ref)
	if !ok {
		return Image{}
	}
	if isHostProcessBase(parsed) {
		return Image{OS: WindowsOS, HostProcess: true}
	}
	repository := readRepository(parsed)
	tag := readTag(parsed.tag, repository.windows)
	image := repository.and(tag).image()
	known := repository.windows || repository.linux || isOfficial(parsed)
	twice := image.OS == WindowsOS && tag.windowsWords > 1
	image.ByTag = image.OS != "" && !known && !twice
	return image
}

// evidence is what a part of a reference reveals about the platform.
type evidence struct {
	windows, linux bool
	// windowsWords is the number of words that mean Windows.
	windowsWords int
	// releases are the Windows releases that are named, possibly with duplicates; "" is a release that this package
	// does not know.
	releases []Platform
}

func (e evidence) and(other evidence) evidence {
	return evidence{
		windows:      e.windows || other.windows,
		linux:        e.linux || other.linux,
		windowsWords: e.windowsWords + other.windowsWords,
		releases:     slices.Concat(e.releases, other.releases),
	}
}

// image returns the conclusion.
func (e evidence) image() Image {
	switch {
	case e.windows == e.linux: // nothing, or a contradiction
		return Image{}
	case e.linux:
		return Image{OS: LinuxOS}
	}
	image := Image{OS: WindowsOS}
	if len(e.releases) > 0 && !slices.ContainsFunc(e.releases, func(r Platform) bool { return r != e.releases[0] }) {
		image.Release = e.releases[0]
	}
	return image
}
