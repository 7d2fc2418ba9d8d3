package bootstrap

import (
	"encoding/base64"
	"slices"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"

	"github.com/mixedkube/mixedkube/internal/testkit/golden"
	"github.com/mixedkube/mixedkube/machines/bootstrap/network"
)

// cloudFiles reads a document as cloud-init does.
func cloudFiles(tb testing.TB, document string) map[string]File {
	tb.Helper()
	text, ok := strings.CutPrefix(document, "#cloud-config\n")
	if !ok {
		tb.Fatalf("cloud-init would not take this for its own:\n%s", document)
	}
	var config struct {
		WriteFiles []struct {
			Path, Owner, Permissions, Encoding, Content string
		} `yaml:"write_files"`
		Packages []string   `yaml:"packages"`
		RunCmd   [][]string `yaml:"runcmd"`
	}
	decoder := yaml.NewDecoder(strings.NewReader(text))
	decoder.KnownFields(true)
	if err := decoder.Decode(&config); err != nil {
		tb.Fatalf("%v in\n%s", err, document)
	}
	hasNFT := strings.Contains(text, "path: "+masqueradeNFT+"\n") || strings.Contains(text, "path: "+egressNFT+"\n")
	if got := slices.Equal(config.Packages, []string{"nftables"}); got != hasNFT || len(config.Packages) > 1 {
		tb.Errorf("installs %q, and has a file for nft: %t", config.Packages, hasNFT)
	}
	files := map[string]File{}
	for _, f := range config.WriteFiles {
		switch f.Encoding {
		case "":
		case "b64":
			content, err := base64.StdEncoding.DecodeString(f.Content)
			if err != nil {
				tb.Fatal(err)
			}
			f.Content = string(content)
		default:
			tb.Errorf("%s has the encoding %q", f.Path, f.Encoding)
		}
		if f.Owner != "root:root" {
			tb.Errorf("%s belongs to %s", f.Path, f.Owner)
		}
		files[f.Path] = File{
			Path: f.Path, Content: f.Content,
			Executable: f.Permissions == "0755" || f.Permissions == "0700", Secret: f.Permissions == "0600" ||
				f.Permissions == "0700",
		}
	}
	return files
}

func TestCloudConfig(t *testing.T) {
	t.Parallel()
	files := linuxFiles(testMachine(t, testCluster(network.HostGateway, "1.36"), "linux-1"))
	document := CloudConfig(files)
	golden.Equal(t, "testdata/cloudconfig/worker.yaml", document)
	got := cloudFiles(t, document)
	for _, want := range files {
		if got[want.Path] != want {
			t.Errorf("%s became %+v", want.Path, got[want.Path])
		}
	}
	if len(got) != len(files) {
		t.Errorf("%d files became %d", len(files), len(got))
	}
	// That is what Azure takes as customData, in base64.
	if size := base64.StdEncoding.EncodedLen(len(document)); size > 64<<10 {
		t.Errorf("%d bytes", size)
	}
}

// Only nodes with routes of their own or in an overlay, and those whose pods are kept from
// destinations, have something for nft, whatever other files they have.
func TestCloudConfigInstallsNFT(t *testing.T) {
	t.Parallel()
	const installed = "\npackages:\n  - nftables\n"
	for _, kind := range network.Kinds() {
		c := testCluster(kind, "1.36")
		document := CloudConfig(linuxFiles(testMachine(t, c, "linux-1")))
		if got := strings.Contains(document, installed); got != (kind != network.CalicoBGP) {
			t.Errorf("%s: %t", kind, got)
		}
		if !strings.Contains(CloudConfig(linuxFiles(testMachine(t, blocking(c), "linux-1"))), installed) {
			t.Errorf("%s, with destinations that are kept from pods: not installed", kind)
		}
	}
}

func TestCloudConfigIsReadable(t *testing.T) {
	t.Parallel()
	if document := CloudConfig(linuxFiles(testMachine(t, testCluster(network.HostGateway, "1.36"),
		"cp-1"))); strings.Contains(document, "encoding: b64") {
		t.Errorf("has base64 where text would do:\n%s", document)
	}
}

func TestCloudConfigOfAnyContent(t *testing.T) {
	t.Parallel()
	for _, content := range []string{
		"", "\n", "a", "a\n\n", " a\n", "\ta\n", "a\r\n", "#\n", "---\na: b\n...\n", "a\u2028b\n", "a\u0085b\n",
		"\ufeffa\n", "\x00\n", "\xff\n", "a \nb\t\n", "é\n", "a: |\n  b\n",
	} {
		for _, file := range []File{
			{Path: "/a", Content: content},
			{Path: "/a", Content: content, Executable: true},
			{Path: "/a", Content: content, Secret: true},
			{Path: "/a", Content: content, Secret: true, Executable: true},
		} {
			if got := cloudFiles(t, CloudConfig([]File{file}))["/a"]; got != file {
				t.Errorf("%+v became %+v", file, got)
			}
		}
	}
}
