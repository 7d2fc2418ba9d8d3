package hostile

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"testing"
	"time"

	"github.com/mixedkube/mixedkube/internal/lab/tools"
)

var (
	inputs = flag.Int("inputs", 150, "the `number` of hostile inputs; each pair is tried with 600")
	only   = flag.Int("only", -1, "run only the hostile input with this `index`")
	// No run takes nearly as long, even on a busy machine.
	patience = flag.Duration("patience", 2*time.Minute, "the `time` after which a run is stuck")
)

// mixedkube is the command, and helmDir the directory with the helm of the lab.
var mixedkube, helmDir string

func TestMain(m *testing.M) {
	flag.Parse()
	if err := build(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	// The command has Go's default, as for users. The test has it too: Linux counts the memory of a process for its
	// children, from before they run a program.
	debug.SetGCPercent(100)
	if err := os.Setenv("GOGC", "100"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// build builds the command from the checkout, and helm if the cache of tools does not have it.
func build(ctx context.Context) error {
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		return err
	}
	cache, err := tools.FromRoot(root, os.Stderr)
	if err != nil {
		return err
	}
	paths, err := cache.Ensure(ctx, "helm")
	if err != nil {
		return err
	}
	helmDir = filepath.Dir(paths["helm"])
	mixedkube, err = cache.Executable(ctx, root)
	return err
}
