package platform_test

import (
	"testing"

	"github.com/mixedkube/mixedkube/core/platform"
)

func TestMentionsWindows(t *testing.T) {
	t.Parallel()
	for ref, want := range map[string]bool{
		"mcr.microsoft.com/aks/aks-windows-gpu-device-plugin:0.0.17": true,
		"shop/iis-windows-ltsc2019":                                  true,
		"shop/iis-ltsc2019:4":                                        true,
		"shop.example:5000/windows/web":                              true,
		"shop/windowsagent:1":                                        true,
		"shop/agent:nanoserver1809":                                  true,
		"shop/agent:fix-Windows-crash":                               true,
		"shop/agent:win-ciprod10132021":                              true,
		"shop/agent_win2019.x64":                                     true,
		"dockurr/windows:latest" + digest:                            true,
		"mcr.microsoft.com/windows/servercore:ltsc2022":              true,
		"windows.example.com/shop/agent:1":                           false,
		"shop/twin-winner:1-win-2":                                   true,
		"shop/twin-winner:windy":                                     false,
		"shop/agent:ltsc":                                            false,
		"nginx":                                                      false,
		"":                                                           false,
		"Shop/windows agent":                                         false,
	} {
		if got := platform.MentionsWindows(ref); got != want {
			t.Errorf("MentionsWindows(%q) = %t", ref, got)
		}
	}
}
