package pins

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/components/manifest/conversion"
	"github.com/mixedkube/mixedkube/components/platform"
	"github.com/mixedkube/mixedkube/components/topology"
	"github.com/mixedkube/mixedkube/tests/internal/layouts"
)

// clusters are clusters between which workloads move.
func clusters() map[string]topology.Topology {
	linux := topology.Pool{Name: "linux", Platform: platform.Linux}
	old := topology.Pool{Name: "old", Platform: platform.WindowsServer2019}
	win := topology.Pool{Name: "win", Platform: platform.WindowsServer2022}
	newer := topology.Pool{Name: "newer", Platform: platform.WindowsServer2025}
	untainted := win
	untainted.Untainted = true
	gpu := newer
	gpu.Taints = []corev1.Taint{{Key: "gpu", Value: "yes", Effect: corev1.TaintEffectNoSchedule}}
	all := map[string]topology.Topology{}
	for name, windows := range map[string][]topology.Pool{
		"2022": {win}, "2025": {newer}, "2022 and 2025": {win, newer}, "2019 and 2022": {old, win},
		"2019, 2022 and 2025": {old, win, newer}, "untainted": {untainted}, "another taint": {gpu},
	} {
		all[name] = topology.Topology{
			KubernetesVersion: "1.36", Pools: append([]topology.Pool{linux}, windows...),
		}
	}
	return all
}

// TestMovesAreReverted completes workloads for one cluster, then for another, and for the first one again: the bytes must be
// those of the first time, whatever the layout is, and a second time changes nothing.
func TestMovesAreReverted(t *testing.T) {
	t.Parallel()
	for _, matching := range platform.Matchings() {
		for _, way := range []struct {
			end     string
			classes bool
		}{{"\n", false}, {"\r\n", false}, {"\n", true}} {
			t.Run(fmt.Sprintf("%s %q %t", matching, way.end, way.classes), func(t *testing.T) {
				t.Parallel()
				before, all := laidOut(t, way.end), clusters()
				adopt := func(files []conversion.File, cluster string) []conversion.File {
					return adopt(t, files, conversion.Options{
						Topology: all[cluster], Matching: matching, RuntimeClasses: way.classes,
					})
				}
				for first := range all {
					completed := adopt(before, first)
					same(t, first+", twice", completed, adopt(completed, first))
					for second := range all {
						moved := adopt(completed, second)
						same(t, first+", then twice "+second, moved, adopt(moved, second))
						same(t, first+", "+second+" and back", completed, adopt(moved, first))
					}
				}
			})
		}
	}
}

// TestMovesOfRecordedFilesAreReverted does the same with what an earlier version has written, which has no marks: it moves
// on demand, and from then on by itself.
func TestMovesOfRecordedFilesAreReverted(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	var paths []string
	for _, path := range filesWith(t, platform.Relaxed) {
		text, err := os.ReadFile(path)
		check(t, err)
		paths = append(paths, filepath.Join(dir, filepath.Base(path)))
		check(t, os.WriteFile(paths[len(paths)-1], text, 0o600))
	}
	adopt := func(release string, flags ...string) []conversion.File {
		args := []string{"adopt", "--topology", poolsFile(release), "--matching", "relaxed", "-w", dir}
		if code, stdout, stderr := command(t, append(args, flags...)...); code != 0 {
			t.Fatalf("adopt for %s ends with %d:\n%s%s", release, code, stdout, stderr)
		}
		var files []conversion.File
		for _, path := range paths {
			text, err := os.ReadFile(path)
			check(t, err)
			files = append(files, conversion.File{Name: filepath.Base(path), Text: text})
		}
		return files
	}
	moved := adopt("2025", "--move-pins")
	same(t, "2025, twice", moved, adopt("2025"))
	same(t, "2025, twice, with the flag", moved, adopt("2025", "--move-pins"))
	back := adopt("2022")
	same(t, "back on 2022, twice", back, adopt("2022"))
	same(t, "2025, 2022 and back", moved, adopt("2025"))
}

// laidOut returns a workload in each layout, each with the next kind.
func laidOut(t *testing.T, end string) []conversion.File {
	t.Helper()
	var files []conversion.File
	kinds := layouts.Kinds()
	for i, layout := range layouts.All() {
		for j := range 2 {
			w := layouts.Workload{
				Kind: kinds[(i+j)%len(kinds)], Name: fmt.Sprintf("shop-%d-%d", i, j),
				Image: "mcr.microsoft.com/windows/servercore/iis:windowsservercore-ltsc2022",
			}
			text, err := layout.Write(w)
			check(t, err)
			files = append(files, conversion.File{
				Name: layout.File(w), Text: []byte(strings.ReplaceAll(text, "\n", end)),
			})
		}
	}
	return files
}

// adopt completes files.
func adopt(t *testing.T, files []conversion.File, o conversion.Options) []conversion.File {
	t.Helper()
	result, errs := conversion.Convert(files, o)
	if len(errs) > 0 {
		t.Fatal(errors.Join(errs...))
	}
	for _, f := range result.Files {
		if len(f.Problems) > 0 {
			t.Errorf("%s: %v", f.Name, errors.Join(f.Problems...))
		}
	}
	return result.Files
}

// same fails unless files have the same bytes.
func same(t *testing.T, what string, want, got []conversion.File) {
	t.Helper()
	i := slices.IndexFunc(want, func(f conversion.File) bool {
		return !slices.ContainsFunc(got, func(g conversion.File) bool {
			return g.Name == f.Name && bytes.Equal(g.Text, f.Text)
		})
	})
	if len(got) != len(want) {
		t.Errorf("%s: %d files, want %d", what, len(got), len(want))
	} else if i >= 0 {
		t.Errorf("%s: %s differs (-want +got):\n%s", what, want[i].Name,
			cmp.Diff(string(want[i].Text), string(got[i].Text)))
	}
}
