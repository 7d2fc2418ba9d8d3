package bootstrap

import (
	"testing"

	"github.com/mixedkube/mixedkube/components/platform"
)

func TestPauseImage(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		platform platform.Platform
		version  string
		want     string
	}{
		{platform.Linux, "1.33", "3.10"},
		{platform.Linux, "1.34", "3.10.1"},
		{platform.Linux, "1.35", "3.10.1"},
		{platform.Linux, "1.36", "3.10.2"},
		{platform.Linux, "1.37", "3.10.2"},
		{platform.WindowsServer2019, "1.34", "3.10.1"},
		{platform.WindowsServer2022, "1.36", "3.10.2"},
		{platform.WindowsServer2025, "1.34", "3.10.2"},
		{platform.WindowsServer2025, "1.36", "3.10.2"},
		{platform.Linux, "v1.35.4", "3.10.1"},
		{platform.Linux, "latest", "3.10.2"},
	} {
		if got := PauseImage(tt.platform, tt.version); got != "registry.k8s.io/pause:"+tt.want {
			t.Errorf("%s with %q has %s, want the tag %s", tt.platform, tt.version, got, tt.want)
		}
	}
}
