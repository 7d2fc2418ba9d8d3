package bench

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"sigs.k8s.io/yaml"
)

// BenchmarkCheckManifests compares mixedkube check on all cores with itself on one
// core, and says how many cores it has kept busy.
func BenchmarkCheckManifests(b *testing.B) {
	files, rounds := small(10_000, 100), small(5, 1)
	command := build(b)
	dir := b.TempDir()
	writeManifests(b, dir, files)
	cores := runtime.GOMAXPROCS(0)
	for b.Loop() {
		var all, one []time.Duration
		var busy float64
		for range rounds {
			wall, cpu := runManifests(b, command, dir, files, cores)
			all = append(all, wall)
			busy += cpu.Seconds() / wall.Seconds() / float64(rounds)
			wall, _ = runManifests(b, command, dir, files, 1)
			one = append(one, wall)
		}
		speed := func(took time.Duration) string {
			return fmt.Sprintf("%s, %.0f files/s", shown(took), float64(files)/took.Seconds())
		}
		report(b, "allCores/oneCore", line{
			what: fmt.Sprintf("mixedkube check of %d files on all cores, and on one", files), ours: speed(median(all)),
			theirs: speed(median(one)),
			ratio:  float64(median(all)) / float64(median(one)),
		})
		report(b, "busy/cores", line{
			what: "cores that it keeps busy, and cores", ours: fmt.Sprintf("%.2f", busy), theirs: strconv.Itoa(cores),
			ratio: busy / float64(cores), limit: limit{0.9, true},
		})
	}
}

// writeManifests writes files with one object and with two by turns, a hundred in a
// folder.
func writeManifests(b *testing.B, dir string, files int) {
	b.Helper()
	for i := range files {
		name := fmt.Sprintf("shop-%d", i)
		object, err := yaml.JSONToYAML(bytes.ReplaceAll(deployment, []byte(`"shop"`), []byte(`"`+name+`"`)))
		if err != nil {
			b.Fatal(err)
		}
		content := string(object)
		if i%2 == 1 {
			content += fmt.Sprintf("---\napiVersion: v1\nkind: Service\nmetadata:\n  name: %[1]s\n  namespace: %[1]s\n"+
				"spec:\n  selector:\n    app: %[1]s\n  ports:\n    - name: http\n      port: 80\n      targetPort: "+
				"http\n", name)
		}
		folder := filepath.Join(dir, strconv.Itoa(i/100))
		if err := os.MkdirAll(folder, 0o700); err != nil {
			b.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(folder, name+".yaml"), []byte(content), 0o600); err != nil {
			b.Fatal(err)
		}
	}
}

// runManifests returns how long a run takes, and how long its threads have run.
func runManifests(b *testing.B, command, dir string, files, cores int) (wall, cpu time.Duration) {
	b.Helper()
	cmd := exec.CommandContext(b.Context(), command, "check", "--k8s", version, dir)
	cmd.Env = append(os.Environ(), fmt.Sprintf("GOMAXPROCS=%d", cores))
	started := time.Now()
	out, err := cmd.CombinedOutput()
	wall = time.Since(started)
	if want := fmt.Sprintf("checked: %d objects in %d files\n", files*3/2, files); err != nil ||
		!strings.HasSuffix(string(out), want) {
		b.Fatalf("%v\n%.2000s\nwant at its end: %s", err, out, want)
	}
	return wall, cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
}

// build builds the command of the repository, without what only a debugger needs: linking
// takes half as long.
func build(b *testing.B) string {
	b.Helper()
	binary := filepath.Join(b.TempDir(), "mixedkube")
	cmd := exec.CommandContext(b.Context(), "go", "build", "-ldflags=-w", "-o", binary, ".")
	cmd.Dir = checkout(b)
	if out, err := cmd.CombinedOutput(); err != nil {
		b.Fatalf("%v\n%s", err, out)
	}
	return binary
}
