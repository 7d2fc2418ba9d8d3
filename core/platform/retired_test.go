package platform_test

import (
	"strings"
	"testing"

	"github.com/mixedkube/mixedkube/core/platform"
)

func TestRetired(t *testing.T) {
	t.Parallel()
	for ref, want := range map[string]struct {
		successor string
		retired   bool
	}{
		"microsoft/iis": {
			"mcr.microsoft.com/windows/servercore/iis:windowsservercore-ltsc2022", true,
		},
		"docker.io/microsoft/iis:latest": {
			"mcr.microsoft.com/windows/servercore/iis:windowsservercore-ltsc2022", true,
		},
		"microsoft/windowsservercore:1709": {
			"mcr.microsoft.com/windows/servercore:ltsc2022",
			true,
		},
		"microsoft/nanoserver@sha256:" +
			strings.Repeat("0", 64): {"mcr.microsoft.com/windows/nanoserver:ltsc2022", true},
		"redis:3.0-nanoserver":                      {"", true},
		"docker.io/library/redis:windowsservercore": {"", true},
		"redis:8":                          {},
		"microsoft/shop":                   {},
		"example.com/microsoft/iis":        {},
		"example.com/redis:3.0-nanoserver": {},
		"someone/redis:3.0-nanoserver":     {},
		"mcr.microsoft.com/windows/servercore/iis:windowsservercore-ltsc2022": {},
		"golang:1.26-nanoserver-ltsc2022":                                     {},
		"not a reference":                                                     {},
		"":                                                                    {},
	} {
		successor, retired := platform.Retired(ref)
		if successor != want.successor || retired != want.retired {
			t.Errorf("%q: got %q and %t, want %q and %t", ref, successor, retired, want.successor, want.retired)
		}
	}
}
