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

	"github.com/mixedkube/mixedkube/core/conversion"
	"github.com/mixedkube/mixedkube/core/images"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/manifests"
	"github.com/mixedkube/mixedkube/internal/core/pods"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
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

// tells is an image whose name tells its release, and silent one whose name tells nothing.
const (
	tells  = "mcr.microsoft.com/windows/servercore/iis:windowsservercore-ltsc2022"
	silent = "shop.example.com/shop:1.4"
)

// TestMovesAreReverted completes workloads for one cluster, then for another, and for the first one again: the bytes must be
// those of the first time, whatever the layout is, and a second time changes nothing.
func TestMovesAreReverted(t *testing.T) {
	t.Parallel()
	locked := &images.Lock{}
	facts := &platform.Facts{Digest: "sha256:index"}
	for _, version := range []string{"10.0.20348.2461", "10.0.26100.1742"} {
		facts.Variants = append(facts.Variants,
			platform.Variant{OS: platform.WindowsOS, OSVersion: version, Architecture: "amd64"})
	}
	check(t, locked.Set(silent, facts))
	for _, matching := range platform.Matchings() {
		for name, way := range map[string]struct {
			end, image                string
			classes, partial, answers bool
			lock                      *images.Lock
		}{
			"lines":               {end: "\n", image: tells},
			"CRLF":                {end: "\r\n", image: tells},
			"RuntimeClasses":      {end: "\n", image: tells, classes: true},
			"a partial topology":  {end: "\n", image: tells, partial: true},
			"facts about images":  {end: "\n", image: silent, lock: locked},
			"an answer":           {end: "\n", image: silent, answers: true},
			"an answer, partial":  {end: "\r\n", image: silent, answers: true, partial: true},
			"an answer, by class": {end: "\n", image: silent, answers: true, classes: true},
		} {
			t.Run(fmt.Sprintf("%s %s", matching, name), func(t *testing.T) {
				t.Parallel()
				before, all := laidOut(t, way.image, way.end), clusters()
				if way.partial || way.answers || way.lock != nil { // which the layouts and the taints do not affect
					for _, name := range []string{"untainted", "another taint", "2019 and 2022"} {
						delete(all, name)
					}
				}
				options := func(cluster string) conversion.Options {
					in := all[cluster]
					in.Partial = way.partial
					o := conversion.Options{Topology: in, Matching: matching, RuntimeClasses: way.classes}
					return o.WithImages(way.lock)
				}
				adopt := func(files []conversion.File, cluster string) []conversion.File {
					return adoptWith(t, files, options(cluster))
				}
				for first := range all {
					o := options(first)
					if way.answers {
						// Only the first run has the answers: the marks keep them.
						o.Platforms = answersFor(t, before)
					}
					if len(o.Validate(nil)) > 0 {
						continue // no pool runs what the answers say
					}
					completed := adoptWith(t, before, o)
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

// answersFor returns the answer windows-2022 for each workload in files.
func answersFor(t *testing.T, files []conversion.File) map[string]platform.Platform {
	t.Helper()
	answers := map[string]platform.Platform{}
	for _, f := range files {
		documents, err := manifests.ReadObjects(bytes.NewReader(f.Text), f.Name)
		check(t, err)
		for _, document := range documents {
			if object := pods.ReadObject(tree.Map(document.Value)); len(object.All()) > 0 {
				name, _ := tree.Text(tree.At(object.Tree, "metadata", "name"))
				kind, _ := tree.Text(object.Tree["kind"])
				answers[kind+"/"+name] = platform.WindowsServer2022
			}
		}
	}
	return answers
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

// laidOut returns a workload in each layout, each with the next kind, and Workflows of Argo.
func laidOut(t *testing.T, image, end string) []conversion.File {
	t.Helper()
	var files []conversion.File
	add := func(name, text string) {
		files = append(files, conversion.File{Name: name, Text: []byte(strings.ReplaceAll(text, "\n", end))})
	}
	kinds := layouts.Kinds()
	for i, layout := range layouts.All() {
		for j := range 2 {
			w := layouts.Workload{
				Kind: kinds[(i+j)%len(kinds)], Name: fmt.Sprintf("shop-%d-%d", i, j), Image: image,
			}
			text, err := layout.Write(w)
			check(t, err)
			add(layout.File(w), text)
		}
	}
	for name, text := range workflows {
		add(name+".yaml", strings.ReplaceAll(text, "IMAGE", image))
	}
	return files
}

// workflows are Workflows of Argo, whose templates are placed by the fields of their spec.
var workflows = map[string]string{
	"workflow": `apiVersion: argoproj.io/v1alpha1
kind: Workflow
metadata:
  name: build # each night
spec:
  entrypoint: main
  templates:
  - name: main
    container: {name: main, image: "IMAGE"}
  - name: test
    script:
      image: IMAGE
      source: exit 0
`,
	"workflow-empty": `apiVersion: argoproj.io/v1alpha1
kind: Workflow
metadata: {name: test, annotations: {}}
spec:
  nodeSelector: {} # any node
  tolerations: []
  templates:
  - name: main
    container: {name: main, image: "IMAGE"}
`,
	"cronworkflow": `apiVersion: argoproj.io/v1alpha1
kind: CronWorkflow
metadata:
  name: nightly
spec:
  schedule: "0 4 * * *"
  workflowSpec:
    affinity: {} # none
    templates:
    - name: main
      container: {name: main, image: "IMAGE"}
`,
}

// adoptWith completes files.
func adoptWith(t *testing.T, files []conversion.File, o conversion.Options) []conversion.File {
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
