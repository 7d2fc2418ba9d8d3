package topology_test

import (
	"testing"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
)

func TestMatchingIsChecked(t *testing.T) {
	t.Parallel()
	for _, m := range append(platform.Matchings(), "") {
		wantErrors(t, mixed(func(t *topology.Topology) { t.Matching = m }).Validate(nil))
	}
	wantErrors(t, mixed(func(t *topology.Topology) { t.Matching = "relax" }).Validate(nil),
		`matching: Invalid value: "relax": unknown matching: did you mean "relaxed"? (use strict or relaxed)`)
	if !(topology.Topology{Matching: platform.Relaxed}).IsSet() {
		t.Error("a topology that says a matching says nothing")
	}
}

func TestMatchingRoundTrip(t *testing.T) {
	t.Parallel()
	want := mixed(func(t *topology.Topology) { t.Matching = platform.Relaxed })
	encoded := topology.Encode(want)
	if encoded["matching"] != "relaxed" {
		t.Errorf("encoded as %v", encoded["matching"])
	}
	got, errs := topology.Decode(encoded, nil)
	if len(errs) > 0 || got.Matching != platform.Relaxed {
		t.Errorf("decoded as %q, %v", got.Matching, errs)
	}
}
