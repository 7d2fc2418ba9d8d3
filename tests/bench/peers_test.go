package bench

import (
	"bytes"
	"embed"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"
)

// kinds are valid objects. Those with pods are for Windows and for Linux.
//
//go:embed testdata/kinds/*.yaml
var kinds embed.FS

// The limits of mixedkube check on the 10,000 files, including strict decoding.
const (
	mostOfKubeconform = 0.8
	mostMemory        = 80 << 20
	mostForEachFile   = 2 << 10
)

// BenchmarkCheckAgainstPeers compares mixedkube check with kubeconform and kube-score on the same valid files. With
// -short, only mixedkube check runs.
func BenchmarkCheckAgainstPeers(b *testing.B) {
	files, rounds := small(10_000, 100), small(5, 1)
	command := build(b)
	dir, twice := b.TempDir(), b.TempDir()
	objects := writeKinds(b, dir, files)
	doubled := writeKinds(b, twice, 2*files)
	for b.Loop() {
		var measured, double []run
		for range rounds {
			measured = append(measured, checkKinds(b, command, dir, files, objects))
			double = append(double, checkKinds(b, command, twice, 2*files, doubled))
		}
		reportPeak(b, files, measured, double)
		if testing.Short() {
			continue
		}
		measured = nil
		var baseline []run
		conform := kubeconform(b)
		for range rounds {
			measured = append(measured, checkKinds(b, command, dir, files, objects))
			baseline = append(baseline, conform.on(b, dir))
			last := baseline[len(baseline)-1]
			if want := fmt.Sprintf("%d resources found in %d files - Valid: %d, ", objects, files,
				objects); !strings.Contains(last.out, want) {
				b.Fatalf("kubeconform prints:\n%.2000s\nwant: %s", last.out, want)
			}
		}
		comparePeers(b, "kubeconform", files, measured, baseline, limit{ratio: mostOfKubeconform})
		score := kubeScore(b)
		comparePeers(b, "kube-score", files, measured, []run{score.on(b, filesIn(b, dir)...)}, limit{ratio: 1})
	}
}

// comparePeers reports wall time, processor time and memory.
func comparePeers(b *testing.B, peer string, files int, measured, baseline []run, most limit) {
	b.Helper()
	what := fmt.Sprintf(" on %d files, and of %s", files, peer)
	took, baselineTook := median(walls(measured)), median(walls(baseline))
	report(b, "wall/"+peer, line{
		what: "time of mixedkube check" + what, measured: shown(took), baseline: shown(baselineTook),
		ratio: float64(took) / float64(baselineTook), limit: most,
	})
	took, baselineTook = median(cpus(measured)), median(cpus(baseline))
	report(b, "cpu/"+peer, line{
		what: "processor time of mixedkube check" + what, measured: shown(took), baseline: shown(baselineTook),
		ratio: float64(took) / float64(baselineTook),
	})
	memory, others := middle(peaks(measured)), middle(peaks(baseline))
	report(b, "peak/"+peer, line{
		what: "peak memory of mixedkube check" + what, measured: mebibytes(memory), baseline: mebibytes(others),
		ratio: float64(memory) / float64(max(others, 1)),
	})
}

// reportPeak reports the peak memory for the files, and the memory for each additional file.
func reportPeak(b *testing.B, files int, measured, double []run) {
	b.Helper()
	peak, more := middle(peaks(measured)), middle(peaks(double))
	report(b, "peak/goal", line{
		what: fmt.Sprintf("peak memory of mixedkube check on %d files", files), measured: mebibytes(peak),
		baseline: "goal " + mebibytes(mostMemory), ratio: float64(peak) / mostMemory, limit: limit{ratio: 1},
	})
	each := (more - peak) / int64(files)
	report(b, "eachFile/goal", line{
		what:     fmt.Sprintf("memory for each additional file, from %d to %d", files, 2*files),
		measured: fmt.Sprintf("%d bytes", each), baseline: fmt.Sprintf("goal %d bytes", mostForEachFile),
		ratio: float64(each) / mostForEachFile, limit: limit{ratio: 1},
	})
}

func walls(runs []run) []time.Duration {
	return each(runs, func(r run) time.Duration { return r.wall })
}

func cpus(runs []run) []time.Duration { return each(runs, func(r run) time.Duration { return r.cpu }) }
func peaks(runs []run) []int64        { return each(runs, func(r run) int64 { return r.peak }) }

func each[T any](runs []run, of func(run) T) []T {
	all := make([]T, len(runs))
	for i, r := range runs {
		all[i] = of(r)
	}
	return all
}

// writeKinds writes files with all kinds in turn, a hundred in a directory, and returns the number of objects in them.
func writeKinds(b *testing.B, dir string, files int) (objects int) {
	b.Helper()
	names, err := fs.Glob(kinds, "testdata/kinds/*.yaml")
	if err != nil || len(names) == 0 {
		b.Fatal(names, err)
	}
	for i := range files {
		template, err := kinds.ReadFile(names[i%len(names)])
		if err != nil {
			b.Fatal(err)
		}
		name := fmt.Sprintf("shop-%d", i)
		content := bytes.ReplaceAll(template, []byte("NAME"), []byte(name))
		objects += 1 + bytes.Count(content, []byte("\n---\n"))
		dir := filepath.Join(dir, strconv.Itoa(i/100))
		if err := os.MkdirAll(dir, 0o700); err != nil {
			b.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name+".yaml"), content, 0o600); err != nil {
			b.Fatal(err)
		}
	}
	return objects
}

func filesIn(b *testing.B, dir string) []string {
	b.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "*", "*.yaml"))
	if err != nil {
		b.Fatal(err)
	}
	return names
}

// checkKinds runs mixedkube check, which must not have findings.
func checkKinds(b *testing.B, command, dir string, files, objects int) run {
	b.Helper()
	r := (&peer{command, []string{"check", "--k8s", version}}).on(b, dir)
	if want := fmt.Sprintf("checked: %d objects in %d files\n", objects, files); r.code != 0 ||
		!strings.HasSuffix(r.out, want) {
		b.Fatalf("exit code %d\n%.2000s\nwant at the end: %s", r.code, r.out, want)
	}
	return r
}

// kubeconform builds kubeconform. It uses schemas of the lab's Kubernetes in a directory, and as many workers as cores.
func kubeconform(b *testing.B) *peer {
	b.Helper()
	schemas := b.TempDir()
	writeSchemas(b, schemas)
	return &peer{tool(b, "kubeconform", "github.com/yannh/kubeconform/cmd/kubeconform"), []string{
		"-strict", "-summary", "-n", strconv.Itoa(runtime.GOMAXPROCS(0)), "-schema-location",
		filepath.ToSlash(schemas) + "/{{ .ResourceKind }}{{ .KindSuffix }}.json",
	}}
}

func kubeScore(b *testing.B) *peer {
	b.Helper()
	return &peer{tool(b, "kube-score", "github.com/zegl/kube-score/cmd/kube-score"), []string{
		"score", "--output-format", "ci",
	}}
}
