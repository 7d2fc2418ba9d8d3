package procfs

import "testing"

func TestParseStat(t *testing.T) {
	t.Parallel()
	const line = "412 (a (b) c) S 7 412 412 0 -1 4194560 1 2 3 4 150 50 1200 300 20 0 8 0 9913 1 2 3 4 5 6 7 8"
	want := Stat{PID: 412, Parent: 7, Name: "a (b) c", State: "S", Started: 9913, Own: 200, Waited: 1500}
	if got, ok := ParseStat(line); !ok || got != want {
		t.Errorf("got %+v, %t, want %+v", got, ok, want)
	}
	for _, wrong := range []string{
		"", "412 (a", "412 (a) S 7 412", "x (a) S 7 412 412 0 -1 1 1 2 3 4 1 1 1 1 2 0 8 0 9 1",
	} {
		if got, ok := ParseStat(wrong); ok {
			t.Errorf("%q is parsed as %+v", wrong, got)
		}
	}
}
