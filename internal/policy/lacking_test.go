package policy

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/internal/testkit/golden"
)

// The pack sees the argument of a component only in the object that it has completed.
func TestAPlatformThatTheClusterLacks(t *testing.T) {
	t.Parallel()
	const (
		selector = `nodeSelector: {kubernetes.io/os: windows, node.kubernetes.io/windows-build: 10.0.26100}, ` +
			`tolerations: [{key: os, operator: Exists}]`
		template = `{template: {metadata: {labels: {app: web}}, spec: {os: {name: windows}, ` + selector + `, ` +
			`containers: [{name: web, image: shop.example/web, resources: {limits: {memory: 1Gi}}}]}}, selector: ` +
			`{matchLabels: {app: web}}}`
		set = `{apiVersion: apps/v1, kind: DaemonSet, metadata: {name: web}, spec: ` + template + `}`
		pod = `{apiVersion: v1, kind: Pod, metadata: {name: web}, spec: {os: {name: windows}, SCHEDULING, ` +
			`containers: [{name: web, image: shop.example/web}]}}`
		lacks   = ": … (MK303)"
		byBuild = `nodeSelector[node.kubernetes.io/windows-build]: "10.0.26100"` + lacks
	)
	byClass := strings.Replace(pod, "SCHEDULING", "runtimeClassName: windows-2025", 1)
	bySelector := strings.Replace(pod, "SCHEDULING", selector, 1)
	partial := strings.Replace(pools, `"pools":`, `"partial": true, "pools":`, 1)
	for name, tt := range map[string]struct {
		pools, types, object string
		want                 []string
	}{
		"by class": {
			pools, "mixedkube:workload:Pod$kubernetes:core/v1:Pod", byClass,
			[]string{`mandatory web: spec.runtimeClassName: "windows-2025"` + lacks},
		},
		"by selector": {
			pools, "mixedkube:workload:Pod$kubernetes:core/v1:Pod", bySelector,
			[]string{`mandatory web: spec.` + byBuild},
		},
		"a DaemonSet": {
			pools, "shop:index:App$mixedkube:workload:DaemonSet$kubernetes:apps/v1:DaemonSet", set,
			[]string{`mandatory web: spec.template.spec.` + byBuild},
		},
		"of host processes, partial": {
			partial, "mixedkube:hostprocess:DaemonSet$kubernetes:apps/v1:DaemonSet", set,
			[]string{`advisory web: spec.template.spec.` + byBuild},
		},
		"partial, by class": {
			partial, "mixedkube:workload:Pod$kubernetes:core/v1:Pod", byClass,
			[]string{`advisory web: spec.runtimeClassName: "windows-2025"` + lacks},
		},
		"without a component": {pools, "kubernetes:core/v1:Pod", byClass, []string{"mandatory web: spec" + lacks}},
		// One for each release: the component chooses them.
		"a DaemonSet of an add-on": {pools, "mixedkube:hostprocess:CSIProxy$kubernetes:apps/v1:DaemonSet", set, nil},
		"a DaemonSet of a chart":   {pools, "kubernetes:apps/v1:DaemonSet", set, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := start(t, true, "{"+tt.pools+"}")
			got := e.registerAs(tt.types, defaultKubernetes, "web", parse(t, tt.object))
			if diff := cmp.Diff(tt.want, got, golden.AnySentence); diff != "" {
				t.Errorf("violations (-want +got):\n%s", diff)
			}
		})
	}
}

// A class that the cluster does not have stops the program, if the topology lists its classes and the program does not
// create it, before or after the pods.
func TestARuntimeClassThatTheClusterLacks(t *testing.T) {
	t.Parallel()
	const (
		pod = `{apiVersion: v1, kind: Pod, metadata: {name: web}, spec: {os: {name: windows}, runtimeClassName: iis, ` +
			`containers: [{name: web, image: shop.example/web}]}}`
		class = `{apiVersion: node.k8s.io/v1, kind: RuntimeClass, metadata: {name: iis}, handler: ` +
			`runhcs-wcow-process, ` +
			`scheduling: {nodeSelector: {kubernetes.io/os: windows}, tolerations: [{key: os, operator: Exists}]}}`
		missing = "mandatory web: spec.runtimeClassName: … (MK417)"
	)
	listed := strings.Replace(pools, `"pools":`, `"runtimeClasses": [{"name": "windows-2022"}], "pools":`, 1)
	for name, tt := range map[string]struct {
		objects []string
		want    []string
	}{
		"nothing creates it": {[]string{pod}, []string{missing}},
		"it comes first":     {[]string{class, pod}, nil},
		"it comes later":     {[]string{pod, class}, nil},
	} {
		for _, preview := range []bool{true, false} {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				e := start(t, preview, "{"+listed+"}")
				var got []string
				for _, object := range tt.objects {
					name := "web"
					if object == class {
						name = "iis"
					}
					got = append(got, e.register(name, object)...)
				}
				got = append(got, e.end()...)
				if diff := cmp.Diff(tt.want, got, golden.AnySentence); diff != "" {
					t.Errorf("preview %t: violations (-want +got):\n%s", preview, diff)
				}
			})
		}
	}
}
