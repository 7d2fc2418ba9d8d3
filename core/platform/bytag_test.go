package platform_test

import (
	"testing"

	"github.com/mixedkube/mixedkube/core/platform"
)

func TestFactsFromTagsOnly(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, ref string
		want      bool
	}{
		{"a distribution in the tag of anybody's image", "shop.example.com/e2e/nginx:1.14-alpine", true},
		{"a distribution and its version", "shop.example.com/e2e/nginx:1.14-alpine3.20", true},
		{"two words of Linux, which a copy keeps both", "shop.example.com/shop:8.0-noble-chiseled", true},
		{"a namespace of Docker Hub", "valkey/valkey:8-alpine", true},
		{"a project named library elsewhere", "harbor.example.com/library/shop:1.0-alpine", true},
		{"windows", "shop/agent:windows-amd64", true},
		{"an image of Windows", "shop/agent:1.0-nanoserver", true},
		{"a release", "shop/agent:1.0-ltsc2022", true},
		{"a build", "shop/agent:10.0.20348.2340", true},
		{"windows and a release", "shop/agent:1.0-windows-1809-amd64", false},
		{"an image of Windows and its release", "shop/agent:1.0-nanoserver-ltsc2022", false},
		{"an official image of Docker's", "nginx:1.27-alpine", false},
		{"one with its registry", "docker.io/library/golang:1.26-nanoserver", false},
		{"one in Google's mirror", "mirror.gcr.io/library/nginx:1.27-alpine", false},
		{"one in Amazon's mirror", "public.ecr.aws/docker/library/nginx:1.27-alpine", false},
		{
			"one in a mirror that keeps the host in its path", "mirror.example.com/docker.io/library/nginx:1.27-alpine",
			false,
		},
		{"Microsoft's registry", "mcr.microsoft.com/dotnet/aspnet:8.0-alpine", false},
		{"a Windows repository in a mirror", "shop.example.com/windows/servercore:ltsc2022", false},
		{"a distribution", "quay.io/fedora/fedora:42", false},
		{
			"the base image of host-process containers",
			"shop.example.com/windows-host-process-containers-base-image:v1.0.0", false,
		},
		{"nothing is known", "shop.example.com/shop:1.0", false},
		{"a contradiction", "shop.example.com/shop:1.0-windows-alpine", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := platform.FromImage(tt.ref); got.ByTag != tt.want {
				t.Errorf("FromImage(%q) = %+v, want by its tag: %t", tt.ref, got, tt.want)
			}
		})
	}
}

func TestCertainFactsOfImages(t *testing.T) {
	t.Parallel()
	tagged := platform.Image{OS: platform.WindowsOS, Release: platform.WindowsServer2022, ByTag: true}
	known := platform.Image{OS: platform.LinuxOS}
	for _, tt := range []struct {
		name  string
		image platform.Image
		os    platform.OS
		want  platform.Image
	}{
		{"a word of the tag alone", tagged, "", platform.Image{}},
		{"a word of the tag, and something else agrees", tagged, platform.WindowsOS, tagged},
		{"a word of the tag, and something else contradicts", tagged, platform.LinuxOS, platform.Image{}},
		{"a repository", known, "", known},
		{"a repository, and something else contradicts", known, platform.WindowsOS, known},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := tt.image.Certain(tt.os); got != tt.want {
				t.Errorf("Certain(%q) = %+v, want %+v", tt.os, got, tt.want)
			}
		})
	}
}
