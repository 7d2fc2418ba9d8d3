package stackoutput_test

import (
	"testing"

	appsv1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/apps/v1"
	corev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	metav1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/meta/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/guard"
	"github.com/mixedkube/mixedkube/components/mocktest"
	"github.com/mixedkube/mixedkube/components/stackoutput"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/testkit/golden"
)

// apps deploys to the cluster of another stack.
func apps(ctx *pulumi.Context) error {
	infrastructure, err := pulumi.NewStackReference(ctx, "organization/infrastructure/prod", nil)
	if err != nil {
		return err
	}
	cluster, err := stackoutput.ReadTopology(infrastructure, "topology")
	if err != nil {
		return err
	}
	if err := guard.Enforce(ctx, guard.Args{Topology: cluster, Place: true}); err != nil {
		return err
	}
	labels := pulumi.StringMap{"app": pulumi.String("iis")}
	_, err = appsv1.NewDeployment(ctx, "iis", &appsv1.DeploymentArgs{
		Spec: appsv1.DeploymentSpecArgs{
			Selector: metav1.LabelSelectorArgs{MatchLabels: labels},
			Template: corev1.PodTemplateSpecArgs{
				Metadata: metav1.ObjectMetaArgs{Labels: labels},
				Spec: corev1.PodSpecArgs{Containers: corev1.ContainerArray{corev1.ContainerArgs{
					Name:  pulumi.String("iis"),
					Image: pulumi.String("mcr.microsoft.com/windows/servercore/iis:windowsservercore-ltsc2022"),
				}}},
			},
		},
	})
	return err
}

// TestTheGuardDecidesByTheOutput has findings and landings for the pools of another stack.
func TestTheGuardDecidesByTheOutput(t *testing.T) {
	t.Parallel()
	preview := func(windows topology.Pool) (string, error) {
		document := exported(t, stackoutput.Topology(topology.Topology{
			Pools: []topology.Pool{{Name: "linux", Platform: platform.Linux}, windows},
		}))
		graph, err := mocktest.Run(guard.Program(apps), mocktest.Preview(),
			mocktest.Outputs(func(mocktest.Resource) resource.PropertyMap {
				return resource.PropertyMap{
					"outputs": resource.NewProperty(resource.PropertyMap{"topology": document}),
				}
			}))
		return graph.String(), err
	}
	for name, tt := range map[string]struct {
		pool   topology.Pool
		passes bool
		want   []string
	}{
		"no pool of the image's release": {
			topology.Pool{Name: "win25", Platform: platform.WindowsServer2025},
			false,
			[]string{"iis → nowhere", "spec.template.spec.containers[0].image: … (MK305)"},
		},
		"a pool of it": {
			topology.Pool{Name: "web22", Platform: platform.WindowsServer2022, Count: 3},
			true,
			[]string{"iis → web22 (3 nodes)"},
		},
	} {
		shown, err := preview(tt.pool)
		if (err == nil) != tt.passes {
			t.Errorf("%s: the preview ends with %v", name, err)
		}
		for _, part := range tt.want {
			if !golden.Contains(shown, part) {
				t.Errorf("%s: %q is not in:\n%s", name, part, shown)
			}
		}
	}
}
