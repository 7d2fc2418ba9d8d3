package bootstrap

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/machines/bootstrap/network"
)

func TestLeastBuild(t *testing.T) {
	t.Parallel()
	for _, kind := range network.Kinds() {
		overlay := kind == network.FlannelVXLAN || kind == network.CalicoVXLAN
		for p, want := range map[platform.Platform]windowsBuild{
			platform.WindowsServer2019: {17763, 379, "KB4489899"},
			platform.WindowsServer2022: {},
			platform.WindowsServer2025: {26100, 6899, "KB5066835"},
		} {
			if !overlay {
				want = windowsBuild{}
			}
			if got := leastBuild(p, kind); got != want {
				t.Errorf("%s with %s needs %+v, want %+v", p, kind, got, want)
			}
		}
	}
}

func TestBuildsOfOverlaysMatchTheirReleases(t *testing.T) {
	t.Parallel()
	for p, least := range overlayBuilds {
		release, ok := p.Release()
		if !ok || release.Build != fmt.Sprintf("10.0.%d", least.Build) {
			t.Errorf("%s has the build %s, and %d is compared", p, release.Build, least.Build)
		}
	}
}

// The registry of Windows has a place for the settings of its network once the feature is
// installed, and containers and the kubelet are to find them there.
func TestStepsFollowTheirPrerequisites(t *testing.T) {
	t.Parallel()
	var steps []string
	for _, found := range regexp.MustCompile(`@\{ Name = '([^']+)'; Test`).FindAllStringSubmatch(
		windowsScript("bootstrap.ps1"), -1) {
		steps = append(steps, found[1])
	}
	for _, pair := range [][2]string{
		{"directories", "update"},
		{"update", "features"},
		{"features", "system"},
		{"system", "containerd"},
		{"defender", "archives"},
		{"archives", "containerd"},
		{"containerd", "network"},
		{"network", "kubelet service"},
		{"kubelet service", "join"},
	} {
		first, second := slices.Index(steps, pair[0]), slices.Index(steps, pair[1])
		if first < 0 || second < first {
			t.Errorf("%s is step %d and %s is step %d of %q", pair[0], first, pair[1], second, steps)
		}
	}
}

// functionOf returns a function of a script, from its first line to its closing brace.
func functionOf(t *testing.T, script, name string) string {
	t.Helper()
	found := regexp.MustCompile(`(?ms)^function ` + regexp.QuoteMeta(name) + ` \{$.*?^\}$`).FindString(
		windowsScript(script))
	if found == "" {
		t.Fatalf("%s has no function %s", script, name)
	}
	return found
}

// Nothing here runs PowerShell, so the statements themselves are compared.
func TestSettingsOfTheScriptsInWindows(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		source, script, function string
		statements               []string
	}{
		{
			"https://kubernetes.io/docs/tasks/configure-pod-container/configure-gmsa/ and " +
				"images/capi/ansible/windows/roles/runtimes/tasks/containerd.yml of kubernetes-sigs/image-builder",
			"bootstrap.ps1", "Set-System",
			[]string{"[Microsoft.Win32.Registry]::SetValue($NetworkingKey, $CompartmentNamespace, 1, 'DWord')"},
		},
		{
			"https://github.com/kubernetes-sigs/image-builder/pull/947", "bootstrap.ps1", "Set-System",
			[]string{"netsh.exe') (@('int', 'ipv4', 'set', 'dynamicport', 'tcp') + $DynamicPorts)"},
		},
		{
			"images/capi/packer/goss/goss-command.yaml of kubernetes-sigs/image-builder", "bootstrap.ps1",
			"Set-Defender",
			[]string{"Add-MpPreference -ExclusionProcess $Settings.unscanned"},
		},
		{
			"https://github.com/rancher/rancher/issues/50915", "bootstrap.ps1", "Test-Update",
			[]string{"(Get-Revision) -ge $least.revision", "Version.Build -ne $least.build"},
		},
		{
			"Windows starts a service again that ended, and none that took longer than 30 seconds to start " +
				"(event 7009)", "bootstrap.ps1", "Set-Network",
			[]string{"Register-NodeTask -Name $NetworkTask -Arguments (Join-Path $Root 'network.ps1 -StartKubelet')"},
		},
		{
			"the same", "network.ps1", "Start-StoppedKubelet",
			[]string{"$service.StartType -eq 'Disabled'", "Start-Service -Name 'kubelet'"},
		},
		{"the same", "common.ps1", "Register-NodeTask", []string{"-RepetitionInterval (New-TimeSpan -Minutes 15)"}},
	} {
		text := functionOf(t, c.script, c.function)
		for _, statement := range c.statements {
			if !strings.Contains(text, statement) {
				t.Errorf("%s of %s has no %s (%s)", c.function, c.script, statement, c.source)
			}
		}
	}
	for _, line := range []string{
		"$NetworkingKey = 'HKEY_LOCAL_MACHINE\\SYSTEM\\CurrentControlSet\\Services\\hns\\State'",
		"$CompartmentNamespace = 'EnableCompartmentNamespace'",
		"$DynamicPorts = @('start=34000', 'num=31536')",
	} {
		if !strings.Contains(windowsScript("bootstrap.ps1"), "\n"+line+"\n") {
			t.Errorf("bootstrap.ps1 has no line %s", line)
		}
	}
}
