package bootstrap

import (
	"fmt"
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
