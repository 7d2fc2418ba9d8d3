package platform_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/internal/core/facts"
)

// The facts name platforms by text, so a typo would silently drop an entry.
func TestTheFactsNamePlatforms(t *testing.T) {
	t.Parallel()
	names := map[string]string{}
	for name := range facts.WindowsSupport {
		names[name] = "WindowsSupport"
	}
	for _, tags := range facts.PublishedTags {
		for _, name := range tags.Platforms {
			names[name] = "PublishedTags"
		}
	}
	for _, sku := range facts.SKUs {
		if sku.Platform != "" {
			names[sku.Platform] = "SKUs"
		}
	}
	for name, at := range names {
		if !platform.Platform(name).IsWindows() {
			t.Errorf("%s: %q is not a platform of Windows", at, name)
		}
		if _, ok := facts.WindowsSupport[name]; !ok {
			t.Errorf("%s has no support", name)
		}
	}
}

func TestReleaseReturnsTheRowOfTheTable(t *testing.T) {
	t.Parallel()
	tests := []struct {
		platform platform.Platform
		want     platform.Release
	}{
		{platform.WindowsServer2016, platform.Release{
			Platform: "windows-2016", Name: "Windows Server 2016", Build: "10.0.14393", Channel: platform.LTSC,
			Tags: []string{"ltsc2016"}, MainstreamEnd: "2022-01-11", ExtendedEnd: "2027-01-12",
		}},
		{platform.WindowsServer1709, platform.Release{
			Platform: "windows-1709", Name: "Windows Server, version 1709", Build: "10.0.16299", Channel: platform.SAC,
			Tags: []string{"1709"}, MainstreamEnd: "2019-04-09",
		}},
		{platform.WindowsServer1803, platform.Release{
			Platform: "windows-1803", Name: "Windows Server, version 1803", Build: "10.0.17134", Channel: platform.SAC,
			Tags: []string{"1803"}, MainstreamEnd: "2019-11-12",
		}},
		{platform.WindowsServer2019, platform.Release{
			Platform: "windows-2019", Name: "Windows Server 2019", Build: "10.0.17763", Channel: platform.LTSC,
			Tags: []string{"ltsc2019", "1809"}, MainstreamEnd: "2024-01-09", ExtendedEnd: "2029-01-09",
		}},
		{platform.WindowsServer1903, platform.Release{
			Platform: "windows-1903", Name: "Windows Server, version 1903", Build: "10.0.18362", Channel: platform.SAC,
			Tags: []string{"1903"}, MainstreamEnd: "2020-12-08",
		}},
		{platform.WindowsServer1909, platform.Release{
			Platform: "windows-1909", Name: "Windows Server, version 1909", Build: "10.0.18363", Channel: platform.SAC,
			Tags: []string{"1909"}, MainstreamEnd: "2021-05-11",
		}},
		{platform.WindowsServer2004, platform.Release{
			Platform: "windows-2004", Name: "Windows Server, version 2004", Build: "10.0.19041", Channel: platform.SAC,
			Tags: []string{"2004"}, MainstreamEnd: "2021-12-14",
		}},
		{platform.WindowsServer20H2, platform.Release{
			Platform: "windows-20h2", Name: "Windows Server, version 20H2", Build: "10.0.19042", Channel: platform.SAC,
			Tags: []string{"20H2"}, MainstreamEnd: "2022-08-09",
		}},
		{platform.WindowsServer2022, platform.Release{
			Platform: "windows-2022", Name: "Windows Server 2022", Build: "10.0.20348", Channel: platform.LTSC,
			Tags: []string{"ltsc2022"}, MainstreamEnd: "2026-10-13", ExtendedEnd: "2031-10-14",
		}},
		{platform.WindowsServer23H2, platform.Release{
			Platform: "windows-23h2", Name: "Windows Server, version 23H2", Build: "10.0.25398",
			Channel:       platform.Annual,
			MainstreamEnd: "2026-05-12", ExtendedEnd: "2026-05-12",
		}},
		{platform.WindowsServer2025, platform.Release{
			Platform: "windows-2025", Name: "Windows Server 2025", Build: "10.0.26100", Channel: platform.LTSC,
			Tags: []string{"ltsc2025"}, MainstreamEnd: "2029-11-13", ExtendedEnd: "2034-11-14",
		}},
	}
	if len(tests) != len(platform.Windows()) {
		t.Errorf("the test knows %d releases, the table has %d", len(tests), len(platform.Windows()))
	}
	for _, tt := range tests {
		t.Run(string(tt.platform), func(t *testing.T) {
			t.Parallel()
			got, ok := tt.platform.Release()
			if !ok {
				t.Fatal("Release() found nothing")
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("Release() (-want +got):\n%s", diff)
			}
		})
	}
}

func TestOnlyWindowsPlatformsHaveARelease(t *testing.T) {
	t.Parallel()
	for _, p := range []platform.Platform{platform.Linux, "", "windows", "ltsc2022"} {
		got, ok := p.Release()
		if diff := cmp.Diff(platform.Release{}, got); ok || diff != "" {
			t.Errorf("Platform(%q).Release() = _, %t (-want +got):\n%s", p, ok, diff)
		}
	}
}

func TestRevision(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		platform platform.Platform
		version  string
		want     int
		ok       bool
	}{
		{platform.WindowsServer2019, "10.0.17763.437", 437, true},
		{platform.WindowsServer2019, "10.0.17763.0", 0, true},
		{platform.WindowsServer2019, "10.0.20348.1", 0, false},
		{platform.WindowsServer2019, "10.0.17763", 0, false},
		{platform.WindowsServer2019, "10.0.17763.", 0, false},
		{platform.WindowsServer2019, "10.0.17763.0437", 0, false},
		{platform.WindowsServer2019, "10.0.17763.-1", 0, false},
		{platform.WindowsServer2019, "10.0.17763.437.1", 0, false},
		{platform.Linux, ".5", 0, false},
	} {
		if got, ok := tt.platform.Revision(tt.version); got != tt.want || ok != tt.ok {
			t.Errorf("%s: Revision(%q) = %d, %t, want %d, %t", tt.platform, tt.version, got, ok, tt.want, tt.ok)
		}
	}
}

func TestByBuild(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name  string
		build string
		want  platform.Platform
	}{
		{"a build without revision is found", "10.0.17763", platform.WindowsServer2019},
		{"a build with revision is found", "10.0.17763.437", platform.WindowsServer2019},
		{"the newest build is found", "10.0.26100.1", platform.WindowsServer2025},
		{"a build that no release has is not found", "10.0.22000.1", ""},
		{"a longer number is another build", "10.0.177630", ""},
		{"a revision must be a number", "10.0.17763.x", ""},
		{"a revision must not be empty", "10.0.17763.", ""},
		{"a fifth part is not allowed", "10.0.17763.437.1", ""},
		{"the number of the build alone is not enough", "17763", ""},
		{"another minor version is another Windows", "10.1.17763", ""},
		{"nothing is not found", "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, ok := platform.ByBuild(tt.build)
			if got != tt.want || ok != (tt.want != "") {
				t.Errorf("ByBuild(%q) = %q, %t, want %q", tt.build, got, ok, tt.want)
			}
		})
	}
}
