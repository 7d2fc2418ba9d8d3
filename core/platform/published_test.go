package platform_test

import (
	"testing"

	"github.com/mixedkube/mixedkube/core/platform"
)

func TestPublishedTag(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, ref string
		release   platform.Platform
		want      string // "" if there is none
	}{
		{"Server Core", "mcr.microsoft.com/windows/servercore:ltsc2019", "windows-2025", "ltsc2025"},
		{
			"Server Core with a build", "mcr.microsoft.com/windows/servercore:10.0.17763.437-amd64", "windows-2022",
			"ltsc2022",
		},
		{
			"Server Core with an update", "mcr.microsoft.com/windows/servercore:1903-KB4512508", "windows-2019",
			"ltsc2019",
		},
		{"Server Core for a retired release", "mcr.microsoft.com/windows/servercore:ltsc2022", "windows-20h2", ""},
		{
			"Server Core for 23H2, which has no images", "mcr.microsoft.com/windows/servercore:ltsc2019",
			"windows-23h2", "",
		},
		{"Server Core for Linux", "mcr.microsoft.com/windows/servercore:ltsc2019", "linux", ""},
		{"Nano Server of 2019", "mcr.microsoft.com/windows/nanoserver:ltsc2022", "windows-2019", "1809"},
		{"Nano Server of 2016", "mcr.microsoft.com/windows/nanoserver:ltsc2022", "windows-2016", ""},
		{"the image with the full API", "mcr.microsoft.com/windows/server:ltsc2022", "windows-2025", "ltsc2025"},
		{
			"the image with the full API for 2019, which had another name", "mcr.microsoft.com/windows/server:ltsc2022",
			"windows-2019", "",
		},
		{"the full API, of old", "mcr.microsoft.com/windows:1809", "windows-2022", ""},
		{
			"IIS", "mcr.microsoft.com/windows/servercore/iis:windowsservercore-ltsc2016", "windows-2019",
			"windowsservercore-ltsc2019",
		},
		{
			".NET on Nano Server", "mcr.microsoft.com/dotnet/aspnet:8.0-nanoserver-ltsc2025", "windows-2019",
			"8.0-nanoserver-1809",
		},
		{
			".NET on Server Core", "mcr.microsoft.com/dotnet/sdk:9.0-windowsservercore-ltsc2019", "windows-2025",
			"9.0-windowsservercore-ltsc2025",
		},
		{
			".NET 10", "mcr.microsoft.com/dotnet/runtime:10.0-nanoserver-ltsc2022", "windows-2025",
			"10.0-nanoserver-ltsc2025",
		},
		{".NET 10 for 2019", "mcr.microsoft.com/dotnet/runtime:10.0-nanoserver-ltsc2022", "windows-2019", ""},
		{".NET of one build", "mcr.microsoft.com/dotnet/aspnet:8.0.1-nanoserver-1809", "windows-2025", ""},
		{".NET that is no longer supported", "mcr.microsoft.com/dotnet/aspnet:5.0-nanoserver-1809", "windows-2025", ""},
		{".NET for a processor", "mcr.microsoft.com/dotnet/aspnet:8.0-nanoserver-ltsc2022-amd64", "windows-2025", ""},
		{
			".NET Framework", "mcr.microsoft.com/dotnet/framework/aspnet:4.8-windowsservercore-ltsc2019",
			"windows-2022", "4.8-windowsservercore-ltsc2022",
		},
		{
			".NET Framework without an image for 2025",
			"mcr.microsoft.com/dotnet/framework/aspnet:4.8-windowsservercore-ltsc2019", "windows-2025", "",
		},
		{
			"a newer .NET Framework", "mcr.microsoft.com/dotnet/framework/sdk:4.8.1-windowsservercore-ltsc2022",
			"windows-2025", "4.8.1-windowsservercore-ltsc2025",
		},
		{
			"a .NET Framework of one day",
			"mcr.microsoft.com/dotnet/framework/aspnet:4.8-20190910-windowsservercore-ltsc2019", "windows-2022", "",
		},
		{"another image of Microsoft's", "mcr.microsoft.com/powershell:lts-nanoserver-1809", "windows-2022", ""},
		{"Docker Hub, until 2018", "microsoft/iis:windowsservercore-ltsc2019", "windows-2025", ""},
		{"a mirror", "shop.example.com/windows/servercore:ltsc2019", "windows-2022", ""},
		{
			"a mirror that keeps the host in its path",
			"mirror.example.com/mcr.microsoft.com/windows/servercore:ltsc2019", "windows-2022", "",
		},
		{"a digest", "mcr.microsoft.com/windows/servercore:ltsc2019" + digest, "windows-2022", ""},
		{"somebody's own", "stefanscherer/whoami:windows-amd64-1.5.4-ltsc2019", "windows-2025", ""},
		{"no reference", "mcr.microsoft.com/", "windows-2022", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got, ok := platform.PublishedTag(tt.ref, tt.release); got != tt.want || ok != (tt.want != "") {
				t.Errorf("PublishedTag(%q, %s) = %q, %t, want %q", tt.ref, tt.release, got, ok, tt.want)
			}
		})
	}
}
