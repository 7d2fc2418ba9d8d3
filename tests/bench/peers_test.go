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

// kinds are objects with which nothing is wrong, those with pods for Windows and for Linux.
//
//go:embed testdata/kinds/*.yaml
var kinds embed.FS

// What mixedkube check may take on the 10,000 files, strict decoding included.
const (
	mostOfKubeconform = 0.8
	mostMemory        = 80 << 20
	mostForEachFile   = 2 << 10
)

// BenchmarkCheckBesidePeers compares mixedkube check with kubeconform and kube-score on the same
// files, which are right. With -short it runs alone.
func BenchmarkCheckBesidePeers(b *testing.B) {
	files, rounds := small(10_000, 100), small(5, 1)
	command := build(b)
	dir, twice := b.TempDir(), b.TempDir()
	objects := writeKinds(b, dir, files)
	doubled := writeKinds(b, twice, 2*files)
	for b.Loop() {
		var ours, double []run
		for range rounds {
			ours = append(ours, checkKinds(b, command, dir, files, objects))
			double = append(double, checkKinds(b, command, twice, 2*files, doubled))
		}
		reportPeak(b, files, ours, double)
		if testing.Short() {
			continue
		}
		ours = nil
		var theirs []run
		conform := kubeconform(b)
		for range rounds {
			ours = append(ours, checkKinds(b, command, dir, files, objects))
			theirs = append(theirs, conform.on(b, dir))
			last := theirs[len(theirs)-1]
			if want := fmt.Sprintf("%d resources found in %d files - Valid: %d, ", objects, files,
				objects); !strings.Contains(last.out, want) {
				b.Fatalf("kubeconform says:\n%.2000s\nwant: %s", last.out, want)
			}
		}
		comparePeers(b, "kubeconform", files, ours, theirs, limit{ratio: mostOfKubeconform})
		score := kubeScore(b)
		comparePeers(b, "kube-score", files, ours, []run{score.on(b, filesIn(b, dir)...)}, limit{ratio: 1})
	}
}

// comparePeers reports time, processor time and memory.
func comparePeers(b *testing.B, peer string, files int, ours, theirs []run, most limit) {
	b.Helper()
	what := fmt.Sprintf(" on %d files, and of %s", files, peer)
	mine, other := median(walls(ours)), median(walls(theirs))
	report(b, "wall/"+peer, line{
		what: "time of mixedkube check" + what, ours: shown(mine), theirs: shown(other),
		ratio: float64(mine) / float64(other), limit: most,
	})
	mine, other = median(cpus(ours)), median(cpus(theirs))
	report(b, "cpu/"+peer, line{
		what: "processor time of mixedkube check" + what, ours: shown(mine), theirs: shown(other),
		ratio: float64(mine) / float64(other),
	})
	memory, others := middle(peaks(ours)), middle(peaks(theirs))
	report(b, "peak/"+peer, line{
		what: "most memory of mixedkube check" + what, ours: mebibytes(memory), theirs: mebibytes(others),
		ratio: float64(memory) / float64(max(others, 1)),
	})
}

// reportPeak reports the memory that the files take, and each further one.
func reportPeak(b *testing.B, files int, ours, double []run) {
	b.Helper()
	peak, more := middle(peaks(ours)), middle(peaks(double))
	report(b, "peak/goal", line{
		what: fmt.Sprintf("most memory of mixedkube check on %d files", files), ours: mebibytes(peak),
		theirs: "goal " + mebibytes(mostMemory), ratio: float64(peak) / mostMemory, limit: limit{ratio: 1},
	})
	each := (more - peak) / int64(files)
	report(b, "eachFile/goal", line{
		what: fmt.Sprintf("memory for each further file, from %d to %d", files, 2*files),
		ours: fmt.Sprintf("%d bytes", each), theirs: fmt.Sprintf("goal %d bytes", mostForEachFile),
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

// writeKinds writes files of all kinds by turns, a hundred in a folder, and says how many objects
// are in them.
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
		folder := filepath.Join(dir, strconv.Itoa(i/100))
		if err := os.MkdirAll(folder, 0o700); err != nil {
			b.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(folder, name+".yaml"), content, 0o600); err != nil {
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

// checkKinds runs mixedkube check, which finds nothing wrong.
func checkKinds(b *testing.B, command, dir string, files, objects int) run {
	b.Helper()
	r := (&peer{command, []string{"check", "--k8s", version}}).on(b, dir)
	if want := fmt.Sprintf("checked: %d objects in %d files\n", objects, files); r.code != 0 ||
		!strings.HasSuffix(r.out, want) {
		b.Fatalf("exit code %d\n%.2000s\nwant at its end: %s", r.code, r.out, want)
	}
	return r
}

// kubeconform is built, with the schemas of the Kubernetes of the lab in a folder, and as many
// workers as cores.
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
