package vm_test

import (
	"testing"

	"github.com/mixedkube/mixedkube/internal/core/facts/vm"
)

func TestSpotMaxPrice(t *testing.T) {
	t.Parallel()
	for price, want := range map[float64]float64{0: -1, 0.25: 0.25} {
		if got := vm.SpotMaxPrice(price); got != want {
			t.Errorf("SpotMaxPrice(%v) is %v, want %v", price, got, want)
		}
	}
}
