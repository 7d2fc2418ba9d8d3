package guard_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	kubernetes "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes"
	corev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
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
