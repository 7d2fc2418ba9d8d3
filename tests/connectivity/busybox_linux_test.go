package connectivity

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// programVariable leads the process in the namespaces, which has no network, to BusyBox.
const programVariable = "MIXEDKUBE_CONNECTIVITY_BUSYBOX"

// busybox is a folder with links to the tools of BusyBox. It skips the test where they
// cannot be had.
func busybox(t *testing.T) string {
	t.Helper()
	if reason != "" {
		t.Skip(reason)
	}
	folder := t.TempDir()
	for _, tool := range []string{
		"sh", "awk", "cut", "date", "httpd", "mktemp", "nslookup", "sed", "sleep", "timeout",
		"tr", "wget",
	} {
		if err := os.Symlink(os.Getenv(programVariable), filepath.Join(folder, tool)); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

// findBusybox is the machine's, or where there is none Debian's package, unpacked in a
// folder.
func findBusybox(folder string) (string, error) {
	if program, err := exec.LookPath("busybox"); err == nil {
		return program, nil
	}
	if _, err := exec.LookPath("apt-get"); err != nil {
		return "", errors.New("no busybox on PATH, which the containers' image has")
	}
	// Lists of its own need no rights, and a container's machine often has none.
	apt := fmt.Sprintf("apt-get -q -o Dir::State=%[1]s -o Dir::Cache=%[1]s", folder)
	script := "mkdir -p lists/partial archives/partial && " + apt + " update && " + apt +
		" download busybox-static && dpkg-deb -x busybox-static_*.deb ."
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "sh", "-c", script)
	cmd.Dir = folder
	if output, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("no busybox on PATH, and Debian's package cannot be had: %w: %s", err, output)
	}
	found, err := filepath.Glob(filepath.Join(folder, "*", "busybox"))
	if more, _ := filepath.Glob(filepath.Join(folder, "usr", "*", "busybox")); len(found) == 0 {
		found = more
	}
	if err != nil || len(found) == 0 {
		return "", fmt.Errorf("Debian's package has no busybox: %w", err)
	}
	return found[0], nil
}
