package platform

import "fmt"

// Answer is the answer to a question that may have no answer. The zero value is Unknown.
type Answer int

// The answers. Unknown is neither Yes nor No: nothing may be refused because of it.
const (
	Unknown Answer = iota
	Yes
	No
)

// String returns "unknown", "yes" or "no".
func (a Answer) String() string {
	switch a {
	case Unknown:
		return "unknown"
	case Yes:
		return "yes"
	case No:
		return "no"
	default:
		return fmt.Sprintf("Answer(%d)", int(a))
	}
}

// Matching is how closely the Windows release of an image must match the release of its host. Empty is [Strict].
type Matching string

const (
	// Strict requires the build of the host, as the documentation of Kubernetes and of AKS does. Source:
	// https://kubernetes.io/docs/concepts/windows/intro/#windows-os-version-support
	Strict Matching = "strict"
	// Relaxed allows everything that Windows itself runs with process isolation. A host older than Windows Server 2022
	// runs only its own build. Newer hosts also run images back to the previous LTSC release, but none older than 2022.
	// A newer image never runs on an older host. This applies to nodes whose containerd supports it. Source: package
	// osversion of github.com/Microsoft/hcsshim v0.15.0, and platform_compat_windows.go of
	// github.com/containerd/platforms v0.2.1, which containerd 1.7.29 uses.
	Relaxed Matching = "relaxed"
)

// Matchings returns all values of Matching.
func Matchings() []Matching { return []Matching{Strict, Relaxed} }

// CanRun reports whether a container of image can run on host with process isolation. It considers only operating
// systems and releases, neither the architecture of Linux nodes (see [CanRunOn]) nor Hyper-V isolation.
//
// It returns Unknown if host is not a valid platform, if the image's OS is unknown or its fields contradict each other,
// or if image and host are both Windows but the release of the image is unknown. Any matching other than [Relaxed] is
// [Strict].
//
// If [Image.Facts] is set, the facts decide: it returns No if no variant is for the host.
func CanRun(host Platform, image Image, matching Matching) Answer {
	return CanRunOn(host, "", image, matching)
}

// CanRunOn is CanRun for a host with an architecture, for example "amd64" or "arm64"; "" means that the architecture is
// unknown. Only facts contain the architecture of an image. CanRunOn returns Unknown for an image of another
// architecture that is not in an index: the container runtime does not compare the two then, and the image's
// configuration may be wrong.
func CanRunOn(host Platform, architecture string, image Image, matching Matching) Answer {
	switch {
	case host.Valid() && image.Facts != nil:
		return image.Facts.canRun(host, architecture, image.HostProcess, matching)
	case !host.Valid() || !image.consistent():
		return Unknown
	case host.OS() != image.OS:
		return No
	case host == Linux || image.HostProcess:
		return Yes
	case image.Release == "":
		return Unknown
	default:
		return runsBuild(host, buildNumber(image.Release), matching)
	}
}

// runsBuild reports whether a Windows host runs images of a build.
func runsBuild(host Platform, image int, matching Matching) Answer {
	if image == buildNumber(host) || matching == Relaxed && runsOlder(buildNumber(host), image) {
		return Yes
	}
	return No
}

// firstCompatible is the build of Windows Server 2022. It is the first release whose images later hosts are guaranteed
// to run.
const firstCompatible = 20348

// runsOlder reports whether a host with one build runs images of another one. Only the third part of a build counts:
// all releases are 10.0.
func runsOlder(hostBuild, imageBuild int) bool {
	// For a host before firstCompatible the range below is empty.
	oldest := firstCompatible
	for _, r := range releases {
		if build := buildNumber(r.Platform); r.Channel == LTSC && build < hostBuild {
			oldest = max(oldest, build)
		}
	}
	return oldest <= imageBuild && imageBuild <= hostBuild
}
