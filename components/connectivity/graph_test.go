package connectivity_test

import (
	"testing"

	"github.com/mixedkube/mixedkube/components/connectivity"
	"github.com/mixedkube/mixedkube/components/mocktest"
	"github.com/mixedkube/mixedkube/core/preflight"
	"github.com/mixedkube/mixedkube/internal/testkit/golden"
)

func TestTheWholeGraph(t *testing.T) {
	t.Parallel()
	for name, args := range map[string]*connectivity.SuiteArgs{
		"two":  {Topology: two, Run: "the first"},
		"four": {Topology: four},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			program := newSuite(args)
			golden.UpdateAndPreview(t, "testdata/"+name, withoutScripts(run(t, program).String()),
				withoutScripts(mocktest.MustRun(t, program, mocktest.Preview()).String()))
		})
	}
}

func TestPreflightFindsNothing(t *testing.T) {
	t.Parallel()
	graph := run(t, newSuite(&connectivity.SuiteArgs{Topology: four}))
	checked := 0
	for _, typ := range []string{podType, jobType, serviceType} {
		for _, r := range graph.ByType(typ) {
			checked++
			for _, f := range preflight.Check(r.Plain(), preflight.Options{Topology: four}) {
				t.Errorf("%s: %s", r.Name, f)
			}
		}
	}
	if checked != 35 {
		t.Errorf("%d objects, want 35", checked)
	}
}
