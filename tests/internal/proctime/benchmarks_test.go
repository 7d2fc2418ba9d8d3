package proctime

import (
	"testing"

	"github.com/mixedkube/mixedkube/internal/testkit/benchtest"
)

func TestBenchmarks(t *testing.T) { benchtest.Once(t, BenchmarkReading) }
