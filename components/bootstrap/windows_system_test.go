package bootstrap

import (
	"fmt"
	"regexp"
	"slices"
	"testing"

	"github.com/mixedkube/mixedkube/components/bootstrap/network"
	"github.com/mixedkube/mixedkube/components/platform"
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

func TestTheBuildsOfOverlaysAreThoseOfTheirReleases(t *testing.T) {
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
func TestStepsComeAfterWhatTheyNeed(t *testing.T) {
	t.Parallel()
	var steps []string
	for _, found := range regexp.MustCompile(`@\{ Name = '([^']+)'; Test`).FindAllStringSubmatch(
		windowsScript("bootstrap.ps1"), -1) {
		steps = append(steps, found[1])
	}
	for _, pair := range [][2]string{
		{"folders", "update"},
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
