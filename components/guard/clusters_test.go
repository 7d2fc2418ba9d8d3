package guard_test

import (
	"context"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	kubernetes "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes"
	corev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	metav1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/meta/v1"
	nodev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/node/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/guard"
	"github.com/mixedkube/mixedkube/components/mocktest"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
)

// development has no Windows Server 2022.
var development = topology.Topology{KubernetesVersion: "1.36", Pools: []topology.Pool{
	{Name: "linux", Platform: platform.Linux, Count: 1},
	{Name: "win19", Platform: platform.WindowsServer2019, Count: 1},
}}

var twoClusters = guard.Args{Clusters: []guard.Cluster{
	{Provider: "dev", Topology: development}, {Provider: "prod", Topology: mixed},
}}

// nowhere is the finding for the Pod of windows(nil) in the cluster of dev.
const nowhere = "(MK303)"

func newProvider(ctx *pulumi.Context, name string) (pulumi.ProviderResource, error) {
	return kubernetes.NewProvider(ctx, name, nil)
}

// The provider decides about the cluster of a resource, no matter who shows the resource to the guard.
func TestTheProviderDecidesAboutTheCluster(t *testing.T) {
	t.Parallel()
	type register func(ctx *pulumi.Context, dev, prod pulumi.ProviderResource) error
	one := func(opts ...func(dev, prod pulumi.ProviderResource) pulumi.ResourceOption) register {
		return func(ctx *pulumi.Context, dev, prod pulumi.ProviderResource) error {
			var options []pulumi.ResourceOption
			for _, o := range opts {
				options = append(options, o(dev, prod))
			}
			return plain(ctx, nil, options...)
		}
	}
	below := func(opts func(dev, prod pulumi.ProviderResource) pulumi.ResourceOption) register {
		return func(ctx *pulumi.Context, dev, prod pulumi.ProviderResource) error {
			outer, err := newBox(ctx, "outer", opts(dev, prod))
			if err != nil {
				return err
			}
			return boxed(ctx, nil, pulumi.Parent(outer))
		}
	}
	provider := func(dev, _ pulumi.ProviderResource) pulumi.ResourceOption { return pulumi.Provider(dev) }
	providers := func(dev, _ pulumi.ProviderResource) pulumi.ResourceOption { return pulumi.Providers(dev) }
	both := func(dev, prod pulumi.ProviderResource) pulumi.ResourceOption { return pulumi.Providers(dev, prod) }
	for name, tt := range map[string]struct {
		register register
		wrong    bool
	}{
		"its own":                      {one(provider), true},
		"its own, of the list":         {one(providers), true},
		"that of the component":        {below(provider), true},
		"that of the component's list": {below(providers), true},
		"the last one of a list":       {below(both), false},
		"none that is listed":          {one(), false},
		"its own in that of another one's": {func(ctx *pulumi.Context, dev, prod pulumi.ProviderResource) error {
			b, err := newBox(ctx, "box", pulumi.Provider(prod))
			if err != nil {
				return err
			}
			return plain(ctx, nil, pulumi.Parent(b), pulumi.Provider(dev))
		}, true},
		"of another cloud": {func(ctx *pulumi.Context, dev, _ pulumi.ProviderResource) error {
			var cloud struct{ pulumi.ProviderResourceState }
			if err := ctx.RegisterResource("pulumi:providers:cloud", "dev", nil, &cloud); err != nil {
				return err
			}
			b, err := newBox(ctx, "box", pulumi.Provider(dev))
			if err != nil {
				return err
			}
			return plain(ctx, nil, pulumi.Parent(b), pulumi.Provider(&cloud))
		}, true},
		"below the object of a provider": {func(ctx *pulumi.Context, dev, _ pulumi.ProviderResource) error {
			above, err := corev1.NewNamespacePatch(ctx, "shop", nil, pulumi.Provider(dev))
			if err != nil {
				return err
			}
			return plain(ctx, nil, pulumi.Parent(above))
		}, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for how, shown := range map[string]bool{"in the program": false, "by the engine": true} {
				graph, err := mocktest.Run(guarded(twoClusters, func(ctx *pulumi.Context) error {
					dev, err := newProvider(ctx, "dev")
					if err != nil {
						return err
					}
					prod, err := newProvider(ctx, "prod")
					if err != nil {
						return err
					}
					if shown {
						if err := ctx.RegisterRemoteComponentResource("shop:index:Remote", "remote", nil,
							&pulumi.ResourceState{}); err != nil {
							return err
						}
					}
					return tt.register(ctx, dev, prod)
				}), mocktest.Preview())
				found := slices.ContainsFunc(logs(graph), func(line string) bool {
					return strings.HasPrefix(line, "error pod: ") && strings.HasSuffix(line, nowhere)
				})
				if found != tt.wrong || (err != nil) != tt.wrong {
					t.Errorf("%s: %v, logs:\n%s", how, err, strings.Join(logs(graph), "\n"))
				}
			}
		})
	}
}

func TestMessagesAboutSeveralClusters(t *testing.T) {
	t.Parallel()
	args := twoClusters
	args.Clusters = append(slices.Clone(args.Clusters), guard.Cluster{Provider: "prodd", Topology: mixed})
	program := guarded(args, func(ctx *pulumi.Context) error {
		for _, name := range []string{"dev", "prod", "other"} {
			provider, err := newProvider(ctx, name)
			if err != nil {
				return err
			}
			spec := corev1.PodSpecArgs{Containers: container("shop.example/web:1")}
			if _, err := pod(ctx, "in-"+name, spec, pulumi.Provider(provider)); err != nil {
				return err
			}
		}
		_, err := pod(ctx, "default", corev1.PodSpecArgs{Containers: container("shop.example/web:1")})
		return err
	})
	diffLogs(t, mocktest.MustRun(t, program, mocktest.Preview()),
		"info the stack: no topology is given for the cluster of some providers, so only the rules that hold on every "+
			"cluster are checked:\n  1 object of the default provider\n  1 object of the provider \"other\"",
		"info the stack: where the pods can land in the cluster of the provider \"dev\":\n  in-dev → linux (1 node)",
		"info the stack: where the pods can land in the cluster of the provider \"prod\":\n  in-prod → sys (3 nodes)",
		"warning the stack: clusters[2].provider: no object has the provider \"prodd\"")
	diffLogs(t, mocktest.MustRun(t, program))
}

// A RuntimeClass of one cluster does not exist in another.
func TestObjectsOfOtherClustersAreIgnored(t *testing.T) {
	t.Parallel()
	program := func(in string) pulumi.RunFunc {
		return guarded(twoClusters, func(ctx *pulumi.Context) error {
			providers := map[string]pulumi.ResourceOption{}
			for _, name := range []string{"dev", "prod"} {
				provider, err := newProvider(ctx, name)
				if err != nil {
					return err
				}
				providers[name] = pulumi.Provider(provider)
			}
			class, err := nodev1.NewRuntimeClass(ctx, "fast", &nodev1.RuntimeClassArgs{
				Metadata: metav1.ObjectMetaArgs{Name: pulumi.String("fast")}, Handler: pulumi.String("runc"),
				Scheduling: nodev1.SchedulingArgs{NodeSelector: pulumi.StringMap{"disk": pulumi.String("ssd")}},
			}, providers[in])
			if err != nil {
				return err
			}
			spec := windows(func(s *corev1.PodSpecArgs) {
				s.RuntimeClassName = pulumi.String("fast")
				s.NodeSelector.(pulumi.StringMap)["disk"] = pulumi.String("hdd")
			})
			_, err = pod(ctx, "web", spec, providers["prod"], pulumi.DependsOn([]pulumi.Resource{class}))
			return err
		})
	}
	ids := func(graph *mocktest.Graph) (ids []string) {
		for _, line := range logs(graph) {
			for _, id := range []string{"(MK401)", "(MK402)"} {
				if strings.HasSuffix(line, id) {
					ids = append(ids, id)
				}
			}
		}
		return ids
	}
	for _, options := range [][]mocktest.Option{{mocktest.Preview()}, nil} {
		graph, err := mocktest.Run(program("prod"), options...)
		if diff := cmp.Diff([]string{"(MK402)"}, ids(graph)); diff != "" || err == nil {
			t.Errorf("in the same cluster: %v (-want +got):\n%s", err, diff)
		}
		if got := names(graph); options == nil && len(got) > 0 {
			t.Errorf("the update creates %v", got)
		}
	}
	graph, _ := mocktest.Run(program("dev"), mocktest.Preview())
	if diff := cmp.Diff([]string{"(MK401)"}, ids(graph)); diff != "" {
		t.Errorf("in another cluster (-want +got):\n%s", diff)
	}
}

func TestPlaceCompletesForTheClusterOfTheProvider(t *testing.T) {
	t.Parallel()
	args := twoClusters
	args.Place = true
	graph := mocktest.MustRun(t, guarded(args, func(ctx *pulumi.Context) error {
		for _, name := range []string{"dev", "prod", "other"} {
			provider, err := newProvider(ctx, name)
			if err != nil {
				return err
			}
			spec := corev1.PodSpecArgs{Containers: container("mcr.microsoft.com/windows/servercore:ltsc2019")}
			if _, err := pod(ctx, "in-"+name, spec, pulumi.Provider(provider)); err != nil {
				return err
			}
		}
		return nil
	}))
	for name, want := range map[string]string{
		"in-dev":   "containers nodeSelector os tolerations",
		"in-prod":  "containers nodeSelector os tolerations",
		"in-other": "containers", // its pools are not known
	} {
		if got := strings.Join(slices.Sorted(maps.Keys(spec(t, graph, name))), " "); got != want {
			t.Errorf("%s has %s, want %s", name, got, want)
		}
	}
}

// A transform can give a resource another provider.
func TestATransformChangesTheProvider(t *testing.T) {
	t.Parallel()
	graph, err := mocktest.Run(guarded(twoClusters, func(ctx *pulumi.Context) error {
		dev, err := newProvider(ctx, "dev")
		if err != nil {
			return err
		}
		return plain(ctx, nil, pulumi.Transforms([]pulumi.ResourceTransform{
			func(_ context.Context, args *pulumi.ResourceTransformArgs) *pulumi.ResourceTransformResult {
				args.Opts.Provider = dev
				return &pulumi.ResourceTransformResult{Props: args.Props, Opts: args.Opts}
			},
		}))
	}), mocktest.Preview())
	if err == nil || !strings.Contains(strings.Join(logs(graph), "\n"), nowhere) {
		t.Errorf("%v: %v", err, logs(graph))
	}
}
