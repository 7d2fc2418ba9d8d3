package fielderrors

import (
	"cmp"
	"fmt"
	"regexp"
	"strings"
	"testing"
)

// comparedByText compares paths after it has written zeros before their numbers.
func comparedByText(a, b string) int {
	numbers := regexp.MustCompile(`\d+`)
	key := func(path string) string {
		return numbers.ReplaceAllStringFunc(path, func(n string) string {
			return strings.Repeat("0", max(0, 20-len(n))) + n
		})
	}
	return cmp.Compare(key(a), key(b))
}

func TestPathsAreComparedByTheirNumbers(t *testing.T) {
	t.Parallel()
	var paths []string
	for _, number := range []string{
		"", "0", "2", "10", "02", "2a10", "a2", "99999999999999999999", "100000000000000000000",
	} {
		for _, rest := range []string{"", "]", "].a", ".b[3]", "x12y4"} {
			paths = append(paths, "p["+number+rest, number+rest)
		}
	}
	for _, a := range paths {
		for _, b := range paths {
			if got, want := ComparePaths(a, b), comparedByText(a, b); got != want {
				t.Errorf("%q and %q: got %d, want %d", a, b, got, want)
			}
		}
	}
}

func FuzzComparePaths(f *testing.F) {
	f.Add("pools[2].name", "pools[10].name")
	f.Add("a1b22", "a01b3")
	f.Add("", "0")
	f.Fuzz(func(t *testing.T, a, b string) {
		if strings.Contains(a+b, "\x00") {
			return
		}
		if got, want := ComparePaths(a, b), comparedByText(a, b); got != want {
			t.Errorf("%q and %q: got %d, want %d", a, b, got, want)
		}
	})
}

func TestComparingPathsCopiesNothing(t *testing.T) { //nolint:paralleltest // it counts allocations
	a, b := "a["+strings.Repeat("x1", 1000)+"]", "a["+strings.Repeat("x1", 1000)+"0]"
	if n := testing.AllocsPerRun(10, func() { ComparePaths(a, b) }); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkComparePaths(b *testing.B) {
	for _, n := range []int{1, 10, 100} {
		path := strings.Repeat("spec.containers[12].", n)
		b.Run(fmt.Sprintf("%d bytes", len(path)), func(b *testing.B) {
			b.SetBytes(int64(len(path)))
			for b.Loop() {
				ComparePaths(path, path)
			}
		})
	}
}
