package benchtest

import (
	"flag"
	"testing"
)

func TestEachBenchmarkRunsOnce(t *testing.T) { //nolint:paralleltest // it looks at flags
	flags := func() string {
		return flag.Lookup("test.benchtime").Value.String() + " " + flag.Lookup("test.short").Value.String()
	}
	before, runs, short := flags(), 0, 0
	count := func(b *testing.B) {
		b.Helper()
		b.Run("below", func(b *testing.B) {
			for b.Loop() {
				runs++
			}
		})
		if testing.Short() {
			short++
		}
	}
	Once(t, count, count)
	if runs != 2 {
		t.Errorf("two benchmarks ran %d times", runs)
	}
	short = 0
	Short(t, count)
	if runs != 3 || short == 0 {
		t.Errorf("a third one ran %d times, with the flag -short %d times", runs-2, short)
	}
	if after := flags(); after != before {
		t.Errorf("the flags are %s after that, and were %s", after, before)
	}
}
