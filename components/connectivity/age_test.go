package connectivity_test

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/components/connectivity"
	"github.com/mixedkube/mixedkube/components/mocktest"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
)

// A suite reports the old default images of its platforms.
func TestOldDefaultImagesAreReported(t *testing.T) {
	t.Setenv("SOURCE_DATE_EPOCH", strconv.FormatInt(time.Date(2040, 1, 1, 0, 0, 0, 0, time.UTC).Unix(), 10))
	linux := topology.Topology{Pools: []topology.Pool{{Name: "sys", Platform: platform.Linux}}}
	for name, tt := range map[string]struct {
		args connectivity.SuiteArgs
		want string
	}{
		"both platforms": {connectivity.SuiteArgs{Topology: four}, `"BusyBoxImage, HostProcessImage"`},
		"only Linux":     {connectivity.SuiteArgs{Topology: linux}, `"BusyBoxImage"`},
		"a mirror": {
			connectivity.SuiteArgs{Topology: four, Images: connectivity.Images{Linux: "mirror.example.com/busybox:1"}},
			`"HostProcessImage"`,
		},
	} {
		graph, err := mocktest.Run(newSuite(&tt.args), mocktest.Preview())
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		var found []string
		for _, l := range graph.Logs() {
			if old, _, is := strings.Cut(l.Message, ": looked up more than 180 days ago"); is {
				found = append(found, old)
			}
		}
		if diff := cmp.Diff(tt.want, strings.Join(found, "; ")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}
