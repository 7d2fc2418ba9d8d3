package bench

import (
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// component is the package whose importers compile the SDK anyway.
const component = "github.com/mixedkube/mixedkube/components/workload"

// BenchmarkCompile compares what the compiler takes, with nothing built before, for a component
// and for the packages of Pulumi's SDKs that it imports: what this library adds to a program.
func BenchmarkCompile(b *testing.B) {
	sdk := imported(b, component)
	for b.Loop() {
		var ours, theirs []time.Duration
		for range small(2, 1) {
			theirs = append(theirs, compile(b, sdk...))
			ours = append(ours, compile(b, component))
		}
		reportTimes(b, "component/sdk", "processor time to compile package workload, and its packages of the SDKs",
			ours, theirs, 1.10)
	}
}

// imported are the packages of Pulumi's SDKs that a package imports itself.
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
		b.Fatalf("%s imports no SDK", of)
	}
	return sdk
}

// compile is the processor time that a build takes, with an empty cache unless the run is short.
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
