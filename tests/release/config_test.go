package release

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"
)

// goreleaser has the fields of .goreleaser.yaml that the tests check.
type goreleaser struct {
	Builds []struct {
		ID, Dir, Main, Binary string
		GoOS                  []string `json:"goos"`
		GoArch                []string `json:"goarch"`
		Flags, Ldflags        []string
	}
	Archives []struct {
		ID           string
		IDs          []string
		Formats      []string
		NameTemplate string `json:"name_template"`
	}
	Checksum struct{ Disable bool }
	SBOMs    []struct {
		Artifacts, Cmd string
		Documents      []string
	}
	Release struct{ Draft bool }
}

func readConfig(t *testing.T) goreleaser {
	t.Helper()
	var config goreleaser
	readYAML(t, ".goreleaser.yaml", &config)
	return config
}

func readYAML(t *testing.T, name string, into any) {
	t.Helper()
	if err := yaml.Unmarshal(readFile(t, name), into); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}

// readFile reads a file of the checkout.
func readFile(t *testing.T, name string) []byte {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	return content
}

// archiveName returns the name of the archive of mixedkube for a platform, from .goreleaser.yaml.
func archiveName(t *testing.T, version, system, processor string) string {
	t.Helper()
	return named(t, "mixedkube", version, system, processor)
}

func named(t *testing.T, id, version, system, processor string) string {
	t.Helper()
	for _, archive := range readConfig(t).Archives {
		if archive.ID == id && slices.Equal(archive.Formats, []string{"tar.gz"}) {
			return strings.NewReplacer("{{ .Version }}", version, "{{ .Os }}", system, "{{ .Arch }}", processor).
				Replace(archive.NameTemplate) + ".tar.gz"
		}
	}
	t.Fatalf(".goreleaser.yaml has no archive %s of the format tar.gz", id)
	return ""
}

func hostSystem(t *testing.T) string {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("needs a POSIX shell: run it on Linux or macOS")
	}
	return runtime.GOOS
}

// prepared returns the version at the top of CHANGELOG.md: the next release, or the last one.
func prepared(t *testing.T) string {
	t.Helper()
	found := regexp.MustCompile(`(?m)^## \[(\d+\.\d+\.\d+)\]`).FindSubmatch(readFile(t, "CHANGELOG.md"))
	if found == nil {
		t.Fatal("CHANGELOG.md has no release")
	}
	return string(found[1])
}

func TestTheReleaseHasEveryPlatform(t *testing.T) {
	t.Parallel()
	config := readConfig(t)
	programs := map[string]string{"mixedkube": ".", "plugin": "./cmd/pulumi-resource-mixedkube"}
	for _, b := range config.Builds {
		if programs[b.ID] != b.Main {
			t.Errorf("%s is built from %s, want %s", b.ID, b.Main, programs[b.ID])
		}
		delete(programs, b.ID)
		if diff := cmp.Diff([]string{"linux", "darwin", "windows"}, b.GoOS); diff != "" {
			t.Errorf("%s: systems (-want +got):\n%s", b.ID, diff)
		}
		if diff := cmp.Diff([]string{"amd64", "arm64"}, b.GoArch); diff != "" {
			t.Errorf("%s: processors (-want +got):\n%s", b.ID, diff)
		}
		if !slices.Contains(b.Flags, "-trimpath") {
			t.Errorf("%s: the program would contain paths of the build machine: add -trimpath to the flags %q", b.ID,
				b.Flags)
		}
	}
	if len(programs) > 0 {
		t.Errorf("no build for %v", programs)
	}
	for _, a := range config.Archives {
		if !slices.Equal(a.IDs, []string{a.ID}) {
			t.Errorf("the archive %s has the builds %q", a.ID, a.IDs)
		}
	}
	if len(config.SBOMs) != 1 || config.SBOMs[0].Artifacts != "binary" || config.SBOMs[0].Cmd != "cyclonedx-gomod" {
		t.Errorf("bills of materials: %+v, want one of each program, by cyclonedx-gomod", config.SBOMs)
	}
	// The list of GoReleaser would not have all files.
	if !config.Checksum.Disable || !config.Release.Draft {
		t.Errorf("GoReleaser lists no checksums: %t, and the release is a draft: %t; want both",
			config.Checksum.Disable, config.Release.Draft)
	}
}

// Pulumi requests the plugin from a server by this name:
// https://www.pulumi.com/docs/iac/guides/building-extending/packages/publishing-packages/.
func TestPulumiFindsThePluginByItsName(t *testing.T) {
	t.Parallel()
	want := "pulumi-resource-mixedkube-v1.2.3-darwin-arm64.tar.gz"
	if got := named(t, "plugin", "1.2.3", "darwin", "arm64"); got != want {
		t.Errorf("the archive is %s, want %s", got, want)
	}
	const server = "github://api.github.com/mixedkube/mixedkube"
	if !bytes.Contains(readFile(t, "internal/provider/schema.json"), []byte(`"pluginDownloadURL": "`+server+`"`)) {
		t.Errorf("the schema does not name the server %s", server)
	}
}

// The action and the template of a release install the program of the same release.
func TestAllFilesNameTheSameVersion(t *testing.T) {
	t.Parallel()
	version := prepared(t)
	for name, line := range map[string]string{
		"ci/check.sh":   "version=${MIXEDKUBE_VERSION:-" + version + "}\n",
		"ci/gitlab.yml": "      default: \"" + version + "\"\n",
		"docs/ci.md":    "mixedkube/mixedkube@v" + version + "\n",
	} {
		if !bytes.Contains(readFile(t, name), []byte(line)) {
			t.Errorf("%s has no line with %q: the version in CHANGELOG.md is %s", name, line, version)
		}
	}
	written := regexp.MustCompile(`(?:mixedkube/(?:mixedkube[@:/]|releases/download/)|rev: ` +
		`|mixedkube@|policy-mixedkube )v?(\d+\.\d+\.\d+)`)
	for _, page := range []string{"docs/ci.md", "docs/guard.md"} {
		all := written.FindAllSubmatch(readFile(t, page), -1)
		if len(all) < 2 {
			t.Errorf("%s names the version %d times, want at least 2", page, len(all))
		}
		for _, found := range all {
			if string(found[1]) != version {
				t.Errorf("%s: %s, but the version in CHANGELOG.md is %s", page, found[0], version)
			}
		}
	}
}
