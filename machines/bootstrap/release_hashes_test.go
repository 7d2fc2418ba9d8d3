package bootstrap_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/machines/bootstrap"
)

const (
	kubeletURL = "https://dl.k8s.io/v1.36.4/bin/windows/amd64/kubelet.exe"
	flannelURL = "https://github.com/flannel-io/flannel/releases/download/v0.28.10/flanneld.exe"
)

var someHash = strings.Repeat("0", 64)

// hashes returns the hashes of the downloads by their addresses.
func hashes(r bootstrap.Releases) map[string]string {
	all := map[string]string{}
	for _, d := range r.All() {
		all[d.URL] = d.SHA256
	}
	return all
}

func TestWithHashesPutsThemToTheirDownloads(t *testing.T) {
	t.Parallel()
	configured := map[string]string{kubeletURL: someHash, flannelURL: strings.Repeat("1", 64)}
	got, errs := bootstrap.KnownReleases().WithHashes(configured, nil)
	if len(errs) > 0 {
		t.Error(errs)
	}
	want := hashes(bootstrap.KnownReleases())
	maps.Copy(want, configured)
	if diff := cmp.Diff(want, hashes(got)); diff != "" {
		t.Errorf("hashes (-want +got):\n%s", diff)
	}
	if got.Flannel.Windows.SHA256 != strings.Repeat("1", 64) {
		t.Errorf("flannel has %s", got.Flannel.Windows.SHA256)
	}
}

func TestWithHashesDoesNotChangeItsInput(t *testing.T) {
	t.Parallel()
	configured := bootstrap.KnownReleases()
	hashes := map[string]string{kubeletURL: someHash, flannelURL: someHash}
	if _, errs := configured.WithHashes(hashes, nil); len(errs) > 0 {
		t.Error(errs)
	}
	if diff := cmp.Diff(bootstrap.KnownReleases(), configured); diff != "" {
		t.Errorf("releases (-want +got):\n%s", diff)
	}
}

func TestWithHashesPutsAHashToAllDownloadsOfAnAddress(t *testing.T) {
	t.Parallel()
	const url = "https://example.com/all"
	var r bootstrap.Releases
	r.Containerd.Linux.URL, r.Runc.Linux.URL, r.Runc.Windows.URL = url, url, "https://example.com/other"
	got, errs := r.WithHashes(map[string]string{url: someHash}, nil)
	if len(errs) > 0 || got.Containerd.Linux.SHA256 != someHash || got.Runc.Linux.SHA256 != someHash ||
		got.Runc.Windows.SHA256 != "" {
		t.Errorf("%+v, %v", got, errs)
	}
}

func TestWithHashesReportsAddressesThatNothingIsDownloadedFrom(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name   string
		hashes map[string]string
		want   []string
	}{
		{"none", nil, nil},
		{
			"a slip",
			map[string]string{kubeletURL + "x": someHash},
			[]string{`hashes[` + kubeletURL + `x]: Invalid value: "` + kubeletURL +
				`x": no download has this address: did you mean ` + kubeletURL + `?`},
		},
		{
			"others, in order",
			map[string]string{"https://example.com/b": someHash, "a": someHash, kubeletURL: someHash},
			[]string{
				`hashes[a]: Invalid value: "a": no download has this address: remove it`,
				`hashes[https://example.com/b]: Invalid value: "https://example.com/b": no download has this ` +
					`address: remove it`,
			},
		},
		{
			"the empty address of a file that does not exist",
			map[string]string{"": someHash},
			[]string{`hashes[]: Invalid value: "": no download has this address: remove it`},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			_, errs := bootstrap.KnownReleases().WithHashes(tt.hashes, field.NewPath("hashes"))
			var got []string
			for _, err := range errs {
				got = append(got, err.Error())
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("errors (-want +got):\n%s", diff)
			}
		})
	}
}

func TestAllReturnsTheFilesWithAnAddress(t *testing.T) {
	t.Parallel()
	all := bootstrap.KnownReleases().All()
	// Six for each of four versions of Kubernetes; containerd and the CNI plugins for both
	// systems, runc for Linux, flannel and its plugin for Windows.
	if want := 4*6 + 2*2 + 1 + 2; len(all) != want {
		t.Errorf("%d files, want %d", len(all), want)
	}
	for i, d := range all {
		if d.URL == "" || slices.Contains(all[:i], d) {
			t.Errorf("file %d is %+v", i, d)
		}
	}
	all[0].SHA256 = "changed"
	if bootstrap.KnownReleases().All()[0].SHA256 == "changed" {
		t.Error("they are not a copy")
	}
	if files := (bootstrap.Releases{}).All(); files != nil {
		t.Errorf("no releases have %v", files)
	}
}
