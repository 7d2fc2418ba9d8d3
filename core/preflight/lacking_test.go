package preflight_test

import (
	"testing"

	"github.com/mixedkube/mixedkube/core/preflight"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/pods"
)

// partial returns options with a topology that may lack pools.
func partial(options preflight.Options) preflight.Options {
	options.Topology.Partial = true
	return options
}

// having returns options with the RuntimeClasses of the cluster.
func having(options preflight.Options, classes ...topology.RuntimeClass) preflight.Options {
	options.Topology.RuntimeClasses = append([]topology.RuntimeClass{}, classes...)
	return options
}

// several is the finding about an image that does not name its release, for pools that run different ones.
const several = "info spec.template.spec.containers[0].image: … (MK315)"

// A platform that the cluster lacks is certain if the topology is complete, whatever leads the pods there.
func TestAPlatformThatTheClusterLacks(t *testing.T) {
	t.Parallel()
	const (
		homeless = "spec: … (MK303)"
		stated   = `: no pool of the topology runs it, only linux, windows-2022`
		others   = `; the topology is partial, so another pool may`
		fix      = ": … (MK303)"
		class    = "runtimeClassName: windows-2019\n" + anyImage
		selector = "nodeSelector: {kubernetes.io/os: windows, node.kubernetes.io/windows-build: 10.0.17763}\n" +
			tolerates + anyImage
		affinity = "nodeSelector: {kubernetes.io/os: windows}\n" + tolerates + anyImage + "affinity: {nodeAffinity: " +
			"{requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchExpressions: [{key: " +
			"node.kubernetes.io/windows-build, operator: In, values: [10.0.20348, 10.0.17763]}]}]}}}\n"
		ofClass    = `spec.runtimeClassName: "windows-2019"` + stated
		ofSelector = `spec.nodeSelector[node.kubernetes.io/windows-build]: "10.0.17763"` + stated
		ofSet      = `spec.template.` + ofSelector
		ofAffinity = `spec.template.spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.` +
			`nodeSelectorTerms[0].matchExpressions[0].values[1]: "10.0.17763"` + stated
	)
	hyperV := topology.RuntimeClass{
		Name: "windows-2019", Handler: "runhcs-wcow-hypervisor",
		NodeSelector: map[string]string{"node.kubernetes.io/windows-build": "10.0.20348"},
		Tolerations:  []topology.Toleration{{Key: "os", Operator: "Exists"}},
	}
	complete := mixed(win22)
	for _, tt := range []struct {
		name, kind, spec string
		stated           bool
		options          preflight.Options
		want             []string
	}{
		{"by class", "", class, false, complete, []string{"error " + homeless}},
		{"by selector", "", selector, false, complete, []string{"error " + homeless}},
		{"by class, partial", "", class, false, partial(complete), nil},
		{"by selector, partial", "", selector, false, partial(complete), []string{"warning " + homeless}},
		{"by class, no topology", "", class, false, preflight.Options{}, nil},
		{"by class, with a pool", "", class, false, mixed(win22, win19), nil},
		{"by selector, with a pool", "", selector, false, mixed(win22, win19), nil},
		{"a class of the cluster that leads elsewhere", "", class, false, having(complete, hyperV), nil},
		{
			"a class of a release that no node has", "", "runtimeClassName: windows-20h2\n" + anyImage, false, complete,
			[]string{"error spec: … (MK303)"},
		},
		// A chart has a DaemonSet for each release: those without nodes get no pods, and do not fail.
		{"a DaemonSet", "DaemonSet", selector, false, complete, nil},

		{"stated, by class", "", class, true, complete, []string{"error " + ofClass + fix}},
		{"stated, by selector", "", selector, true, complete, []string{"error " + ofSelector + fix}},
		{"stated, by class, " +
			"partial", "", class, true, partial(complete), []string{"warning " + ofClass + others + fix}},
		{
			"stated, by selector, partial", "", selector, true, partial(complete),
			[]string{"warning " + ofSelector + others + fix},
		},
		{"stated, with a pool", "", class, true, mixed(win22, win19), nil},
		{"stated, no topology", "", class, true, preflight.Options{}, nil},
		{"a stated DaemonSet", "DaemonSet", selector, true, complete, []string{"error " + ofSet + fix}},
		{"one of two releases", "DaemonSet", affinity, true, complete, []string{"error " + ofAffinity + fix}},
		{"both have pools", "DaemonSet", affinity, true, mixed(win22, win19), []string{several}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			o := pods.ReadObject(inSpec(t, tt.kind, tt.spec))
			o.Stated = tt.stated
			got := texts(preflight.New(tt.options).CheckObject(o))
			diffFindings(t, tt.want, got)
		})
	}
}

// The RuntimeClasses of the cluster decide whether one exists, and where its pods land.
func TestRuntimeClassesOfTheCluster(t *testing.T) {
	t.Parallel()
	iis := topology.RuntimeClass{
		Name: "iis", Handler: "runhcs-wcow-process",
		NodeSelector: map[string]string{"node.kubernetes.io/windows-build": win25.Build()},
		Tolerations:  []topology.Toleration{{Key: "os", Operator: "Exists"}},
	}
	const (
		windows = "os: {name: windows}, runtimeClassName: iis"
		linux   = "os: {name: linux}, runtimeClassName: gvisor, nodeSelector: {kubernetes.io/os: linux}"
		path    = `spec.template.spec.runtimeClassName: `
		unknown = "… (MK401)"
		missing = `: is neither among the objects nor among the runtimeClasses of the topology: the API server ` +
			`refuses the pods: use a class that exists, or create this one first and add it to the topology (MK417)`
	)
	object := "{apiVersion: node.k8s.io/v1, kind: RuntimeClass, metadata: {name: iis}, handler: runhcs-wcow-process, " +
		"scheduling: {nodeSelector: {kubernetes.io/os: windows}, tolerations: [{key: os, operator: Exists}]}}\n"
	all := mixed(win22, win25)
	for name, tt := range map[string]struct {
		objects string
		options preflight.Options
		landing string
		want    []string
	}{
		"not known": {
			deploy("shop", windows), all, "perhaps win22 (2 nodes), perhaps win25 (2 nodes)",
			[]string{"warning " + path + unknown},
		},
		"the cluster has it": {deploy("shop", windows), having(all, iis), "win25 (2 nodes)", nil},
		"it has another one": {
			deploy("shop", windows), having(all, topology.RuntimeClass{Name: "gvisor"}),
			"perhaps win22 (2 nodes), perhaps win25 (2 nodes)",
			[]string{"error " + path + `"iis"` + missing},
		},
		"it has none, and the pods are for Linux": {
			deploy("shop", linux), having(all), "perhaps sys (3 " +
				"nodes)", []string{"error " + path + `"gvisor"` + missing},
		},
		"without a list Linux pods are not checked": {deploy("shop", linux), all, "perhaps sys (3 nodes)", nil},
		"the objects have another one of the name": {
			deploy("shop", windows) + object, having(all, iis), "win22 (2 nodes), win25 (2 nodes)",
			[]string{several},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			objects := fromYAML(t, tt.objects)
			checker := preflight.New(tt.options)
			got := texts(preflight.Join(checker.Check(objects[0]), checker.Across(objects)[0]))
			diffFindings(t, tt.want, got)
			landing, _ := checker.Landing(objects[0], objects[1:]...)
			if landing.String() != tt.landing {
				t.Errorf("the pods land on %s, want %s", landing, tt.landing)
			}
		})
	}
}

// An update checks each object with the ones before it: a RuntimeClass may follow.
func TestALaterObjectMayResolveAFinding(t *testing.T) {
	t.Parallel()
	for rule, want := range map[string]bool{"MK401": true, "MK417": true, "MK402": false} {
		f := preflight.Finding{Rule: rule, Severity: preflight.Error}
		if rule == "MK401" {
			f.Severity = preflight.Warning
		}
		if got := preflight.MayBeResolved(f); got != want {
			t.Errorf("%s: %t, want %t", rule, got, want)
		}
	}
}
