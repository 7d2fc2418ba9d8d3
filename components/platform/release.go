package platform

import "strings"

// Release is what is known about one release of Windows Server.
//
// Sources: https://learn.microsoft.com/windows/release-health/windows-server-release-info
// for builds and channels, https://learn.microsoft.com/lifecycle/products/ for
// the dates.
type Release struct {
	// Platform is the release's name in this library.
	Platform Platform
	// Name is Microsoft's product name, for example "Windows Server 2022" or
	// "Windows Server, version 20H2".
	Name string
	// Build is the version of the kernel without revision, for example
	// "10.0.20348".
	Build string
	// Channel is the servicing channel.
	Channel Channel
	// Tags are the tags under which the base images of this release are
	// published, the preferred one first. Empty for 23H2, which has no base
	// images of its own and is used with those of Windows Server 2022.
	Tags []string
	// MainstreamEnd is the last day of mainstream support, as an ISO 8601 date;
	// only a year ("2019") where no day is recorded.
	MainstreamEnd string
	// ExtendedEnd is the last day of extended support, in the same form. Empty
	// for the SAC releases, which never had any: all support for them ended at
	// MainstreamEnd.
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

// releases holds every Windows release, the oldest first. Nothing writes to it.
var releases = []Release{
	{WindowsServer2016, "Windows Server 2016", "10.0.14393", LTSC, []string{"ltsc2016"}, "2022-01-11", "2027-01-12"},
	{WindowsServer1709, "Windows Server, version 1709", "10.0.16299", SAC, []string{"1709"}, "2019", ""},
	{WindowsServer1803, "Windows Server, version 1803", "10.0.17134", SAC, []string{"1803"}, "2019", ""},
	{
		WindowsServer2019, "Windows Server 2019", "10.0.17763", LTSC,
		[]string{"ltsc2019", "1809"},
		"2024-01-09",
		"2029-01-09",
	},
	{WindowsServer1903, "Windows Server, version 1903", "10.0.18362", SAC, []string{"1903"}, "2020-12-08", ""},
	{WindowsServer1909, "Windows Server, version 1909", "10.0.18363", SAC, []string{"1909"}, "2021-05-11", ""},
	{WindowsServer2004, "Windows Server, version 2004", "10.0.19041", SAC, []string{"2004"}, "2021-12-14", ""},
	{WindowsServer20H2, "Windows Server, version 20H2", "10.0.19042", SAC, []string{"20H2"}, "2022-08-09", ""},
	{WindowsServer2022, "Windows Server 2022", "10.0.20348", LTSC, []string{"ltsc2022"}, "2026-10-13", "2031-10-14"},
	{WindowsServer23H2, "Windows Server, version 23H2", "10.0.25398", Annual, nil, "2025-04-24", "2025-10-24"},
	{WindowsServer2025, "Windows Server 2025", "10.0.26100", LTSC, []string{"ltsc2025"}, "2029-10-09", "2034-10-10"},
}

// find returns the row of a Windows platform, or nil. Callers must not write
// to it or let it out of the package.
func find(p Platform) *Release {
	for i := range releases {
		if releases[i].Platform == p {
			return &releases[i]
		}
	}
	return nil
}

// ByBuild returns the Windows release with a build, written with or without
// its revision: "10.0.17763" or "10.0.17763.437". It returns false for anything
// else, and for a build that is not in the table.
func ByBuild(build string) (Platform, bool) {
	for _, r := range releases {
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

// byTag returns the Windows release whose base images carry a container tag,
// in upper or lower case.
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
