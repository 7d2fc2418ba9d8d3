package record_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource/urn"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"gopkg.in/yaml.v3"

	"github.com/mixedkube/mixedkube/components/guard/internal/record"
	"github.com/mixedkube/mixedkube/components/mocktest"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/preflight"
	"github.com/mixedkube/mixedkube/core/report"
	"github.com/mixedkube/mixedkube/core/topology"
	_ "github.com/mixedkube/mixedkube/internal/system/clock/clocktest"
	"github.com/mixedkube/mixedkube/internal/testkit/golden"
)

// pod returns a Pod with fields of its spec.
func pod(name, spec string) string {
	return "{apiVersion: v1, kind: Pod, metadata: {name: " + name + "}, spec: {" + spec + "}}"
}

const (
	right   = "os: {name: windows}, nodeSelector: {kubernetes.io/os: windows}, containers: [{image: web}]"
	wrong   = right + ", hostPID: true"
	hostPID = "spec.hostPID: … (MK111)"
)

var mixed = preflight.Options{Topology: topology.Topology{KubernetesVersion: "1.36", Pools: []topology.Pool{
	{Name: "sys", Platform: platform.Linux, Count: 3}, {Name: "win22", Platform: platform.WindowsServer2022, Count: 2},
}}}

// shown returns an object of a provider as a watcher shows it.
func shown(provider, text string) (record.Object, func() map[string]any) {
	var tree map[string]any
	if err := yaml.Unmarshal([]byte(text), &tree); err != nil {
		panic(err)
	}
	version := tree["apiVersion"].(string)
	if !strings.Contains(version, "/") {
		version = "core/" + version
	}
	name := tree["metadata"].(map[string]any)["name"].(string)
	at := fmt.Sprintf("urn:pulumi:stack::project::kubernetes:%s:%s::%s", version, tree["kind"], name)
	return record.Object{URN: urn.URN(at), Name: name, Custom: true, Provider: provider},
		func() map[string]any { return tree }
}

// recorded runs a function with an open recorder, as a program that registers nothing. It returns the log, the report
// that was published last, and the error.
func recorded(
	t *testing.T, o record.Options, f func(r *record.Recorder) error, options ...mocktest.Option,
) ([]string, report.Report, error) {
	t.Helper()
	if o.Clusters == nil {
		o.Clusters = []record.Cluster{{}}
	}
	var published report.Report
	o.Rules, o.Reports = preflight.Rules(), []*report.Report{&published}
	o.Logged = func(string) bool { return false }
	o.Stopping = func(s record.Stopped) error {
		return fmt.Errorf("stopped with %d errors and %d findings", s.Errors, len(s.Report.Findings))
	}
	var failure error
	graph := mocktest.MustRun(t, func(ctx *pulumi.Context) error {
		r := record.New(ctx, o)
		if failure = r.Open(); failure == nil {
			failure = f(r)
		}
		return nil
	}, options...)
	var lines []string
	for _, l := range graph.Logs() {
		lines = append(lines, l.Severity+" "+last(string(l.URN))+": "+l.Message)
	}
	slices.Sort(lines)
	return lines, published, failure
}

// last returns the name in a URN.
func last(at string) string { return at[strings.LastIndex(at, ":")+1:] }

func diff(t *testing.T, about string, want, got any) {
	t.Helper()
	if diff := cmp.Diff(want, got, golden.AnySentence); diff != "" {
		t.Errorf("%s (-want +got):\n%s", about, diff)
	}
}
