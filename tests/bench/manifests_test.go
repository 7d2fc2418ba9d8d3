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

// BenchmarkCheckManifests compares mixedkube check on all cores with one core, and reports how many cores it uses.
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
			what:     fmt.Sprintf("mixedkube check of %d files on all cores, and on one core", files),
			measured: speed(median(all)), baseline: speed(median(one)),
			ratio: float64(median(all)) / float64(median(one)),
		})
		report(b, "busy/cores", line{
			what:     "cores in use, and available cores",
			measured: fmt.Sprintf("%.2f", busy), baseline: strconv.Itoa(cores),
			ratio: busy / float64(cores), limit: limit{0.9, true},
		})
	}
}

// writeManifests writes files, alternately with one and with two objects. Each directory has a hundred files.
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
		dir := filepath.Join(dir, strconv.Itoa(i/100))
		if err := os.MkdirAll(dir, 0o700); err != nil {
			b.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name+".yaml"), []byte(content), 0o600); err != nil {
			b.Fatal(err)
		}
	}
}

// runManifests returns the wall time and the processor time of a run.
func runManifests(b *testing.B, command, dir string, files, cores int) (wall, cpu time.Duration) {
	b.Helper()
	cmd := exec.CommandContext(b.Context(), command, "check", "--k8s", version, dir)
	cmd.Env = append(os.Environ(), fmt.Sprintf("GOMAXPROCS=%d", cores))
	started := time.Now()
	out, err := cmd.CombinedOutput()
	wall = time.Since(started)
	if want := fmt.Sprintf("checked: %d objects in %d files\n", files*3/2, files); err != nil ||
		!strings.HasSuffix(string(out), want) {
		b.Fatalf("%v\n%.2000s\nwant at the end: %s", err, out, want)
	}
	return wall, cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
}

// build builds the command mixedkube without debug information, which halves the time to link.
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
