package workload_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/meta/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/mocktest"
	"github.com/mixedkube/mixedkube/components/workload"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/internal/testkit/golden"
)

func TestOptionsReachTheObject(t *testing.T) {
	t.Parallel()
	for _, k := range kinds() {
		t.Run(k.name, func(t *testing.T) {
			t.Parallel()
			graph := mocktest.MustRun(t, k.deploy(plainArguments(platform.Linux),
				pulumi.IgnoreChanges([]string{"metadata.labels"}), pulumi.Import(pulumi.ID("default/web")),
				pulumi.Aliases([]pulumi.Alias{{Type: pulumi.String(k.typ)}, {Name: pulumi.String("www")}})))
			object := k.get(t, graph)
			if diff := cmp.Diff([]string{"metadata.labels"}, object.IgnoreChanges); diff != "" {
				t.Errorf("ignoreChanges of the object (-want +got):\n%s", diff)
			}
			if object.ImportID != "default/web" {
				t.Errorf("the object imports %q", object.ImportID)
			}
			// The SDK adds aliases for older versions of the kind.
			want := mocktest.Alias{Name: "web", Type: k.typ, NoParent: true}
			if len(object.Aliases) == 0 || object.Aliases[len(object.Aliases)-1] != want && object.Aliases[0] != want {
				t.Errorf("aliases of the object: %v, want %v among them", object.Aliases, want)
			}
			component, err := graph.Get(k.component(), "web")
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff([]mocktest.Alias{{Name: "www"}}, component.Aliases); diff != "" {
				t.Errorf("aliases of the component (-want +got):\n%s", diff)
			}
		})
	}
}

func TestPodsOnWindowsHaveLongerToStart(t *testing.T) {
	t.Parallel()
	long := mocktest.CustomTimeouts{Create: "30m", Update: "30m"}
	annotated := metav1.ObjectMetaArgs{
		Annotations: pulumi.StringMap{"pulumi.com/timeoutSeconds": pulumi.String("60").ToStringOutput()},
	}
	for name, tt := range map[string]struct {
		platform platform.Platform
		metadata metav1.ObjectMetaPtrInput
		timeouts *pulumi.CustomTimeouts
		want     mocktest.CustomTimeouts
	}{
		"Linux":     {platform.Linux, nil, nil, mocktest.CustomTimeouts{}},
		"Windows":   {platform.WindowsServer2022, nil, nil, long},
		"annotated": {platform.WindowsServer2022, annotated, nil, mocktest.CustomTimeouts{}},
		"an output": {platform.WindowsServer2022, annotated.ToObjectMetaPtrOutput(), nil, long},
		"by options": {
			platform.WindowsServer2022, nil, &pulumi.CustomTimeouts{Create: "2h"},
			mocktest.CustomTimeouts{Create: "2h", Update: "30m"},
		},
		"Linux, by options": {
			platform.Linux, annotated, &pulumi.CustomTimeouts{Create: "2h", Delete: "1m"},
			mocktest.CustomTimeouts{Create: "2h", Delete: "1m"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, k := range kinds() {
				args := plainArguments(tt.platform)
				args.metadata = tt.metadata
				var opts []pulumi.ResourceOption
				if tt.timeouts != nil {
					opts = append(opts, pulumi.Timeouts(tt.timeouts))
				}
				got := k.get(t, mocktest.MustRun(t, k.deploy(args, opts...))).CustomTimeouts
				if diff := cmp.Diff(tt.want, got); diff != "" {
					t.Errorf("%s (-want +got):\n%s", k.name, diff)
				}
			}
		})
	}
}

func TestOptionsAreCheckedWithTheArguments(t *testing.T) {
	t.Parallel()
	graph, err := mocktest.Run(deploy(&workload.DeploymentArgs{Spec: withPods(nil)},
		pulumi.Aliases([]pulumi.Alias{{Type: pulumi.String("kubernetes:core/v1:Pod")}})))
	golden.Refused(t, graph.Resources(), err, `mixedkube:workload:Deployment "web":
  opts.aliases[0].type: Invalid value: "kubernetes:core/v1:Pod": is not the type of a child, and the component `+
		`would take over the state of that resource: write that of kubernetes:apps/v1:Deployment "web-deployment", or `+
		`set the alias in a transform (pulumi.Transforms)
  platform: Required value: set what the containers run on, for example platform.WindowsServer2022
  spec.template.spec: Required value: a workload needs the spec of its pods`)
}
