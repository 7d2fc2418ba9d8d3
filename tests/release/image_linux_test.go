package release

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// descriptor names a part of an image, as
// https://github.com/opencontainers/image-spec/blob/main/descriptor.md defines it.
type descriptor struct {
	Digest   string
	Platform struct{ OS, Architecture string }
}

// TestSnapshotOfTheImage unpacks the image for this machine's processor as an engine does. If the user may, it
// runs the image with only its own files, as its own user, in its own directory.
func TestSnapshotOfTheImage(t *testing.T) {
	t.Parallel()
	r := readRelease(t)
	part := func(of descriptor, into any) {
		t.Helper()
		if err := json.Unmarshal(r.read(t, "image/blobs/"+strings.Replace(of.Digest, ":", "/", 1)), into); err != nil {
			t.Fatal(err)
		}
	}
	var dir, all struct{ Manifests []descriptor }
	if err := json.Unmarshal(r.read(t, "image/index.json"), &dir); err != nil || len(dir.Manifests) != 1 {
		t.Fatalf("%v, %+v", err, dir)
	}
	part(dir.Manifests[0], &all)
	var image struct {
		Config descriptor
		Layers []descriptor
	}
	var config struct {
		Config struct {
			Entrypoint       []string
			User, WorkingDir string
		}
	}
	for _, one := range all.Manifests {
		if one.Platform.OS == "linux" && one.Platform.Architecture == runtime.GOARCH {
			part(one, &image)
			part(image.Config, &config)
		}
	}
	files := t.TempDir()
	for _, layer := range image.Layers {
		unpackLayer(t, files, r.read(t, "image/blobs/"+strings.Replace(layer.Digest, ":", "/", 1)))
	}
	program, err := os.ReadFile(filepath.Join(files, "usr", "bin", "mixedkube"))
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(program, r.unpacked(t, archiveName(t, r.version, "linux", runtime.GOARCH))["mixedkube"]) {
		t.Error("the programs in the image and in the archive differ")
	}
	if os.Getuid() != 0 {
		t.Skip("needs root: run it as root, which may change the root directory")
	}
	if err := os.WriteFile(filepath.Join(files, "work", "pod.yaml"), []byte(pod), 0o644); err != nil {
		t.Fatal(err)
	}
	user, group, _ := strings.Cut(config.Config.User, ":")
	args := []string{"check", "--report", "json=report.json", "pod.yaml"}
	cmd := exec.CommandContext(t.Context(), config.Config.Entrypoint[0], args...)
	cmd.Dir, cmd.Env = config.Config.WorkingDir, []string{}
	cmd.SysProcAttr = &syscall.SysProcAttr{
		Chroot: files, Credential: &syscall.Credential{Uid: number(t, user), Gid: number(t, group)},
	}
	out, err := cmd.CombinedOutput()
	if failed, ok := errors.AsType[*exec.ExitError](err); !ok || failed.ExitCode() != 1 ||
		string(out) != "pod.yaml"+podFinding+podSummary {
		t.Errorf("%v\n%s", err, out)
	}
	if _, err := os.Stat(filepath.Join(files, "work", "report.json")); err != nil {
		t.Errorf("the user of the image cannot write into its directory: %v", err)
	}
}

func number(t *testing.T, text string) uint32 {
	t.Helper()
	n, err := strconv.ParseUint(text, 10, 32)
	if err != nil || n == 0 {
		t.Fatalf("%q: %v: want a user without privileges", text, err)
	}
	return uint32(n)
}

func unpackLayer(t *testing.T, dir string, layer []byte) {
	t.Helper()
	compressed, err := gzip.NewReader(bytes.NewReader(layer))
	if err != nil {
		t.Fatal(err)
	}
	for archive := tar.NewReader(compressed); ; {
		header, err := archive.Next()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil || !filepath.IsLocal(header.Name) {
			t.Fatalf("%v, %q", err, header.Name)
		}
		name := filepath.Join(dir, filepath.FromSlash(header.Name))
		mode := header.FileInfo().Mode().Perm()
		if header.Typeflag == tar.TypeDir {
			err = os.MkdirAll(name, mode)
		} else {
			var content []byte
			if content, err = io.ReadAll(archive); err == nil {
				err = os.WriteFile(name, content, mode)
			}
		}
		if err == nil {
			err = os.Chmod(name, mode) // independent of the umask of this process
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}
