package platform

import "slices"

// Image is what an image is made for, as far as it is known. The zero value
// means that nothing is known.
type Image struct {
	// OS is the operating system of the image; "" means unknown.
	OS OS `pulumi:"os,optional"`
	// Release is the Windows release that the image is built on. It is set for
	// Windows images only, and only when it is known: it is "" for a Linux image,
	// for a host-process image, and for an image that is known to be Windows but
	// not of which release. So look at OS to tell Linux from Windows, and at
	// Release only for a Windows image.
	Release Platform `json:",omitempty" pulumi:"release,optional"`
	// HostProcess marks the base image of host-process containers, which carries
	// no Windows of its own and runs on any Windows host.
	HostProcess bool `pulumi:"hostProcess"`
	// ByTag says that nothing tells the OS but a word of the tag, which may mislead:
	// there are images for Windows with the tags of their Linux originals, such as
	// nginx:1.14-alpine in a registry of somebody's own. Take such an image for what
	// the tag says, but refuse nothing for it: see [Image.Certain].
	ByTag bool `json:",omitempty" pulumi:"byTag"`
	// Facts are what the image's registry says, which counts then and not the name; nil if
	// only the name is known. With facts, an OS of "" means an image for both systems, or for
	// neither: [CanRun] knows which hosts run it.
	Facts *Facts `json:",omitempty" pulumi:"-"`
}

// TellsRelease reports whether it is known which Windows releases run the image: that of
// [Image.Release], or those of its facts.
func (i Image) TellsRelease() bool {
	return i.Release != "" || i.Facts != nil && !i.HostProcess && slices.ContainsFunc(i.Facts.Of(WindowsOS),
		func(v Variant) bool { return v.OSVersion != "" })
}

// Certain is what is certain of an image where something else says that it is for
// an operating system, "" where nothing does: nothing, if only a word of the tag
// tells the OS and this is another one.
func (i Image) Certain(os OS) Image {
	if i.ByTag && i.OS != os {
		return Image{}
	}
	return i
}

// consistent tells whether the OS is known and the other fields agree with it.
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

// FromImage says what an image is made for, by its reference alone: nothing is
// looked up. What the name does not tell stays unknown; nothing is guessed. It
// never fails: of a malformed reference nothing is known.
//
// The repository tells: Microsoft's Windows base images and .NET Framework
// images, also in a mirror; the base images of Linux distributions. The tag
// tells: words such as windowsservercore and nanoserver, ltsc2022 and builds
// such as 10.0.20348.2340, and for Linux a distribution with its version, such
// as alpine3.20. A digest tells nothing.
//
// Other words may be about something else, as in fix-windows-crash and
// feature-focal-point. So windows, linux and code names such as focal count only
// where nothing else stands in the tag than names of platforms, architectures,
// versions and the likes of slim, or at its end when a version with a dot stands
// before; those of Linux also directly after such a version. The name of a
// distribution without a version, such as debian, counts there and at the
// beginning and the end of any tag. A version such as 1809 tells the release only
// in a Windows repository or after a Windows word that counts, and a year such as
// 2022 only directly after such a word: elsewhere they may be the version of
// anything.
//
// A word of a tag is certain where the repository is Windows or a distribution,
// where it is one of Docker's official images or Microsoft's, and where two words
// say Windows, as in nanoserver-1809. Elsewhere [Image.ByTag] is set.
//
// When repository and tag name both Windows and Linux, nothing is known; when
// they name two Windows releases, the release is not known.
//
//	mcr.microsoft.com/windows/servercore:ltsc2022   Windows, windows-2022
//	golang:1.26-windowsservercore-ltsc2025          Windows, windows-2025
//	fluent/fluent-bit:windows-2022-5.0.3            Windows, windows-2022
//	mcr.microsoft.com/dotnet/framework/aspnet:4.8   Windows, release not known
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

// evidence is what a part of a reference says about the platform.
type evidence struct {
	windows, linux bool
	// windowsWords is the number of words that tell Windows.
	windowsWords int
	// releases are the Windows releases that are named, perhaps repeatedly; "" for
	// one that this package does not know.
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

// image draws the conclusion.
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
