package conversion_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/components/platform"
	"github.com/mixedkube/mixedkube/components/topology"
	"github.com/mixedkube/mixedkube/internal/conversion"
	"github.com/mixedkube/mixedkube/internal/golden"
)

// cluster has Linux and pools of Windows, with their taint or without.
func cluster(tainted bool, windows ...platform.Platform) topology.Topology {
	t := topology.Topology{KubernetesVersion: "1.36", Pools: []topology.Pool{{Name: "linux", Platform: platform.Linux, Labels: map[string]string{"disk": "ssd"}}}}
	for _, p := range windows {
		pool := topology.Pool{Name: strings.Replace(p.String(), "windows-20", "win", 1), Platform: p}
		if !tainted {
			pool.Taints = []corev1.Taint{}
		}
		t.Pools = append(t.Pools, pool)
	}
	return t
}

// report says what was done with each object, and what was found.
func report(r conversion.Result) string {
	var b strings.Builder
	for _, o := range r.Objects {
		fmt.Fprintf(&b, "%s:%d: %s: %s %s by %s\n", o.File, o.Line, o.Key(), o.Done, o.OS, o.Source)
	}
	for _, f := range r.Findings {
		fmt.Fprintf(&b, "%s: %s\n", f.Severity, f)
	}
	return b.String()
}

func convert(t *testing.T, o conversion.Options, files ...conversion.File) conversion.Result {
	t.Helper()
	result, errs := conversion.Convert(files, o)
	if len(errs) > 0 {
		t.Fatal(errors.Join(errs...))
	}
	return result
}

func TestGoldenFiles(t *testing.T) {
	t.Parallel()
	for name, options := range map[string]conversion.Options{
		"linux":   {},
		"windows": {},
		"classes": {RuntimeClasses: true},
		"json":    {},
		"asks":    {},
		"assumed": {AssumeLinux: true, Platforms: map[string]platform.Platform{"Pod/gmsa": platform.WindowsServer2022}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile("testdata/" + name + ".input.yaml")
			if err != nil {
				t.Fatal(err)
			}
			options.Topology = cluster(true, platform.WindowsServer2022)
			result := convert(t, options, conversion.File{Name: name + ".yaml", Text: text})
			golden.Equal(t, "testdata/"+name+".output.yaml", string(result.Files[0].Text))
			golden.Equal(t, "testdata/"+name+".report", report(result))

			again := convert(t, options, result.Files...)
			if diff := cmp.Diff(string(result.Files[0].Text), string(again.Files[0].Text)); diff != "" || again.Files[0].Changed {
				t.Errorf("converted again (-first +second):\n%s", diff)
			}
		})
	}
}

func TestEachGoldenFileIsRead(t *testing.T) {
	t.Parallel()
	inputs, err := filepath.Glob("testdata/*.input.yaml")
	if err != nil || len(inputs) != 6 {
		t.Errorf("%d files of input, want the 6 of TestGoldenFiles: %v", len(inputs), err)
	}
}
