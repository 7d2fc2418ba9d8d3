package collection

import (
	"strconv"
	"testing"

	"k8s.io/apimachinery/pkg/labels"
)

// counted counts what it is compared with.
type counted struct {
	labels.Selector

	compared *int
}

func (c counted) Matches(l labels.Labels) bool {
	*c.compared++
	return c.Selector.Matches(l)
}

func TestSelectorsAreComparedOnlyWithWorkloadsThatHaveTheirLabels(t *testing.T) {
	t.Parallel()
	workloads := make([]*workload, 1000)
	for i := range workloads {
		workloads[i] = &workload{
			labels: labelSet{{"app", "shop"}, {"tier", strconv.Itoa(i % 500)}}, hasNamespace: true, allLabels: true,
		}
	}
	a := &Collection{workloads: workloads, byNamespace: map[string][]*workload{"shop": workloads}}
	for text, want := range map[string]struct{ found, compared int }{
		"":                             {1000, 1000},
		"app":                          {1000, 1000},
		"app=shop":                     {1000, 1000},
		"app=shop,tier=7":              {2, 2},
		"tier in (7,8,none),!region":   {4, 4},
		"app=none":                     {0, 0},
		"tier!=7":                      {998, 1000},
		"tier in (1,2),tier notin (1)": {2, 4},
	} {
		selector, err := labels.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		compared := 0
		found, known := a.workloadsOf("shop", counted{selector, &compared})
		if len(found) != want.found || compared != want.compared || !known {
			t.Errorf("%q: found %d after %d comparisons, want %+v", text, len(found), compared, want)
		}
	}
}
