package pins

import (
	"testing"

	"github.com/mixedkube/mixedkube/core/preflight"
)

// TestTheRecordedWorkloadsRunOnTheirRelease compares where the recorded workloads can run on the pool for which they were
// completed, and when the pool has another release.
func TestTheRecordedWorkloadsRunOnTheirRelease(t *testing.T) {
	t.Parallel()
	all := read(t)
	var classes []map[string]any
	for _, class := range all.classes {
		classes = append(classes, class.object)
	}
	if len(classes) != 2 {
		t.Errorf("%d RuntimeClasses are recorded, want one with each matching", len(classes))
	}
	byClass := 0
	for release, want := range map[string]int{"2022": len(all.workloads), "2025": 0} {
		running := 0
		for _, w := range all.workloads {
			checker := preflight.New(preflight.Options{Topology: pools(t, release), Matching: w.matching})
			landing, ok := checker.Landing(w.object, classes[0])
			if !ok || len(landing.Perhaps) > 0 {
				t.Errorf("%s: %s %s: %s", w.source, w.kind(), w.name(), landing)
			}
			if len(landing.Pools) > 0 {
				running++
			}
			if w.namesClass() {
				byClass++
			}
		}
		if running != want {
			t.Errorf("%d of %d recorded workloads run on Windows Server %s, want %d", running, len(all.workloads),
				release, want)
		}
	}
	if byClass == 0 {
		t.Error("no recorded workload names a RuntimeClass")
	}
}
