package policy

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/grpc/status"

	"github.com/mixedkube/mixedkube/internal/testkit/golden"
)

const (
	// planned is the topology of most tests after a change.
	planned = `{"pools": [{"name": "linux", "platform": "linux"}, {"name": "win25", "platform": "windows-2025"}]}`
	// pinned is a Pod with a pin to a pool that the plan does not have, and stranding the finding about it.
	pinned = `{apiVersion: v1, kind: Pod, metadata: {name: web}, spec: {os: {name: windows}, nodeSelector: ` +
		`{kubernetes.io/os: windows, agentpool: win22}, tolerations: [{key: os, operator: Exists}], containers: ` +
		`[{name: web, image: shop.example/web}]}}`
	stranding = "spec.nodeSelector[agentpool]: … (MK319)"
)

// withPlan adds a plan to the configuration of the cluster.
func withPlan(plan string) string {
	return "{" + strings.Replace(pools, `{"topology":`, `{"to": `+plan+`, "topology":`, 1) + "}"
}

func TestAPlanStrandsPods(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "plan.yaml"), []byte(planned), 0o600); err != nil {
		t.Fatal(err)
	}
	other := `{"cluster": {"clusters": [{"provider": "dev", "to": ` + planned + `, "topology": ` +
		strings.TrimSuffix(strings.TrimPrefix(pools, `"cluster": {"topology": `), "}") + "}]}}"
	partial := strings.Replace(planned, "{", `{"partial": true, `, 1)
	for name, tt := range map[string]struct {
		config, provider, object string
		want                     []string
	}{
		"in the configuration": {withPlan(planned), defaultKubernetes, pinned, []string{"mandatory web: " + stranding}},
		"in a file": {
			withPlan(`"plan.yaml"`), defaultKubernetes, pinned, []string{"mandatory web: " + stranding},
		},
		"no plan":             {"{" + pools + "}", defaultKubernetes, pinned, nil},
		"of another cluster":  {other, "dev", pinned, []string{"mandatory web: " + stranding}},
		"not of this cluster": {other, defaultKubernetes, pinned, nil},
		"partial":             {withPlan(partial), defaultKubernetes, pinned, []string{"advisory web: " + stranding}},
		"an advisory rule": {
			strings.TrimSuffix(withPlan(planned), "}") + `, "MK319": "advisory"}`, defaultKubernetes, pinned,
			[]string{"advisory web: " + stranding},
		},
		"a secret pin": {
			withPlan(planned), defaultKubernetes, strings.Replace(pinned, "agentpool: win22", `agentpool: "$secret-`+
				`win22"`, 1),
			[]string{"mandatory web: spec: … (MK319)"},
		},
		"an unknown pin": {
			withPlan(planned), defaultKubernetes, strings.Replace(pinned, "agentpool: win22", "agentpool: "+
				"'$unknown'", 1), nil,
		},
	} {
		for _, preview := range []bool{true, false} {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				e := serve(t, dir, preview)
				if err := e.configure(tt.config); err != nil {
					t.Fatal(err)
				}
				got := e.registerWith(tt.provider, "web", parse(t, tt.object))
				got = append(got, e.end()...)
				if diff := cmp.Diff(tt.want, got, golden.AnySentence); diff != "" {
					t.Errorf("preview %t: violations (-want +got):\n%s", preview, diff)
				}
			})
		}
	}
}

// A class that the plan does not list is found between objects: one that is registered later resolves it.
func TestARuntimeClassThatThePlanDoesNotList(t *testing.T) {
	t.Parallel()
	const (
		pod = `{apiVersion: v1, kind: Pod, metadata: {name: web}, spec: {os: {name: windows}, runtimeClassName: iis, ` +
			`containers: [{name: web, image: shop.example/web}]}}`
		class = `{apiVersion: node.k8s.io/v1, kind: RuntimeClass, metadata: {name: iis}, handler: ` +
			`runhcs-wcow-process, scheduling: {nodeSelector: {kubernetes.io/os: windows}, tolerations: [{key: os, ` +
			`operator: Exists}]}}`
		missing = "mandatory web: spec.runtimeClassName: … (MK418)"
	)
	plan := withPlan(strings.Replace(planned, "{", `{"runtimeClasses": [], `, 1))
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
				e := start(t, preview, plan)
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

// The plan itself has findings at the stack, and so do the classes of the cluster that no resource is.
func TestAPlanItselfHasFindings(t *testing.T) {
	t.Parallel()
	const (
		aks = `{"kubernetesVersion": "VERSION", "cloud": "aks", "pools": [{"name": "sys", "platform": "linux"}, ` +
			`{"name": "win22", "platform": "windows-2022"}]}`
		tooNew = "mandatory : Topology: to.pools[1].platform: … (MK712)"
		class  = `{apiVersion: node.k8s.io/v1, kind: RuntimeClass, metadata: {name: iis}, handler: ` +
			`runhcs-wcow-process}`
		strands = "mandatory : Topology: runtimeClasses[0].nodeSelector[agentpool]: … (MK418)"
		dropped = "advisory : Topology: to.runtimeClasses: … (MK418)"
	)
	of := func(version string) string { return strings.Replace(aks, "VERSION", version, 1) }
	having := func(plan string) string {
		return strings.Replace(withPlan(plan), `"kubernetesVersion": "1.36",`, `"kubernetesVersion": "1.36", `+
			`"runtimeClasses": [{"name": "iis", "nodeSelector": {"agentpool": "win22"}}],`, 1)
	}
	none := strings.Replace(planned, "{", `{"runtimeClasses": [], `, 1)
	for name, tt := range map[string]struct {
		config, object string
		want           []string
	}{
		"a version without the release": {
			`{"cluster": {"horizon": 30, "topology": ` + of("1.36") + `, "to": ` + of("1.37") + `}}`, "",
			[]string{tooNew},
		},
		"a class that the plan strands":       {having(planned), "", []string{strands}},
		"a class that the plan does not list": {having(none), "", []string{dropped}},
		"a class that is a resource":          {having(planned), class, nil},
	} {
		for _, preview := range []bool{true, false} {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				e := start(t, preview, tt.config)
				var got []string
				if tt.object != "" {
					got = e.register("iis", tt.object)
				}
				if diff := cmp.Diff(tt.want, append(got, e.end()...), golden.AnySentence); diff != "" {
					t.Errorf("preview %t (-want +got):\n%s", preview, diff)
				}
			})
		}
	}
}

func TestErrorsOfAPlan(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	wrong := "pools:\n- {name: linux, platform: linux}\n- {name: a, platform: hunter2}\n"
	if err := os.WriteFile(filepath.Join(dir, "wrong.yaml"), []byte(wrong), 0o600); err != nil {
		t.Fatal(err)
	}
	const needs = "Required value: a planned topology is compared with the current one: give the pools that the " +
		"cluster has"
	for name, tt := range map[string]struct{ config, want string }{
		"no topology": {`{"cluster": {"to": ` + planned + `}}`, "mixedkube: cluster.topology: " + needs},
		"no topology, and other errors": {
			`{"cluster": {"to": {"pools": []}, "kubernetesVersion": "new"}}`,
			"mixedkube:\n  cluster.kubernetesVersion: Invalid value: \"new\": not a Kubernetes version: write 1.36 " +
				"or 1.36.3\n  cluster.to.pools: Required value: at least one Linux pool: cluster add-ons such as " +
				"CoreDNS run on Linux only",
		},
		"a topology that cannot be read": {
			`{"cluster": {"to": ` + planned + `, "topology": "none.yaml"}}`,
			"mixedkube: cluster.topology: DIR/none.yaml: no such file or directory",
		},
		"a plan that cannot be read": {
			withPlan(`"none.yaml"`), "mixedkube: cluster.to: DIR/none.yaml: no such file or directory",
		},
		"a wrong plan in a file": {
			withPlan(`"wrong.yaml"`),
			"mixedkube: cluster.to: DIR/wrong.yaml:3: pools[1].platform: Invalid value: unknown platform: a pool " +
				"runs linux, windows-2019, windows-2022 or windows-2025",
		},
		"another matching": {
			strings.Replace(withPlan(strings.Replace(planned, "{", `{"matching": "relaxed", `, 1)), `{"to"`,
				`{"matching": "strict", "to"`, 1),
			`mixedkube: cluster.matching: Invalid value: "strict": the planned topology has relaxed: give one of ` +
				`the two`,
		},
		"one of several clusters": {
			`{"cluster": {"clusters": [{"provider": "dev", "to": 1, "topology": ` + planned + `}]}}`,
			"mixedkube: cluster.clusters[0].to: Invalid value: 1: must be an object",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			err := serve(t, dir, true).configure(tt.config)
			got := strings.ReplaceAll(status.Convert(err).Message(), filepath.ToSlash(dir), "DIR")
			if diff := cmp.Diff(tt.want, got, golden.AnySentence); diff != "" {
				t.Errorf("error (-want +got):\n%s", diff)
			}
		})
	}
}
