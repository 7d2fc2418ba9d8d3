package policy

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	_ "github.com/mixedkube/mixedkube/internal/system/clock/clocktest"
	"github.com/mixedkube/mixedkube/internal/testkit/golden"
)

// The findings about a topology show at the stack, in a preview and in an update.
func TestTheTopologyItselfHasFindings(t *testing.T) {
	t.Parallel()
	const (
		withoutCloud = `{"kubernetesVersion": "1.37", "pools": [{"name": "sys", "platform": "linux"},
			{"name": "win22", "platform": "windows-2022"}]`
		newest  = withoutCloud + `, "cloud": "aks"}`
		current = `{"kubernetesVersion": "1.36", "cloud": "aks", "pools": [{"name": "sys", "platform": "linux"},
			{"name": "win22", "platform": "windows-2022"}]}`
		old = `{"kubernetesVersion": "1.35", "cloud": "aks", "pools": [{"name": "sys", "platform": "linux"},
			{"name": "win19", "platform": "windows-2019"}]}`
		tooNew  = `pools[1].platform: "windows-2022": … (MK712)`
		tooOld  = `pools[1].platform: "windows-2019": … (MK712)`
		retires = "advisory : Topology: pools[1].platform: … (MK853)"
	)
	for name, tt := range map[string]struct {
		config string
		want   []string
	}{
		"2022 on a version without it": {
			`{"cluster": {"topology": ` + newest + `}}`, []string{"mandatory : Topology: " + tooNew},
		},
		"2019 on a version without it": {
			`{"cluster": {"topology": ` + old + `}}`, []string{"mandatory : Topology: " + tooOld},
		},
		"another cluster": {
			`{"cluster": {"topology": ` + newest + `, "clusters": [{"provider": "prod", "topology": ` + old + `}]}}`,
			[]string{"mandatory : Topology: " + tooNew, "mandatory : Topology/prod: " + tooOld},
		},
		"advisory": {
			`{"cluster": {"topology": ` + newest + `}, "MK712": "advisory"}`,
			[]string{"advisory : Topology: " + tooNew},
		},
		"disabled": {`{"cluster": {"topology": ` + newest + `}, "MK712": "disabled"}`, nil},
		"ignored":  {`{"cluster": {"topology": ` + newest + `, "ignore": [{"rules": ["MK712"]}]}}`, nil},
		"ignored for one of the clusters": {
			`{"cluster": {"topology": ` + newest + `, "clusters": [{"provider": "prod", "topology": ` + old + `}],
				"ignore": [{"resources": ["Topology/prod"]}]}}`,
			[]string{"mandatory : Topology: " + tooNew},
		},
		"a long horizon":  {`{"cluster": {"topology": ` + current + `, "horizon": 36500}}`, []string{retires}},
		"a short horizon": {`{"cluster": {"topology": ` + current + `, "horizon": 1}}`, nil},
		"no cloud":        {`{"cluster": {"topology": ` + withoutCloud + `}}}`, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, preview := range []bool{true, false} {
				e := start(t, preview, tt.config)
				if diff := cmp.Diff(tt.want, e.end(), golden.AnySentence); diff != "" {
					t.Errorf("preview: %t (-want +got):\n%s", preview, diff)
				}
			}
		})
	}
}
