package platform

import (
	"fmt"
	"strconv"
	"strings"
)

// Answer is the answer to a question that may have none. The zero value is
// Unknown.
type Answer int

// The answers. Unknown is neither Yes nor No: nothing may be refused for it.
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

// Matching is how well the Windows release of an image has to match that of its
// host. Empty is [Strict].
type Matching string

const (
	// Strict asks for the build of the host, as the documentation of Kubernetes
	// and of AKS does.
	// Source: https://kubernetes.io/docs/concepts/windows/intro/#windows-os-version-support
	Strict Matching = "strict"
	// Relaxed allows what Windows itself runs with process isolation: a host
	// before Windows Server 2022 runs its own build only; later ones also run
	// images back to the previous LTSC release, but none older than 2022. A
	// newer image never runs on an older host. Nodes do so whose containerd does.
	// Source: package osversion of github.com/Microsoft/hcsshim v0.15.0, and
	// platform_compat_windows.go of github.com/containerd/platforms v0.2.1, which
	// containerd 1.7.29 uses.
	Relaxed Matching = "relaxed"
)

// Matchings are all of them.
func Matchings() []Matching { return []Matching{Strict, Relaxed} }

// CanRun reports whether a container of image can run on host with process
// isolation. Only operating systems and releases count, not the architecture of
// Linux nodes (see [CanRunOn]), and not Hyper-V isolation.
//
// It is Unknown when host is no valid platform, when the image's OS is not
// known or its fields contradict each other, and when image and host are both
// Windows but the release of the image is not known. Any matching other than
// [Relaxed] is [Strict].
//
// With [Image.Facts], these decide: it is No when no variant is for the host.
func CanRun(host Platform, image Image, matching Matching) Answer {
	return CanRunOn(host, "", image, matching)
}

// CanRunOn is CanRun for a host whose architecture is known too, "amd64" or
// "arm64" for example; "" for one that is not. Only facts tell that of an image.
// It is Unknown for an image of another architecture that is not in an index:
// the runtime does not compare the two then, and its configuration may be wrong.
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

// firstCompatible is the build of Windows Server 2022, the first release that
// promises later hosts to run its images.
const firstCompatible = 20348

// runsOlder tells whether the host of a build runs images of another one. Only
// the third part of a build counts: all releases are 10.0.
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

// buildNumber returns the number that tells Windows releases apart, 20348 in
// 10.0.20348.
func buildNumber(p Platform) int {
	build := p.Build()
	number, err := strconv.Atoi(build[strings.LastIndexByte(build, '.')+1:])
	if err != nil {
		return 0 // not a Windows platform
	}
	return number
}
