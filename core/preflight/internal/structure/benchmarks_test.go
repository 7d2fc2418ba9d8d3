package structure

import (
	"testing"

	"github.com/mixedkube/mixedkube/internal/testkit/benchtest"
)

func TestBenchmarks(t *testing.T) {
	t.Parallel()
	benchtest.Once(t, BenchmarkTable)
}
