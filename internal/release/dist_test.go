package release

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/internal/release/image"
)

// The lists have GoReleaser's format, shortened.
func TestImageHasTheProgramsForLinux(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"metadata.json": `{"project_name":"mixedkube","tag":"v0.1.0","version":"0.1.0-SNAPSHOT-abc","commit":"abcdef"}`,
		"artifacts.json": `[
			{"name":"metadata.json","path":"dist/release/metadata.json","type":"Metadata"},
			{"name":"mixedkube","path":"dist/release/mixedkube_linux_amd64_v1/mixedkube","goos":"linux",
			 "goarch":"amd64","type":"Binary","extra":{"ID":"mixedkube"}},
			{"name":"mixedkube","path":"dist/release/mixedkube_darwin_arm64/mixedkube","goos":"darwin","goarch":"arm64",
			 "type":"Binary","extra":{"ID":"mixedkube"}},
			{"name":"pulumi-resource-mixedkube","path":"dist/release/plugin/p","goos":"linux","goarch":"amd64",
			 "type":"Binary","extra":{"ID":"plugin"}},
			{"name":"mixedkube_0.1.0_linux_arm64.tar.gz","path":"dist/release/m.tar.gz","goos":"linux","goarch":"arm64",
			 "type":"Archive","extra":{"ID":"mixedkube"}}]`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	at := time.Date(2026, 11, 27, 2, 0, 0, 0, time.UTC)
	got, err := Read("root", dir, at)
	if err != nil {
		t.Fatal(err)
	}
	want := image.Release{
		Version: "0.1.0-SNAPSHOT-abc", Revision: "abcdef", Created: at,
		Programs: []image.Program{{
			OS: "linux", Architecture: "amd64",
			Path: filepath.Join("root", "dist", "release", "mixedkube_linux_amd64_v1", "mixedkube"),
		}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestReadWithoutARelease(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "dist")
	_, err := Read(".", dir, time.Time{})
	const none = ": no such file or directory: run make release-snapshot"
	want := "open " + filepath.Join(dir, "metadata.json") + none + "\n" +
		"open " + filepath.Join(dir, "artifacts.json") + none
	if err == nil || err.Error() != want {
		t.Errorf("the error is %v, want %s", err, want)
	}
}
