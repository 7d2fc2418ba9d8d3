package platform

import (
	"slices"
	"strconv"
	"strings"
)

// FromFacts returns the platform of an image according to its registry. Without facts, or if the facts name no
// operating system, it returns the result of [FromImage].
//
// Release is set if all variants have the same release. An image for both operating systems, or for neither, has no OS;
// [CanRun] knows which hosts run it. [Image.HostProcess] is set for the base image of host-process containers,
// identified by its name, and for images that contain nothing else of Windows either.
func FromFacts(ref string, facts *Facts) Image {
	variants := facts.variants()
	if len(variants) == 0 {
		return FromImage(ref)
	}
	image := Image{OS: variants[0].OS, Facts: facts}
	if slices.ContainsFunc(variants, func(v Variant) bool { return v.OS != image.OS }) ||
		image.OS != LinuxOS && image.OS != WindowsOS {
		return Image{Facts: facts}
	}
	if image.OS == LinuxOS {
		return image
	}
	parsed, ok := parseReference(ref)
	if ok && isHostProcessBase(parsed) || !slices.ContainsFunc(variants, Variant.holdsWindows) {
		image.HostProcess = true
		return image
	}
	release, _ := ByBuild(variants[0].OSVersion)
	if !slices.ContainsFunc(variants, func(v Variant) bool { r, _ := ByBuild(v.OSVersion); return r != release }) {
		image.Release = release
	}
	return image
}

// unknownOS is the OS that BuildKit writes for manifests that are not images, but describe how an image was built.
// Source: https://docs.docker.com/build/metadata/attestations/attestation-storage/
const unknownOS = "unknown"

// variants returns the variants that can run. It returns none if a variant does not state its operating system.
func (f *Facts) variants() []Variant {
	if f == nil || slices.ContainsFunc(f.Variants, func(v Variant) bool { return v.OS == "" }) {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(f.Variants), func(v Variant) bool { return v.OS == unknownOS })
}

// For returns the variants for an operating system, in the order of the index.
func (f *Facts) For(os OS) []Variant {
	return slices.DeleteFunc(f.variants(), func(v Variant) bool { return v.OS != os })
}

// Indexed reports whether the reference resolves to an index rather than to a manifest of one platform. A container
// runtime compares platforms only to choose from an index. Source:
// https://github.com/containerd/containerd/blob/v1.7.29/images/image.go, Manifest.
func (f *Facts) Indexed() bool {
	return f != nil && (len(f.Variants) != 1 || f.Variants[0].Digest != f.Digest)
}

// Read reports whether the configuration was read. Without layers it was not, and an empty user has no meaning.
func (v Variant) Read() bool { return len(v.Layers) > 0 }

// smallestWindows is smaller than the compressed base layer of any Windows image. The smallest one, Nano Server's, has
// about 100 MB; the base image of host-process containers has a few KB. Source:
// https://github.com/microsoft/windows-host-process-containers-base-image
const smallestWindows = 1 << 20

// holdsWindows returns false for a variant that does not contain Windows: it names no build, and its lowest layer is
// too small. If the layers are unknown, it returns true.
func (v Variant) holdsWindows() bool {
	return v.OSVersion != "" || !v.Read() || v.Layers[0] >= smallestWindows
}

// canRun returns the best answer of all variants.
func (f *Facts) canRun(host Platform, architecture string, hostProcess bool, matching Matching) Answer {
	best := No
	for _, v := range f.variants() {
		switch v.canRun(host, architecture, hostProcess, matching, f.Indexed()) {
		case Yes:
			return Yes
		case Unknown:
			best = Unknown
		case No:
		}
	}
	return best
}

func (v Variant) canRun(host Platform, architecture string, hostProcess bool, matching Matching, indexed bool) Answer {
	if host.IsWindows() {
		architecture = "amd64" // the only one that Windows Server has
	}
	switch {
	case v.OS != host.OS():
		return No
	case !runsArchitecture(architecture, v.Architecture) && indexed:
		return No
	case !runsArchitecture(architecture, v.Architecture):
		return Unknown
	case host == Linux || hostProcess && !indexed || !v.holdsWindows():
		return Yes
	}
	build, known := v.build()
	switch {
	case hostProcess && v.OSVersion == "":
		return Yes // containerd pulls it on every host: windowsmatcher of its module platforms
	case !known:
		return Unknown
	case hostProcess && runsBuild(host, build, matching) != Yes:
		return Unknown // the container would run, but not every containerd pulls the image
	default:
		return runsBuild(host, build, matching)
	}
}

// build returns the number that identifies a Windows release, 20348 in 10.0.20348.2700.
func (v Variant) build() (int, bool) {
	parts := strings.Split(v.OSVersion, ".")
	if len(parts) < 3 || parts[0] != "10" || parts[1] != "0" {
		return 0, false
	}
	number, err := strconv.Atoi(parts[2])
	return number, err == nil
}

// runsArchitecture reports whether a node of one architecture selects an image of another one from an index. An unknown
// architecture matches any other. Source: https://github.com/containerd/platforms/blob/v1.0.0-rc.5/compare.go,
// platformVector.
func runsArchitecture(node, image string) bool {
	return node == "" || image == "" || node == image || node == "amd64" && image == "386" ||
		node == "arm64" && image == "arm"
}

// String lists the variants in short form: "Linux/amd64, Linux/arm64, Windows Server 2019 and 2022".
func (f *Facts) String() string {
	var parts, releases []string
	for _, v := range f.variants() {
		switch v.OS {
		case LinuxOS:
			parts = append(parts, "Linux/"+v.Architecture)
		case WindowsOS:
			releases = append(releases, v.releaseName())
		default:
			parts = append(parts, string(v.OS)+"/"+v.Architecture)
		}
	}
	parts = unique(parts)
	if len(parts) > shownVariants {
		parts = append(parts[:shownVariants], strconv.Itoa(len(parts)-shownVariants)+" others")
	}
	releases = unique(releases)
	for i := range releases[min(1, len(releases)):] {
		releases[i+1] = strings.TrimPrefix(releases[i+1], "Windows Server ")
	}
	if last := len(releases) - 1; last > 0 {
		releases = []string{strings.Join(releases[:last], ", ") + " and " + releases[last]}
	}
	return strings.Join(append(parts, releases...), ", ")
}

// shownVariants is the maximum number of architectures in the list.
const shownVariants = 4

func (v Variant) releaseName() string {
	p, known := ByBuild(v.OSVersion)
	switch r, _ := p.Release(); {
	case known:
		return r.Name
	case v.OSVersion != "":
		return "Windows " + v.OSVersion
	default:
		return "Windows"
	}
}

// unique removes duplicates and preserves the order.
func unique(texts []string) []string {
	var distinct []string
	for _, text := range texts {
		if !slices.Contains(distinct, text) {
			distinct = append(distinct, text)
		}
	}
	return distinct
}
