package placement_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/placement"
)

// The facts of a registry decide where an image runs, down to the architecture.
func TestRunsByFacts(t *testing.T) {
	t.Parallel()
	variants := func(all ...platform.Variant) placement.Pod {
		return placement.Pod{Images: []placement.Image{{
			Container: "web", Reference: "shop",
			Image: platform.FromFacts("shop", &platform.Facts{Digest: "sha256:index", Variants: all}),
		}}}
	}
	amd := platform.Variant{OS: linuxOS, Architecture: "amd64"}
	arm := platform.Variant{OS: linuxOS, Architecture: "arm64"}
	in2022 := platform.Variant{OS: windowsOS, Architecture: "amd64", OSVersion: "10.0.20348.1"}
	alone := amd
	alone.Digest = "sha256:index"
	onArm := linux(size("Standard_D4ps_v5"))
	for _, tt := range []struct {
		name    string
		pool    topology.Pool
		pod     placement.Pod
		want    platform.Answer
		reasons []string
	}{
		{"an entry for the architecture", onArm, variants(amd, arm), yes, nil},
		{
			"no entry for the architecture", onArm, variants(amd, in2022), no,
			[]string{"architecture: image shop has Linux/amd64, Windows Server 2022, but its nodes are arm64 | use " +
				"an image for arm64"},
		},
		{"a manifest that is not in an index", onArm, variants(alone), unknown, nil},
		{"no entry for an architecture that is only the default", linux(size("")), variants(arm), unknown, nil},
		{"no entry for a known architecture", linux(), variants(arm), no, []string{"architecture: image shop has " +
			"Linux/arm64, but its nodes are amd64 | use an image for amd64"}},
		{"an entry for the release", win22(taints()), variants(amd, in2022), yes, nil},
		{
			"no entry for the release", win25(taints()), variants(amd, in2022), no,
			[]string{"build: image shop has Linux/amd64, Windows Server 2022, but its nodes run Windows Server 2025 " +
				"| use an image for Windows Server 2025"},
		},
		{"no entry for the system", win22(taints()), variants(amd, arm), no, []string{"OS: image shop" + isLinux}},
		{
			"another system", linux(), variants(platform.Variant{OS: "freebsd", Architecture: "amd64"}), no,
			[]string{"OS: image shop has freebsd/amd64, but its nodes run Linux | use an image for Linux"},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			v := place(tt.pod, tt.pool).Verdicts[0]
			var reasons []string
			for _, r := range v.Reasons() {
				reasons = append(reasons, string(r.Kind)+": "+r.Text+" | "+r.Fix)
			}
			if v.Runs != tt.want {
				t.Errorf("runs: %s, want %s", v.Runs, tt.want)
			}
			if diff := cmp.Diff(tt.reasons, reasons); diff != "" {
				t.Errorf("reasons (-want +got):\n%s", diff)
			}
		})
	}
}
