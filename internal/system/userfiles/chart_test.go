package userfiles_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/mixedkube/mixedkube/internal/core/manifests/helmchart"
	"github.com/mixedkube/mixedkube/internal/system/userfiles"
)

// A chart in a directory has no finding if nothing in it can be a hook.
func TestChartsInDirectoriesAreRead(t *testing.T) {
	t.Parallel()
	chart := func(t *testing.T) string {
		t.Helper()
		dir := filepath.Join(t.TempDir(), "chart")
		if err := os.MkdirAll(filepath.Join(dir, "templates"), 0o700); err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(dir, "Chart.yaml"), "name: shop\n")
		write(t, filepath.Join(dir, "templates", "web.yaml"), "kind: Deployment\n")
		return dir
	}
	for name, tt := range map[string]struct {
		change func(dir string) (path string, err error)
		want   int
	}{
		"no hook": {func(dir string) (string, error) { return dir, nil }, 0},
		"a hook": {func(dir string) (string, error) {
			return dir, os.WriteFile(filepath.Join(dir, "templates", "job.yaml"), []byte("helm.sh/hook: x\n"), 0o600)
		}, 1},
		"a link, which is not followed": {func(dir string) (string, error) {
			return dir, os.Symlink("web.yaml", filepath.Join(dir, "templates", "link.yaml"))
		}, 1},
		"a link to the chart": {func(dir string) (string, error) {
			return dir + "2", os.Symlink("chart", dir+"2")
		}, 0},
		"no chart": {func(dir string) (string, error) {
			return dir, os.Remove(filepath.Join(dir, "Chart.yaml"))
		}, 1},
		"no directory": {func(dir string) (string, error) { return dir + "2", nil }, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path, err := tt.change(chart(t))
			if err != nil {
				t.Fatal(err)
			}
			found := helmchart.Check(helmchart.ChartType, "shop", map[string]any{"chart": path}, userfiles.Chart)
			if len(found) != tt.want {
				t.Errorf("%d findings, want %d: %v", len(found), tt.want, found)
			}
		})
	}
}
