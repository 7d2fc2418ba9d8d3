package bootstrap

import (
	"strings"
	"testing"

	"github.com/mixedkube/mixedkube/components/bootstrap/network"
	"github.com/mixedkube/mixedkube/components/platform"
	"github.com/mixedkube/mixedkube/components/topology"
	"github.com/mixedkube/mixedkube/internal/kubeversion"
)

func TestPauseImage(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		platform platform.Platform
		minor    int
		want     string
	}{
		{platform.Linux, 33, "3.10"},
		{platform.Linux, 34, "3.10.1"},
		{platform.Linux, 35, "3.10.1"},
		{platform.Linux, 36, "3.10.2"},
		{platform.Linux, 37, "3.10.2"},
		{platform.WindowsServer2019, 34, "3.10.1"},
		{platform.WindowsServer2022, 36, "3.10.2"},
		{platform.WindowsServer2025, 34, "3.10.2"},
		{platform.WindowsServer2025, 36, "3.10.2"},
	} {
		m := machine{pool: topology.Pool{Platform: tt.platform}, version: kubeversion.Version{Major: 1, Minor: tt.minor}}
		if got := pauseImage(m); got != "registry.k8s.io/pause:"+tt.want {
			t.Errorf("%s with 1.%d has %s, want the tag %s", tt.platform, tt.minor, got, tt.want)
		}
	}
}

func TestContainerdOfWindows(t *testing.T) {
	t.Parallel()
	m := testMachine(t, testCluster(network.FlannelVXLAN, "1.36"), "win2022-1")
	golden(t, "containerd/windows.toml", containerdConfig(m))
}

func TestTOMLString(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		`C:/opt`:               `"C:/opt"`,
		"a\"b\\c":              `"a\"b\\c"`,
		"a\nb\t\x00":           `"a\u000Ab\u0009\u0000"`,
		"é\x7f":                `"é\u007F"`,
		"a\xffb":               "\"a\uFFFDb\"",
		strings.Repeat("x", 3): `"xxx"`,
	} {
		if got := tomlString(in); got != want {
			t.Errorf("%q is written as %s, want %s", in, got, want)
		}
	}
}
