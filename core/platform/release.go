package platform

import (
	"strconv"
	"strings"

	"github.com/mixedkube/mixedkube/internal/core/facts"
)

// Release describes one release of Windows Server.
//
// Source: https://learn.microsoft.com/windows/release-health/windows-server-release-info.
type Release struct {
	// Platform is the name of the release in this library.
	Platform Platform
	// Name is Microsoft's product name, for example "Windows Server 2022" or
	// "Windows Server, version 20H2".
	Name string
	// Build is the version of the kernel without revision, for example
	// "10.0.20348".
	Build string
	// Channel is the servicing channel.
	Channel Channel
	// Tags are the tags of the base images of this release, the preferred one first. Empty for 23H2, which has no base
	// images of its own and uses those of Windows Server 2022.
	Tags []string
	// MainstreamEnd is the last day of mainstream support, as an ISO 8601 date; only a year ("2019") if no day is
	// recorded.
	MainstreamEnd string
	// ExtendedEnd is the last day of extended support, in the same form. Empty for the SAC releases, which never had
	// extended support: all support for them ended at MainstreamEnd.
	ExtendedEnd string
}

// Channel is the way in which Microsoft services a release.
type Channel string

// The servicing channels.
const (
	// LTSC is the long-term servicing channel: five years of mainstream and
	// five of extended support.
	LTSC Channel = "LTSC"
	// SAC is the semi-annual channel, discontinued after version 20H2.
	SAC Channel = "SAC"
	// Annual is the annual channel for container hosts.
	Annual Channel = "Annual"
)

// releases lists every Windows release, the oldest first. It is read-only.
var releases = []Release{
	release(WindowsServer2016, "Windows Server 2016", "10.0.14393", LTSC, "ltsc2016"),
	release(WindowsServer1709, "Windows Server, version 1709", "10.0.16299", SAC, "1709"),
	release(WindowsServer1803, "Windows Server, version 1803", "10.0.17134", SAC, "1803"),
	release(WindowsServer2019, "Windows Server 2019", "10.0.17763", LTSC, "ltsc2019", "1809"),
	release(WindowsServer1903, "Windows Server, version 1903", "10.0.18362", SAC, "1903"),
	release(WindowsServer1909, "Windows Server, version 1909", "10.0.18363", SAC, "1909"),
	release(WindowsServer2004, "Windows Server, version 2004", "10.0.19041", SAC, "2004"),
	release(WindowsServer20H2, "Windows Server, version 20H2", "10.0.19042", SAC, "20H2"),
	release(WindowsServer2022, "Windows Server 2022", "10.0.20348", LTSC, "ltsc2022"),
	release(WindowsServer23H2, "Windows Server, version 23H2", "10.0.25398", Annual),
	release(WindowsServer2025, "Windows Server 2025", "10.0.26100", LTSC, "ltsc2025"),
}

func release(p Platform, name, build string, channel Channel, tags ...string) Release {
	support := facts.WindowsSupport[string(p)]
	return Release{p, name, build, channel, tags, support.Mainstream, support.Extended}
}

// find returns the row of a Windows platform, or nil. Callers must not modify it or pass it out of the package.
func find(p Platform) *Release { return named[p].release }

// buildNumber returns the number that identifies a Windows release, 20348 in 10.0.20348; 0 for any other platform.
func buildNumber(p Platform) int { return named[p].number }

// row is a release with the number of its build.
type row struct {
	release *Release
	number  int
}

// named are the releases by their platforms: they are found millions of times.
var named = func() map[Platform]row {
	rows := map[Platform]row{}
	for i := range releases {
		build := releases[i].Build
		number, err := strconv.Atoi(build[strings.LastIndexByte(build, '.')+1:])
		if err != nil {
			panic(err) // a mistake in the table
		}
		rows[releases[i].Platform] = row{&releases[i], number}
	}
	return rows
}()

// ByBuild returns the Windows release with a build, written with or without its revision: "10.0.17763" or
// "10.0.17763.437". It returns false for anything else, and for a build that is not in the table.
func ByBuild(build string) (Platform, bool) {
	for i := range releases {
		r := &releases[i]
		rest, found := strings.CutPrefix(build, r.Build)
		if !found {
			continue
		}
		revision, hasRevision := strings.CutPrefix(rest, ".")
		if rest == "" || hasRevision && isNumber(revision) {
			return r.Platform, true
		}
	}
	return "", false
}

// Revision returns the last part of a Windows version of this platform, 437 of "10.0.17763.437" for Windows Server
// 2019. It returns false for versions of other builds, and for those without a revision.
func (p Platform) Revision(version string) (int, bool) {
	text, ok := strings.CutPrefix(version, p.Build()+".")
	revision, err := strconv.ParseUint(text, 10, 31)
	if !p.IsWindows() || !ok || err != nil || strconv.FormatUint(revision, 10) != text {
		return 0, false
	}
	return int(revision), true
}

// byTag returns the Windows release whose base images have a container tag, in upper or lower case.
func byTag(tag string) (Platform, bool) {
	for _, r := range releases {
		for _, t := range r.Tags {
			if strings.EqualFold(t, tag) {
				return r.Platform, true
			}
		}
	}
	return "", false
}

func isNumber(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}
