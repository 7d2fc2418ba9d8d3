package bench

import (
	"testing"

	"github.com/mixedkube/mixedkube/internal/testkit/benchtest"
)

func TestBenchmarks(t *testing.T) {
	t.Cleanup(func() { table.lines = nil }) // Their ratios have no meaning.
	benchtest.Short(t, BenchmarkLab, BenchmarkCheckManifests, BenchmarkPreflight, BenchmarkCheckAgainstPeers,
		BenchmarkPreview, BenchmarkPreviewGrows, BenchmarkMistakes, BenchmarkCompile, BenchmarkPlugin)
}
