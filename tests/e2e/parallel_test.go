package e2e

import (
	"sync"
	"testing"

	"github.com/mixedkube/mixedkube/internal/lab"
)

// TestTwoLabsAtOnce starts two labs in parallel, which must not affect each other.
func TestTwoLabsAtOnce(t *testing.T) {
	t.Parallel()
	labs := []testLab{newLab(t), newLab(t)}
	var all sync.WaitGroup
	for _, l := range labs {
		all.Go(func() {
			if err := l.Start(t.Context(), lab.Options{Stack: "lab-given"}); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if t.Failed() {
		return
	}
	if first, second := clusterUID(t, labs[0]), clusterUID(t, labs[1]); first == second {
		t.Errorf("both labs are the cluster %s", first)
	}
	for _, l := range labs {
		checkNodes(t, l.client(t))
	}
	if err := labs[0].Down(); err != nil {
		t.Fatal(err)
	}
	checkNodes(t, labs[1].client(t))
}
