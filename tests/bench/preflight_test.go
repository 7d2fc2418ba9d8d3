package bench

import (
	"bytes"
	_ "embed"
	stdjson "encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/util/json"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/preflight"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/lab/tools"
)

// deployment is a typical, valid Deployment for Windows.
//
//go:embed testdata/deployment.json
var deployment []byte

const version = "1.36"

// BenchmarkPreflight compares preflight with Kubernetes' own ValidateDeployment on the same object, which is defaulted
// and converted beforehand.
func BenchmarkPreflight(b *testing.B) {
	// The sides alternate in short turns, so that other processes affect both equally.
	rounds, times := small(15, 1), small(2000, 20)
	oracle := startable(b, "oracle-"+version)
	var object map[string]any
	// Integers must be int64 for package preflight.
	if err := json.Unmarshal(deployment, &object); err != nil {
		b.Fatal(err)
	}
	alone := preflight.New(preflight.Options{KubernetesVersion: version})
	onPools := preflight.New(preflight.Options{Topology: tenPools()})
	for _, checker := range []*preflight.Checker{alone, onPools} {
		if found := checker.Check(object); len(found) > 0 {
			b.Fatalf("findings: %v", found)
		}
	}
	for b.Loop() {
		var measured, measuredOnPools, baseline []time.Duration
		for range rounds {
			measured = append(measured, check(alone, object, times))
			baseline = append(baseline, validate(b, oracle, times))
			measuredOnPools = append(measuredOnPools, check(onPools, object, times))
		}
		reportTimes(b, "preflight/validate", "preflight of a Deployment, and ValidateDeployment", measured, baseline,
			0.35)
		reportTimes(b, "preflight10pools/validate", "the same with a topology of 10 pools", measuredOnPools, baseline,
			0.7)
	}
}

func tenPools() topology.Topology {
	t := topology.Topology{
		KubernetesVersion: version,
		Pools:             []topology.Pool{{Name: "linux", Platform: platform.Linux}},
	}
	windows := []platform.Platform{platform.WindowsServer2019, platform.WindowsServer2022, platform.WindowsServer2025}
	for i := range 9 {
		t.Pools = append(t.Pools,
			topology.Pool{Name: fmt.Sprintf("win%d", i), Platform: windows[i%3], Size: "Standard_D4s_v5"})
	}
	return t
}

// startable returns the path of a tool. It builds the tool if necessary.
func startable(b *testing.B, name string) string {
	b.Helper()
	cache, err := tools.FromRoot(checkout(b), os.Stderr)
	if err != nil {
		b.Fatal(err)
	}
	paths, err := cache.Ensure(b.Context(), name)
	if err != nil {
		b.Fatal(err)
	}
	return paths[name]
}

// check returns the time of one check.
func check(checker *preflight.Checker, object map[string]any, times int) time.Duration {
	started := time.Now()
	for range times {
		checker.Check(object)
	}
	return time.Since(started) / time.Duration(times)
}

// validate returns the time of one ValidateDeployment.
func validate(b *testing.B, oracle string, times int) time.Duration {
	b.Helper()
	cmd := exec.CommandContext(b.Context(), oracle, "-bench", strconv.Itoa(times))
	cmd.Stdin = bytes.NewReader(deployment)
	var failure bytes.Buffer
	cmd.Stderr = &failure
	out, err := cmd.Output()
	if err != nil {
		b.Fatalf("%v\n%s", err, failure.String())
	}
	var took struct{ Validate int64 }
	if err := stdjson.Unmarshal(out, &took); err != nil {
		b.Fatal(err)
	}
	return time.Duration(took.Validate)
}
