package sources

import (
	"errors"
	"os"
	"strings"
	"testing"
)

// size is how much memory [TestAllocate] takes, if the variable is set.
const size = "MIXEDKUBE_TEST_ALLOCATE"

// The program that takes memory, in a process of its own.
func TestAllocate(t *testing.T) {
	t.Parallel()
	if os.Getenv(size) == "" {
		return // the program of another test
	}
	taken := make([]byte, 1<<30)
	for i := range taken {
		taken[i] = 1
	}
	if strings.Count(string(taken[:10]), "\x01") != 10 {
		t.Error("the memory was not used")
	}
}

func TestTheMemoryOfAProgramIsLimited(t *testing.T) {
	t.Setenv(size, "1 GB")
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for memory, want := range map[uint64]error{256 << 20: ErrMemory, MaxMemory: nil, 0: nil} {
		program := Program{Name: self, Memory: memory}
		if _, _, err := program.Run(t.Context(), "-test.run=^TestAllocate$"); !errors.Is(err, want) {
			t.Errorf("with %d bytes: %v, want %v", memory, err, want)
		}
	}
}
