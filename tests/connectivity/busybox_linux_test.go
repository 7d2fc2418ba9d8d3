package connectivity

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/mixedkube/mixedkube/internal/lab/debian"
	"github.com/mixedkube/mixedkube/internal/lab/tools"
)

// programVariable leads the process in the namespaces, which has no network, to BusyBox.
const programVariable = "MIXEDKUBE_CONNECTIVITY_BUSYBOX"

// busybox returns a directory with links to the tools of BusyBox. It skips the test where they
// cannot be had.
func busybox(t *testing.T) string {
	t.Helper()
	if reason != "" {
		t.Skip("needs " + reason)
	}
	dir := t.TempDir()
	for _, tool := range []string{
		"sh", "awk", "cut", "date", "httpd", "mktemp", "nslookup", "sed", "sleep", "timeout",
		"tr", "wget",
	} {
		if err := os.Symlink(os.Getenv(programVariable), filepath.Join(dir, tool)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// findBusybox returns the machine's, or if there is none Debian's package, unpacked into the
// tool cache.
func findBusybox() (string, error) {
	cache, err := tools.FromRoot(filepath.Join("..", ".."), os.Stdout)
	if err != nil {
		return "", err
	}
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	return debian.BusyBox.Ensure(ctx, cache.Dir, os.Stdout)
}
