package cli

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
)

// A run with too many objects fails, and names the files that it has not read.
func TestTheObjectsOfARunAreLimited(t *testing.T) {
	files := map[string]string{}
	for i := range 40 {
		files[fmt.Sprintf("f%02d.yaml", i)] = pod
	}
	t.Chdir(dirWith(t, files))
	for most, want := range map[int]string{
		40: "", 0: "", 39: "more than 39 objects: name fewer paths at once", 5: "more than 5 objects, and ",
	} {
		c := checking{paths: []string{"."}, mostObjects: most, clusters: []*checkedCluster{{}}}
		r := c.check(t.Context(), &input{}, io.Discard)
		got := ""
		if err := errors.Join(r.Problems...); err != nil {
			got = err.Error()
		}
		if !strings.HasPrefix(got, want) || (want == "") != (got == "") {
			t.Errorf("at most %d: %q, want %q", most, got, want)
		}
		if most == 5 &&
			(!strings.Contains(got, " files are not read: f") || !strings.Contains(got, " more: name fewer")) {
			t.Errorf("at most %d: %q does not name the files", most, got)
		}
	}
}
