package release

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// attachable returns the files of a small release by their paths: in the checkout, whose directory dist has the output
// of GoReleaser. Those that are attached have their name as the content.
func attachable(version string) map[string]string {
	const image = `{"schemaVersion": 2, "manifests": []}`
	return map[string]string{
		"CHANGELOG.md": "# Changes\n", "README.md": "not attached",
		"action.yml": "action.yml", "ci/check.sh": "check.sh", "ci/gitlab.yml": "gitlab.yml",
		"dist/metadata.json":                                   `{"version": "` + version + `"}`,
		"dist/artifacts.json":                                  "[]",
		"dist/mixedkube_1_linux.tar.gz":                        "mixedkube_1_linux.tar.gz",
		"dist/mixedkube_1_linux.cdx.json":                      "mixedkube_1_linux.cdx.json",
		"dist/mixedkube_linux/mixedkube":                       "not attached",
		"dist/krew/mixedkube.yaml":                             "mixedkube.yaml",
		"dist/image/index.json":                                image,
		"dist/sdk/mixedkube-1.tgz":                             "mixedkube-1.tgz",
		"dist/sdk/mixedkube-1-any.whl":                         "mixedkube-1-any.whl",
		"dist/sdk/nodejs/package.json":                         "not attached",
		"dist/pulumi-resource-other-v1.gz":                     "not attached",
		"dist/pulumi-resource-mixedkube-v1-linux-amd64.tar.gz": "pulumi-resource-mixedkube-v1-linux-amd64.tar.gz",
	}
}

// write writes files below a directory.
func write(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, content := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := errors.Join(
			os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(content), 0o600),
		); err != nil {
			t.Fatal(err)
		}
	}
}

// draft writes a draft of a release, and returns its directory.
func draft(t *testing.T, files map[string]string) (root, out string, names []string, err error) {
	t.Helper()
	root = t.TempDir()
	write(t, root, files)
	out = filepath.Join(root, "dist", "draft")
	// A draft of an earlier release is replaced.
	write(t, out, map[string]string{"files/old.tar.gz": "old"})
	names, err = Draft(root, filepath.Join(root, "dist"), out, time.Date(2026, 11, 27, 2, 0, 0, 0, time.UTC))
	return root, out, names, err
}

// TestTheListHasTheChecksumOfEveryAttachedFile compares the list with the content of the directory that the workflow
// attaches.
func TestTheListHasTheChecksumOfEveryAttachedFile(t *testing.T) {
	t.Parallel()
	for version, want := range map[string][]string{
		"1.2.3": {
			"action.yml", "check.sh", "gitlab.yml", "mixedkube-1-any.whl", "mixedkube-1.tgz", "mixedkube.yaml",
			"mixedkube_1.2.3_image.tar", "mixedkube_1_linux.cdx.json", "mixedkube_1_linux.tar.gz",
			"pulumi-resource-mixedkube-v1-linux-amd64.tar.gz",
		},
		// The plugin and the SDKs are left out.
		"1.2.3-SNAPSHOT-abc": {
			"action.yml", "check.sh", "gitlab.yml", "mixedkube.yaml", "mixedkube_1.2.3-SNAPSHOT-abc_image.tar",
			"mixedkube_1_linux.cdx.json", "mixedkube_1_linux.tar.gz",
		},
	} {
		files := attachable(version)
		for name := range files {
			if strings.Contains(version, "SNAPSHOT") &&
				(strings.HasPrefix(name, "dist/sdk/") || strings.HasPrefix(name, "dist/pulumi-")) {
				delete(files, name)
			}
		}
		_, out, names, err := draft(t, files)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, names); diff != "" {
			t.Errorf("%s: files (-want +got):\n%s", version, diff)
		}
		entries, err := os.ReadDir(filepath.Join(out, FilesDir))
		if err != nil {
			t.Fatal(err)
		}
		var list strings.Builder
		for _, entry := range entries {
			content, err := os.ReadFile(filepath.Join(out, FilesDir, entry.Name()))
			if err != nil {
				t.Fatal(err)
			}
			if entry.Name() == ChecksumsFile {
				continue
			}
			fmt.Fprintf(&list, "%x  %s\n", sha256.Sum256(content), entry.Name())
			if !strings.HasSuffix(entry.Name(), "_image.tar") && string(content) != entry.Name() {
				t.Errorf("%s: %s has the content %q", version, entry.Name(), content)
			}
		}
		for name, want := range map[string]string{
			FilesDir + "/" + ChecksumsFile: list.String(), NotesFile: "# Changes\n",
		} {
			got, err := os.ReadFile(filepath.Join(out, filepath.FromSlash(name)))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, string(got)); diff != "" {
				t.Errorf("%s: %s (-want +got):\n%s", version, name, diff)
			}
		}
	}
}

func TestAReleaseIsComplete(t *testing.T) {
	t.Parallel()
	for version, want := range map[string]string{
		"1.2.3": "the release 1.2.3 is not complete:\n" +
			"DIST/mixedkube_*.tar.gz: no such file: a release has archives of the command\n" +
			"DIST/pulumi-resource-mixedkube-v*.tar.gz: no such file: a release has archives of the plugin\n" +
			"DIST/*.cdx.json: no such file: a release has bills of materials\n" +
			"DIST/krew/mixedkube.yaml: no such file: a release has the manifest for krew\n" +
			"DIST/sdk/*.tgz: no such file: a release has the SDK for npm\n" +
			"DIST/sdk/*.whl: no such file: a release has the SDK for pip\n" +
			"ROOT/action.yml: no such file: a release has the action\n" +
			"ROOT/ci/check.sh: no such file: a release has the script of the action\n" +
			"ROOT/ci/gitlab.yml: no such file: a release has the template for GitLab",
		"1.2.3-SNAPSHOT-abc": "the release 1.2.3-SNAPSHOT-abc is not complete:\n" +
			"DIST/mixedkube_*.tar.gz: no such file: a release has archives of the command\n" +
			"DIST/*.cdx.json: no such file: a release has bills of materials\n" +
			"DIST/krew/mixedkube.yaml: no such file: a release has the manifest for krew\n" +
			"ROOT/action.yml: no such file: a release has the action\n" +
			"ROOT/ci/check.sh: no such file: a release has the script of the action\n" +
			"ROOT/ci/gitlab.yml: no such file: a release has the template for GitLab",
	} {
		root, _, _, err := draft(t, map[string]string{"dist/metadata.json": `{"version": "` + version + `"}`})
		if err == nil {
			t.Fatalf("%s: no error", version)
		}
		got := strings.ReplaceAll(err.Error(), filepath.Join(root, "dist"), "DIST")
		if diff := cmp.Diff(want, strings.ReplaceAll(got, root, "ROOT")); diff != "" {
			t.Errorf("%s: the error (-want +got):\n%s", version, diff)
		}
	}
}

func TestTwoFilesOfAReleaseCannotHaveOneName(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "name")
	for i, want := range []error{nil, os.ErrExist} {
		if err := create(path, func(io.Writer) error { return nil }); !errors.Is(err, want) {
			t.Errorf("file %d: the error is %v, want %v", i+1, err, want)
		}
	}
}
