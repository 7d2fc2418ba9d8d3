package bench

import (
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// component is the measured package. A program that imports it needs the SDK anyway.
const component = "github.com/mixedkube/mixedkube/components/workload"

// BenchmarkCompile compares the processor time to compile a component, with an empty cache, with the time for the
// packages of Pulumi's SDKs that it imports: the difference is what this library adds to a program.
func BenchmarkCompile(b *testing.B) {
	sdk := imported(b, component)
	for b.Loop() {
		var measured, baseline []time.Duration
		for range small(2, 1) {
			baseline = append(baseline, compile(b, sdk...))
			measured = append(measured, compile(b, component))
		}
		reportTimes(b, "component/sdk",
			"processor time to compile package workload, and the SDK packages it imports", measured, baseline, 1.10)
	}
}

// imported returns the packages of Pulumi's SDKs that a package imports directly.
func imported(b *testing.B, of string) []string {
	b.Helper()
	cmd := exec.CommandContext(b.Context(), "go", "list", "-f", `{{join .Imports "\n"}}`, of)
	cmd.Dir = checkout(b)
	out, err := cmd.Output()
	if err != nil {
		b.Fatal(err)
	}
	var sdk []string
	for path := range strings.FieldsSeq(string(out)) {
		if strings.HasPrefix(path, "github.com/pulumi/") {
			sdk = append(sdk, path)
		}
	}
	if len(sdk) == 0 {
		b.Fatalf("%s does not import an SDK", of)
	}
	return sdk
}

// compile returns the processor time of a build. The cache is empty unless -short is set.
func compile(b *testing.B, packages ...string) time.Duration {
	b.Helper()
	cmd := exec.CommandContext(b.Context(), "go", append([]string{"build"}, packages...)...)
	cmd.Dir = checkout(b)
	cmd.Env = os.Environ()
	if !testing.Short() {
		cmd.Env = append(cmd.Env, "GOCACHE="+b.TempDir())
	}
	if out, err := cmd.CombinedOutput(); err != nil {
		b.Fatalf("%v\n%s", err, out)
	}
	return cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
}
