package golden_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/internal/testkit/golden"
)

func TestAnySentence(t *testing.T) {
	t.Parallel()
	const got = `web: error: spec.color: "red": is loud: write gray (A1)`
	for want, equal := range map[string]bool{
		got:                                true,
		"web: error: spec.color: … (A1)":   true,
		"web: warning: spec.color: … (A1)": false,
		"web: error: spec.col: … (A1)":     false,
		"web: error: spec.color: … (A12)":  false,
		"web: error: spec.color: …":        false,
		"web: error: spec.color: … (A1)\n": false,
	} {
		for _, surrounding := range [][2]string{{}, {"one\n", "\nthree"}} {
			want, got := surrounding[0]+want+surrounding[1], surrounding[0]+got+surrounding[1]
			if diff := cmp.Diff([]string{want}, []string{got}, golden.AnySentence); (diff == "") != equal {
				t.Errorf("%q: equal is %t, want %t:\n%s", want, !equal, equal, diff)
			}
		}
	}
}

func TestContains(t *testing.T) {
	t.Parallel()
	const text = "1 error:\n  spec.color: is loud: write gray (A1)\nin all"
	for part, want := range map[string]bool{
		"error:\n  spec.color: … (A1)\n": true, "color: … (A1)": true, "error: … (A1)": false, "(A1)\nin": true,
		"spec.color: … (A2)": false, "spec.size: … (A1)": false,
	} {
		if got := golden.Contains(text, part); got != want {
			t.Errorf("%q: %t, want %t", part, got, want)
		}
	}
}
