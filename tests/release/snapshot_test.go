package release

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/hex"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"
)

var snapshot = flag.String("snapshot", "", "the directory of a release that make release-snapshot has built")

// attached is the directory of the files that are attached to a release, in the directory of the release.
const attached = "draft/files/"

// release is a release that make release has built.
type release struct {
	dir, version string
	// sums are the checksums in checksums.txt, by the names of the files.
	sums map[string]string
}

// platforms are the platforms of every program.
var platforms = [][2]string{
	{"linux", "amd64"},
	{"linux", "arm64"},
	{"darwin", "amd64"},
	{"darwin", "arm64"},
	{"windows", "amd64"},
	{"windows", "arm64"},
}

func readRelease(t *testing.T) release {
	t.Helper()
	if *snapshot == "" {
		t.Skip("only with make release-snapshot")
	}
	r := release{dir: *snapshot, sums: map[string]string{}}
	var metadata struct{ Version string }
	if err := json.Unmarshal(r.read(t, "metadata.json"), &metadata); err != nil {
		t.Fatal(err)
	}
	r.version = metadata.Version
	if !strings.HasPrefix(r.version, prepared(t)) {
		t.Errorf("the version is %s, but in CHANGELOG.md it is %s", r.version, prepared(t))
	}
	for line := range strings.Lines(string(r.read(t, attached+"checksums.txt"))) {
		words := strings.Fields(line)
		r.sums[words[1]] = words[0]
	}
	return r
}

func (r release) read(t *testing.T, name string) []byte {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(r.dir, filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	return content
}

// programs returns the programs of the release, by the IDs of their builds. The plugin may be left out.
func (r release) programs() map[string]string {
	programs := map[string]string{"mixedkube": "mixedkube", "plugin": "pulumi-resource-mixedkube"}
	if os.Getenv("WITHOUT_PLUGIN") == "true" {
		delete(programs, "plugin")
	}
	return programs
}

// unpacked returns the files of an archive.
func (r release) unpacked(t *testing.T, name string) map[string][]byte {
	t.Helper()
	compressed, err := gzip.NewReader(bytes.NewReader(r.read(t, attached+name)))
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	files := map[string][]byte{}
	for archive := tar.NewReader(compressed); ; {
		header, err := archive.Next()
		if errors.Is(err, io.EOF) {
			return files
		}
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if files[header.Name], err = io.ReadAll(archive); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
	}
}

func suffixOf(system string) string {
	if system == "windows" {
		return ".exe"
	}
	return ""
}

// TestSnapshot checks the files of a release.
func TestSnapshot(t *testing.T) {
	t.Parallel()
	r := readRelease(t)
	want := []string{"action.yml", "check.sh", "gitlab.yml", "mixedkube.yaml", "mixedkube_" + r.version + "_image.tar"}
	for id, program := range r.programs() {
		for _, p := range platforms {
			want = append(want, named(t, id, r.version, p[0], p[1]),
				fmt.Sprintf("%s_%s_%s_%s.cdx.json", program, r.version, p[0], p[1]))
		}
	}
	// The package of a language is left out of a snapshot if the machine cannot build it.
	for _, pattern := range []string{"sdk/*.tgz", "sdk/*.whl"} {
		packages, err := filepath.Glob(filepath.Join(r.dir, filepath.FromSlash(pattern)))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range packages {
			want = append(want, filepath.Base(file))
		}
	}
	slices.Sort(want)
	if diff := cmp.Diff(want, slices.Sorted(maps.Keys(r.sums))); diff != "" {
		t.Errorf("files with a checksum (-want +got):\n%s", diff)
	}
	for name, content := range map[string]string{
		"action.yml": "action.yml", "check.sh": "ci/check.sh", "gitlab.yml": "ci/gitlab.yml",
	} {
		if diff := cmp.Diff(string(readFile(t, content)), string(r.read(t, attached+name))); diff != "" {
			t.Errorf("%s (-checkout +attached):\n%s", name, diff)
		}
	}
	for name, want := range r.sums {
		sum := sha256.Sum256(r.read(t, attached+name))
		if got := hex.EncodeToString(sum[:]); got != want {
			t.Errorf("%s: its SHA-256 is %s, but in checksums.txt it is %s", name, got, want)
		}
	}
	for id, program := range r.programs() {
		for _, p := range platforms {
			files := r.unpacked(t, named(t, id, r.version, p[0], p[1]))
			wantFiles := []string{"CHANGELOG.md", "LICENSE", program + suffixOf(p[0])}
			if diff := cmp.Diff(wantFiles, slices.Sorted(maps.Keys(files))); diff != "" {
				t.Errorf("%s for %s/%s (-want +got):\n%s", id, p[0], p[1], diff)
			}
			modules := r.checkProgram(t, files[program+suffixOf(p[0])], p)
			r.listsModules(t, fmt.Sprintf("%s_%s_%s_%s.cdx.json", program, r.version, p[0], p[1]), modules)
		}
	}
}

// checkProgram compares a program with its platform, and returns the modules in it.
func (r release) checkProgram(t *testing.T, program []byte, platform [2]string) map[string]string {
	t.Helper()
	info, err := buildinfo.Read(bytes.NewReader(program))
	if err != nil {
		t.Errorf("%s: %v", platform, err)
		return nil
	}
	settings := map[string]string{}
	for _, s := range info.Settings {
		settings[s.Key] = s.Value
	}
	for key, want := range map[string]string{
		"GOOS": platform[0], "GOARCH": platform[1], "CGO_ENABLED": "0", "-trimpath": "true",
	} {
		if settings[key] != want {
			t.Errorf("%s: %s is %q, want %q", platform, key, settings[key], want)
		}
	}
	checkout, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(program, []byte(checkout+"/")) {
		t.Errorf("%s: the program contains the path of the directory in which it was built", platform)
	}
	modules := map[string]string{}
	for _, m := range info.Deps {
		if m.Replace == nil {
			modules[m.Path] = m.Version
		}
	}
	return modules
}

// listsModules compares a bill of materials with the modules in the program.
func (r release) listsModules(t *testing.T, name string, modules map[string]string) {
	t.Helper()
	var bill struct {
		BOMFormat   string `json:"bomFormat"`
		SpecVersion string `json:"specVersion"`
		Components  []struct{ Name, Version, PURL string }
	}
	if err := json.Unmarshal(r.read(t, attached+name), &bill); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	if bill.BOMFormat != "CycloneDX" || bill.SpecVersion == "" {
		t.Errorf("%s has the format %q %q", name, bill.BOMFormat, bill.SpecVersion)
	}
	listed := map[string]string{}
	for _, c := range bill.Components {
		listed[c.Name] = c.Version
	}
	for module, version := range modules {
		if listed[module] != version {
			t.Errorf("%s: it has %s %q, but the program has %s", name, module, listed[module], version)
		}
	}
	if len(modules) < 10 {
		t.Errorf("%s: the program has %d modules, want at least 10", name, len(modules))
	}
}

// TestSnapshotOfTheManifest compares krew's manifest with the files of the release.
func TestSnapshotOfTheManifest(t *testing.T) {
	t.Parallel()
	r := readRelease(t)
	var manifest struct {
		Spec struct {
			Platforms []struct {
				Selector struct {
					MatchLabels map[string]string `json:"matchLabels"`
				}
				URI, SHA256, Bin string
			}
		}
	}
	if err := yaml.Unmarshal(r.read(t, attached+"mixedkube.yaml"), &manifest); err != nil {
		t.Fatal(err)
	}
	if len(manifest.Spec.Platforms) != len(platforms) {
		t.Errorf("krew installs on %d platforms, want %d", len(manifest.Spec.Platforms), len(platforms))
	}
	for _, p := range manifest.Spec.Platforms {
		system := p.Selector.MatchLabels["os"]
		name := archiveName(t, r.version, system, p.Selector.MatchLabels["arch"])
		if p.SHA256 != r.sums[name] || !strings.HasSuffix(p.URI, "/"+name) || p.Bin != "mixedkube"+suffixOf(system) {
			t.Errorf("krew installs %s of %s with the sum %s, want %s with its sum", p.Bin, p.URI, p.SHA256, name)
		}
	}
}

// TestSnapshotInCI runs the script of the pipelines on the release.
func TestSnapshotInCI(t *testing.T) {
	t.Parallel()
	r := readRelease(t)
	server := serve(t)
	for _, name := range []string{archiveName(t, r.version, hostSystem(t), runtime.GOARCH), "checksums.txt"} {
		server.files["/v"+r.version+"/"+name] = r.read(t, attached+name)
	}
	j := newJob(t).withPod(t, "deploy/pod.yaml")
	j.path = only(t, slices.Concat(needed, []string{"curl", "sha256sum"}), nil)
	j.variables = map[string]string{
		"MIXEDKUBE_RELEASES": server.address, "MIXEDKUBE_VERSION": r.version, "MIXEDKUBE_PATHS": "deploy/",
	}
	code, stdout, stderr := j.script(t)
	if code != 1 || stdout != "deploy/pod.yaml"+podFinding || !strings.HasSuffix(stderr, podSummary) {
		t.Errorf("exit %d, %s%s", code, stdout, stderr)
	}
}
