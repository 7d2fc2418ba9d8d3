package mocktest_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/mocktest"
)

// sites returns a program with that many components, each with one resource.
func sites(count int) pulumi.RunFunc {
	return func(ctx *pulumi.Context) error {
		for i := range count {
			if _, err := newSite(ctx, fmt.Sprintf("site%d", i)); err != nil {
				return err
			}
		}
		return nil
	}
}

// BenchmarkText compares a program with another one that has an eighth of its resources. The ratio is 8 if the time to
// write the text grows in proportion.
func BenchmarkText(b *testing.B) {
	few, many := mocktest.MustRun(b, sites(625)), mocktest.MustRun(b, sites(5000))
	var took [2]time.Duration
	for b.Loop() {
		for i, graph := range []*mocktest.Graph{few, many} {
			started := time.Now()
			_ = graph.String()
			took[i] += time.Since(started)
		}
	}
	b.ReportMetric(took[1].Seconds()/took[0].Seconds(), "many/few")
	b.ReportMetric(1000*took[1].Seconds()/float64(b.N), "ms/10000-resources")
}

// BenchmarkChanges compares a run after an earlier one with a run without one: the difference is the time to compare
// two graphs of 10,000 resources.
func BenchmarkChanges(b *testing.B) {
	earlier := mocktest.MustRun(b, sites(5000))
	var first, after, text time.Duration
	for b.Loop() {
		started := time.Now()
		mocktest.MustRun(b, sites(5000), mocktest.Preview())
		first += time.Since(started)
		started = time.Now()
		graph := mocktest.MustRun(b, sites(4999), mocktest.Preview(), mocktest.After(earlier))
		after += time.Since(started)
		started = time.Now()
		if removed := graph.Changes().Removed(); len(removed) != 2 {
			b.Fatalf("%d resources are removed, want 2", len(removed))
		}
		text += time.Since(started)
	}
	b.ReportMetric(after.Seconds()/first.Seconds(), "after/first")
	b.ReportMetric(1000*(after-first+text).Seconds()/float64(b.N), "ms/comparing")
}
