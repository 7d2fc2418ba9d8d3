package provider

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	appsv1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/apps/v1"
	corev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	metav1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/meta/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/provider"
	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"
	"google.golang.org/grpc"

	"github.com/mixedkube/mixedkube/components/mocktest"
	"github.com/mixedkube/mixedkube/components/runtimeclass"
	"github.com/mixedkube/mixedkube/components/workload"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
)

// served serves the components to a program of [mocktest], whose engine has the log. It applies the changes to each
// request.
func served(t *testing.T, changes ...func(*pulumirpc.ConstructRequest)) mocktest.Option {
	t.Helper()
	return mocktest.Plugin(func(
		ctx context.Context, req *pulumirpc.ConstructRequest,
	) (*pulumirpc.ConstructResponse, error) {
		// The engine of the mocks listens at the address of its monitor.
		host, err := provider.NewHostClient(req.GetMonitorEndpoint())
		if err != nil {
			return nil, err
		}
		defer func() { _ = host.EngineConn().Close() }()
		for _, change := range changes {
			change(req)
		}
		if !strings.HasPrefix(req.GetType(), "mixedkube:") {
			return ofOthers(ctx, req, host.EngineConn())
		}
		return serve(t, newServer("1.2.3", host.EngineConn())).Construct(ctx, req)
	})
}

// ofOthers creates a component of another package, such as a chart of kubernetes, without children.
func ofOthers(
	ctx context.Context, req *pulumirpc.ConstructRequest, engine *grpc.ClientConn,
) (*pulumirpc.ConstructResponse, error) {
	return provider.Construct(ctx, req, engine, func(
		ctx *pulumi.Context, typ, name string, _ provider.ConstructInputs, opts pulumi.ResourceOption,
	) (*provider.ConstructResult, error) {
		made := &bare{}
		err := ctx.RegisterComponentResource(typ, name, made, opts)
		return &provider.ConstructResult{URN: made.URN(), State: pulumi.Map{"resources": pulumi.Array{}}}, err
	})
}

// serve starts a server and returns a client for it, as the engine does.
func serve(t *testing.T, s *server) pulumirpc.ResourceProviderClient {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	listening := grpc.NewServer()
	pulumirpc.RegisterResourceProviderServer(listening, s)
	go func() { _ = listening.Serve(listener) }()
	t.Cleanup(listening.Stop)
	host, err := provider.NewHostClient(listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	return pulumirpc.NewResourceProviderClient(host.EngineConn())
}

// run runs a program as the engine does: a logged error is an error.
func run(program pulumi.RunFunc, options ...mocktest.Option) (*mocktest.Graph, error) {
	graph, err := mocktest.Run(program, options...)
	errs := []error{err}
	for _, log := range graph.Logs() {
		if log.Severity == "error" {
			errs = append(errs, fmt.Errorf("%s: %s", log.URN, log.Message))
		}
	}
	return graph, errors.Join(errs...)
}

// remote is a component in a program in another language: untyped.
type remote struct {
	pulumi.ResourceState

	Name  pulumi.StringPtrOutput   `pulumi:"name"`
	Names pulumi.StringArrayOutput `pulumi:"names"`
}

func register(
	ctx *pulumi.Context, token, name string, inputs pulumi.Map, opts ...pulumi.ResourceOption,
) (*remote, error) {
	made := &remote{}
	return made, ctx.RegisterRemoteComponentResource(token, name, inputs, made, opts...)
}

// cluster is a topology as a program in another language writes it.
var cluster = pulumi.Map{
	"kubernetesVersion": pulumi.String("1.36"),
	"pools": pulumi.Array{
		pulumi.Map{"name": pulumi.String("sys"), "platform": pulumi.String("linux")},
		pulumi.Map{
			"name": pulumi.String("win22"), "platform": pulumi.String("windows-2022"), "count": pulumi.Int(2),
			"taints":   pulumi.Array{pulumi.String("os=windows:NoSchedule"), pulumi.String("gpu:NoExecute")},
			"reserved": pulumi.Map{"cpu": pulumi.String("500m")},
		},
	},
}

func inGo() topology.Topology {
	t, errs := topology.Decode(map[string]any{
		"kubernetesVersion": "1.36",
		"pools": []any{
			map[string]any{"name": "sys", "platform": "linux"},
			map[string]any{
				"name": "win22", "platform": "windows-2022", "count": 2,
				"taints":   []any{"os=windows:NoSchedule", "gpu:NoExecute"},
				"reserved": map[string]any{"cpu": "500m"},
			},
		},
	}, nil)
	if len(errs) > 0 {
		panic(errs.ToAggregate())
	}
	return t
}

// TestComponentsMatchGo compares the resources that two programs register, one with the component of Go and one with
// the component of the plugin: the inputs of each resource, its secrets and its dependencies.
func TestComponentsMatchGo(t *testing.T) {
	t.Parallel()
	image := func(ctx *pulumi.Context) (pulumi.StringOutput, pulumi.ResourceOption, error) {
		secret, err := corev1.NewSecret(ctx, "pull", &corev1.SecretArgs{
			StringData: pulumi.StringMap{"image": pulumi.ToSecret(pulumi.String("web:ltsc2022")).(pulumi.StringOutput)},
		})
		if err != nil {
			return pulumi.StringOutput{}, nil, err
		}
		// The SDK makes a remote component depend on the resources of its inputs.
		return secret.StringData.MapIndex(pulumi.String("image")), pulumi.DependsOn([]pulumi.Resource{secret}), nil
	}
	labels := pulumi.StringMap{"app": pulumi.String("web")}
	for name, tt := range map[string]struct{ typed, untyped pulumi.RunFunc }{
		"runtimeclass.Set": {
			func(ctx *pulumi.Context) error {
				_, err := runtimeclass.NewSet(ctx, "windows", &runtimeclass.SetArgs{
					Topology: inGo(), Keep: []platform.Platform{platform.WindowsServer2025},
				})
				return err
			},
			func(ctx *pulumi.Context) error {
				_, err := register(ctx, "mixedkube:runtimeclass:Set", "windows", pulumi.Map{
					"topology": cluster, "keep": pulumi.Array{pulumi.String("windows-2025")},
				})
				return err
			},
		},
		"workload.Deployment": {
			func(ctx *pulumi.Context) error {
				from, after, err := image(ctx)
				if err != nil {
					return err
				}
				_, err = workload.NewDeployment(ctx, "web", &workload.DeploymentArgs{
					Platform: platform.WindowsServer2022, Topology: inGo(), Scheduling: workload.BySelector,
					Spec: appsv1.DeploymentSpecArgs{
						Selector: metav1.LabelSelectorArgs{MatchLabels: labels},
						Template: corev1.PodTemplateSpecArgs{
							Metadata: metav1.ObjectMetaArgs{Labels: labels},
							Spec: corev1.PodSpecArgs{Containers: corev1.ContainerArray{corev1.ContainerArgs{
								Name: pulumi.String("web"), Image: from,
								Env: corev1.EnvVarArray{corev1.EnvVarArgs{
									Name:  pulumi.String("TOKEN"),
									Value: pulumi.ToSecret(pulumi.String("s3cret")).(pulumi.StringOutput),
								}},
							}}},
						},
					},
				}, pulumi.Protect(true), after)
				return err
			},
			func(ctx *pulumi.Context) error {
				from, after, err := image(ctx)
				if err != nil {
					return err
				}
				_, err = register(ctx, "mixedkube:workload:Deployment", "web", pulumi.Map{
					"platform": pulumi.String("windows-2022"), "topology": cluster,
					"scheduling": pulumi.String("BySelector"),
					"spec": pulumi.Map{
						"selector": pulumi.Map{"matchLabels": labels},
						"template": pulumi.Map{
							"metadata": pulumi.Map{"labels": labels},
							"spec": pulumi.Map{"containers": pulumi.Array{pulumi.Map{
								"name": pulumi.String("web"), "image": from,
								"env": pulumi.Array{pulumi.Map{
									"name": pulumi.String("TOKEN"), "value": pulumi.ToSecret(pulumi.String("s3cret")),
								}},
							}}},
						},
					},
				}, pulumi.Protect(true), after)
				return err
			},
		},
	} {
		for way, option := range map[string]mocktest.Option{"preview": mocktest.Preview(), "update": mocktest.All()} {
			t.Run(name+"/"+way, func(t *testing.T) {
				t.Parallel()
				want := mocktest.MustRun(t, tt.typed, option).String()
				got := mocktest.MustRun(t, tt.untyped, option, served(t)).String()
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("what the plugin registers (-Go +plugin):\n%s", diff)
				}
				if !strings.Contains(want, "mixedkube:") {
					t.Errorf("nothing was registered:\n%s", want)
				}
			})
		}
	}
}

func TestGetSchema(t *testing.T) {
	t.Parallel()
	client := serve(t, newServer("1.2.3", nil))
	got, err := client.GetSchema(t.Context(), &pulumirpc.GetSchemaRequest{})
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(got.GetSchema(), `"version":"1.2.3"`) {
		t.Errorf("the schema has no version: %.200s", got.GetSchema())
	}
	_, err = client.GetSchema(t.Context(), &pulumirpc.GetSchemaRequest{Version: 1})
	if want := "schema version 1 is not supported: only 0 is"; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("error %v, want %s", err, want)
	}
	tokens := slices.Sorted(maps.Keys(newServer("", nil).components))
	if len(tokens) != len(Components()) {
		t.Errorf("two components share a token: %s", tokens)
	}
}
