package platform_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/core/platform"
)

func TestAllListsLinuxAndThenWindowsFromOldestToNewest(t *testing.T) {
	t.Parallel()
	want := []platform.Platform{
		"linux", "windows-2016", "windows-1709", "windows-1803", "windows-2019", "windows-1903", "windows-1909",
		"windows-2004", "windows-20h2", "windows-2022", "windows-23h2", "windows-2025",
	}
	if diff := cmp.Diff(want, platform.All()); diff != "" {
		t.Errorf("All() (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(want[1:], platform.Windows()); diff != "" {
		t.Errorf("Windows() (-want +got):\n%s", diff)
	}
}

func TestListsBelongToTheCaller(t *testing.T) {
	t.Parallel()
	platform.All()[0] = "changed"
	platform.Windows()[0] = "changed"
	if got := platform.All()[:2]; !slices.Equal(got, []platform.Platform{platform.Linux, platform.WindowsServer2016}) {
		t.Errorf("All() starts with %q after a caller changed its slice", got)
	}
	release, _ := platform.WindowsServer2019.Release()
	release.Tags[0] = "changed"
	if again, _ := platform.WindowsServer2019.Release(); again.Tags[0] != "ltsc2019" {
		t.Errorf("Release().Tags[0] = %q after a caller changed its slice", again.Tags[0])
	}
}

func TestPlatformMethods(t *testing.T) {
	t.Parallel()
	tests := []struct {
		platform  platform.Platform
		os        platform.OS
		isWindows bool
		valid     bool
		build     string
	}{
		{platform.Linux, "linux", false, true, ""},
		{platform.WindowsServer2016, "windows", true, true, "10.0.14393"},
		{platform.WindowsServer1709, "windows", true, true, "10.0.16299"},
		{platform.WindowsServer1803, "windows", true, true, "10.0.17134"},
		{platform.WindowsServer2019, "windows", true, true, "10.0.17763"},
		{platform.WindowsServer1903, "windows", true, true, "10.0.18362"},
		{platform.WindowsServer1909, "windows", true, true, "10.0.18363"},
		{platform.WindowsServer2004, "windows", true, true, "10.0.19041"},
		{platform.WindowsServer20H2, "windows", true, true, "10.0.19042"},
		{platform.WindowsServer2022, "windows", true, true, "10.0.20348"},
		{platform.WindowsServer23H2, "windows", true, true, "10.0.25398"},
		{platform.WindowsServer2025, "windows", true, true, "10.0.26100"},
		{"", "", false, false, ""},
		{"windows", "", false, false, ""},
		{"Windows-2022", "", false, false, ""},
		{"ltsc2022", "", false, false, ""},
	}
	for _, tt := range tests {
		t.Run("platform "+string(tt.platform), func(t *testing.T) {
			t.Parallel()
			if got := tt.platform.OS(); got != tt.os {
				t.Errorf("OS() = %q, want %q", got, tt.os)
			}
			if got := tt.platform.IsWindows(); got != tt.isWindows {
				t.Errorf("IsWindows() = %t, want %t", got, tt.isWindows)
			}
			if got := tt.platform.Valid(); got != tt.valid {
				t.Errorf("Valid() = %t, want %t", got, tt.valid)
			}
			if got := tt.platform.Build(); got != tt.build {
				t.Errorf("Build() = %q, want %q", got, tt.build)
			}
			if got := tt.platform.String(); got != string(tt.platform) {
				t.Errorf("String() = %q, want %q", got, tt.platform)
			}
		})
	}
}

func TestDisplayNames(t *testing.T) {
	t.Parallel()
	for p, want := range map[platform.Platform]string{
		platform.Linux: "Linux", platform.WindowsServer2022: "Windows Server 2022", "": "Linux",
	} {
		if got := p.DisplayName(); got != want {
			t.Errorf("DisplayName() of %q is %q, want %q", p, got, want)
		}
	}
	for os, want := range map[platform.OS]string{
		platform.LinuxOS: "Linux", platform.WindowsOS: "Windows", "": "Linux",
	} {
		if got := os.DisplayName(); got != want {
			t.Errorf("DisplayName() of %q is %q, want %q", os, got, want)
		}
	}
	got := platform.Join([]platform.Platform{platform.WindowsServer2022, platform.Linux})
	if want := "windows-2022, linux"; got != want {
		t.Errorf("Join() is %q, want %q", got, want)
	}
}
