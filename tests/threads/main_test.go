package threads_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/mixedkube/mixedkube/internal/lab/tools"
)

// TestMain puts the helm of the lab on PATH, with which mixedkube check renders charts.
func TestMain(m *testing.M) {
	if err := installHelm(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(m.Run())
}

func installHelm() error {
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		return err
	}
	cache, err := tools.FromRoot(root, os.Stderr)
	if err != nil {
		return err
	}
	paths, err := cache.Ensure(context.Background(), "helm")
	if err != nil {
		return err
	}
	return os.Setenv("PATH", filepath.Dir(paths["helm"])+string(filepath.ListSeparator)+os.Getenv("PATH"))
}
