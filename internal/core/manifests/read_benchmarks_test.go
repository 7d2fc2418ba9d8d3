package manifests_test

import (
	"testing"

	"github.com/mixedkube/mixedkube/internal/testkit/benchtest"
)

func TestBenchmarksOfReading(t *testing.T) {
	t.Parallel()
	benchtest.Once(t, BenchmarkReadYAML, BenchmarkLine)
}
