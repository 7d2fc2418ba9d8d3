package fielderrors

import "testing"

func TestCount(t *testing.T) {
	t.Parallel()
	for n, want := range map[int]string{0: "0 pods", 1: "1 pod", 2: "2 pods"} {
		if got := Count(n, "pod"); got != want {
			t.Errorf("%d: %q, want %q", n, got, want)
		}
	}
}
