package languages

import (
	"path/filepath"
	"testing"

	"github.com/mixedkube/mixedkube/internal/lab"
	"github.com/mixedkube/mixedkube/tests/internal/labtest"
)

// TestTheShop deploys one program in each language.
func TestTheShop(t *testing.T) {
	t.Parallel()
	l := labtest.New(t)
	if err := l.Start(t.Context(), lab.Options{Stack: "lab-given"}); err != nil {
		t.Fatal(err)
	}
	for _, language := range []string{"yaml"} {
		t.Run(language, func(t *testing.T) {
			testShop(t, newShop(t, l, filepath.Join("testdata", "shop", language)))
		})
	}
}
