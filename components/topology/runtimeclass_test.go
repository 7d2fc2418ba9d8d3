package topology_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/components/platform"
	"github.com/mixedkube/mixedkube/components/topology"
)

func TestOnlyWindowsPlatformsHaveARuntimeClass(t *testing.T) {
	t.Parallel()
	got := map[platform.Platform]string{}
	for _, p := range append(platform.All(), "", "ltsc2022") {
		got[p] = topology.RuntimeClassName(p)
	}
	want := map[platform.Platform]string{platform.Linux: "", "": "", "ltsc2022": ""}
	for _, p := range platform.Windows() {
		want[p] = string(p)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("RuntimeClassName() (-want +got):\n%s", diff)
	}
}
