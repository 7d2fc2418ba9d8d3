package preflight_test

import (
	"strings"
	"testing"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/preflight"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/manifests"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
	"github.com/mixedkube/mixedkube/internal/core/value/treetest"
)

// fromYAML reads objects with the marks of [treetest.Marked].
func fromYAML(t *testing.T, text string) []map[string]any {
	t.Helper()
	docs, err := manifests.ReadObjects(strings.NewReader(text), "test")
	if err != nil {
		t.Fatal(err)
	}
	objects := make([]map[string]any, len(docs))
	for i, doc := range docs {
		objects[i] = tree.Map(treetest.Marked(doc.Value))
	}
	return objects
}

// podCase is a pod and all its findings.
type podCase struct {
	name    string
	spec    string // of the pod, in YAML
	kind    string // Pod by default
	options preflight.Options
	want    []string
}

// inSpec returns an object of a kind with a pod spec. Containers of workloads without resources get a memory limit, so
// that its absence is not reported.
func inSpec(t *testing.T, kind, spec string) map[string]any {
	t.Helper()
	pod := fromYAML(t, spec)[0]
	if kind == "" || kind == "Pod" {
		return map[string]any{"kind": "Pod", "spec": pod}
	}
	for _, v := range tree.List(pod["containers"]) {
		if ctr := tree.Map(v); ctr["resources"] == nil {
			ctr["resources"] = map[string]any{"limits": map[string]any{"memory": "1Gi"}}
		}
	}
	template := map[string]any{"metadata": map[string]any{"labels": map[string]any{"app": "shop"}}, "spec": pod}
	if kind == "CronJob" {
		return map[string]any{
			"kind": kind,
			"spec": map[string]any{"jobTemplate": map[string]any{"spec": map[string]any{"template": template}}},
		}
	}
	return map[string]any{"kind": kind, "spec": map[string]any{"template": template}}
}

// texts omits MK105, which most of the pods here have; TestWindowsPodsWithoutOSName tests it.
func texts(findings []preflight.Finding) []string {
	var all []string
	for _, f := range findings {
		if f.Rule == "MK105" {
			continue
		}
		all = append(all, string(f.Severity)+" "+f.String())
	}
	return all
}

func runPodCases(t *testing.T, tests []podCase) {
	t.Helper()
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := texts(preflight.Check(inSpec(t, tt.kind, tt.spec), tt.options))
			diffFindings(t, tt.want, got)
		})
	}
}

// mixed returns a cluster with one Linux pool and Windows pools that have the default taint.
func mixed(windows ...platform.Platform) preflight.Options {
	pools := []topology.Pool{{Name: "sys", Platform: platform.Linux, Mode: topology.System, Count: 3}}
	for _, p := range windows {
		pools = append(pools,
			topology.Pool{Name: strings.Replace(p.String(), "windows-20", "win", 1), Platform: p, Count: 2})
	}
	return preflight.Options{KubernetesVersion: "1.36", Topology: topology.Topology{Pools: pools}}
}

func relaxed(o preflight.Options) preflight.Options {
	o.Matching = platform.Relaxed
	return o
}

// open returns a cluster whose Windows pool has no taint.
func open() preflight.Options {
	o := mixed(platform.WindowsServer2022)
	o.Topology.Pools[1].Untainted = true
	return o
}

// labeled returns a mixed cluster whose Windows pools have the label pool=a, and no taint.
func labeled(windows ...platform.Platform) preflight.Options {
	o := mixed(windows...)
	for i := range o.Topology.Pools[1:] {
		o.Topology.Pools[1+i].Untainted = true
		o.Topology.Pools[1+i].Labels = map[string]string{"pool": "a"}
	}
	return o
}

// besides adds pools with the default taint.
func besides(o preflight.Options, windows ...platform.Platform) preflight.Options {
	o.Topology.Pools = append(o.Topology.Pools, mixed(windows...).Topology.Pools[1:]...)
	return o
}

// tainted adds the default taint to its Windows pools.
func tainted(o preflight.Options) preflight.Options {
	for i := range o.Topology.Pools[1:] {
		o.Topology.Pools[1+i].Untainted = false
	}
	return o
}
