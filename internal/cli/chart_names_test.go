package cli

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/internal/system/disk"
)

// packedChart returns an archive of files.
func packedChart(t *testing.T, files map[string][]byte) []byte {
	t.Helper()
	var packed bytes.Buffer
	zipped := gzip.NewWriter(&packed)
	archive := tar.NewWriter(zipped)
	for name, content := range files {
		header := &tar.Header{Name: name, Typeflag: tar.TypeReg, Mode: 0o600, Size: int64(len(content))}
		if err := archive.WriteHeader(header); err != nil {
			t.Fatal(err)
		}
		if _, err := archive.Write(content); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(archive.Close(), zipped.Close()); err != nil {
		t.Fatal(err)
	}
	return packed.Bytes()
}

// With such a name, the pod would be text in the manifest that is checked, and an object in the one that helm applies.
func TestNamesOfTemplatesThatBreakLines(t *testing.T) {
	t.Parallel()
	const broken = "x.yaml\nkind: ConfigMap\ndata: {a: \"y.yaml"
	const rule = ": the name has a control character or a line break, which helm writes into the manifest: rename " +
		"the file\n"
	good := packedChart(t, map[string][]byte{"cache/crds/good name.yaml": nil})
	for name, tt := range map[string]struct {
		files map[string][]byte
		want  string
	}{
		"good names": {map[string][]byte{"crds/ü x.yaml": nil, "charts/cache.tgz": good}, ""},
		"a file": {
			map[string][]byte{"crds/" + broken: nil}, `"crds/x.yaml\nkind: ConfigMap\ndata: {a: \"y.yaml"` + rule,
		},
		"a directory": {
			map[string][]byte{"crds/a\r/b.yaml": nil}, `"crds/a\r"` + rule + `CHART: "crds/a\r/b.yaml"` + rule,
		},
		"a line break of Unicode": {map[string][]byte{"crds/a\u2028.yaml": nil}, `"crds/a\u2028.yaml"` + rule},
		"another one":             {map[string][]byte{"crds/a\u0085.yaml": nil}, `"crds/a\u0085.yaml"` + rule},
		"in an archive": {
			map[string][]byte{"charts/c.tgz": packedChart(t, map[string][]byte{"c/crds/a\nb.yaml": nil})},
			`"c/crds/a\nb.yaml"` + rule,
		},
		"in an archive of an archive": {
			map[string][]byte{"charts/c.tgz": packedChart(t, map[string][]byte{
				"c/charts/d.tgz": packedChart(t, map[string][]byte{"d/crds/a\nb.yaml": nil}),
			})},
			`"c/charts/d.tgz/d/crds/a\nb.yaml"` + rule,
		},
		"no archive": {map[string][]byte{"charts/c.tgz": []byte("text")}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			chart := newChart(t, map[string]string{"stdout.txt": "---\n# Source: shop/templates/a.yaml\n"})
			for file, content := range tt.files {
				file = filepath.Join(chart, filepath.FromSlash(file))
				if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(file, content, 0o600); err != nil {
					t.Fatal(err)
				}
			}
			want, code := strings.ReplaceAll(tt.want, "CHART", filepath.ToSlash(chart)), passed
			if want != "" {
				want, code = filepath.ToSlash(chart)+": "+want, unusable
			}
			got, _, stderr := runCheck(t, "", chart)
			stderr = regexp.MustCompile(`checked: 0 objects in \d files?\n$`).ReplaceAllString(stderr, "")
			if diff := cmp.Diff(want, stderr); diff != "" || got != code {
				t.Errorf("exit %d (-want +got):\n%s", got, diff)
			}
			archive := filepath.Join(t.TempDir(), "chart.tgz")
			if err := os.WriteFile(archive, packedChart(t, tt.files), 0o600); err != nil {
				t.Fatal(err)
			}
			if err := checkNames(new(disk.Access), archive); (err != nil) != (tt.want != "") {
				t.Errorf("packed: %v", err)
			}
		})
	}
}

// An archive of zeros is small.
func TestArchivesThatAreTooLarge(t *testing.T) {
	t.Parallel()
	left, names := int64(1<<20), 0
	packed := packedChart(t, map[string][]byte{"a": make([]byte, 2<<20)})
	if archived(bytes.NewReader(packed), "", &left, func(string) { names++ }) || left != 0 || names != 1 {
		t.Errorf("%d bytes left, %d names", left, names)
	}
	left = 3 << 20
	if !archived(bytes.NewReader(packed), "", &left, func(string) { names++ }) || names != 2 {
		t.Errorf("enough: %d bytes left, %d names", left, names)
	}
}
