package platform

import (
	"slices"
	"strings"
)

// Platform is Linux or one release of Windows Server.
//
// Its value is used in configuration, and as the name of the RuntimeClass for the platform. Only the values listed here
// are valid.
//
// In Go, use [Parse] for values that a person or a cloud wrote. The zero value is not a platform: each of its methods
// returns a zero value.
type Platform string

// The platforms. Linux is one platform: the distribution of a node does not affect where a pod can run. Windows is one
// platform for each release, because containers share the kernel of their host.
const (
	// Linux is Linux of any distribution.
	Linux Platform = "linux"
	// WindowsServer2016 is Windows Server 2016.
	WindowsServer2016 Platform = "windows-2016"
	// WindowsServer1709 is Windows Server version 1709.
	WindowsServer1709 Platform = "windows-1709"
	// WindowsServer1803 is Windows Server version 1803.
	WindowsServer1803 Platform = "windows-1803"
	// WindowsServer2019 is Windows Server 2019.
	WindowsServer2019 Platform = "windows-2019" // version 1809
	// WindowsServer1903 is Windows Server version 1903.
	WindowsServer1903 Platform = "windows-1903"
	// WindowsServer1909 is Windows Server version 1909.
	WindowsServer1909 Platform = "windows-1909"
	// WindowsServer2004 is Windows Server version 2004.
	WindowsServer2004 Platform = "windows-2004" // version 2004 of the year 2020
	// WindowsServer20H2 is Windows Server version 20H2.
	WindowsServer20H2 Platform = "windows-20h2"
	// WindowsServer2022 is Windows Server 2022.
	WindowsServer2022 Platform = "windows-2022"
	// WindowsServer23H2 is Windows Server version 23H2.
	WindowsServer23H2 Platform = "windows-23h2"
	// WindowsServer2025 is Windows Server 2025.
	WindowsServer2025 Platform = "windows-2025"
)

// All returns every platform: Linux, then the Windows releases from the oldest to the newest. The caller owns the
// slice.
func All() []Platform {
	return slices.Insert(Windows(), 0, Linux)
}

// Windows returns the Windows platforms from the oldest to the newest. The caller owns the slice.
func Windows() []Platform {
	platforms := make([]Platform, 0, len(releases)+1)
	for _, r := range releases {
		platforms = append(platforms, r.Platform)
	}
	return platforms
}

// OS returns the operating system, the value of the node label kubernetes.io/os; "" if p is not valid.
func (p Platform) OS() OS {
	switch {
	case p == Linux:
		return LinuxOS
	case p.IsWindows():
		return WindowsOS
	default:
		return ""
	}
}

// IsWindows reports whether p is one of the Windows releases.
func (p Platform) IsWindows() bool {
	return find(p) != nil
}

// Valid reports whether p is one of the constants of this package. A spelling
// that only [Parse] understands, such as "ltsc2022", is not valid.
func (p Platform) Valid() bool {
	return p.OS() != ""
}

// String returns the canonical name, for example "windows-2022".
func (p Platform) String() string {
	return string(p)
}

// DisplayName returns the usual name, for example "Windows Server 2022" or "Linux".
func (p Platform) DisplayName() string {
	if release, ok := p.Release(); ok {
		return release.Name
	}
	return p.OS().DisplayName()
}

// Join returns the canonical names of platforms, separated by commas.
func Join(platforms []Platform) string { return strings.Join(names(platforms), ", ") }

// Release returns the facts about a Windows release, or false for Linux and for an invalid platform. The caller owns
// its slices.
func (p Platform) Release() (Release, bool) {
	r := find(p)
	if r == nil {
		return Release{}, false
	}
	release := *r
	release.Tags = slices.Clone(r.Tags)
	return release, true
}

// Build returns the Windows build without its revision, for example
// "10.0.20348": the value of the node label node.kubernetes.io/windows-build.
// It is "" for Linux and for an invalid platform.
func (p Platform) Build() string {
	if r := find(p); r != nil {
		return r.Build
	}
	return ""
}
