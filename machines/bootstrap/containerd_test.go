package bootstrap

import (
	"strings"
	"testing"

	"github.com/mixedkube/mixedkube/internal/testkit/golden"
	"github.com/mixedkube/mixedkube/machines/bootstrap/network"
)

func TestContainerdOfWindows(t *testing.T) {
	t.Parallel()
	m := testMachine(t, testCluster(network.FlannelVXLAN, "1.36"), "win2022-1")
	golden.Equal(t, "testdata/containerd/windows.toml", containerdConfig(m))
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
