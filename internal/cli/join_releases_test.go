package cli

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/machines/bootstrap"
	"github.com/mixedkube/mixedkube/machines/bootstrap/network"
)

// nodeBinaries is the page about binaries that users build.
const nodeBinaries = "../../docs/node-binaries.md"

// blockOf returns the only block of a page in YAML that begins with a text, without its indentation.
func blockOf(t *testing.T, page, text string) string {
	t.Helper()
	content, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, m := range regexp.MustCompile("(?ms)^( *)```yaml\n(.*?)^ *```$").FindAllStringSubmatch(string(content), -1) {
		if block := regexp.MustCompile("(?m)^"+m[1]).ReplaceAllString(m[2], ""); strings.HasPrefix(block, text) {
			found = append(found, block)
		}
	}
	if len(found) != 1 {
		t.Fatalf("%s has %d blocks with %q", page, len(found), text)
	}
	return found[0]
}

// described returns the path of a copy of the example's cluster, with more lines.
func described(t *testing.T, lines string) string {
	t.Helper()
	text, err := os.ReadFile("testdata/join/machines.yaml")
	if err != nil {
		t.Fatal(err)
	}
	return saved(t, string(text)+lines)
}

// windowsScript returns the files that the script of a Windows machine writes, as one text.
func windowsScript(t *testing.T, path string) string {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var all bytes.Buffer
	for _, encoded := range regexp.MustCompile(`[A-Za-z0-9+/]{200,}={0,2}`).FindAll(content, -1) {
		decoded, err := base64.StdEncoding.DecodeString(string(encoded))
		if err != nil {
			t.Fatal(err)
		}
		all.Write(unpacked(t, decoded))
	}
	return all.String()
}

// unpacked returns the content of a gzipped text, and any other text unchanged.
func unpacked(t *testing.T, content []byte) []byte {
	t.Helper()
	reader, err := gzip.NewReader(bytes.NewReader(content))
	if err != nil {
		return content
	}
	text, err := io.ReadAll(reader)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// A user builds binaries with `make node-binaries`, hosts them, and names them as the page says.
func TestJoinTakesBinariesThatUsersBuild(t *testing.T) {
	t.Parallel()
	const version, at = "1.36.3", "https://downloads.example.com/kubernetes/v1.36.3/"
	releases := blockOf(t, nodeBinaries, "releases:\n  kubernetes:")
	built := map[string]string{}
	for i, program := range []string{"kubelet.exe", "kubeadm.exe", "kube-proxy.exe"} {
		built[program] = strings.Repeat(strconv.Itoa(i+1), 64)
		url := at + program
		if strings.Count(releases, url) != 1 {
			t.Fatalf("the page names %s %d times", url, strings.Count(releases, url))
		}
		releases = strings.Replace(releases, "url: "+url+"\n          sha256: <SHA-256>",
			"url: "+url+"\n          sha256: \""+built[program]+"\"", 1)
	}
	if strings.Contains(releases, "<SHA-256>") {
		t.Fatalf("a hash is not the hash of a program that is built:\n%s", releases)
	}
	var hashes strings.Builder
	for line := range strings.Lines(unknownHashes()) {
		if !strings.Contains(line, "https://dl.k8s.io/v1.36.") { // the release of the file replaces the known one
			hashes.WriteString(line)
		}
	}
	out, flags := joinFlags(t)
	flags[0] = described(t, releases)
	// The Linux nodes have the same version. The hashes of their files are at the publisher.
	_, stderr := runJoin(t, failed, append(flags, "--hashes", saved(t, hashes.String()))...)
	linux := regexp.MustCompile(`: read it at (https://dl\.k8s\.io/v1\.36\.3/bin/linux/\S+)\.sha256\n`)
	for _, m := range linux.FindAllStringSubmatch(stderr, -1) {
		hashes.WriteString(strings.Repeat("5a", 32) + "  " + m[1] + "\n")
	}
	flags = append(flags, "--hashes", saved(t, hashes.String()), "--ca-hash", "sha256:"+strings.Repeat("ab", 32))
	runJoin(t, passed, flags...)

	script := windowsScript(t, filepath.Join(out, "win22-1", "join.ps1"))
	for program, hash := range built {
		if !strings.Contains(script, at+program) || !strings.Contains(script, hash) {
			t.Errorf("the Windows node does not download %s", at+program)
		}
	}
	worker, err := os.ReadFile(filepath.Join(out, "linux-1", "user-data"))
	if err != nil || !strings.Contains(string(worker), "https://dl.k8s.io/v"+version+"/bin/linux/amd64/kubelet") {
		t.Errorf("the Linux node has another version (%v)", err)
	}
}

func TestThePauseImageOfTheFile(t *testing.T) {
	t.Parallel()
	const image = "mcr.microsoft.com/oss/v2/kubernetes/pause:3.10.2"
	releases := blockOf(t, "../../docs/runtimes.md", "releases:\n  pauseImage: "+image)
	out, flags := joinFlags(t)
	flags[0] = described(t, releases)
	runJoin(t, passed, append(flags, "--ca-hash", "sha256:"+strings.Repeat("ab", 32))...)
	user, err := os.ReadFile(filepath.Join(out, "linux-1", "user-data"))
	if err != nil {
		t.Fatal(err)
	}
	for node, text := range map[string]string{
		"linux-1": string(user), "win22-1": windowsScript(t, filepath.Join(out, "win22-1", "join.ps1")),
	} {
		if !strings.Contains(text, image) || strings.Contains(text, "registry.k8s.io/pause") {
			t.Errorf("%s has another pause image", node)
		}
	}
}

// The first run names each file whose hash it needs, in every network, in a form that --hashes takes.
func TestTheFirstRunNamesTheFilesWhoseHashesItNeeds(t *testing.T) {
	t.Parallel()
	named := regexp.MustCompile(`: read it at (\S+?)(?:\.sha256|\.sha256sum|, or compute it from (\S+))\n`)
	for _, kind := range network.Kinds() {
		t.Run(string(kind), func(t *testing.T) {
			t.Parallel()
			out := filepath.Join(t.TempDir(), "nodes")
			flags := []string{
				"testdata/join/machines.yaml", "--network", string(kind), "--out", out,
				"--token-file", saved(t, token+"\n"),
			}
			_, stderr := runJoin(t, failed, flags...)
			var hashes strings.Builder
			for _, m := range named.FindAllStringSubmatch(stderr, -1) {
				url := m[1]
				if m[2] != "" {
					url = m[2]
				}
				hashes.WriteString(strings.Repeat("5a", 32) + "  " + url + "\n")
			}
			if errors := strings.Count(stderr, "\n") - 1; errors != strings.Count(hashes.String(), "\n") {
				t.Errorf("%d errors, and these files:\n%s\n%s", errors, hashes.String(), stderr)
			}
			if flannel := strings.Contains(hashes.String(), "flanneld.exe"); flannel != (kind == network.FlannelVXLAN) {
				t.Errorf("flannel is named: %t:\n%s", flannel, stderr)
			}
			runJoin(t, passed, append(flags, "--hashes", saved(t, hashes.String()))...)
		})
	}
}

func TestInvalidReleasesOfTheFile(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, releases, want string }{
		{"nothing", "releases: {}\n", ""},
		{
			"a slip", "releases:\n  pauseImages: x\n",
			`:21: releases.pauseImages: Invalid value: "pauseImages": unknown key: did you mean "pauseImage"? (use ` +
				`kubernetes, containerd, runc, cniPlugins, flannel, flannelPlugin or pauseImage)`,
		},
		{
			"a pause image without a tag", "releases: {pauseImage: registry.example.com/pause}\n",
			` bootstrap: cluster.releases.pauseImage: Invalid value: "registry.example.com/pause": must be an image ` +
				`with a tag or digest, mcr.microsoft.com/oss/v2/kubernetes/pause:3.10.2 for example`,
		},
		{
			"a file of one's own without a hash",
			"releases: {runc: {linux: {url: https://downloads.example.com/runc}}}\n",
			` bootstrap: cluster.releases.runc.linux.sha256: Required value: the node verifies runc for Linux with ` +
				`this hash: compute it from https://downloads.example.com/runc`,
		},
		{
			"an address without TLS",
			"releases: {runc: {linux: {url: http://downloads.example.com/runc, sha256: " + strings.Repeat("5a", 32) +
				"}}}\n",
			` bootstrap: cluster.releases.runc.linux.url: Invalid value: "http://downloads.example.com/runc": must ` +
				`be an https address without a user`,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			_, flags := joinFlags(t)
			flags[0] = described(t, tt.releases)
			code, want := failed, "error:"+tt.want+"\n"
			if tt.want == "" {
				code, want = passed, ""
			}
			_, stderr := runJoin(t, code, flags...)
			if diff := cmp.Diff(want, strings.Replace(stderr, " "+flags[0], "", 1)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// The page has a row for each file that nodes of the newest version download.
func TestThePageListsTheDownloads(t *testing.T) {
	t.Parallel()
	content, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	known := bootstrap.KnownReleases()
	known.Kubernetes = known.Kubernetes[len(known.Kubernetes)-1:]
	for _, d := range known.All() {
		if !strings.Contains(string(content), "`"+d.URL+"`") {
			t.Errorf("docs/command.md does not have %s", d.URL)
		}
	}
}
