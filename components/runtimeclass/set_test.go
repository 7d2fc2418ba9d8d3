package runtimeclass_test

import (
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/components/mocktest"
	"github.com/mixedkube/mixedkube/components/runtimeclass"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/testkit/golden"
)

const (
	setType   = "mixedkube:runtimeclass:Set"
	setURN    = "urn:pulumi:stack::project::mixedkube:runtimeclass:Set::windows"
	classType = "kubernetes:node.k8s.io/v1:RuntimeClass"
	classURN  = "urn:pulumi:stack::project::mixedkube:runtimeclass:Set$kubernetes:node.k8s.io/v1:RuntimeClass::"
)

var (
	linux = topology.Pool{Name: "sys", Platform: platform.Linux}
	// The pools of mixed have another order than the platforms.
	mixed = []topology.Pool{
		{Name: "win25", Platform: platform.WindowsServer2025},
		linux,
		{Name: "win19", Platform: platform.WindowsServer2019},
		{Name: "win22", Platform: platform.WindowsServer2022},
	}
)

// newSet returns a program with one set.
func newSet(args *runtimeclass.SetArgs, opts ...pulumi.ResourceOption) pulumi.RunFunc {
	return func(ctx *pulumi.Context) error {
		_, err := runtimeclass.NewSet(ctx, "windows", args, opts...)
		return err
	}
}

func ofPools(pools ...topology.Pool) *runtimeclass.SetArgs {
	return &runtimeclass.SetArgs{Topology: topology.Topology{Pools: pools}}
}

// registration is a resource with its properties as plain values.
type registration struct {
	mocktest.Resource
	Inputs, Outputs map[string]any
}

func registrations(graph *mocktest.Graph) []registration {
	var all []registration
	for _, r := range graph.Resources() {
		all = append(all, plain(r))
	}
	return all
}

func plain(r mocktest.Resource) registration {
	reg := registration{Resource: r, Inputs: r.Plain(), Outputs: mocktest.Plain(r.Outputs)}
	// The version of the SDK changes with each upgrade.
	reg.Resource.Inputs, reg.Resource.Outputs, reg.Version, reg.PluginDownloadURL = nil, nil, "", ""
	return reg
}

func TestTheWholeGraphOfAMixedCluster(t *testing.T) {
	t.Parallel()
	builds := map[string]string{
		"windows-2019": "10.0.17763", "windows-2022": "10.0.20348",
		"windows-2025": "10.0.26100",
	}
	tests := []struct {
		name    string
		options []mocktest.Option
		id      func(name string) string
	}{
		{"in an update", nil, func(name string) string { return name + "-id" }},
		{
			"in a preview, where no class has an ID",
			[]mocktest.Option{mocktest.Preview()},
			func(string) string { return "" },
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var want []registration
			for _, class := range slices.Sorted(maps.Keys(builds)) {
				want = append(want, registration{
					Resource: mocktest.Resource{
						URN: resource.URN(classURN + "windows-" + class), Type: classType, Name: "windows-" + class,
						Parent: setURN, Custom: true, ID: tt.id("windows-" + class),
						DeleteBeforeReplace: true, ReplaceOnChanges: []string{"handler"},
						Aliases: []mocktest.Alias{
							{Type: "kubernetes:node.k8s.io/v1alpha1:RuntimeClass"},
							{Type: "kubernetes:node.k8s.io/v1beta1:RuntimeClass"},
						},
					},
					Inputs: map[string]any{
						"apiVersion": "node.k8s.io/v1",
						"kind":       "RuntimeClass",
						"metadata":   map[string]any{"name": class},
						"handler":    "runhcs-wcow-process",
						"scheduling": map[string]any{
							"nodeSelector": selector(builds[class]),
							"tolerations":  []any{toleration("os", "windows", "NoSchedule")},
						},
					},
					Outputs: map[string]any{},
				})
			}
			want = append(want, registration{
				Resource: mocktest.Resource{URN: setURN, Type: setType, Name: "windows"},
				Inputs:   map[string]any{},
				Outputs:  map[string]any{"names": []any{"windows-2019", "windows-2022", "windows-2025"}},
			})
			graph := mocktest.MustRun(t, newSet(ofPools(mixed...)), tt.options...)
			if diff := cmp.Diff(want, registrations(graph)); diff != "" {
				t.Errorf("the graph (-want +got):\n%s", diff)
			}
		})
	}
}

func selector(build string) map[string]any {
	return map[string]any{
		"kubernetes.io/os": "windows", "kubernetes.io/arch": "amd64", "node.kubernetes.io/windows-build": build,
	}
}

func toleration(key, value, effect string) map[string]any {
	t := map[string]any{"key": key, "operator": "Equal", "effect": effect}
	if value != "" { // empty values are left out, as in Kubernetes' own JSON
		t["value"] = value
	}
	return t
}

func TestAClassToleratesTheTaintsThatAllItsPoolsShare(t *testing.T) {
	t.Parallel()
	team := corev1.Taint{Key: "team", Value: "shop", Effect: corev1.TaintEffectNoExecute}
	bank := corev1.Taint{Key: "team", Value: "bank", Effect: corev1.TaintEffectNoExecute}
	spot := corev1.Taint{Key: "spot", Effect: corev1.TaintEffectPreferNoSchedule}
	windows := func(name string, taints []corev1.Taint) topology.Pool {
		return topology.Pool{Name: name, Platform: platform.WindowsServer2022, Taints: taints}
	}
	tests := []struct {
		name  string
		pools []topology.Pool
		want  []any
	}{
		{
			"a pool that says nothing has the default taint",
			[]topology.Pool{windows("a", nil), windows("b", nil)},
			[]any{toleration("os", "windows", "NoSchedule")},
		},
		{
			"a taint of its own replaces the default",
			[]topology.Pool{windows("a", []corev1.Taint{team})},
			[]any{toleration("team", "shop", "NoExecute")},
		},
		{
			"shared taints come in the order of the first pool",
			[]topology.Pool{windows("a", []corev1.Taint{team, spot}), windows("b", []corev1.Taint{spot, team})},
			[]any{toleration("team", "shop", "NoExecute"), toleration("spot", "", "PreferNoSchedule")},
		},
		{
			"a taint of one pool only is left to the workloads that want that pool",
			[]topology.Pool{windows("a", []corev1.Taint{topology.WindowsTaint(), spot}), windows("b", nil)},
			[]any{toleration("os", "windows", "NoSchedule")},
		},
		{
			"taints with different values are not shared",
			[]topology.Pool{windows("a", []corev1.Taint{team}), windows("b", []corev1.Taint{bank})},
			nil,
		},
		{
			"a pool without taints needs no toleration",
			[]topology.Pool{{Name: "a", Platform: platform.WindowsServer2022, Untainted: true}},
			nil,
		},
		{
			"the taints of other platforms do not count",
			[]topology.Pool{
				windows("a", nil),
				{Name: "b", Platform: platform.WindowsServer2019, Taints: []corev1.Taint{team}},
				{Name: "c", Platform: platform.Linux, Taints: []corev1.Taint{spot}},
			},
			[]any{toleration("os", "windows", "NoSchedule")},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			graph := mocktest.MustRun(t, newSet(ofPools(append(tt.pools, linux)...)))
			class, err := graph.Get(classType, "windows-windows-2022")
			if err != nil {
				t.Fatal(err)
			}
			want := map[string]any{"nodeSelector": selector("10.0.20348")}
			if tt.want != nil {
				want["tolerations"] = tt.want
			}
			if diff := cmp.Diff(want, class.Plain()["scheduling"]); diff != "" {
				t.Errorf("scheduling (-want +got):\n%s", diff)
			}
		})
	}
}

func TestEachClassHasTheHandlerOfTheSet(t *testing.T) {
	t.Parallel()
	args := ofPools(mixed...)
	args.Handler = "runhcs-wcow-hypervisor"
	graph := mocktest.MustRun(t, newSet(args))
	got := map[string]any{}
	for _, class := range graph.ByType(classType) {
		got[class.Name] = class.Plain()["handler"]
	}
	want := map[string]any{
		"windows-windows-2019": "runhcs-wcow-hypervisor",
		"windows-windows-2022": "runhcs-wcow-hypervisor",
		"windows-windows-2025": "runhcs-wcow-hypervisor",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("handlers (-want +got):\n%s", diff)
	}
}

func TestTopologyWithoutWindowsPoolsCreatesAnEmptySet(t *testing.T) {
	t.Parallel()
	var set *runtimeclass.Set
	graph := mocktest.MustRun(t, func(ctx *pulumi.Context) (err error) {
		set, err = runtimeclass.NewSet(ctx, "windows", ofPools(linux))
		return err
	})
	want := []registration{{
		Resource: mocktest.Resource{URN: setURN, Type: setType, Name: "windows"},
		Inputs:   map[string]any{},
		Outputs:  map[string]any{"names": []any{}},
	}}
	if diff := cmp.Diff(want, registrations(graph)); diff != "" {
		t.Errorf("the graph (-want +got):\n%s", diff)
	}
	if ready := set.Ready(); len(ready) != 0 {
		t.Errorf("the set has %d classes, want none", len(ready))
	}
}

func TestClassesAreFoundByPlatform(t *testing.T) {
	t.Parallel()
	graph := mocktest.MustRun(t, func(ctx *pulumi.Context) error {
		set, err := runtimeclass.NewSet(ctx, "windows", ofPools(mixed...))
		if err != nil {
			return err
		}
		for _, p := range topology.PoolPlatforms() {
			if class, ok := set.Class(p); ok {
				ctx.Export(p.String(), class.Metadata.Name())
			}
		}
		return nil
	}, mocktest.Preview())
	want := map[string]any{
		"windows-2019": "windows-2019", "windows-2022": "windows-2022",
		"windows-2025": "windows-2025",
	}
	if diff := cmp.Diff(want, mocktest.Plain(graph.Exports())); diff != "" {
		t.Errorf("the names of the classes (-want +got):\n%s", diff)
	}
}

func TestTheOptionsOfTheSetReachTheClasses(t *testing.T) {
	t.Parallel()
	const providerURN = "urn:pulumi:stack::project::pulumi:providers:kubernetes::cluster"
	graph := mocktest.MustRun(t, func(ctx *pulumi.Context) error {
		provider, err := kubernetes.NewProvider(ctx, "cluster", nil)
		if err != nil {
			return err
		}
		return newSet(ofPools(mixed...), pulumi.Provider(provider), pulumi.Protect(true))(ctx)
	}, mocktest.Preview())
	type options struct {
		Provider resource.URN
		Protect  bool
	}
	got := map[string]options{}
	for _, class := range graph.ByType(classType) {
		got[class.Name] = options{class.Provider, class.Protect}
	}
	want := map[string]options{
		"windows-windows-2019": {providerURN, true},
		"windows-windows-2022": {providerURN, true},
		"windows-windows-2025": {providerURN, true},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("options (-want +got):\n%s", diff)
	}
}

func TestWrongArgumentsAreRefusedBeforeAnythingIsRegistered(t *testing.T) {
	t.Parallel()
	const noLinux = `topology.pools: Required value: at least one Linux pool: cluster add-ons such as CoreDNS run on ` +
		`Linux only`
	tests := []struct {
		name string
		args *runtimeclass.SetArgs
		want string
	}{
		{"no arguments", nil, `mixedkube:runtimeclass:Set "windows": ` + noLinux},
		{"an empty topology", &runtimeclass.SetArgs{}, `mixedkube:runtimeclass:Set "windows": ` + noLinux},
		{
			"a handler that is not a DNS label",
			&runtimeclass.SetArgs{Topology: topology.Topology{Pools: mixed}, Handler: "runhcs_wcow"},
			`mixedkube:runtimeclass:Set "windows": handler: … (MK404)`,
		},
		{
			"everything wrong at once",
			&runtimeclass.SetArgs{
				Handler: "Runhcs",
				Topology: topology.Topology{KubernetesVersion: "1.x", Pools: []topology.Pool{
					{Name: "win16", Platform: platform.WindowsServer2016},
					{
						Name: "win16", Platform: platform.WindowsServer2022,
						Taints: []corev1.Taint{{Key: "os", Effect: "NoSchedul"}},
					},
				}},
			},
			strings.Join([]string{
				`mixedkube:runtimeclass:Set "windows":`,
				"handler: … (MK404)",
				`topology.kubernetesVersion: Invalid value: "1.x": not a Kubernetes version: write 1.36 or 1.36.3`,
				noLinux,
				`topology.pools[0].platform: Invalid value: "windows-2016": Windows Server 2016 is no longer ` +
					`supported as a node: a pool runs linux, windows-2019, windows-2022 or windows-2025`,
				`topology.pools[1].name: Duplicate value: "win16": topology.pools[0] has this name already: give ` +
					`each pool a name of its own`,
				`topology.pools[1].taints[0].effect: Invalid value: "NoSchedul": did you mean "NoSchedule"? valid ` +
					`effects are NoSchedule, PreferNoSchedule, NoExecute`,
			}, "\n  "),
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			graph, err := mocktest.Run(newSet(tt.args), mocktest.Preview())
			if _, ok := errors.AsType[*field.Error](err); !ok {
				t.Fatalf("the error is %v, want one with a *field.Error", err)
			}
			golden.Refused(t, graph.Resources(), err, tt.want)
		})
	}
}

func TestArgumentsOfTheCallerAreNotChanged(t *testing.T) {
	t.Parallel()
	args := func() *runtimeclass.SetArgs {
		return ofPools(append(slices.Clone(mixed),
			topology.Pool{
				Name: "b", Platform: platform.WindowsServer2022,
				Labels: map[string]string{"team": "shop"},
			})...)
	}
	got := args()
	mocktest.MustRun(t, newSet(got))
	if diff := cmp.Diff(args(), got); diff != "" {
		t.Errorf("NewSet changed its arguments (-before +after):\n%s", diff)
	}
}

// With relaxed matching, a class selects all nodes that run its images, and exists while one does.
func TestClassesOfRelaxedClusters(t *testing.T) {
	t.Parallel()
	windows := map[string]any{"kubernetes.io/os": "windows"}
	labeled := func(pool topology.Pool) topology.Pool {
		pool.Labels = map[string]string{"mixedkube.dev/runs-windows-2022": "true"}
		return pool
	}
	const win19, win22, win25 = 2, 3, 0
	for name, tt := range map[string]struct {
		pools []topology.Pool
		want  map[string]any
	}{
		"two releases": {
			[]topology.Pool{linux, mixed[win22], mixed[win25]},
			map[string]any{"windows-2022": windows, "windows-2025": selector("10.0.26100")},
		},
		"only the newer one": {
			[]topology.Pool{linux, mixed[win25]}, map[string]any{"windows-2022": windows, "windows-2025": windows},
		},
		"three releases": {mixed, map[string]any{
			"windows-2019": selector("10.0.17763"), "windows-2022": selector("10.0.20348"),
			"windows-2025": selector("10.0.26100"),
		}},
		"three releases, with labels": {
			[]topology.Pool{linux, mixed[win19], labeled(mixed[win22]), labeled(mixed[win25])}, map[string]any{
				"windows-2019": selector("10.0.17763"), "windows-2025": selector("10.0.26100"),
				"windows-2022": map[string]any{
					"kubernetes.io/os": "windows", "mixedkube.dev/runs-windows-2022": "true",
				},
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			args := ofPools(tt.pools...)
			args.Topology.Matching = platform.Relaxed
			got := map[string]any{}
			for _, class := range mocktest.MustRun(t, newSet(args)).ByType(classType) {
				in := class.Plain()
				if diff := cmp.Diff([]string{setURN + "/moves"}, class.Hooks.BeforeUpdate); diff != "" {
					t.Errorf("hooks of %s (-want +got):\n%s", class.Name, diff)
				}
				name := in["metadata"].(map[string]any)["name"].(string)
				got[name] = in["scheduling"].(map[string]any)["nodeSelector"]
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("selectors (-want +got):\n%s", diff)
			}
		})
	}
}
