package facts

import "fmt"

// Support is how long Microsoft supports a release of Windows Server: the last day, as
// an ISO 8601 date, or only the year if no day is recorded. Extended is empty for a release
// without extended support.
type Support struct{ Mainstream, Extended string }

// WindowsSupport has the support of each platform. The last update of 23H2 is of 2026-05-12, the day of Microsoft's
// statement that updates end (support.microsoft.com/servicing/os/windows-server/2026/05/end-of-updates-statement); its
// page of the life cycle had 2025-04-24 and 2025-10-24.
//
//facts:seen 2026-07-22 https://learn.microsoft.com/lifecycle/products/?terms=windows%20server
//facts:expires 2027-07-22
var WindowsSupport = map[string]Support{
	"windows-2016": {"2022-01-11", "2027-01-12"},
	"windows-1709": {"2019-04-09", ""},
	"windows-1803": {"2019-11-12", ""},
	"windows-2019": {"2024-01-09", "2029-01-09"},
	"windows-1903": {"2020-12-08", ""},
	"windows-1909": {"2021-05-11", ""},
	"windows-2004": {"2021-12-14", ""},
	"windows-20h2": {"2022-08-09", ""},
	"windows-2022": {"2026-10-13", "2031-10-14"},
	"windows-23h2": {"2026-05-12", "2026-05-12"},
	"windows-2025": {"2029-11-13", "2034-11-14"},
}

// WindowsTags are tags of Microsoft's images that end with the release.
type WindowsTags struct {
	// Repositories are their paths in Microsoft's registry.
	Repositories []string
	// Begin is what the tags begin with.
	Begin []string
	// Platforms are the releases that have them.
	Platforms []string
}

// PublishedTags are the tags of Microsoft's images for the long-term releases. Versions of
// .NET that are no longer supported, and tags of a single build, are left out: not every
// release has them. For more, see https://github.com/microsoft/iis-docker,
// https://github.com/dotnet/dotnet-docker and https://github.com/microsoft/dotnet-framework-docker.
//
//facts:seen 2026-07-01 https://learn.microsoft.com/virtualization/windowscontainers/manage-containers/container-base-images
var PublishedTags = []WindowsTags{
	{[]string{"windows/servercore"}, []string{""}, windows(2016, 2019, 2022, 2025)},
	{[]string{"windows/nanoserver"}, []string{""}, windows(2019, 2022, 2025)},
	{[]string{"windows/server"}, []string{""}, windows(2022, 2025)},
	{[]string{"windows/servercore/iis"}, []string{"windowsservercore-"}, windows(2016, 2019, 2022, 2025)},
	{
		dotnet,
		[]string{"8.0-nanoserver-", "9.0-nanoserver-", "8.0-windowsservercore-", "9.0-windowsservercore-"},
		windows(2019, 2022, 2025),
	},
	{dotnet, []string{"10.0-nanoserver-", "10.0-windowsservercore-"}, windows(2022, 2025)},
	{framework, []string{"3.5-windowsservercore-"}, windows(2019, 2022, 2025)},
	{framework, []string{"4.8-windowsservercore-"}, windows(2016, 2019, 2022)},
	{framework, []string{"4.8.1-windowsservercore-"}, windows(2022, 2025)},
}

//facts:none the repositories of PublishedTags
var (
	dotnet    = []string{"dotnet/aspnet", "dotnet/runtime", "dotnet/sdk"}
	framework = []string{"dotnet/framework/aspnet", "dotnet/framework/runtime", "dotnet/framework/sdk"}
)

// windows returns the platforms of long-term releases.
func windows(years ...int) []string {
	platforms := make([]string, len(years))
	for i, year := range years {
		platforms[i] = fmt.Sprintf("windows-%d", year)
	}
	return platforms
}

// RetiredImages are the repositories that Microsoft had on Docker Hub, and where the
// images for Windows Server 2022 are now.
//
//facts:seen 2026-08-07 https://learn.microsoft.com/virtualization/windowscontainers/manage-containers/container-base-images
//facts:seen 2026-07-14 https://github.com/microsoft/dotnet-framework-docker
var RetiredImages = map[string]string{
	"aspnet":            "mcr.microsoft.com/dotnet/framework/aspnet:4.8.1-windowsservercore-ltsc2022",
	"dotnet-framework":  "mcr.microsoft.com/dotnet/framework/runtime:4.8.1-windowsservercore-ltsc2022",
	"iis":               "mcr.microsoft.com/windows/servercore/iis:windowsservercore-ltsc2022",
	"nanoserver":        "mcr.microsoft.com/windows/nanoserver:ltsc2022",
	"wcf":               "mcr.microsoft.com/dotnet/framework/wcf:4.8.1-windowsservercore-ltsc2022",
	"windowsservercore": "mcr.microsoft.com/windows/servercore:ltsc2022",
}
