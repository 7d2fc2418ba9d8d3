package preflight_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/preflight"
	"github.com/mixedkube/mixedkube/internal/testkit/golden"
)

// The matching of the topology applies to everything that uses the topology: the guard, manifests and workloads.
func TestTopologySetsHowImagesMustMatch(t *testing.T) {
	t.Parallel()
	const spec = "os: {name: windows}\nnodeSelector: {kubernetes.io/os: windows, node.kubernetes.io/windows-build: " +
		"10.0.26100}\ntolerations: [{operator: Exists}]\ncontainers: [{name: a, image: 'x.example.com/a:ltsc2022', " +
		"resources: {limits: {memory: 1Gi}}}]"
	with := func(topology, option platform.Matching) preflight.Options {
		o := mixed(platform.WindowsServer2022, platform.WindowsServer2025)
		o.Topology.Matching, o.Matching = topology, option
		return o
	}
	const wrong = "error spec.containers[0].image: … (MK201)"
	for _, tt := range []struct {
		options preflight.Options
		want    []string
		invalid string
	}{
		{with("", ""), []string{wrong}, ""},
		{with("", platform.Strict), []string{wrong}, ""},
		{with("", platform.Relaxed), nil, ""},
		{with(platform.Relaxed, ""), nil, ""},
		{with(platform.Relaxed, platform.Relaxed), nil, ""},
		{
			with(platform.Relaxed, platform.Strict),
			[]string{wrong},
			`matching: Invalid value: "strict": the topology has relaxed: give one of the two`,
		},
		{
			with("", "loose"),
			[]string{wrong},
			`matching: Invalid value: "loose": unknown matching (use strict or relaxed)`,
		},
	} {
		got := texts(preflight.Check(inSpec(t, "Pod", spec), tt.options))
		if diff := cmp.Diff(tt.want, got, golden.AnySentence); diff != "" {
			t.Errorf("%q, %q (-want +got):\n%s", tt.options.Topology.Matching, tt.options.Matching, diff)
		}
		invalid := ""
		if err := tt.options.Validate(nil).ToAggregate(); err != nil {
			invalid = err.Error()
		}
		if invalid != tt.invalid {
			t.Errorf("%q, %q: %q, want %q", tt.options.Topology.Matching, tt.options.Matching, invalid, tt.invalid)
		}
	}
}
