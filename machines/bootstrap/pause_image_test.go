package bootstrap

import (
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/machines/bootstrap/network"
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

func TestConfiguredPauseImage(t *testing.T) {
	t.Parallel()
	const own = "mcr.microsoft.com/oss/v2/kubernetes/pause:3.10.2"
	c := testCluster(network.FlannelVXLAN, "1.36")
	c.Releases.PauseImage = own
	for _, node := range []string{"linux-1", "win2022-1"} {
		if config := containerdConfig(testMachine(t, c, node)); !strings.Contains(config, own) ||
			strings.Contains(config, "registry.k8s.io") {
			t.Errorf("%s:\n%s", node, config)
		}
	}
	for image, fits := range map[string]bool{
		"": true, own: true, "registry.example.com:5000/pause@sha256:" + strings.Repeat("a", 64): true,
		"pause:3.10": false, "registry.k8s.io/pause": false, "registry.k8s.io/pause:": false,
		"registry.k8s.io/Pause:3.10": false, "registry.k8s.io/pause:3.10\"": false,
	} {
		c.Releases.PauseImage = image
		var got []string
		for _, err := range c.Releases.check(c.WithDefaults().needs(nil), field.NewPath("releases")) {
			if strings.HasPrefix(err.Error(), "releases.pauseImage: Invalid value: ") {
				got = append(got, err.Error())
			}
		}
		if fits != (len(got) == 0) {
			t.Errorf("%q: %q", image, got)
		}
	}
}
