package platform_test

import (
	"strings"
	"testing"

	"github.com/mixedkube/mixedkube/core/platform"
)

const digest = "@sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

var (
	nothing = platform.Image{}
	linux   = platform.Image{OS: platform.LinuxOS}
	windows = platform.Image{OS: platform.WindowsOS}
)

func windowsRelease(p platform.Platform) platform.Image {
	return platform.Image{OS: platform.WindowsOS, Release: p}
}

var imageTests = []struct {
	name string
	ref  string
	want platform.Image
}{
	// Microsoft's base images.
	{"servercore with an LTSC tag", "mcr.microsoft.com/windows/servercore:ltsc2022", windowsRelease("windows-2022")},
	{"servercore with a version tag", "mcr.microsoft.com/windows/servercore:1809", windowsRelease("windows-2019")},
	{
		"servercore with a version of letters and digits", "mcr.microsoft.com/windows/servercore:20H2",
		windowsRelease("windows-20h2"),
	},
	{"servercore for version 2004", "mcr.microsoft.com/windows/servercore:2004", windowsRelease("windows-2004")},
	{
		"servercore for a processor", "mcr.microsoft.com/windows/servercore:ltsc2019-amd64",
		windowsRelease("windows-2019"),
	},
	{
		"servercore with a monthly update", "mcr.microsoft.com/windows/servercore:1903-KB4512508",
		windowsRelease("windows-1903"),
	},
	{
		"servercore with an update and a processor", "mcr.microsoft.com/windows/servercore:1909-KB4601315-amd64",
		windowsRelease("windows-1909"),
	},
	{
		"servercore with a full build", "mcr.microsoft.com/windows/servercore:10.0.17763.437",
		windowsRelease("windows-2019"),
	},
	{
		"servercore with a full build and a processor", "mcr.microsoft.com/windows/servercore:10.0.26100.1742-amd64",
		windowsRelease("windows-2025"),
	},
	{
		"servercore with a full build and a processor after an underscore",
		"mcr.microsoft.com/windows/servercore:10.0.17134.885_amd64", windowsRelease("windows-1803"),
	},
	{
		"servercore with a build without revision", "mcr.microsoft.com/windows/servercore:10.0.14393",
		windowsRelease("windows-2016"),
	},
	{"servercore without a tag", "mcr.microsoft.com/windows/servercore", windows},
	{"servercore with latest, which says nothing", "mcr.microsoft.com/windows/servercore:latest", windows},
	{"servercore with a build of no known release", "mcr.microsoft.com/windows/servercore:10.0.22000.1", windows},
	{"servercore with a long-term release of the future", "mcr.microsoft.com/windows/servercore:ltsc2031", windows},
	{
		"servercore with a known release and one of the future",
		"mcr.microsoft.com/windows/servercore:ltsc2031-ltsc2025", windows,
	},
	{"servercore with a year, which is not a tag", "mcr.microsoft.com/windows/servercore:2019", windows},
	{"servercore by digest", "mcr.microsoft.com/windows/servercore" + digest, windows},
	{
		"servercore by tag and digest", "mcr.microsoft.com/windows/servercore:ltsc2025" + digest,
		windowsRelease("windows-2025"),
	},
	{"nanoserver", "mcr.microsoft.com/windows/nanoserver:1809", windowsRelease("windows-2019")},
	{"server", "mcr.microsoft.com/windows/server:ltsc2022", windowsRelease("windows-2022")},
	{"the image with the full API", "mcr.microsoft.com/windows:20H2", windowsRelease("windows-20h2")},
	{"the image with the full API without a tag", "mcr.microsoft.com/windows", windows},
	{"an insider image", "mcr.microsoft.com/windows/server/insider:10.0.26063.1", windows},
	{"IIS", "mcr.microsoft.com/windows/servercore/iis:windowsservercore-ltsc2016", windowsRelease("windows-2016")},
	{"IIS without a tag", "mcr.microsoft.com/windows/servercore/iis", windows},
	{
		"the host of a registry in upper case", "MCR.Microsoft.com/windows/nanoserver:LTSC2025",
		windowsRelease("windows-2025"),
	},
	{"two releases in one tag", "mcr.microsoft.com/windows/servercore:ltsc2019-ltsc2022", windows},
	{
		"the same release twice in one tag", "mcr.microsoft.com/windows/servercore:1809-10.0.17763.437-ltsc2019",
		windowsRelease("windows-2019"),
	},

	// .NET.
	{".NET on nanoserver", "mcr.microsoft.com/dotnet/aspnet:8.0-nanoserver-1809", windowsRelease("windows-2019")},
	{
		".NET on servercore", "mcr.microsoft.com/dotnet/sdk:10.0-windowsservercore-ltsc2025",
		windowsRelease("windows-2025"),
	},
	{
		".NET on nanoserver for a processor", "mcr.microsoft.com/dotnet/runtime:9.0.1-nanoserver-ltsc2022-amd64",
		windowsRelease("windows-2022"),
	},
	{".NET on nanoserver of no named release", "mcr.microsoft.com/dotnet/runtime:9.0-nanoserver", windows},
	{".NET for many platforms", "mcr.microsoft.com/dotnet/aspnet:8.0", nothing},
	{".NET on Alpine", "mcr.microsoft.com/dotnet/aspnet:8.0-alpine3.20", linux},
	{".NET on Debian", "mcr.microsoft.com/dotnet/aspnet:8.0-bookworm-slim-amd64", linux},
	{".NET on chiseled Ubuntu", "mcr.microsoft.com/dotnet/aspnet:8.0-jammy-chiseled", linux},
	{".NET on Azure Linux", "mcr.microsoft.com/dotnet/aspnet:9.0-azurelinux3.0-distroless", linux},
	{".NET on CBL-Mariner", "mcr.microsoft.com/dotnet/aspnet:8.0-cbl-mariner2.0", linux},
	{
		".NET Framework", "mcr.microsoft.com/dotnet/framework/aspnet:4.8-windowsservercore-ltsc2019",
		windowsRelease("windows-2019"),
	},
	{
		".NET Framework with a date", "mcr.microsoft.com/dotnet/framework/sdk:4.8-20190910-windowsservercore-1903",
		windowsRelease("windows-1903"),
	},
	{".NET Framework of no named release", "mcr.microsoft.com/dotnet/framework/aspnet:4.8", windows},
	{".NET Framework without a tag", "mcr.microsoft.com/dotnet/framework/runtime", windows},

	// Mirrors.
	{
		"a mirror on a local registry with a port", "localhost:5000/windows/servercore:ltsc2022",
		windowsRelease("windows-2022"),
	},
	{"a mirror on localhost without a port", "localhost/windows/nanoserver:1809", windowsRelease("windows-2019")},
	{"a mirror on an IPv6 address", "[fd00::1]:5000/windows/servercore:1809", windowsRelease("windows-2019")},
	{
		"a mirror below a path", "shop.azurecr.io/base/windows/servercore/iis:windowsservercore-ltsc2022",
		windowsRelease("windows-2022"),
	},
	{"a mirror by digest", "shop.azurecr.io/windows/nanoserver" + digest, windows},
	{"a mirror of windows/server", "registry.example.com/windows/server:ltsc2022", windowsRelease("windows-2022")},
	{"a mirror of .NET Framework", "shop.azurecr.io/dotnet/framework/aspnet:4.8", windows},
	{
		"a mirror that keeps the host in its path", "mirror.example.com/mcr.microsoft.com/windows:1809",
		windowsRelease("windows-2019"),
	},
	{"a mirror that keeps another host in its path", "mirror.example.com/docker.io/library/alpine:3", linux},
	{"a mirror of Docker Hub", "mirror.gcr.io/library/debian:12", linux},
	{"the host of Microsoft's registry as a repository", "mirror.example.com/mcr.microsoft.com", nothing},
	{"a component that only begins like a mirror", "registry.example.com/windows/server-tools:1809", nothing},
	{"a component that only ends like a mirror", "registry.example.com/my-windows/servercore:1809", nothing},
	{"a repository named like an image elsewhere", "registry.example.com/servercore:1809", nothing},
	{"a host named windows", "windows:5000/servercore:1809", nothing},
	{"IIS on Docker Hub, of old", "microsoft/iis", windows},
	{"Server Core on Docker Hub, of old", "docker.io/microsoft/windowsservercore:latest", windows},
	{"a repository named windows, which may be Linux", "dockurr/windows:latest", nothing},
	{"a repository named windows with a version", "docker.io/dockurr/windows:2004", nothing},
	{"a framework of somebody else", "registry.example.com/dotnet/framework:4.8", nothing},

	// Windows tags of others.
	{"a Go image", "golang:1.26-windowsservercore-ltsc2022", windowsRelease("windows-2022")},
	{"a Python image", "python:3.11-windowsservercore-1809", windowsRelease("windows-2019")},
	{
		"an image that is called windows in its tag", "ghcr.io/shop/agent:v2.6-windows-1809-amd64",
		windowsRelease("windows-2019"),
	},
	{
		"a processor between the word and the version", "registry.k8s.io/pause:3.10-windows-amd64-20H2",
		windowsRelease("windows-20h2"),
	},
	{
		"an LTSC tag in any repository", "ghcr.io/prometheus-community/windows-exporter:0.25.1-ltsc2019",
		windowsRelease("windows-2019"),
	},
	{"an LTSC tag of the future in any repository", "shop/agent:1.0-ltsc2031", windows},
	{"a full build in any repository", "shop/agent:1.0-10.0.20348.2340", windowsRelease("windows-2022")},
	{"a full build of 23H2", "shop/agent:10.0.25398.1", windowsRelease("windows-23h2")},
	{"a full build of no release", "shop/agent:10.0.22000.1", nothing},
	{"a build without revision, which may be any version", "shop/agent:10.0.20348", nothing},
	{"windows alone in a tag", "shop/agent:windows", windows},
	{"a Windows word in upper case", "shop/agent:1.0-NanoServer-1809", windowsRelease("windows-2019")},
	{"underscores in a tag", "shop/agent:1.0_windows_1809", windowsRelease("windows-2019")},
	{"a version before the Windows word", "shop/agent:2004-windows", windows},
	{"a version in a Windows context that is not a tag", "shop/agent:1.0-windows-23h2", windows},
	{"a word that only begins with windows", "shop/agent:windowsish-1809", nothing},
	{"a word that only begins with ltsc", "shop/agent:ltsc20222", nothing},
	{"an ltsc without a year", "shop/agent:ltsc", nothing},
	{"an ltsc with something else than a year", "shop/agent:ltscabcd", nothing},

	// Host-process.
	{
		"the host-process base image",
		"mcr.microsoft.com/oss/kubernetes/windows-host-process-containers-base-image:v0.1.0",
		platform.Image{OS: platform.WindowsOS, HostProcess: true},
	},
	{
		"the host-process base image with any tag",
		"mcr.microsoft.com/oss/kubernetes/windows-host-process-containers-base-image:ltsc2022-alpine",
		platform.Image{OS: platform.WindowsOS, HostProcess: true},
	},
	{
		"the host-process base image without a tag",
		"mcr.microsoft.com/oss/kubernetes/windows-host-process-containers-base-image",
		platform.Image{OS: platform.WindowsOS, HostProcess: true},
	},
	{
		"the host-process base image by digest",
		"mcr.microsoft.com/oss/kubernetes/windows-host-process-containers-base-image" + digest,
		platform.Image{OS: platform.WindowsOS, HostProcess: true},
	},
	{
		"the host-process base image in a mirror", "shop.azurecr.io/windows-host-process-containers-base-image:v1.0.0",
		platform.Image{OS: platform.WindowsOS, HostProcess: true},
	},
	{
		"an image that is named like the host-process base image",
		"shop/windows-host-process-containers-base-image-x:v1.0.0", nothing,
	},

	// Linux.
	{"a tag with a distribution", "nginx:1.27-alpine", linux},
	{"a tag that is a distribution", "redis:alpine", linux},
	{"a tag with a version of a distribution", "python:3.13-alpine3.20", linux},
	{"a tag with a code name", "python:3.13-slim-trixie", linux},
	{"a tag with a numbered distribution", "gcr.io/shop/app:debian12", linux},
	{"a tag with a UBI", "quay.io/shop/app:1.0-ubi9-minimal", linux},
	{"a tag with UBI and no number", "quay.io/shop/app:1.0-ubi", nothing},
	{"a tag with linux", "shop/app:1.0-linux-amd64", linux},
	{"a code name in upper case", "shop/app:Noble", linux},
	{"a distribution", "alpine", linux},
	{"a distribution by tag", "ubuntu:24.04", linux},
	{"a distribution by digest", "debian" + digest, linux},
	{"a distribution with its registry", "docker.io/library/alpine:3.20", linux},
	{"a distribution with the registry's other name", "index.docker.io/alpine:3.20", linux},
	{"a distribution with a number that is also a Windows version", "ubuntu:1809", linux},
	{"distroless", "gcr.io/distroless/static-debian12:nonroot", linux},
	{"Azure Linux", "mcr.microsoft.com/azurelinux/base/core:3.0", linux},
	{"CBL-Mariner", "mcr.microsoft.com/cbl-mariner/base/core:2.0", linux},
	{"UBI", "registry.access.redhat.com/ubi9/ubi-minimal:9.4", linux},
	{"a userland of Linux", "busybox:1.36", linux},
	{"a userland of Linux with its registry", "docker.io/library/bash:5", linux},
	{"a userland of Linux in a mirror of Docker's official " +
		"images", "public.ecr.aws/docker/library/busybox:1.36", linux},
	{"a userland in a project named library", "shop.azurecr.io/library/busybox:1.36", nothing},
	{"a busybox that Windows has too", "registry.k8s.io/e2e-test-images/busybox:1.36.1-1", nothing},
	{"an official image that Windows has too", "nats:2", nothing},
	{"a private repository that is named like a distribution", "shop.azurecr.io/alpine:1.0", nothing},
	{"a word that only contains a distribution", "shop/app:alpinist", nothing},
	{"a code name that is also a language", "shop/app:groovy", nothing},

	// Words that are also ordinary ones.
	{"a feature with a code name in it", "shop/web:feature-focal-point", nothing},
	{"a feature with a code name in it, and a number", "shop/web:issue-42-focal-point", nothing},
	{"a feature with a code name in it, and a version at the end", "shop/web:stretch-goals-1.2", nothing},
	{"a feature that begins with a code name", "shop/web:noble-cause", nothing},
	{"a distribution in the middle of other words", "shop/web:with-alpine-skiing", nothing},
	{"linux in the middle of other words", "shop/web:for-linux-users-1.2", nothing},
	{"windows in the middle of other words", "exporter:for-windows-1.2", nothing},
	{"windows in the middle of other words, after a version", "exporter:1.2-windows-tools", nothing},
	{"windows in the middle, and a release", "exporter:for-windows-ltsc2022", windowsRelease("windows-2022")},
	{"windows at the beginning", "exporter:windows-1.2", windows},
	{"windows at the beginning, and an architecture", "exporter:windows-amd64-1.2", windows},
	{"windows before an architecture", "exporter:v1.2-windows-amd64", windows},
	{"windows in the middle, and a distribution at the end", "exporter:for-windows-1.2-alpine", nothing},
	{"a code name in the middle, and a release", "exporter:feature-focal-point-ltsc2022", nothing},
	{"a code name alone", "shop/app:focal", linux},
	{"a code name at the end", "eclipse-temurin:21-jdk-jammy", linux},
	{"a code name after a version", "shop/app:1.4.2-focal-nginx", linux},
	{"a code name after a version and a word", "golang:1.26-slim-bookworm-git", linux},
	{"a code name after a version at the end of other words", "shop/app:build-1.4.2-focal-nginx", linux},
	{"a code name and a date", "node:bookworm-20250113-slim", linux},
	{"a distribution between versions", "nginx:1.27.3-alpine-otel", linux},
	{"a distribution and its version", "shop/app:alpine-3.20", linux},
	{"an alias of a version", "nginx:stable-alpine-perl", linux},
	{"a numbered distribution in the middle of other words", "shop/app:with-debian12-and-more", linux},
	{"linux and an architecture", "shop/app:linux-arm64-v8", linux},
	{
		"a code name and words of the distribution",
		"mcr.microsoft.com/dotnet/runtime:8.0-noble-chiseled-extra-arm64v8", linux,
	},
	{"a version with letters", "python:3.14.0rc1-bookworm-tools", linux},
	{"windows at the beginning of other words", "shop/web:windows-support", nothing},
	{"windows and a year at the beginning of other words", "shop/web:windows-2022-budget", nothing},
	{"windows and a version at the beginning of other words", "shop/web:windows-1809-crash", nothing},
	{"windows and a year", "shop/agent:windows-2022", windowsRelease("windows-2022")},
	{"windows, a year and a version", "fluent/fluent-bit:windows-2019-2.2.2", windowsRelease("windows-2019")},
	{"windows and a year at the end, after a version", "shop/agent:1.2-windows-2025", windowsRelease("windows-2025")},
	{"windows and a year at the end of other words, after a version", "shop/agent:1.2-agent-windows-2025", nothing},
	{"Server Core and a year", "jenkins/jenkins:jdk11-hotspot-windowsservercore-2019", windowsRelease("windows-2019")},
	{"a year and an LTSC tag of another one", "shop/agent:windows-2019-ltsc2022", windows},
	{"windows and a year without a long-term release", "shop/agent:windows-2021", windows},
	{"windows and a year of the future", "shop/agent:windows-2031", windows},
	{"windows and a version that begins with a year", "unityci/editor:windows-2019.2.11f1-webgl-1", nothing},
	{"a year before windows", "shop/agent:2022-windows", windows},
	{"a year after something else", "shop/agent:windows-amd64-2022", windows},
	{"a year alone", "shop/agent:2022", nothing},
	{"windows and a year in the middle of other words", "shop/app:fix-windows-2022-crash", nothing},
	{"windows and a year at the end of other words", "shop/app:fix-windows-2022", nothing},
	{"windows and an LTSC tag", "shop/agent:windows-ltsc2022", windowsRelease("windows-2022")},
	{"windows and a long-term release of the future", "shop/agent:windows-ltsc2031", windows},
	{"windows and a version", "shop/agent:windows-1809", windowsRelease("windows-2019")},
	{"windows between a version and an unknown Windows version", "shop/agent:windows-23h2-1.0", windows},
	{"windows and a version in the middle of other words", "shop/app:fix-windows-1809-crash", nothing},
	{"windows and a version at the end of other words", "shop/app:fix-windows-1809", nothing},
	{"windows at the end of other words", "shop/app:fix-windows", nothing},
	{
		"windows and a version at the end, after a version", "shop/app:1.2-agent-windows-1809-amd64",
		windowsRelease("windows-2019"),
	},
	{"windows after a commit", "shop/app:sha-abc1234-windows-amd64", windows},
	{"windows that does not count, and a distribution", "shop/app:debian-windows-support", nothing},
	{"a code name after a number, in other words", "shop/web:42-noble-cause", nothing},
	{"a code name after a year, in other words", "shop/web:2024-trusty-fix", nothing},
	{"a code name after a qualifier, in other words", "shop/web:stable-noble-cause", nothing},
	{"a code name after a version without a dot, in other words", "shop/web:v2-focal-point", nothing},
	{"a code name at the end of a feature", "shop/web:feature-stretch", nothing},
	{"a code name at the end of a fix", "shop/web:fix-focal", nothing},
	{"a code name at the end of an issue", "shop/web:issue-42-focal", nothing},
	{"a code name at the end, after a number and another word", "shop/web:42-fix-focal", nothing},
	{"a code name at the end, after a version and another word", "php:8.3-fpm-bookworm", linux},
	{"a code name in other words, after a version", "shop/web:1.2-fix-focal-point", nothing},
	{"a code name at the end, after words and a version", "shop/app:build-1.4.2-fpm-bookworm", linux},
	{"a code name alone, which is an ordinary word", "debian:stretch", linux},
	{"a code name alone, which is an ordinary word, elsewhere", "shop/app:stretch", linux},
	{"a code name after a number", "node:22-stretch", linux},
	{"a code name after a number and before a qualifier", "node:22-bookworm-slim", linux},
	{"a code name after a number and a qualifier", "openjdk:21-jdk-buster", linux},
	{"a code name after a version", "mcr.microsoft.com/dotnet/aspnet:8.0-noble", linux},
	{"a code name after a version, for a language", "python:3.13-bookworm", linux},
	{"a code name after the version of a language", "shop/app:jdk21-jammy", linux},
	{"a code name after an alias", "node:lts-bookworm", linux},
	{"a qualifier that names no platform", "node:22-slim", nothing},
	{"linux at the beginning of other words", "shop/web:linux-support", nothing},
	{"linux at the end of other words", "shop/web:fix-linux", nothing},
	{"linux, a version and a commit", "shop/app:linux-v1.2-abc1234", linux},
	{"a distribution at the beginning", "jenkins/inbound-agent:alpine-jdk21", linux},
	{"another distribution at the beginning", "jenkins/inbound-agent:debian-jdk17", linux},
	{"a distribution at the beginning of other words", "nginx:alpine-otel", linux},
	{"a distribution at the end of other words", "php:fpm-alpine", linux},
	{"a distribution after a number, in other words", "shop/web:42-alpine-skiing", nothing},

	// No evidence.
	{"an ordinary image", "nginx", nothing},
	{"an ordinary image with a version", "nginx:1.27", nothing},
	{"an ordinary image with latest", "nginx:latest", nothing},
	{"an ordinary image by digest", "nginx" + digest, nothing},
	{"a version that only looks like Windows", "myapp:1809", nothing},
	{"a version of letters and digits that only looks like Windows", "myapp:20H2", nothing},
	{"the pause image, which is for many platforms", "registry.k8s.io/pause:3.10", nothing},

	// Contradictions.
	{"Windows and Linux in one tag", "shop/app:1.0-windows-alpine", nothing},
	{"an LTSC tag and Linux in one tag", "shop/app:ltsc2022-bookworm", nothing},
	{"a Windows repository and Linux in the tag", "registry.example.com/windows/server:1.0-alpine", nothing},
	{"a Linux repository and Windows in the tag", "ubuntu:ltsc2022", nothing},

	// Not a reference.
	{"nothing at all", "", nothing},
	{"a blank", " ", nothing},
	{"a blank after a reference", "alpine ", nothing},
	{"upper case in a repository", "mcr.microsoft.com/Windows/servercore:ltsc2022", nothing},
	{"an empty tag", "alpine:", nothing},
	{"two tags", "alpine:3:20", nothing},
	{"an empty path", "mcr.microsoft.com/", nothing},
	{"an empty component", "mcr.microsoft.com//windows/servercore:ltsc2022", nothing},
	{"a scheme", "https://mcr.microsoft.com/windows/servercore:ltsc2022", nothing},
	{"a port that is not a number", "localhost:port/windows/servercore:ltsc2022", nothing},
	{"a host that is not valid", "-.example.com/windows/servercore:ltsc2022", nothing},
	{"a digest that is too short", "mcr.microsoft.com/windows/servercore:ltsc2022@sha256:0123", nothing},
	{"an empty digest", "mcr.microsoft.com/windows/servercore:ltsc2022@", nothing},
	{"a tag that is too long", "alpine:" + strings.Repeat("a", 129), nothing},
	{"a tag that is just short enough", "alpine:" + strings.Repeat("a", 128), linux},
	{"a path that is too long", "localhost/windows/servercore/" + strings.Repeat("a", 255) + ":ltsc2022", nothing},
	{"a tag that begins with a dash", "alpine:-3", nothing},
}

func TestFromImage(t *testing.T) {
	t.Parallel()
	for _, tt := range imageTests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := platform.FromImage(tt.ref)
			got.ByTag = false // TestFactsFromTagsOnly has it
			if got != tt.want {
				t.Errorf("FromImage(%q) = %+v, want %+v", tt.ref, got, tt.want)
			}
		})
	}
}

func FuzzFromImage(f *testing.F) {
	for _, tt := range imageTests {
		f.Add(tt.ref)
	}
	f.Fuzz(func(t *testing.T, ref string) {
		got := platform.FromImage(ref)
		if again := platform.FromImage(ref); again != got {
			t.Errorf("FromImage(%q) = %+v, and then %+v", ref, got, again)
		}
		switch got.OS {
		case platform.WindowsOS:
			if got.Release != "" && !got.Release.IsWindows() {
				t.Errorf("FromImage(%q) = %+v: the release is not Windows", ref, got)
			}
			if got.HostProcess && got.Release != "" {
				t.Errorf("FromImage(%q) = %+v: host-process and of a release", ref, got)
			}
		case platform.LinuxOS, "":
			if got.Release != "" || got.HostProcess {
				t.Errorf("FromImage(%q) = %+v: Windows fields without Windows", ref, got)
			}
		default:
			t.Errorf("FromImage(%q) = %+v: no such OS", ref, got)
		}
		if !strings.Contains(ref, "@") {
			if pinned := platform.FromImage(ref + digest); pinned != got {
				t.Errorf("FromImage(%q) = %+v, but with a digest %+v", ref, got, pinned)
			}
		}
		for _, host := range platform.Windows() {
			strict := platform.CanRun(host, got, platform.Strict)
			relaxed := platform.CanRun(host, got, platform.Relaxed)
			if strict == platform.Yes && relaxed != platform.Yes {
				t.Errorf("%s runs %q by the strict rule only", host, ref)
			}
		}
	})
}
